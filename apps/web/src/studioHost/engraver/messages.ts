/** The messages between the page and the engraving worker. */
import type { EngravedPlace, EngravedSurface } from '@markwright/contract/engraving';
import type { PictureChanges } from '@markwright/contract/tracing';
import type { WaySuggestion } from '@markwright/editor';
import type { EngravedArtwork, Engraving } from '@markwright/scene';

/** A picture, as far as an engraving knows it. */
export interface PictureQuestion {
  readonly id: number;
  readonly pictureUrl: string;
  readonly changes: PictureChanges | undefined;
}

export type ToWorker =
  | (PictureQuestion & {
      readonly kind: 'engrave';
      readonly engraving: Engraving;
      readonly place: EngravedPlace;
      readonly surface: EngravedSurface;
      readonly maxPixels: number | undefined;
    })
  | (PictureQuestion & { readonly kind: 'suggestWay'; readonly material: string });

export type FromWorker =
  | {
      readonly kind: 'engraved';
      readonly id: number;
      /** A raster names no address yet: the page gives it one for the mask. */
      readonly artwork: EngravedArtwork;
      /** The PNG of the mask. Absent for outlines. */
      readonly mask: Uint8Array<ArrayBuffer> | undefined;
      readonly meanTone: number;
    }
  | { readonly kind: 'suggested'; readonly id: number; readonly suggestion: WaySuggestion }
  /** It cannot be engraved as asked: a sentence for people. */
  | { readonly kind: 'refused'; readonly id: number; readonly sentence: string }
  /** The picture cannot be read here. */
  | { readonly kind: 'unable'; readonly id: number; readonly reason: string };
