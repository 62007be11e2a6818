/** The jobs of the media pool by name: the input of a child process and its output. Types only. */
import type {
  BatchLayout,
  CutoutFinish,
  FileFormat,
  FileNames,
  FileOptions,
  FilePreset,
  FileReport,
  HalftoneTrace,
  ModelUsed,
  PictureChanges,
  Stance,
} from '@markwright/contract';
import type { DitherMethod, Tone, ToneCurve } from '@markwright/engraving';
import type { KindOfBackground } from '@markwright/matting';
import type { Composition, LaserOperation, LaserSettings, MachineMode, ProductAsset, Target } from '@markwright/scene';
import type { MaterialLibrary, OutlineFileKind } from '@markwright/scene/production';
import type { FitOptions, RowFinding, RowPicture, RowText } from '@markwright/scene/rows';
import type { PathBounds, Sheet, Silhouette, SizeMm } from '@markwright/scene/sheets';
import type { VectorizeOptions } from '@markwright/vectorizer';

/**
 * A picture whose type was decided by its bytes: pixels as a fresh sRGB PNG, upright and without metadata, or clean
 * SVG text.
 */
export type DecodedPicture = { readonly width: number; readonly height: number } & (
  | { readonly mediaType: 'image/png'; readonly png: Uint8Array; readonly uploadFormat: 'jpg' | 'png' }
  | {
      readonly mediaType: 'image/svg+xml';
      readonly svg: string;
      /** Names of the elements that were removed. */
      readonly droppedTags: readonly string[];
      /** The width in mm, when the file says it. */
      readonly widthMm?: number | undefined;
      /** The format of a file of outlines for a machine; `isUnitless` when it names no unit and was read as mm. */
      readonly outlineFile?: { readonly kind: OutlineFileKind; readonly isUnitless: boolean } | undefined;
    }
);

