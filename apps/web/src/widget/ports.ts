/** The widget's ports for the editor: fewer than the studio's, and all calls are made for this visit. */
import type { OfferedProduct } from '@markwright/contract/schemas';
import { type Ports, type ProductFinder, statusOf, toPreviewSettings, toVectorizeSettings } from '@markwright/editor';
import type { Artwork } from '@markwright/scene';
import { createDeviceTools } from '../studioHost/deviceTools.ts';
import { offlineSentence } from './api.ts';
import type { EditorApi } from './editorApi.ts';

export interface PortsHost {
  readonly api: EditorApi;
  readonly products: () => readonly OfferedProduct[];
  /** Present where `products` are only a part of the catalogue. */
  readonly finder: ProductFinder | undefined;
  /** Called when the free pictures of this month are used up. */
  onLimit(): void;
  /** Called when the design of a saved composition is not on the server any more. */
  onDesignGone(): void;
}

export function createPorts({ api, products, finder, onLimit, onDesignGone }: PortsHost): Ports {
  async function artworkOf(url: string, signal: AbortSignal): Promise<Artwork> {
    const [response, { readTrace }] = await Promise.all([fetch(url, { signal }), loadTrace()]);
    if (!response.ok) throw new Error('The picture could not be fetched. Please try again.');
    return readTrace(await response.text());
  }

  // What a browser could not load once it does not ask for again: text and pictures are to work when the connection
  // goes.
  const loadTrace = () => import('../studioHost/tracer/readTrace.ts');
  const tools = [import('../studioHost/fonts.ts').then(({ ensureFonts }) => ensureFonts([])), loadTrace()];
  for (const tool of tools) tool.catch(() => undefined);

  return {
    uploadDesign: (file, { signal }) => api.designs.upload({ file }, { signal }),
    async vectorize(designId, request, options) {
      const body = { designId, settings: toVectorizeSettings(request) };
      const { vectorizedSvgUrl } = await api.designs.vectorize({ body }, options);
      return artworkOf(vectorizedSvgUrl, options.signal);
    },
    async generatePreview(designId, settings, options) {
      const body = { designId, settings: toPreviewSettings(settings) };
      const { previewUrl } = await api.designs.generatePreview({ body }, options);
      return artworkOf(previewUrl, options.signal);
    },
    ...createDeviceTools(),
    async loadDesign(designId, signal) {
      try {
        const design = await api.designs.get({ params: { id: designId } }, { signal });
        const { vectorizedSvgUrl } = design;
        return { design, artwork: vectorizedSvgUrl ? await artworkOf(vectorizedSvgUrl, signal) : undefined };
      } catch (error) {
        if (statusOf(error) !== 404) throw error;
        if (!signal.aborted) onDesignGone();
        return undefined;
      }
    },
    products: async () => products(),
    productFinder: () => finder,
    offline: offlineSentence,
    account: () => ({ isSignedIn: false }),
    // The one thing a shopper can be out of; there is no account to ask for here.
    requireAccount: onLimit,
  };
}
