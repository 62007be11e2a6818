/** What the host of an editor (studio page, shop widget) supplies. The editor itself knows no network, page or storage. */
import type { CutoutFinish, Design, Product } from '@markwright/contract/schemas';
import type { CutoutStage, Message } from '@markwright/contract/words';
import type { Artwork, Composition, FeatureRequest, Features, FontSource, TextLine } from '@markwright/scene';
import type { TraceRequest, TraceSettings } from './trace/traceSettings.ts';

/** A design as the host knows it, with what can be drawn of it. */
export interface LoadedDesign {
  readonly design: Design;
  /** Its newest trace; absent while there is none: the editor then shows the picture itself. */
  readonly artwork: Artwork | undefined;
}

/** How a background is taken away: by itself, then as the maker finished it. */
export interface BackgroundWish extends CutoutFinish {
  /** Enclosed areas that look like the background go too; absent: what the picture looks like decides. */
  readonly clearEnclosed?: boolean | undefined;
}

export interface Backgrounds {
  /** How the background of a design went; nothing is wished while it is still there. */
  read(designId: string, signal: AbortSignal): Promise<BackgroundWish>;
  /** The address of what is cut out by itself. Changes nothing of the design. Says what the work is at, when it is work. */
  cutOut(
    designId: string,
    clearEnclosed: boolean | undefined,
    options: { readonly signal: AbortSignal; onStage(stage: CutoutStage): void },
  ): Promise<string>;
  /** From then on the design's picture is the finished cut-out. */
  remove(designId: string, wish: BackgroundWish, signal: AbortSignal): Promise<LoadedDesign>;
  /** From then on it is the original again. */
  restore(designId: string, signal: AbortSignal): Promise<LoadedDesign>;
}

export interface Toast {
  readonly title: string;
  readonly description?: string;
  readonly variant?: 'default' | 'destructive';
}

/** How much of an allowance is gone. */
export interface Counter {
  readonly used: number;
  readonly limit: number;
}

/** Who is working, as far as exports care. A counter is absent while the host does not know it yet: the server decides. */
export interface Account {
  readonly isSignedIn: boolean;
  readonly vectors?: Counter | undefined;
  readonly mockups?: Counter | undefined;
}

/** Why the person is asked to sign up or upgrade. `mockups`: a visitor's free mockups are used up. */
export type AccountReason = 'production' | 'customSvg' | 'png' | 'vectorLimit' | 'mockups';

/** A finished file: at an address of the host, or made here. */
export type MadeFile =
  | { readonly url: string; readonly filename?: string | undefined }
  | { readonly text: string; readonly mediaType: string; readonly filename?: string | undefined };

/**
 * Rejections carry a plain sentence in `message` and, when the server answered, its status in `status` (401 and 402 lead
 * to `requireAccount`). An aborted call rejects; the editor stays silent about it.
 */
export interface Ports {
  /** `onProgress` takes 0…1; the editor simulates progress where the host cannot tell. */
  uploadDesign(file: File, options: { signal: AbortSignal; onProgress(fraction: number): void }): Promise<Design>;
  /** Traces a design and stores the trace: `toVectorizeSettings` gives the settings of the call. */
  vectorize(designId: string, request: TraceRequest, signal: AbortSignal): Promise<Artwork>;
  /** The same for the few settings that a preview knows: `toPreviewSettings` gives those of the call. */
  generatePreview(designId: string, settings: TraceSettings, signal: AbortSignal): Promise<Artwork>;
  /**
   * Traces on this device, to be looked at while settings are being moved: the picture `vectorize` would give, stored nowhere.
   * `undefined` when this design cannot be traced here. An aborted call rejects at once. `isRough` asks for what it will
   * look like, as soon as can be, even while an exact one is being given up. Absent where the host does not offer it.
   */
  previewTrace?:
    | ((
        design: Design,
        request: TraceRequest,
        options: {
          signal: AbortSignal;
          isRough: boolean;
          onProgress(progress: { stage: string; fraction: number }): void;
        },
      ) => Promise<Artwork | undefined>)
    | undefined;
  /**
   * Measures how thin an element's lines are, away from the page's own thread. `undefined` where this device cannot; an aborted call rejects
   * at once and costs nothing more. Absent where the host does not offer it.
   */
  measureFeatures?: ((request: FeatureRequest, signal: AbortSignal) => Promise<Features | undefined>) | undefined;
  /** Absent where the host does not offer it. */
  backgrounds?: Backgrounds | undefined;
  /** A design of an earlier visit; `undefined` when it is gone. */
  loadDesign(designId: string, signal: AbortSignal): Promise<LoadedDesign | undefined>;

  /** All products that may be picked. May be called often: the host caches. */
  products(): Promise<readonly Product[]>;
  /** Calls back when `products` would give others now. Gives the way to stop. */
  onProductsChange?(listener: () => void): () => void;
  /** Ids of the products used last, the newest first. Absent where the host keeps none. */
  recentProducts?: { read(): readonly string[]; remember(productId: string): void } | undefined;
  /** Loads what the lines need and gives the source that outlines them. Rejects when a font cannot be loaded. */
  ensureFonts(lines: readonly TextLine[]): Promise<FontSource>;
  /** Address of a bundled font file, for showing a typeface in its own face. */
  fontUrl(fileName: string): string;

  notify(toast: Toast): void;
  /** Why nothing can be asked of the server just now, in a sentence; undefined when it can. Absent where the host cannot tell. */
  offline?: (() => string | undefined) | undefined;
  account(): Account;
  requireAccount(reason: AccountReason, message: Message): void;
}

/** What a host supplies besides where files are exported. */
export interface ExportPorts {
  /** Makes the charged production file of a composition. `fellBack`: by the built-in vectorizer, because the paid one failed. */
  exportProduction(input: {
    readonly composition: Composition;
    readonly designId: string | undefined;
    readonly settings: TraceSettings;
  }): Promise<MadeFile & { readonly fellBack?: boolean | undefined }>;
  exportCustomSvg(composition: Composition): Promise<MadeFile>;
  exportMockup(composition: Composition): Promise<MadeFile>;
  saveFile(file: MadeFile, filename: string): Promise<void> | void;
  /** Called after a file was saved: the host records it and refreshes its counters. */
  recordExport(record: {
    readonly kind: 'vector' | 'mockup';
    readonly productName: string | undefined;
    readonly designFilename: string | undefined;
    readonly vectorMode?: string;
  }): void;
}

/** Whether this host exports files. */
export const canExport = (ports: Ports & Partial<ExportPorts>): ports is Ports & ExportPorts =>
  ports.exportProduction !== undefined;

/** The sentence of a rejection. */
export function sentenceOf(error: unknown, otherwise: string): string {
  return error instanceof Error && error.message ? error.message : otherwise;
}

/** The status of a rejection, when the server answered. */
export function statusOf(error: unknown): number | undefined {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' ? status : undefined;
}
