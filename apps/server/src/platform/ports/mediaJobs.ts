/** The heavy work there is, by name: what goes into a child process and what comes back. Types only. */
import type { CutoutFinish, PictureChanges } from '@markwright/contract';
import type { KindOfBackground } from '@markwright/matting';
import type { Composition, ProductAsset, Target } from '@markwright/scene';
import type { VectorizeOptions } from '@markwright/vectorizer';

/**
 * A picture whose type was decided by its bytes: pixels as a fresh sRGB PNG, upright and without metadata, or clean
 * SVG text.
 */
export type DecodedPicture = { readonly width: number; readonly height: number } & (
  | { readonly mediaType: 'image/png'; readonly png: Uint8Array }
  | {
      readonly mediaType: 'image/svg+xml';
      readonly svg: string;
      /** Names of the drawing elements that were left out. */
      readonly dropped: readonly string[];
    }
);

export interface MediaJobs {
  /** Reads a stranger's JPG, PNG or SVG. Throws unsupported, tooLarge or unprocessable. */
  decode: { input: { bytes: Uint8Array }; output: DecodedPicture };
  /**
   * Makes a product's picture of a stranger's file: `strict` takes PNG, JPG and SVG, `any` also WebP, GIF (its first
   * frame), AVIF and TIFF. Throws as `decode` does.
   */
  productPicture: { input: { bytes: Uint8Array; accept: 'strict' | 'any' }; output: ProductPicture };
  /** Traces a picture `decode` made, or a part of it. `svg` is drawn to pixels first. */
  trace: {
    input: {
      picture: { png: Uint8Array } | { svg: string };
      options: TraceOptions;
      changes?: PictureChanges | undefined;
    };
    output: { svg: string; width: number; height: number };
  };
  /** A picture `decode` made with as many pixels as a trace is made from; for pictures that have more. */
  shrink: { input: { png: Uint8Array }; output: { png: Uint8Array } };
  /**
   * A picture `decode` made with its background clear, all its pixels kept. Where a model would help and there is no
   * mask yet, but `squareSide` says that there is a model, what comes back is the picture as that takes it. `masks`
   * are what it gave. Throws unprocessable when there is no background that could be taken away, or nothing else.
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
  /** A cut-out `cutOut` made as its maker wants it, of the same size. Throws unprocessable when nothing is left. */
  finishCutout: {
    input: { original: Uint8Array; cutout: Uint8Array; finish: CutoutFinish };
    output: { png: Uint8Array };
  };
  /**
   * A stranger's small PNG, JPEG or WebP, written anew as a WebP no larger than lists show. Throws unsupported and
   * unprocessable.
   */
  thumbnail: { input: { bytes: Uint8Array }; output: { webp: Uint8Array } };
  /**
   * The pixels a tracer is sent that knows no color modes and changes no picture. `grayOnWhite` has no clear pixels,
   * and its middle gray where `threshold`, in per cent of white, was.
   */
  toServicePicture: {
    input: { png: Uint8Array; changes: PictureChanges | undefined; picture: ServicePicture };
    output: { png: Uint8Array; width: number; height: number };
  };
  /**
   * Reads a trace that a stranger's tracer made of a picture of this size, by the same allow-list as any SVG. Throws
   * unprocessable when there is no drawing of plain outlines in it, or one of other proportions.
   */
  readTrace: { input: { svg: string; width: number; height: number }; output: { svg: string } };
  /** Resolves a composition and draws it for a target: SVG text, or for a mockup a PNG. */
  draw: { input: DrawInput; output: { svg: string } | { png: Uint8Array } };
  /** How large the parts of a composition come out, mm; `artwork` is as large as the part of it that is shown. */
  measure: {
    input: {
      composition: Composition;
      product: DrawInput['product'];
      artwork: { width: number; height: number } | undefined;
    };
    output: {
      area: { widthMm: number; heightMm: number };
      elements: { elementId: string; widthMm: number; heightMm: number }[];
    };
  };
  /** Draws safe SVG text to pixels. The height follows. `background` is `#rrggbb`, clear when absent. */
  rasterize: {
    input: { svg: string; widthPx: number; background?: string };
    output: { png: Uint8Array; width: number; height: number };
  };
}

/** What the process with the model does. Models are the operator's files, never a caller's. */
export interface ModelJobs {
  /** Opens a model, so that the next job finds it open, and returns the side of the pictures it takes. */
  open: { input: { model: ModelFile }; output: { side: number } | Unusable };
  /**
   * How sure a model is that each pixel belongs to the object, 0..255, deflated: one of the given square's size, and
   * one of half that where a look from further away is worth its time. Some CPU-seconds.
   */
  segment: {
    input: { model: ModelFile; square: Square; kind: KindOfBackground };
    output: { masks: readonly Uint8Array[] } | Unusable;
  };
}
/** A sentence on why a model cannot be used. */
interface Unusable {
  readonly problem: string;
}
/** An ONNX file, and how many cores may work on one picture. */
export interface ModelFile {
  readonly path: string;
  /** Another text for another file at the same place. */
  readonly id: string;
  readonly threads: number;
}
/** A picture as a model takes it: RGB, 8 bits a channel, as many pixels wide as high. */
export interface Square {
  readonly side: number;
  readonly rgb: Uint8Array;
}

/** A product's picture, upright, without metadata and at most 2000 pixels a side, with the sizes pages show it at. */
export interface ProductPicture {
  readonly width: number;
  readonly height: number;
  /** The picture itself first. Names as in `catalogue/pictures.ts`. */
  readonly files: readonly (StoredPicture & { readonly name: string })[];
}

export interface DrawInput {
  readonly composition: Composition;
  /** The picture only where it is shown: in a mockup. */
  readonly product: (Omit<ProductAsset, 'pictureHref'> & { readonly picture: StoredPicture | undefined }) | undefined;
  /** The design: safe SVG, traced or uploaded, or a picture that was not traced (mockups only). */
  readonly design: { readonly svg: string } | { readonly png: Uint8Array } | undefined;
  readonly target: Target;
  /** A mockup's longest side; the target's own where it is not said. */
  readonly sidePx?: number | undefined;
}
export interface StoredPicture {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

/** Which pixels of a picture go to a tracer elsewhere. */
export interface ServicePicture {
  readonly color: 'asIs' | 'gray' | 'grayOnWhite';
  readonly threshold?: number;
}

/** The tracer's options as far as they can cross to another process. */
export type TraceOptions = Omit<VectorizeOptions, 'onProgress' | 'signal'>;

/** What a worker process runs for each kind of job. `report` tells the caller how far the work is. */
export type JobHandlers<Jobs extends JobTable<Jobs>> = {
  readonly [J in keyof Jobs]: (input: Jobs[J]['input'], report: ReportProgress) => Promise<Jobs[J]['output']>;
};
export type JobTable<Jobs> = { readonly [J in keyof Jobs]: { input: unknown; output: unknown } };
export interface Progress {
  readonly stage: string;
  /** 0..1 */
  readonly fraction: number;
}
export type ReportProgress = (progress: Progress) => void;
