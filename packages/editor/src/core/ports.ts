/**
 * The ports: what the host of an editor (studio page, shop widget) supplies. The editor itself knows no network, page
 * or storage.
 */
import type { EngravedPlace, EngravedSurface } from '@markwright/contract/engraving';
import type { CutoutFinish, Design, FileReport, Product } from '@markwright/contract/schemas';
import {
  type CutoutStage,
  chosenVariant,
  findById,
  type Message,
  type MockupScene,
  type ProductChoice,
  type TraceStage,
  withVariant,
} from '@markwright/contract/words';
import type {
  Artwork,
  ArtworkLettering,
  Composition,
  EngravedArtwork,
  Engraving,
  FeatureRequest,
  Features,
  FontSource,
  Framing,
  JobReview,
  MachineMode,
  Scene,
  Straightening,
  TextLine,
} from '@markwright/scene';
import type { IconEntry, IconIndex } from '@markwright/scene/icons';
import type { UnderbaseOptions, WhiteScene } from '@markwright/scene/inkFiles';
import type { Bed } from './document/productSize.ts';
import type { ElementsToSave } from './document/savedElements.ts';
import type { FormatChoice } from './export/productionFormats.ts';
import type { TraceRequest, TraceSettings } from './trace/traceSettings.ts';

/** A scene whose pictures are left out, and the white of its file. */
export interface WhitePlateRequest {
  readonly scene: WhiteScene;
  readonly options: UnderbaseOptions;
}

/** A design of the host, with its artwork. */
export interface LoadedDesign {
  readonly design: Design;
  /** The newest trace; absent while there is none, and the editor then shows the picture itself. */
  readonly artwork: Artwork | undefined;
}

/** The settings of a removed background: the automatic one, then the maker's finish. */
export interface BackgroundWish extends CutoutFinish {
  /** True when enclosed areas that look like the background are removed too; absent: decided from the picture. */
  readonly clearEnclosed?: boolean | undefined;
}

export interface CutoutCallOptions {
  readonly signal: AbortSignal;
  onStage(stage: CutoutStage): void;
}

/** The host's calls for removing a background. They reject as all ports do. */
export interface Backgrounds {
  /** Reads how the background of a design was removed. Every value is neutral while it is still there. */
  read(designId: string, signal: AbortSignal): Promise<BackgroundWish>;
  /**
   * Returns the address of the automatic cut-out. Changes nothing about the design. Reports its stages when it takes
   * time.
   */
  cutOut(designId: string, clearEnclosed: boolean | undefined, options: CutoutCallOptions): Promise<string>;
  /** Replaces the design's picture by the finished cut-out. Reports its stages when it takes time. */
  remove(designId: string, wish: BackgroundWish, options: CutoutCallOptions): Promise<LoadedDesign>;
  /** Brings the original picture back. */
  restore(designId: string, signal: AbortSignal): Promise<LoadedDesign>;
}

/** How a picture was found to be tilted. */
export interface Skew {
  /** The content is turned clockwise by this. */
  readonly angleDeg: number;
  /** True when the picture was taken at an angle, too. */
  readonly isPerspective: boolean;
  /** Makes the picture straight. */
  readonly straighten: Straightening;
}

/** A picture to engrave, and everything that its dots depend on. */
export interface EngraveRequest {
  readonly design: Design;
  readonly framing: Framing;
  readonly engraving: Engraving;
  readonly place: EngravedPlace;
  readonly surface: EngravedSurface;
  /** A sketch: of about this many pixels where the engraving has more, at a wider interval. */
  readonly maxPixels?: number | undefined;
}

/** An engraving for the stage. */
export interface EngravingReply {
  readonly artwork: EngravedArtwork;
  /** The share of the frame that is burnt, 0…1. */
  readonly meanTone: number;
  /** Lets go of its pictures: nothing shows them any more. */
  release(): void;
}

/** The way that suits a picture on a material. */
export interface WaySuggestion {
  readonly way: 'silhouette' | 'lineArt' | 'tones' | 'photo';
  readonly kind: 'photograph' | 'lineArt' | 'flatColor' | 'lettering' | 'shape' | 'empty';
  /** A sentence. */
  readonly reason: string;
  /** Where to start with the interval on this material, mm. */
  readonly intervalMm: number;
}

