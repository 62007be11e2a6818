/**
 * What a shop's page sees of the widget, in types alone: the site hands this file out as /embed.d.ts.
 * Money is in cents of the shop's currency; lengths of the page are CSS pixels.
 */

export type Theme = 'light' | 'dark' | 'auto';

export type MachineMode = 'laser' | 'uv' | 'sublimation';

/** What a cart line says. The price fields are null while the shop has set no price for the product. */
export interface PriceLine {
  readonly productName: string;
  readonly machine: MachineMode;
  readonly quantity: number;
  /** Three capital letters: "USD". */
  readonly currency: string | null;
  readonly unitPriceCents: number | null;
  readonly totalCents: number | null;
}

/** A design as it was when it was saved. It never changes: saving again makes another one. */
export interface SavedDesign {
  /** Keep it with the cart line: open(designId) shows this arrangement again. It is no production file. */
  readonly designId: string;
  /** Where a PNG of the product with the design on it is. Absolute. */
  readonly previewUrl: string;
  readonly line: PriceLine;
}

/** What is on the stage just now. */
export interface Arrangement {
  readonly productId: string | null;
  readonly productName: string | null;
  readonly machine: MachineMode;
  /** Whether there is a picture. */
  readonly hasDesign: boolean;
  readonly textCount: number;
}
