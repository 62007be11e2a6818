/** The studio's ports for the editor: calls of the server, fonts, files, notices and questions about the account. */
import { siteCalls } from '@markwright/contract/paths/siteCalls';
import type { Design, MaterialToneCurve } from '@markwright/contract/schemas';
import { GUEST_MOCKUPS } from '@markwright/contract/words';
import {
  type Account,
  type AccountReason,
  type ElementsToSave,
  type ExportFile,
  type ExportPorts,
  type Ports,
  toPreviewSettings,
  toProductionSettings,
  toVectorizeSettings,
} from '@markwright/editor';
import { type Artwork, type Composition, saveComposition } from '@markwright/scene';
import type { QueryClient } from '@tanstack/react-query';
import { api } from '../../api.ts';
import { isDeviceBlank } from '../../products/deviceBlanks.ts';
import { finderOf, onShownChange, shownProducts } from '../../products/shownProducts.ts';
import { statusOf } from '../../request.ts';
import { type Allowance, refreshAllowance, type Session } from '../../session.tsx';
import { ask, offlineSentence } from '../../studioHost/ask.ts';
import { createDeviceTools } from '../../studioHost/deviceTools.ts';
import { loadEngraver } from '../../studioHost/engraver/loadEngraver.ts';
import { withShopCurves } from '../../studioHost/engraver/shopCurves.ts';
import { createOwnFonts } from '../../studioHost/ownFonts.ts';
import { saveBlob } from '../../ui/saveBlob.ts';
import { readFileFormat, rememberFileFormat } from './fileFormats.ts';
import { iconMarks } from './iconMarks.ts';
import { productMarks } from './productMarks.ts';
import { readRecentProducts, rememberProduct } from './recentProducts.ts';

const DESIGNS = [siteCalls.designs.list.path];
const CURVES = [siteCalls.toneCurves.list.path];
/** A shop measures its materials on another page, and rarely. */
const CURVES_STALE_MS = 60_000;

/** The page, as the ports see it. */
export interface Host {
  readonly queryClient: QueryClient;
  account(): { readonly session: Session; readonly allowance: Allowance };
  requireAccount(reason: AccountReason, message: { title: string; description: string }): void;
  /** Called when the design of an earlier visit is not on the server any more. */
  onDesignGone(designId: string): void;
  /** Called when a file was saved. */
  onExported(): void;
  /** Called when a blank of this device became a product of the account, which the composition then shows. */
  onBlankSent(blankId: string, productId: string): void;
  /** Keeps elements in the library, or says that it belongs to an account. */
  saveElements(elements: ElementsToSave): void;
  /** Asks whether to switch the custom products of the account on. */
  askOptIn(): Promise<boolean>;
}

/**
 * Returns what the editor asks of the page. It is long because it is a list: one short port after the other, on the
 * same client and allowance.
 */
export function createPorts({
  queryClient,
  account,
  requireAccount,
  onDesignGone,
  onExported,
  onBlankSent,
  saveElements,
  askOptIn,
}: Host): Ports & ExportPorts {
  async function artworkOf(svgUrl: string, signal: AbortSignal): Promise<Artwork> {
    const [text, { readTrace }] = await ask(
      Promise.all([readText(svgUrl, signal), import('../../studioHost/tracer/readTrace.ts')]),
      signal,
    );
    return readTrace(text);
  }

  /** Reloads the list of designs and the allowance, which a call has changed. */
  function refresh(): void {
    void queryClient.invalidateQueries({ queryKey: DESIGNS });
    refreshAllowance(queryClient);
  }

  let drawWhitePlate: Promise<NonNullable<Ports['drawWhitePlate']>> | undefined;
  let findLettering: Promise<NonNullable<Ports['findLettering']>> | undefined;

  return {
    uploadDesign: (file, { signal }) => ask(api.designs.upload({ file }, { signal }), signal),

    async vectorize(designId, request, { signal, onStage }) {
      const settings = toVectorizeSettings(request);
      const { vectorizedSvgUrl } = await ask(
        api.designs.vectorize({ body: { designId, settings } }, { signal, onStage }),
        signal,
      );
      refresh();
      return artworkOf(vectorizedSvgUrl, signal);
    },

    async generatePreview(designId, settings, { signal, onStage }) {
      const body = { designId, settings: toPreviewSettings(settings) };
      const call = api.designs.generatePreview({ body }, { signal, onStage });
      const { previewUrl } = await ask(call, signal);
      refreshAllowance(queryClient);
      return artworkOf(previewUrl, signal);
    },

    ...createDeviceTools(),
    engraver: withShopCurves(loadEngraver(), async () =>
      account().session.status === 'user'
        ? queryClient.fetchQuery<MaterialToneCurve[]>({ queryKey: CURVES, staleTime: CURVES_STALE_MS })
        : undefined,
    ),

    async drawWhitePlate(...input) {
      drawWhitePlate ??= import('../../studioHost/white/drawWhitePlate.ts').then((part) => part.createDrawWhitePlate());
      drawWhitePlate.catch(() => {
        drawWhitePlate = undefined;
      });
      return (await drawWhitePlate)(...input);
    },

    async findLettering(...input) {
      findLettering ??= import('../../studioHost/lettering/findLettering.ts').then((part) =>
        part.createFindLettering(),
      );
      findLettering.catch(() => {
        findLettering = undefined;
      });
      return (await findLettering)(...input);
    },

    backgrounds: {
      read: (id, signal) => ask(api.designs.readBackground({ params: { id } }, { signal }), signal),
      async cutOut(designId, clearEnclosed, { signal, onStage }) {
        const body = { designId, options: { isTrial: true, clearEnclosed } };
        const call = api.designs.removeBackground({ body }, { signal, onStage });
        return (await ask(call, signal)).backgroundRemovedUrl;
      },
      async remove(designId, options, { signal, onStage }) {
        await ask(api.designs.removeBackground({ body: { designId, options } }, { signal, onStage }), signal);
        const design = await ask(api.designs.get({ params: { id: designId } }, { signal }), signal);
        refresh();
        // The traces there are show what is gone: the next one is made from the new pixels.
        return { design, artwork: undefined };
      },
      async restore(designId, signal) {
        const design = await ask(api.designs.restoreBackground({ body: { designId } }, { signal }), signal);
        refresh();
        return { design, artwork: undefined };
      },
    },

    async loadDesign(designId, signal) {
      let design: Design;
      try {
        design = await ask(api.designs.get({ params: { id: designId } }, { signal }), signal);
      } catch (error) {
        if (statusOf(error instanceof Error ? error.cause : undefined) !== 404) throw error;
        if (!signal.aborted) onDesignGone(designId);
        return undefined;
      }
      const { vectorizedSvgUrl } = design;
      return { design, artwork: vectorizedSvgUrl ? await artworkOf(vectorizedSvgUrl, signal) : undefined };
    },

    ownFonts: createOwnFonts(queryClient, () => account().session.status === 'user'),

    library: { save: saveElements },
    icons: {
      readIndex: async () => (await import('../../studioHost/icons.ts')).readIndex(),
      readOutlines: async (icons) => (await import('../../studioHost/icons.ts')).readOutlines(icons),
      marks: iconMarks,
    },

    productMarks,
    recentProducts: { read: readRecentProducts, remember: rememberProduct },
    products: () => ask(queryClient.fetchQuery(shownProducts(queryClient))),
    productFinder: () => finderOf(queryClient),
    onProductsChange: onShownChange,
    offline: offlineSentence,
    account: () => toAccount(account()),
    requireAccount,

    ...createExportCalls(async (composition) => {
      const { productId } = composition;
      if (!isDeviceBlank(productId)) return composition;
      const { withSentBlank } = await import('./ownBlanks/saveBlank.ts');
      const result = await withSentBlank(queryClient, composition, askOptIn);
      onBlankSent(productId, result.productId!);
      return result;
    }),
    saveFile,

    recordExport({ kind, productName, designFilename, vectorMode }) {
      onExported();
      const record =
        kind === 'vector'
          ? api.exports.recordVector({ body: { designFilename, vectorMode } })
          : api.exports.recordMockup({ body: { productName, designFilename } });
      // The charge was made with the file; a note that gets lost costs nothing.
      record.catch((error: unknown) => console.warn('An export could not be noted.', error));
      refreshAllowance(queryClient);
    },
  };
}