/** The jobs that work on people's pictures. Each throws AppErrors of the codes it names, and what `Pool.run` throws. */
export interface MediaJobs {
  /** Reads a JPG, PNG or SVG from a stranger. Throws unsupported, tooLarge or unprocessable. */
  decode: { input: { bytes: Uint8Array }; output: DecodedPicture };
  /**
   * Converts a stranger's file to a product's picture: `strict` accepts PNG, JPG and SVG, `any` also WebP, GIF (its
   * first frame), AVIF and TIFF. Throws as `decode` does.
   */
  productPicture: { input: { bytes: Uint8Array; accept: 'strict' | 'any' }; output: ProductPicture };
  /**
   * Traces a picture of `decode`, or a part of it. `svg` is rasterized first. With a halftone, its tones are drawn
   * instead. Throws unprocessable.
   */
  trace: {
    input: {
      picture: { png: Uint8Array } | { svg: string };
      options: TraceOptions;
      halftone?: HalftoneTrace | undefined;
      changes?: PictureChanges | undefined;
    };
    output: { svg: string; width: number; height: number };
  };
  /**
   * Engraves a picture of `decode`, or a part of it, as a raster of this size. The PNG names its pitch, and black is
   * burnt. `svg` is rasterized first.
   */
  engrave: {
    input: {
      picture: { png: Uint8Array } | { svg: string };
      /** Straightens and crops. */
      changes?: Pick<PictureChanges, 'straighten' | 'crop'> | undefined;
      widthPx: number;
      heightPx: number;
      intervalMm: number;
      method: DitherMethod;
      tone: Tone;
      invert: boolean;
      /** Missing: tones are taken for shares of area. */
      curve?: ToneCurve | undefined;
    };
    output: { png: Uint8Array; meanTone: number };
  };
  /** Draws the test card of tone curves as a PNG, by a dither and at a pitch. */
  testCard: {
    input: { intervalMm: number; method: DitherMethod };
    output: { png: Uint8Array; widthMm: number; heightMm: number };
  };
  /** Shrinks a picture of `decode` to the pixels that a trace needs; for pictures that have more. */
  shrink: { input: { png: Uint8Array }; output: { png: Uint8Array } };
  /**
   * Clears the background of a picture of `decode` and keeps all its pixels. Where a model would help and there is no
   * mask yet, but `squareSide` says that there is a model, it returns the picture in the form that the model takes.
   * `masks` are the model's output. Throws unprocessable when there is no background to remove, or nothing else.
   */
  cutOut: {
    input: {
      png: Uint8Array;
      clearEnclosed?: boolean | undefined;
      masks?: readonly Uint8Array[] | undefined;
      squareSide?: number | undefined;
    };
    output: { kind: KindOfBackground; png: Uint8Array } | { kind: KindOfBackground; square: Square };
  };
  /**
   * Applies the maker's finish to a cut-out of `cutOut`, in the same size. Throws unprocessable when nothing is left.
   */
  finishCutout: {
    input: { original: Uint8Array; cutout: Uint8Array; finish: CutoutFinish };
    output: { png: Uint8Array };
  };
  /**
   * Converts a stranger's small PNG, JPEG or WebP to a WebP no larger than lists show. Throws unsupported and
   * unprocessable.
   */
  thumbnail: { input: { bytes: Uint8Array }; output: { webp: Uint8Array } };
  /**
   * Prepares a picture for a tracer without color modes and picture changes. `grayOnWhite` has no clear pixels, and its
   * middle gray is at `threshold`, in per cent of white.
   */
  toServicePicture: {
    input: { png: Uint8Array; changes: PictureChanges | undefined; picture: ServicePicture };
    output: { png: Uint8Array; width: number; height: number };
  };
  /**
   * Reads another tracer's trace of a picture of this size, by the same allow-list as any SVG. Throws unprocessable for
   * a trace without plain outlines, or with other proportions.
   */
  readTrace: { input: { svg: string; width: number; height: number }; output: { svg: string } };
  /** Resolves a composition and draws it for a target: SVG text, or for a mockup a PNG, or a WebP that spins. */
  draw: { input: DrawInput; output: { svg: string } | { png: Uint8Array } | { webp: Uint8Array } };
  /**
   * Resolves a composition and makes a machine's file of it, which is read back and compared. `ending` follows its name
   * and size: `.dxf`, `_cricut.svg`. Throws unprocessable for a composition that cannot be made in this format.
   */
  file: { input: FileInput; output: { bytes: Uint8Array; ending: string; report: FileReport } };
  /**
   * Fits the rows of a list into the texts of a composition, and names what is wrong with each. With the sizes of the
   * artworks it also finds the box of each piece.
   */
  fitRows: {
    input: RowsInput & { readonly sizes?: readonly ArtworkSize[] | undefined };
    output: {
      /** The machine area. */
      readonly frame: SizeMm;
      readonly rows: readonly {
        readonly texts: readonly Pick<RowText, 'elementId' | 'text' | 'percent'>[];
        readonly findings: readonly RowFinding[];
        /** Inside the frame. */
        readonly box?: PathBounds | undefined;
      }[];
    };
  };
  /**
   * Finds the silhouettes of rows, their texts fitted. Throws unprocessable as `draw`, and names the row.
   */
  silhouettes: {
    input: Pick<DrawInput, 'composition' | 'product' | 'artworks' | 'ownFonts'> &
      Pick<RowsInput, 'columns' | 'rows' | 'fit' | 'pictures'> & {
        /** The numbers of the rows, from 1. */
        readonly rowNumbers: readonly number[];
      };
    output: { readonly silhouettes: readonly Silhouette[] };
  };
  /**
   * Lays pieces of a list on sheets. `boxes` are those of a gang sheet's pieces, by their places, as are `silhouettes`
   * of one that is packed by shapes. Throws unprocessable for a layout that cannot hold them.
   */
  planSheets: {
    input: {
      readonly layout: BatchLayout;
      readonly frame: SizeMm;
      readonly pieces: number;
      readonly boxes?: readonly PathBounds[] | undefined;
      readonly silhouettes?: readonly Silhouette[] | undefined;
      /** The numbers of their rows, from 1. */
      readonly rowNumbers: readonly number[];
    };
    output: { readonly sheets: readonly Sheet[] };
  };
  /** Makes the file of one sheet. Throws as `file`, and names the row that cannot be made. */
  sheet: {
    input: FileInput &
      Pick<RowsInput, 'columns' | 'fit' | 'pictures'> & {
        readonly layout: BatchLayout;
        readonly sheet: Sheet;
        /** Of each placement. */
        readonly pieces: readonly {
          readonly cells: readonly string[];
          /** From 1. */
          readonly rowNumber: number;
          readonly box?: PathBounds | undefined;
          /** Of a piece that was placed by it. */
          readonly silhouette?: Silhouette | undefined;
        }[];
      };
    output: { bytes: Uint8Array; ending: string };
  };
  /** Makes the files that cut a jig. Throws unprocessable. */
  jig: {
    input: Pick<DrawInput, 'composition' | 'product'> & { readonly layout: BatchLayout };
    output: { svg: Uint8Array; dxf: Uint8Array };
  };
  /** Makes a machine's file of one row, its texts fitted. Throws as `file`. */
  piece: {
    input: FileInput & Pick<RowsInput, 'columns' | 'fit' | 'pictures'> & { readonly cells: readonly string[] };
    output: { bytes: Uint8Array; ending: string };
  };
  /** Draws the job sheet of a batch: a PDF with a box to tick for each piece. */
  batchSheet: { input: BatchSheet; output: { bytes: Uint8Array } };
  /** Draws the proof of a list: a PDF with its pieces on their product. Throws as `draw`, and names the row. */
  proof: {
    input: Pick<DrawInput, 'composition' | 'product' | 'artworks' | 'ownFonts'> &
      Pick<RowsInput, 'columns' | 'fit' | 'pictures'> & {
        /** Of each piece. */
        readonly cells: readonly (readonly string[])[];
        readonly hasWatermark: boolean;
        readonly facts: ProofFacts;
      };
    output: { bytes: Uint8Array };
  };
  /**
   * Reads a stranger's TTF, OTF or WOFF2 and makes an OpenType font of its outlines. Throws tooLarge and unprocessable.
   */
  ownFont: { input: { bytes: Uint8Array }; output: { name: string; bytes: Uint8Array; letters: number } };
  /** Reads a stranger's LightBurn material library. Throws tooLarge and unprocessable. */
  materialLibrary: { input: { bytes: Uint8Array }; output: MaterialLibrary };
  /** Checks a stranger's ICC profile and returns how it calls itself. Throws tooLarge and unprocessable. */
  inkProfile: { input: { bytes: Uint8Array }; output: { description: string } };
  /** Measures the parts of a composition in mm; an artwork is as large as the visible part of it. */
  measure: {
    input: {
      composition: Composition;
      product: DrawInput['product'];
      artworks: ArtworkSize[];
      ownFonts?: readonly OwnFontFile[] | undefined;
    };
    output: {
      area: { widthMm: number; heightMm: number };
      elements: { elementId: string; widthMm: number; heightMm: number }[];
    };
  };
  /** Rasterizes safe SVG text. The height follows from the width. `background` is `#rrggbb`, clear when absent. */
  rasterize: {
    input: { svg: string; widthPx: number; background?: string };
    output: { png: Uint8Array; width: number; height: number };
  };
}