/** Engraves pictures on this device, off the page's own thread. An aborted call rejects at once. */
export interface Engraver {
  /**
   * Engraves by the code that makes the files. Rejects with a sentence where a size or an interval is out of range, and
   * resolves with `undefined` when this device cannot.
   */
  engrave(request: EngraveRequest, signal: AbortSignal): Promise<EngravingReply | undefined>;
  /** Looks at a picture. Resolves with `undefined` when this device cannot. */
  suggestWay(
    request: Pick<EngraveRequest, 'design' | 'framing'> & { readonly material: string },
    signal: AbortSignal,
  ): Promise<WaySuggestion | undefined>;
}

/** A picture before light and material are taken out of it, and after, at one size. */
export interface LightPictures {
  readonly beforeUrl: string;
  readonly afterUrl: string;
  readonly width: number;
  readonly height: number;
  /** Lets go of both: nothing shows them any more. */
  release(): void;
}

/** A library of icons. Both calls reject without a connection. */
export interface Icons {
  readIndex(): Promise<IconIndex>;
  /** Returns outlines by the ids of their icons; none for an icon that the library has no more. */
  readOutlines(icons: readonly IconEntry[]): Promise<ReadonlyMap<string, string>>;
  /** Favorites and those used last on this device, by the ids of icons. */
  readonly marks: {
    readFavorites(): readonly string[];
    writeFavorites(ids: readonly string[]): void;
    /** The newest first. */
    readRecent(): readonly string[];
    remember(id: string): void;
  };
}

export interface TraceCallOptions {
  readonly signal: AbortSignal;
  onStage(stage: TraceStage): void;
}

export interface Toast {
  readonly title: string;
  readonly description: string;
  readonly variant?: 'default' | 'destructive';
  /** True while something goes on that the next notice ends: that one takes its place at once. */
  readonly isProgress?: boolean;
}

/** The used part of an allowance, and the whole of it. */
export interface Counter {
  readonly used: number;
  readonly limit: number;
}

/**
 * The account, as far as exports need it. A counter is absent while the host does not know it yet: the server decides
 * then.
 */
export interface Account {
  readonly isSignedIn: boolean;
  readonly vectors?: Counter | undefined;
  readonly mockups?: Counter | undefined;
}

export type ExportKind = 'production' | 'customSvg' | 'png';

/** Why the person is asked to sign up or upgrade. `mockups`: a visitor's free mockups are used up. */
export type AccountReason = ExportKind | 'vectorLimit' | 'mockups';

/** A finished file: at an address of the host, or as text made on this device. */
export type ExportFile =
  | { readonly url: string; readonly filename?: string | undefined }
  | { readonly text: string; readonly mediaType: string; readonly filename?: string | undefined };

/** Finds products in a catalogue that is too large to be on this device. What it finds is among `products` then. */
export interface ProductFinder {
  /** Returns a page of what a text finds, from the cursor `after` on; `next` is the cursor of the next page. */
  search(
    text: string,
    after?: string,
  ): Promise<{ readonly products: readonly Product[]; readonly next: string | undefined }>;
  /** Looks for these ids, and returns all products. */
  find(productIds: readonly string[]): Promise<readonly Product[]>;
}

/** Returns the product of a composition, in its color and size; undefined when it cannot be chosen. */
export async function findProduct(
  ports: Pick<Ports, 'products' | 'productFinder'>,
  choice: ProductChoice,
): Promise<Product | undefined> {
  const { productId } = choice;
  if (productId === undefined) return undefined;
  const product =
    findById(await ports.products(), productId) ??
    findById((await ports.productFinder?.()?.find([productId])) ?? [], productId);
  return product && inVariant(product, choice);
}

/**
 * Returns a product in the color and size of a composition, with the picture of that color. The very same product where
 * the composition names none, or one that it does not have: the server says so then.
 */
export function inVariant<T extends Product>(product: T, choice: ProductChoice): T {
  const { missing: _missing, ...chosen } = chosenVariant(product, choice);
  if (!chosen.color && !chosen.size) return product;
  const picture = chosen.color?.picture;
  return {
    ...withVariant(product, chosen),
    ...(picture && { mockupImageUrl: picture, thumbnails: [] }),
    // It speaks of the product's own size.
    ...(chosen.size?.dimensions && { sizeSource: undefined }),
  };
}

/**
 * Rejections have a plain sentence in `message` and, when the server answered, its status in `status` (401 and 402 lead
 * to `requireAccount`). An aborted call rejects, and the editor reports nothing.
 */
