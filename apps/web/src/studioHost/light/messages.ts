/** The messages between the page and the worker that takes light out of a picture. */
import type { PictureChanges } from '@markwright/contract/tracing';

export interface LightQuestion {
  readonly pictureUrl: string;
  readonly changes: PictureChanges | undefined;
  readonly dropLight: true | 'auto';
}

/** Pictures of one size, as a trace would see them: before the light is taken out, and after. */
export interface LightPictures {
  readonly before: Blob;
  readonly after: Blob;
  readonly width: number;
  readonly height: number;
}
