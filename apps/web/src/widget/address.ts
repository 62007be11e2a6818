/** The parameters of the widget's address: shop, theme, what it begins with, and the page around it. */
import type { MachineMode } from '@markwright/scene';

export type Theme = 'light' | 'dark' | 'auto';

export interface WidgetAddress {
  /** Stands for the shop; absent on a page of nobody's shop. */
  readonly shop: string | undefined;
  readonly theme: Theme;
  readonly machine: MachineMode;
  readonly productId: string | undefined;
  /** A saved design to begin with. */
  readonly designId: string | undefined;
  /** The page around the frame, by its exact origin, and the channel it gave us. Absent where nobody listens. */
  readonly host: { readonly origin: string; readonly channel: string } | undefined;
  readonly isFramed: boolean;
}

/** Reads an address. Unknown parameters and values are ignored. */
export function readAddress(search: string, isFramed: boolean): WidgetAddress {
  const query = new URLSearchParams(search);
  const word = (name: string, pattern: RegExp) => {
    const value = query.get(name);
    return value !== null && pattern.test(value) ? value : undefined;
  };
  const channel = word('channel', /^[\w-]{1,100}$/);
  const origin = toOrigin(query.get('host'));
  return {
    shop: query.get('shop')?.slice(0, 100) || undefined,
    theme: (word('theme', /^(light|dark|auto)$/) as Theme | undefined) ?? 'auto',
    machine: (word('mode', /^(laser|uv|sublimation|dtf)$/) as MachineMode | undefined) ?? 'laser',
    productId: word('product', /^[\w-]{1,64}$/),
    designId: word('design', /^[\w-]{16,64}$/),
    host: isFramed && channel && origin ? { origin, channel } : undefined,
    isFramed,
  };
}

/** Returns the text when it is an origin with nothing behind it; undefined otherwise. */
function toOrigin(text: string | null): string | undefined {
  if (text === null || !URL.canParse(text)) return undefined;
  const { origin } = new URL(text);
  return origin === text && origin !== 'null' ? origin : undefined;
}

export function showTheme(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