export interface Ports {
  /** Uploads a picture. `onProgress` takes 0…1; the editor simulates progress where the host cannot tell. */
  uploadDesign(file: File, options: { signal: AbortSignal; onProgress(fraction: number): void }): Promise<Design>;
  /**
   * Traces a design and stores the trace: `toVectorizeSettings` gives the settings of the call. Reports its stages when
   * it takes time.
   */
  vectorize(designId: string, request: TraceRequest, options: TraceCallOptions): Promise<Artwork>;
  /**
   * Traces a design with the few settings that a preview knows, and stores the trace: `toPreviewSettings` gives the
   * settings of the call.
   */
  generatePreview(designId: string, settings: TraceSettings, options: TraceCallOptions): Promise<Artwork>;
  /**
   * Traces on this device, for a view while settings are moved: the picture that `vectorize` would return, stored
   * nowhere. Resolves with `undefined` when this design cannot be traced here. An aborted call rejects at once.
   * `isRough` asks for a sketch as soon as possible, even while an exact trace is being aborted. Absent where the host
   * does not offer it.
   */
  previewTrace?:
    | ((
        design: Design,
        request: TraceRequest,
        options: {
          signal: AbortSignal;
          isRough: boolean;
          /** True for a trace beside the one on the stage, which neither of them then waits for. */
          isAside?: boolean;
          onProgress(progress: { stage: string; fraction: number }): void;
        },
      ) => Promise<Artwork | undefined>)
    | undefined;
  /**
   * Finds out whether a picture is tilted, off the page's own thread. Resolves with `undefined` when it is straight,
   * when nothing tells, and when this device cannot. Absent where the host does not offer it.
   */
  findSkew?: ((design: Design, signal: AbortSignal) => Promise<Skew | undefined>) | undefined;
  /**
   * Finds the lines of a trace that are set in a bundled font, off the page's own thread. Resolves with `undefined`
   * where this device cannot. An aborted call rejects at once and costs nothing more. Absent where the host does not
   * offer it.
   */
  findLettering?:
    | ((artwork: Artwork, signal: AbortSignal) => Promise<readonly ArtworkLettering[] | undefined>)
    | undefined;
  /**
   * Takes light and material out of a picture as its trace does, off the page's own thread. Resolves with `undefined`
   * when the trace takes nothing out, and when this device cannot tell. An aborted call rejects at once. Absent where
   * the host does not offer it.
   */
  takeOutLight?:
    | ((request: TraceRequest & { readonly design: Design }, signal: AbortSignal) => Promise<LightPictures | undefined>)
    | undefined;
  /**
   * Measures how thin an element's lines are, off the page's own thread. Resolves with `undefined` where this device
   * cannot. An aborted call rejects at once and costs nothing more. Absent where the host does not offer it.
   */
  measureFeatures?: ((request: FeatureRequest, signal: AbortSignal) => Promise<Features | undefined>) | undefined;
  /**
   * Computes the white plate that a file of this scene has, off the page's own thread, as path data in mm of the
   * machine area. Resolves with `undefined` where this device cannot. Absent where the host does not offer it.
   */
  drawWhitePlate?: ((request: WhitePlateRequest, signal: AbortSignal) => Promise<string | undefined>) | undefined;
  /** Reviews the production job of a scene, as `measureFeatures` measures. */
  reviewJob?: ((request: Scene, signal: AbortSignal) => Promise<JobReview | undefined>) | undefined;
  /** Absent where the host offers no engraving of pictures: the server engraves them in its files all the same. */
  engraver?: Engraver | undefined;
  /** Absent where the host does not offer it. */
  backgrounds?: Backgrounds | undefined;
  /** Loads a design of an earlier visit; `undefined` when it is gone. */
  loadDesign(designId: string, signal: AbortSignal): Promise<LoadedDesign | undefined>;

