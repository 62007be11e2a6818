/**
 * The widget's interface for a shop's page, as types. The site serves this file as /embed.d.ts.
 * Money is in cents of the shop's currency; lengths are CSS pixels unless they say otherwise.
 */

export type Theme = 'light' | 'dark' | 'auto';

export type MachineMode = 'laser' | 'uv' | 'sublimation' | 'dtf';

/** Pieces with words of their own: the words by the names of the design's columns, and how many of them. */
export interface OrderPiece {
  readonly words: Readonly<Record<string, string>>;
  readonly quantity: number;
}

/** The price of a cart line. The money fields are null while the shop has set no price for the product. */
export interface PriceLine {
  readonly productName: string;
  readonly machine: MachineMode;
  readonly quantity: number;
  /** Three capital letters: "USD". */
  readonly currency: string | null;
  readonly unitPriceCents: number | null;
  readonly totalCents: number | null;
  /** Absent where all pieces are alike. Their quantities add up to `quantity`. */
  readonly pieces?: readonly OrderPiece[];
}

/** A saved design. It never changes: saving again creates another one. */
export interface SavedDesign {
  /** Store it with the cart line: open(designId) shows this composition again. It is no production file. */
  readonly designId: string;
  /** The absolute URL of the picture of the product with the design on it. */
  readonly previewUrl: string;
  readonly line: PriceLine;
}

/** The current content of the stage. */
export interface Arrangement {
  readonly productId: string | null;
  readonly productName: string | null;
  readonly machine: MachineMode;
  /** True when a picture is placed. */
  readonly hasDesign: boolean;
  readonly textCount: number;
}

/** The widget's events, each with its data. */
export interface MarkwrightEvents {
  /** Sent once, when the widget can be used. */
  ready: undefined;
  /** Sent with the height that the widget's content needs. */
  resize: { readonly height: number };
  change: Arrangement;
  'add-to-cart': SavedDesign;
  error: { readonly message: string };
}

/** Options of `Markwright.mount`. */
export interface MountOptions {
  /** The element that holds the widget, or its id. */
  readonly container: string | HTMLElement;
  /** The shop's key, from the embed page. Without one, the widget shows all base products and no prices. */
  readonly shop?: string;
  /** 'auto' follows the shopper's device. Default 'auto'. */
  readonly theme?: Theme;
  /** The machine at the start. Default 'laser'. */
  readonly mode?: MachineMode;
  /** The id of the product at the start. */
  readonly product?: string;
  /** The id of a saved design to open at the start. */
  readonly design?: string;
  /** Pixels, or a CSS length. Default '100%'. */
  readonly width?: number | string;
  /** Pixels, a CSS length, or 'auto' for the height of the content, which is 720 until it is measured. Default 720. */
  readonly height?: number | string;
  readonly onReady?: () => void;
  readonly onResize?: (event: MarkwrightEvents['resize']) => void;
  readonly onChange?: (event: MarkwrightEvents['change']) => void;
  readonly onAddToCart?: (event: MarkwrightEvents['add-to-cart']) => void;
  readonly onError?: (event: MarkwrightEvents['error']) => void;
}

/** A mounted widget. */
export interface MarkwrightWidget {
  readonly frame: HTMLIFrameElement;
  /** Saves the content of the stage. Rejects with an Error that says why in plain words, e.g. for an empty stage. */
  save(): Promise<SavedDesign>;
  /** Shows a saved design again. Edits do not change the saved one. Rejects like `save`. */
  open(designId: string): Promise<void>;
  setTheme(theme: Theme): void;
  /** Adds a handler for an event. Returns a function that unsubscribes it. */
  on<Type extends keyof MarkwrightEvents>(type: Type, handler: (event: MarkwrightEvents[Type]) => void): () => void;
  /** Removes the widget and its listeners from the page. Pending calls reject. */
  destroy(): void;
}

/** The global that the loader script defines. */
export interface MarkwrightLoader {
  /** Such as "1.0.0". The first number changes when a page must change its code. */
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
