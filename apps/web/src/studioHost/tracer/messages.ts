/** The messages between the page and the tracing worker. */
import type { PictureChanges } from '@markwright/contract/tracing';
import type { Artwork } from '@markwright/scene';
import type { VectorizeOptions } from '@markwright/vectorizer';

export type ToWorker =
  /** Asks for a trace. A newer request replaces an older one. */
  | {
      readonly kind: 'trace';
      readonly id: number;
      readonly pictureUrl: string;
      readonly options: Omit<VectorizeOptions, 'onProgress' | 'signal'>;
      /** The changes to the picture before it is traced. */
      readonly changes: PictureChanges | undefined;
      /** True for a rough and quick trace instead of an exact one. */
      readonly isSketch: boolean;
      /** True for a laser: shapes are cut where others lie over them. */
      readonly isForLaser: boolean;
    }
  | { readonly kind: 'cancel'; readonly id: number };

export type FromWorker =
  | { readonly kind: 'progress'; readonly id: number; readonly stage: string; readonly fraction: number }
  | { readonly kind: 'done'; readonly id: number; readonly artwork: Artwork }
  /** The picture cannot be read or traced here. */
  | { readonly kind: 'unable'; readonly id: number; readonly reason: string };
