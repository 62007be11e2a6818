/** The colors of an artwork, each of which can have an operation of its own. */
import { type Artwork, isNearWhite, type MachineMode } from '@markwright/scene';

export interface ElementColor {
  /** `#rrggbb` in lower case. */
  readonly color: string;
  /** The word that a person reads. */
  readonly name: string;
}

/** More rows would be a list that nobody reads; the colors of the most shapes come first. */
const MAX_COLORS = 8;

/** Returns the colors of the most shapes first. White is no color to a laser: it leaves the material bare. */
export function elementColors(artwork: Pick<Artwork, 'shapes'> | undefined, machine: MachineMode): ElementColor[] {
  const counts = new Map<string, number>();
  for (const { fill, stroke } of artwork?.shapes ?? []) {
    const color = (fill ?? stroke)?.toLowerCase();
    if (color === undefined || (machine === 'laser' && fill && isNearWhite(color))) continue;
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_COLORS)
    .map(([color]) => ({ color, name: words[color] ?? color.toUpperCase() }));
}

const words: Readonly<Record<string, string>> = {
  '#000000': 'Black',
  '#ffffff': 'White',
  '#ff0000': 'Red',
  '#0000ff': 'Blue',
};