/**
 * The jobs of the process with the model. Models are the operator's files, never a caller's. Servers ask each other for
 * a model by its key, because its file lies elsewhere on each.
 */
export interface ModelJobs<Model = ModelFile> {
  /** Opens a model, so that the next job finds it open, and returns the side of the pictures it takes. */
  open: { input: { model: Model }; output: { side: number } | Unusable };
  /**
   * Returns how certain a model is that each pixel belongs to the object, 0..255, deflated: one mask of the given
   * square's size, and one of half that size where a second pass at that scale is worth its time. Takes some CPU
   * seconds.
   */
  segment: {
    input: { model: Model; square: Square; kind: KindOfBackground };
    output: { masks: readonly Uint8Array[] } | Unusable;
  };
}
/** The sentence says why a model cannot be used. */
interface Unusable {
  readonly problem: string;
}
/** A model, wherever its file lies. */
export interface ModelKey {
  readonly name: Exclude<ModelUsed, 'classical'>;
  /** Changes with the bytes of the file, and is the same on all servers that have them. */
  readonly id: string;
}
/** An ONNX file, and the number of cores for one picture. */
export interface ModelFile extends Pick<ModelKey, 'id'> {
  readonly path: string;
  readonly threads: number;
}
/** A picture in the form that a model takes: RGB, 8 bits a channel, `side` px wide and high. */
export interface Square {
  readonly side: number;
  readonly rgb: Uint8Array;
}

