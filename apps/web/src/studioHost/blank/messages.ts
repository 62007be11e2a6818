/** What page and worker say to each other about the photograph of a blank. */
import type { BlankReading, ReadOptions } from './readBlank.ts';

export interface BlankRequest extends ReadOptions {
  readonly file: Blob;
}

/** A reading whose picture is a PNG. */
export interface BlankPicture extends Omit<BlankReading, 'picture'> {
  readonly blob: Blob;
  /** Of the picture, px. */
  readonly width: number;
  readonly height: number;
}