  /**
   * Returns all products that can be chosen; of a large catalogue, the first ones and those that `productFinder` found.
   * May be called often: the host caches.
   */
  products(): Promise<readonly Product[]>;
  /** Returns what finds the others, once `products` has resolved. Absent or undefined where it returns all. */
  productFinder?(): ProductFinder | undefined;
  /** Calls back when `products` would return others. Returns a function that unsubscribes. */
  onProductsChange?(listener: () => void): () => void;
  /** Ids of the recently used products, the newest first. Absent where the host keeps none. */
  recentProducts?: { read(): readonly string[]; remember(productId: string): void } | undefined;
  /** What a person keeps on this device about products. Absent where the host keeps nothing. */
  productMarks?:
    | {
        /** Ids, in the order in which they were marked. */
        readFavorites(): readonly string[];
        writeFavorites(productIds: readonly string[]): void;
        /** The bed that products have to fit; undefined where all are shown. */
        readBed(): Bed | undefined;
        writeBed(bed: Bed | undefined): void;
      }
    | undefined;
  /** Absent where the host takes no fonts. */
  ownFonts?: OwnFonts | undefined;
  /** Absent where the host offers no icons. */
  icons?: Icons | undefined;
  /** Keeps elements for other compositions, and says how that went. Absent where the host has no library. */
  library?: { save(elements: ElementsToSave): void } | undefined;
  /** Loads the fonts of the lines and returns the source that outlines them. Rejects when a font cannot be loaded. */
  ensureFonts(lines: readonly TextLine[]): Promise<FontSource>;
  /** Returns the address of a bundled font file, for showing a typeface in its own face. */
  fontUrl(fileName: string): string;

  notify(toast: Toast): void;
  /**
   * The place in the queue of a call that waits on a busy server: 1 is next, 0 when none waits. Absent where the host
   * cannot tell.
   */
  placeInLine?: { read(): number; subscribe(listener: () => void): () => void } | undefined;
  /**
   * Returns a sentence that says why the server cannot be reached, or undefined when it can. Absent where the host
   * cannot tell.
   */
  offline?: (() => string | undefined) | undefined;
  account(): Account;
  requireAccount(reason: AccountReason, message: Message): void;
}

/** A font that an account brought along. A text is set in it by the family `own:<id>`. */
export interface OwnFont {
  readonly id: string;
  readonly name: string;
}

/** The fonts that an account brought along. */
export interface OwnFonts {
  /** What somebody who adds one confirms. */
  readonly rightSentence: string;
  /** The page on which they are renamed and deleted. */
  readonly page: string;
  /** The page on which an account is made. */
  readonly accountPage: string;
  /** Resolves with none for somebody without an account. May be called often: the host caches. */
  list(): Promise<readonly OwnFont[]>;
  /** Adds a font file, for which the right was confirmed. Rejects with a sentence. */
  add(file: File): Promise<OwnFont>;
}

/** The additional ports of a host where files are exported. */
export interface ExportPorts {
  /**
   * Makes the production file of a composition, which is charged. `fellBack`: the paid vectorizer failed and the
   * built-in one made it.
   */
  exportProduction(
    input: {
      readonly composition: Composition;
      readonly designId: string | undefined;
      readonly settings: TraceSettings;
    },
    options: TraceCallOptions,
  ): Promise<ExportFile & { readonly fellBack?: boolean | undefined }>;
  /** Makes the production file in another format. All formats of a composition share one charge. */
  exportFile(
    input: { readonly composition: Composition; readonly choice: FormatChoice },
    options: TraceCallOptions,
  ): Promise<ExportFile & { readonly report: FileReport }>;
  /** The format that was used last on this device for a machine. Absent where the host keeps none. */
  fileFormats?:
    | {
        read(machine: MachineMode): FormatChoice | undefined;
        remember(machine: MachineMode, choice: FormatChoice): void;
      }
    | undefined;
  exportCustomSvg(composition: Composition, options: TraceCallOptions): Promise<ExportFile>;
  /**
   * Makes the PNG of a composition on its product, in a scene where one is named. `turnDeg` turns a round one about its
   * axis; `spin` is a WebP.
   */
  exportMockup(
    composition: Composition,
    options: TraceCallOptions & {
      readonly turnDeg?: number | undefined;
      readonly spin?: boolean | undefined;
      readonly scene?: MockupScene | undefined;
    },
  ): Promise<ExportFile>;
  saveFile(file: ExportFile, filename: string): Promise<void> | void;
  /** Records a saved file; the host refreshes its counters. */
  recordExport(record: {
    readonly kind: 'vector' | 'mockup';
    readonly productName: string | undefined;
    readonly designFilename: string | undefined;
    readonly vectorMode?: string;
  }): void;
}

/** True when this host exports files. */
export const canExport = (ports: Ports & Partial<ExportPorts>): ports is Ports & ExportPorts =>
  ports.exportProduction !== undefined;

/** Returns the sentence of a rejection. */
export function sentenceOf(error: unknown, otherwise: string): string {
  return error instanceof Error && error.message ? error.message : otherwise;
}

/** Returns the HTTP status of a rejection, when the server answered. */
export function statusOf(error: unknown): number | undefined {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' ? status : undefined;
}