/** A product's picture, upright, without metadata and at most 2000 pixels a side, with the sizes that pages show. */
export interface ProductPicture {
  readonly width: number;
  readonly height: number;
  /** The picture itself first. Names as in `catalogue/pictures.ts`. */
  readonly files: readonly (StoredPicture & { readonly name: string })[];
}

/** The outlines of an account's own font, made by `ownFont`. */
export interface OwnFontFile {
  readonly id: string;
  readonly bytes: Uint8Array;
}
/** The input of a drawing. */
export interface DrawInput {
  readonly composition: Composition;
  /** The picture is set only where it is shown: in a mockup. */
  readonly product: (Omit<ProductAsset, 'pictureHref'> & { readonly picture: StoredPicture | undefined }) | undefined;
  /** The pictures by the ids of the artworks that show them. A list, because a job's key is written as JSON. */
  readonly artworks: readonly DrawnArtwork[];
  readonly target: Target;
  /** The account's own fonts that texts are set in. */
  readonly ownFonts?: readonly OwnFontFile[] | undefined;
  /** A mockup's longest side; the target's own when absent. */
  readonly sidePx?: number | undefined;
  /** The surroundings of a mockup, whose picture is then `MOCKUP_PX` square. Absent: a white ground. */
  readonly surroundings?: DrawnSurroundings | undefined;
}
/** The picture of the surroundings of a mockup. */
export interface DrawnSurroundings {
  readonly picture: Uint8Array;
  readonly stance: Stance;
}
/** The picture of an artwork. */
export interface DrawnArtwork {
  readonly id: string;
  readonly picture: DrawnPicture;
  /** Present for an artwork whose picture itself is engraved: `picture` is then untraced, before these changes. */
  readonly engraved?: EngravedSource | undefined;
}
interface EngravedSource {
  readonly changes: PictureChanges | undefined;
  /** The shop's tone curve of the material; absent: the typical one. */
  readonly curve?: readonly number[] | undefined;
}
/** The input of a machine's file: that of a drawing, and what its papers say. */
export interface FileInput extends Omit<DrawInput, 'target' | 'sidePx'> {
  readonly format: FileFormat;
  readonly preset: FilePreset | undefined;
  readonly options: FileOptions;
  readonly names: FileNames;
  readonly material: string | undefined;
  /** The shop's settings for the material, where it has some. */
  readonly laser?: LaserPowers | undefined;
  /** The shop's ICC profile for CMYK; a generic one when absent. */
  readonly profile?: InkProfileFile | undefined;
  readonly now: Date;
  /** The PNG that a package takes along. */
  readonly mockup: Uint8Array | undefined;
  /** The order and the files that a job sheet names, when the sheet is made without a package. */
  readonly papers?: SheetPapers | undefined;
}
/** The size of an artwork in pixels of its trace. */
interface ArtworkSize {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}
/** The sheets of a batch. */
export interface BatchPlan {
  readonly sheets: readonly Sheet[];
  /** The boxes of pieces in their frames; absent where each takes all of its frame. */
  readonly boxes?: readonly PathBounds[] | undefined;
  /** The silhouettes of pieces that were packed by their shapes. */
  readonly silhouettes?: readonly Silhouette[] | undefined;
  readonly frame: SizeMm;
}
/** Rows of a list, and the composition that they fill. */
export interface RowsInput extends Pick<DrawInput, 'composition' | 'product' | 'ownFonts'> {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly fit: FitOptions;
  /** The pictures that the rows may name, by their file names. Absent: there are none. */
  readonly pictures?: readonly RowPicture[] | undefined;
}
/** The head of a paper about the pieces of a list. */
interface ListPaper {
  readonly title: string;
  /** `laser` */
  readonly machine: MachineMode;
  readonly material: string | undefined;
  readonly now: Date;
}
/** The facts that a proof prints. */
export interface ProofFacts extends ListPaper {
  readonly pieces: readonly {
    /** The number of its row, from 1. */
    readonly number: number;
    /** The cells of its row. */
    readonly text: string;
  }[];
}
/** What stands on the job sheet of a batch. */
export interface BatchSheet extends ListPaper {
  readonly pieces: readonly {
    /** The number of its row, from 1. */
    readonly number: number;
    readonly text: string;
    /** How many are made of it. */
    readonly quantity: number;
    readonly filename: string;
    /** Its sheet and slot: `Sheet 1, 4`. Empty for a file of its own. */
    readonly where: string;
    /** What a person should know of it; empty for nothing. */
    readonly note: string;
  }[];
  /** The rows that are left out, a sentence each. */
  readonly leftOut: readonly string[];
  /** The sheets that the pieces lie on, a map each. */
  readonly sheets?: readonly SheetMap[] | undefined;
}
/** The map of a sheet, in mm from its top left corner. */
export interface SheetMap extends SizeMm {
  readonly filename: string;
  /** What an operator has to know of it. Empty for nothing. */
  readonly note: string;
  readonly places: readonly (SizeMm & {
    readonly x: number;
    readonly y: number;
    readonly slot: number;
    /** The number of the row that lies there, from 1; undefined for an empty slot. */
    readonly rowNumber?: number | undefined;
    readonly text: string;
    /** The line around a piece that was packed by its shape, on the sheet. */
    readonly outline?: readonly number[] | undefined;
  })[];
}
/** The order and the files that a job sheet names. */
export interface SheetPapers {
  /** The order that it belongs to: its number, and the address of its page, which stands there as a code. */
  readonly order?: { readonly number: string; readonly url: string } | undefined;
  /** The files of the job that were made before. */
  readonly files: readonly SheetFile[];
}
/** A file of a job, as its sheet names it. */
export interface SheetFile {
  readonly filename: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}
