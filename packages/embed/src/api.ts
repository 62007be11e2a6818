/**
 * What a shop's page sees of the widget, in types alone: the site hands this file out as /embed.d.ts.
 * Money is in cents of the shop's currency; lengths are CSS pixels unless they say otherwise.
 */

export type Theme = 'light' | 'dark' | 'auto';

export type MachineMode = 'laser' | 'uv' | 'sublimation';

/** What a cart line says. The money fields are null while the shop has set no price for the product. */
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
  /** Where the picture of the product with the design on it is. Absolute. */
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

/** What the widget tells the page, and with what. */
export interface MarkwrightEvents {
  /** The widget can be used. Once. */
  ready: undefined;
  /** The height its content needs. */
  resize: { readonly height: number };
  change: Arrangement;
  'add-to-cart': SavedDesign;
  error: { readonly message: string };
}

export interface MountOptions {
  /** The element the widget goes into, or its id. */
  readonly container: string | HTMLElement;
  /** The shop's key, from the embed page. Without one: all base products, and no prices. */
  readonly shop?: string;
  /** Default 'auto': what the shopper's device prefers. */
  readonly theme?: Theme;
  /** The machine it begins with. Default 'laser'. */
  readonly mode?: MachineMode;
  /** The id of the product it begins with. */
  readonly product?: string;
  /** A saved design it begins with, as `open` would show it. */
  readonly design?: string;
  /** Pixels, or a CSS length. Default '100%'. */
  readonly width?: number | string;
  /** Pixels, a CSS length, or 'auto': as high as its content, 720 until that is known. Default 720. */
  readonly height?: number | string;
  readonly onReady?: () => void;
  readonly onResize?: (event: MarkwrightEvents['resize']) => void;
  readonly onChange?: (event: MarkwrightEvents['change']) => void;
  readonly onAddToCart?: (event: MarkwrightEvents['add-to-cart']) => void;
  readonly onError?: (event: MarkwrightEvents['error']) => void;
}

export interface MarkwrightWidget {
  readonly frame: HTMLIFrameElement;
  /** Saves what is on the stage. Fails with a plain sentence, e.g. when there is nothing on it. */
  save(): Promise<SavedDesign>;
  /** Shows a saved design again; the saved one stays as it is. */
  open(designId: string): Promise<void>;
  setTheme(theme: Theme): void;
  /** Returns what takes the handler away again. */
  on<Type extends keyof MarkwrightEvents>(type: Type, handler: (event: MarkwrightEvents[Type]) => void): () => void;
  /** Takes the widget and everything it listens to off the page. Calls still under way fail. */
  destroy(): void;
}

export interface MarkwrightLoader {
  /** "1.0.0": the first number changes when pages have to. */
  readonly version: string;
  /** Throws an Error with a plain sentence when the container is missing or an option is wrong. */
  mount(options: MountOptions): MarkwrightWidget;
}

declare global {
  interface Window {
    Markwright: MarkwrightLoader;
  }
  var Markwright: MarkwrightLoader;
}
