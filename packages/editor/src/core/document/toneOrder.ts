/** The order of an artwork's tones on a laser, as a list that is moved by hand. */
import { type ArtworkElement, isNearWhite, lightness } from '@markwright/scene';
import type { ElementColor } from './elementColors.ts';

/** Returns the colors that a laser engraves, by lightness, the darkest first. */
export const byLightness = (colors: readonly ElementColor[]): string[] =>
  colors
    .map(({ color }) => color)
    .filter((color) => !isNearWhite(color))
    .sort((a, b) => lightness(a) - lightness(b));

/**
 * Returns the tones that are set, without colors that the artwork no longer has and with those that it has since then,
 * each after the last that is darker. Undefined while three grays serve.
 */
export function tonesOf(
  { tones }: Pick<ArtworkElement, 'tones'>,
  colors: readonly ElementColor[],
): readonly string[] | undefined {
  if (!tones) return undefined;
  const present = byLightness(colors);
  const list = tones.filter((color) => present.includes(color));
  for (const color of present) {
    if (list.includes(color)) continue;
    const at = list.findLastIndex((other) => lightness(other) <= lightness(color)) + 1;
    list.splice(at, 0, color);
  }
  return list;
}

/** Returns a list with the member at `from` at the place `to`, which is clamped. */
export function moveMember<Member>(list: readonly Member[], from: number, to: number): readonly Member[] {
  const place = Math.min(list.length - 1, Math.max(0, to));
  return place === from ? list : list.toSpliced(from, 1).toSpliced(place, 0, list[from]!);
}
