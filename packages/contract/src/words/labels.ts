/**
 * Labels: the names that people give things, normalized for storage, and the place in the catalog of a file in an
 * uploaded folder. No file is ever stored under a label.
 */

/** The longest name of a product or a category, in characters. */
export const MAX_NAME = 120;
/** Of where a size comes from, in characters. */
export const MAX_SIZE_SOURCE = 120;

/**
 * Normalizes a name for storage: composed (NFC), with one space between words, without control characters,
 * bidirectional marks and halves of characters. Idempotent.
 */
export function toLabel(text: string): string {
  return text
    .replace(/\s/g, ' ')
    .replace(/[\p{Cc}\p{Bidi_Control}\p{Surrogate}]/gu, '')
    .normalize('NFC')
    .replace(/ +/g, ' ')
    .trim();
}

/** True when a label has a visible character, and not only joiners and other characters without a shape. */
export const isVisible = (label: string): boolean => /[^\p{Cf}\p{Z}\u115f\u1160\u3164\uffa0\u2800]/u.test(label);

/** True when text can be stored and returned as it is: it has no NUL and no half of a character. */
export const isStorable = (text: string): boolean => !/[\0\p{Cs}]/u.test(text);
export const NOT_STORABLE = 'There is a character in it that cannot be stored.';

/** Short names that people give categories, and the names these have here. */
const categoryNames: Readonly<Record<string, string>> = {
  Kitchen: 'Cutting Boards/ Serving Trays',
  Knives: 'Foldable Rescue Knives',
  'Pie Pans': 'Pie Pan Toppers',
  'Brass Keychains': 'Keychains - Brass',
};

/** Returns the name under which a category is stored. */
export function toCategoryName(name: string): string {
  const label = toLabel(name);
  return Object.hasOwn(categoryNames, label) ? categoryNames[label]! : label;
}

/** The place in the catalog of a file in an uploaded folder. */
export interface Place {
  readonly business: string;
  readonly category: string;
  readonly subCategory: string;
  /** The name of the product. */
  readonly name: string;
}

/** The category of files outside any folder. */
const LOOSE = 'Custom';
const MAX_DEPTH = 8;
const MAX_PATH = 255;

/**
 * Reads a relative path as labels: no folder is the category Custom; one folder is the category; two are business and
 * category; three business, category and sub-category. Folders below the third are joined to the sub-category, so that
 * two files with the same name in different folders stay two products. The name of the product is the file name without
 * its extension.
 *
 * Both slashes separate. Empty parts, `.` and a drive letter are ignored. Nothing is decoded. Returns a refusal with a
 * sentence where the path makes no product: a path that leaves its folder, is deeper than 8 folders or longer than 255
 * characters, a hidden file, or a name that is empty or longer than 120 characters.
 */
export function toPlace(path: string): Place | { readonly refusal: string } {
  if (path.length > MAX_PATH) return { refusal: `This path is longer than ${MAX_PATH} characters.` };
  const parts = path
    .split(/[/\\]/)
    .map(toLabel)
    .filter((part, index) => part !== '' && part !== '.' && !(index === 0 && /^[a-z]:$/i.test(part)));
  if (parts.includes('..')) return { refusal: 'This path leaves the folder that was chosen.' };
  const file = parts.pop() ?? '';
  if (parts.length > MAX_DEPTH) return { refusal: `This file lies deeper than ${MAX_DEPTH} folders.` };
  if (file.startsWith('.')) return { refusal: 'This is a hidden file.' };

  const name = toLabel(file.replace(/\.[^.]*$/, ''));
  const [business, category, ...deeper] = parts.length > 1 ? parts : ['', parts[0] ?? LOOSE];
  const place = { business: business!, category: toCategoryName(category!), subCategory: deeper.join(' / '), name };
  if (!isVisible(name) || !isVisible(place.category)) return { refusal: 'This file or its folder has no name.' };
  if (Object.values(place).some((label) => label.length > MAX_NAME)) {
    return { refusal: `A name of this path is longer than ${MAX_NAME} characters.` };
  }
  return place;
}
