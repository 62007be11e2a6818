/** A picture of at most this many pixels is small: its edges are smoothed, and it is drawn at twice its size. */
export const MOST_SMALL = 250_000;

/** Each pixel as a mix of two inks. */
export interface Mixes {
  width: number;
  height: number;
  /** The two inks; 0 is paper. */
  first: Uint8Array;
  second: Uint8Array;
  /** Share of the first, 0..1. */
  share: Float32Array;
  /** Share of the pixels that no mix explains. */
  strange: number;
}
