/** The heavy work there is, by name: what goes into a child process and what comes back. Types only. */
import type { VectorizeOptions } from '@markwright/vectorizer';

/** A picture whose type was decided by its bytes: pixels as a fresh sRGB PNG, upright and without metadata, or clean SVG text. */
export type DecodedPicture = { readonly width: number; readonly height: number } & (
  | { readonly mediaType: 'image/png'; readonly png: Uint8Array }
  | { readonly mediaType: 'image/svg+xml'; readonly svg: string }
);

export interface MediaJobs {
  /** Reads a stranger's JPG, PNG or SVG. Throws unsupported, tooLarge or unprocessable. */
  decode: { input: { bytes: Uint8Array }; output: DecodedPicture };
  /** Traces a picture `decode` made. `svg` is drawn to pixels first. */
  trace: {
    input: { picture: { png: Uint8Array } | { svg: string }; options: TraceOptions };
    output: { svg: string; width: number; height: number };
  };
  /** Draws safe SVG text to pixels. The height follows. `background` is `#rrggbb`, clear when absent. */
  rasterize: {
    input: { svg: string; widthPx: number; background?: string };
    output: { png: Uint8Array; width: number; height: number };
  };
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
