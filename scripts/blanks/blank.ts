import type { Drawing } from './drawing.ts';

/** A blank of the shared catalogue that the generator draws. */
export interface Blank {
  readonly productId: string;
  draw(): Drawing;
}
