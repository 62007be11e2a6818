/** The fonts that can be chosen, and how they are searched: by their names, and by how they look. */
import { fontCategories, ownFamily } from '@markwright/fonts';
import type { OwnFont } from '../ports.ts';
import { createWordSearch } from './wordSearch.ts';

/** A font that can be chosen. */
interface FontChoice {
  readonly family: string;
  readonly name: string;
}

/** Fonts that stand together under a heading. */
export interface FontGroup {
  readonly name: string;
  readonly fonts: readonly FontChoice[];
}

/** Looks that are offered to be pressed; more can be typed. */
export const FONT_LOOKS = [
  'Script',
  'Single line',
  'Slab',
  'Stencil',
  'Vintage',
  'Condensed',
  'Heavy',
  'Elegant',
  'Western',
] as const;

const OWN_GROUP = 'Your fonts';

/**
 * Returns all fonts by category, the account's own first. With `isOutlined` those of single lines are not among them:
 * they have no outlines that could be cut or joined.
 */
export function listFonts(ownFonts: readonly OwnFont[], isOutlined = false): readonly FontGroup[] {
  const own = { name: OWN_GROUP, fonts: ownFonts.map(({ id, name }) => ({ family: ownFamily(id), name })) };
  const categories = fontCategories.filter(({ id }) => !isOutlined || id !== 'single-line');
  return [...(ownFonts.length > 0 ? [own] : []), ...categories];
}

const looksOf = new Map(fontCategories.flatMap(({ fonts }) => fonts.map(({ family, looks }) => [family, looks])));

/** Returns a search for the fonts of groups whose name, category or look has all words. It keeps the groups. */
export function createFontSearch(groups: readonly FontGroup[]): (text: string) => readonly FontGroup[] {
  const all = groups.flatMap(({ name, fonts }) => fonts.map((font) => ({ font, category: name })));
  const find = createWordSearch(
    all.map(({ font, category }) => `${font.name} ${category} ${looksOf.get(font.family) ?? ''}`),
  );
  return (text) => {
    if (text.trim() === '') return groups;
    const families = new Set(find(text).map((place) => all[place]!.font.family));
    return groups.flatMap(({ name, fonts }) => {
      const matches = fonts.filter(({ family }) => families.has(family));
      return matches.length > 0 ? { name, fonts: matches } : [];
    });
  };
}
