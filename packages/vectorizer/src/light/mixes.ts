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