/** An ICC profile that was checked. */
export interface InkProfileFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}
/** Speeds and powers of one laser for one material. A list, because a job's key is written as JSON. */
export interface LaserPowers {
  /** The name that the shop gave the laser. */
  readonly laser: string;
  readonly settings: readonly { readonly operation: LaserOperation; readonly settings: LaserSettings }[];
}
/**
 * The picture of an artwork: safe SVG, traced or uploaded, or an untraced picture (mockups only). `isUploaded` says
 * that a stranger drew the SVG.
 */
export type DrawnPicture = { readonly svg: string; readonly isUploaded?: boolean } | { readonly png: Uint8Array };

/** A picture file as it is stored. */
export interface StoredPicture {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

/** The pixels of a picture for a tracing service. */
export interface ServicePicture {
  readonly color: 'asIs' | 'gray' | 'grayOnWhite';
  readonly threshold?: number;
  /** As the tracer's option of this name: light is taken out before all else. */
  readonly dropLight?: true | 'auto';
}

/** The tracer's options as far as they can cross to another process. */
export type TraceOptions = Omit<VectorizeOptions, 'onProgress' | 'signal'>;

/**
 * The worker's function for each kind of job. `report` tells the caller the progress of the work; `limitStep` gives a
 * step of it a limit of its own.
 */
export type JobHandlers<Jobs extends JobTable<Jobs>> = {
  readonly [J in keyof Jobs]: (
    input: Jobs[J]['input'],
    report: ReportProgress,
    limitStep: LimitStep,
  ) => Promise<Jobs[J]['output']>;
};
export type JobTable<Jobs> = { readonly [J in keyof Jobs]: { input: unknown; output: unknown } };
/** The progress of a job. */
export interface Progress {
  readonly stage: string;
  /** 0..1 */
  readonly fraction: number;
}
export type ReportProgress = (progress: Progress) => void;
/** The limit of a step of a job, besides those of the whole job. */
export interface StepLimit {
  readonly processorMs: number;
  /** The sentence for the person whose job exceeds it. */
  readonly refusal: string;
}
/** Runs a step of a job. The job is ended when this step exceeds its limit. Steps do not nest. */
export type LimitStep = <Output>(limit: StepLimit, step: () => Promise<Output>) => Promise<Output>;