/** Returns the calls that make files. `send` gives a composition whose product the server knows. */
function createExportCalls(
  send: (composition: Composition) => Promise<Composition>,
): Pick<ExportPorts, 'exportProduction' | 'exportFile' | 'fileFormats' | 'exportCustomSvg' | 'exportMockup'> {
  const toBody = async (composition: Composition) => ({ composition: saveComposition(await send(composition)) });
  return {
    async exportProduction({ composition, designId, settings }, options) {
      const body = {
        ...(designId && { designId }),
        settings: toProductionSettings({ settings, machine: composition.machine }),
        ...(await ask(toBody(composition), options.signal)),
      };
      const { vectorizedSvgUrl, ...made } = await ask(api.designs.vectorize({ body }, options), options.signal);
      return { url: vectorizedSvgUrl, ...made };
    },
    async exportFile({ composition, choice }, options) {
      const body = { ...(await ask(toBody(composition), options.signal)), ...choice };
      return ask(api.exports.file({ body }, options), options.signal);
    },
    fileFormats: { read: readFileFormat, remember: rememberFileFormat },
    async exportCustomSvg(composition, options) {
      const body = await ask(toBody(composition), options.signal);
      return ask(api.exports.customSvg({ body }, options), options.signal);
    },
    async exportMockup(composition, { turnDeg, spin, scene, ...options }) {
      const body = { ...(await ask(toBody(composition), options.signal)), turnDeg, spin, scene };
      return ask(api.exports.mockup({ body }, options), options.signal);
    },
  };
}

function toAccount({ session, allowance: { stats, guest } }: ReturnType<Host['account']>): Account {
  if (session.status !== 'user') {
    const mockupsGenerated = guest?.mockupsGenerated;
    return {
      isSignedIn: false,
      mockups:
        mockupsGenerated === undefined
          ? undefined
          : { used: mockupsGenerated, limit: guest?.mockupsLimit ?? GUEST_MOCKUPS },
    };
  }
  return {
    isSignedIn: true,
    vectors: stats && { used: stats.vectorsUsed, limit: stats.vectorsLimit },
    mockups: stats && { used: stats.mockupsUsed, limit: stats.mockupsLimit },
  };
}

async function readText(url: string, signal: AbortSignal): Promise<string> {
  return (await fetchFile(url, signal)).text();
}

async function fetchFile(url: string, signal?: AbortSignal): Promise<Response> {
  const response = await fetch(url, signal ? { signal } : {});
  if (!response.ok) throw new Error('The file could not be fetched. Please try again.');
  return response;
}

/** Hands a file to the browser's downloads. Resolves when it is complete on this side. */
async function saveFile(file: ExportFile, filename: string): Promise<void> {
  const blob =
    'text' in file ? new Blob([file.text], { type: file.mediaType }) : await (await fetchFile(file.url)).blob();
  saveBlob(blob, filename);
}
