/** A host for tests: every port answers at once with something plausible and records its arguments. */
import type { Design, Product } from '@markwright/contract/schemas';
import {
  type Artwork,
  type ArtworkElement,
  artworksOf,
  type Composition,
  emptyComposition,
  FIRST_ARTWORK,
  type FontSource,
  TextElement,
} from '@markwright/scene';
import { toProductAsset } from './document/assets.ts';
import { createEditor, type Editor } from './document/editor.ts';
import type { AccountReason, ExportFile, ExportPorts, Ports, Toast } from './ports.ts';
import { createDesignFlow, type DesignFlow } from './trace/designFlow.ts';
import { toPreviewSettings, toVectorizeSettings } from './trace/traceSettings.ts';

export const product: Product = {
  id: '7',
  productId: 'coaster',
  name: 'Slate Coaster, 4 in',
  category: 'Coasters',
  subCategory: '',
  thumbnails: [],
  mockupImageUrl: '/products/coaster.svg',
  dimensions: '4x2',
  // The picture is 8 in wide and 4 in high: 203.2 × 101.6 mm.
  printArea: { x: 0.25, y: 0.25, width: 0.5, height: 0.5 },
  pictureAspect: 2,
  material: 'slate',
  markColor: '#C0C0C0',
  machines: ['laser'],
  surface: { kind: 'flat' },
  variants: { colors: [], sizes: [] },
};

export const artwork: Artwork = {
  width: 200,
  height: 100,
  shapes: [{ d: 'M0 0L200 0L200 100L0 100Z', fill: '#000000', stroke: undefined, strokeWidth: 0, opacity: 1 }],
};

/** Every text is a box as wide as it has letters, half an em each. */
const fonts: FontSource = {
  outline: ({ text }) => ({
    d: `M0 0L${text.length / 2} 0L${text.length / 2} -0.7L0 -0.7Z`,
    advance: text.length / 2,
    ascent: 0.75,
    descent: 0.25,
  }),
};

export const textElement = (id: string, changes: Partial<TextElement> = {}): TextElement =>
  TextElement.parse({ id, text: 'Ava', ...changes });

export function designPlacement(changes: Partial<ArtworkElement> = {}): ArtworkElement {
  return {
    kind: 'artwork',
    id: FIRST_ARTWORK,
    designId: 'd1',
    filename: 'logo.png',
    aspect: 2,
    x: 0,
    y: 0,
    size: 50,
    angleDeg: 0,
    isFlipped: false,
    opacity: 100,
    name: '',
    isLocked: false,
    isHidden: false,
    ...changes,
  };
}

/** Parts of a composition with at most one artwork, under its texts. */
export type TestComposition = Partial<Composition> & { design?: ArtworkElement; texts?: TextElement[] };

/** An editor on the coaster with its 101.6 × 50.8 mm print area, assets in place. */
export function openEditor({ design, texts = [], ...changes }: TestComposition = {}): Editor {
  const elements = design ? [design, ...texts] : texts;
  const composition = { ...emptyComposition, productId: product.id, elements, ...changes };
  return createEditor({
    composition,
    assets: { product: toProductAsset(product), artworks: new Map([[FIRST_ARTWORK, artwork]]), fonts },
  });
}

export const newDesign = (id: string, filename = 'logo.png'): Design => ({
  id,
  filename,
  colorMode: 'black',
  width: 640,
  height: 320,
  originalFileUrl: `/files/${id}`,
  backgroundRemovedUrl: null,
  vectorizedSvgUrl: null,
  createdAt: '2026-01-01T00:00:00.000Z',
});

export interface Host {
  readonly ports: Ports & ExportPorts;
  readonly toasts: Toast[];
  readonly accountRequests: { reason: AccountReason; title: string; description: string }[];
  readonly savedFiles: { file: ExportFile; filename: string }[];
  readonly calls: { name: string; input?: unknown }[];
}

export function createHost(changes: Partial<Ports & ExportPorts> = {}): Host {
  const host: Omit<Host, 'ports'> = { toasts: [], accountRequests: [], savedFiles: [], calls: [] };
  const recordCall = (name: string, input?: unknown) => void host.calls.push({ name, input });
  let count = 0;
  const ports: Ports & ExportPorts = {
    async uploadDesign(file) {
      recordCall('upload', file.name);
      count += 1;
      return newDesign(`d${count}`, file.name);
    },
    async vectorize(designId, request) {
      recordCall('vectorize', { designId, settings: toVectorizeSettings(request) });
      return { ...artwork };
    },
    async generatePreview(designId, settings) {
      recordCall('preview', { designId, settings: toPreviewSettings(settings) });
      return { ...artwork };
    },
    async loadDesign(designId) {
      recordCall('load', designId);
      return { design: newDesign(designId), artwork: { ...artwork } };
    },
    products: async () => [product],
    ensureFonts: async () => fonts,
    fontUrl: (name) => `/fonts/${name}`,
    notify: (toast) => void host.toasts.push(toast),
    account: () => ({ isSignedIn: true, vectors: { used: 0, limit: 8 }, mockups: { used: 0, limit: 24 } }),
    requireAccount: (reason, message) => void host.accountRequests.push({ reason, ...message }),
    async exportProduction(input, _options) {
      recordCall('production', input);
      return { url: '/files/p.svg' };
    },
    async exportFile(input) {
      recordCall('file', input);
      const report = { widthMm: 101.6, heightMm: 50.8, isMirrored: false, colors: null, layers: [], findings: [] };
      return { url: '/files/f', filename: 'Slate_Coaster_101.6x50.8mm.lbrn2', report };
    },
    async exportCustomSvg(input) {
      recordCall('customSvg', input);
      return { url: '/files/c.svg' };
    },
    async exportMockup(input, { turnDeg, spin, scene }) {
      recordCall('png', input);
      if (turnDeg !== undefined) recordCall('turn', turnDeg);
      if (spin) recordCall('spin', input);
      if (scene) recordCall('scene', scene);
      return { url: '/files/m.png' };
    },
    saveFile: (file, filename) => void host.savedFiles.push({ file, filename }),
    recordExport: (record) => recordCall('record', record),
    ...changes,
  };
  return { ...host, ports };
}

/** The design flow of an editor whose design, a drawing, was traced before. */
export function createTracedFlow(editor: Editor, ports: Ports): DesignFlow {
  const flow = createDesignFlow(editor, ports);
  const [design] = artworksOf(editor.getState().composition);
  if (!design) return flow;
  const panel = { status: 'success', design: newDesign(design.designId, 'logo.svg'), isTraced: true } as const;
  const getState = () => (flow.getState().design ? flow.getState() : { ...flow.getState(), ...panel });
  return { ...flow, getState, panels: () => new Map(flow.panels()).set(design.id, getState()) };
}

/** A promise and the ways to end it, for answers that come when the test says so. */
export function createDeferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((res, rej) => {
    resolve = res;
    reject = rej;
  });
  return { promise, resolve, reject };
}

/** Lets every promise that can go on go on. */
export const settle = () => new Promise<void>((resolve) => setTimeout(resolve, 0));
