/**
 * Names people give things: how they are kept, and where in the catalogue a file of a folder belongs. Labels only: no
 * file is called by one.
 */

/** The longest name of a product or a category. */
export const MAX_NAME = 120;

/**
 * A name as it is kept: composed (NFC), one space between words, without control characters, marks that turn the
 * direction of what follows, and halves of characters. Twice gives the same as once.
 */
export function toLabel(text: string): string {
  return text
    .replace(/\s/g, ' ')
    .replace(/[\p{Cc}\p{Bidi_Control}\p{Surrogate}]/gu, '')
    .normalize('NFC')
    .replace(/ +/g, ' ')
    .trim();
}

/** Whether there is something to see in a label: not only joiners and other characters without a shape. */
export const isVisible = (label: string): boolean => /[^\p{Cf}\p{Z}\u115f\u1160\u3164\uffa0\u2800]/u.test(label);

/** True when text can be stored and returned as it is: it has no NUL and no half of a character. */
export const isStorable = (text: string): boolean => !/[\0\p{Cs}]/u.test(text);
export const NOT_STORABLE = 'There is a character in it that cannot be stored.';

/** Short names people give categories, and what they are called here. */
const categoryNames: Readonly<Record<string, string>> = {
  Kitchen: 'Cutting Boards/ Serving Trays',
  Knives: 'Foldable Rescue Knives',
  'Pie Pans': 'Pie Pan Toppers',
  'Brass Keychains': 'Keychains - Brass',
};

/** The name a category is kept under. */
export function toCategoryName(name: string): string {
  const label = toLabel(name);
  return Object.hasOwn(categoryNames, label) ? categoryNames[label]! : label;
}

/** Where a file of an uploaded folder belongs. */
export interface Place {
  readonly business: string;
  readonly category: string;
  readonly subCategory: string;
  /** Of the product. */
  readonly name: string;
}

/** The category of files that lie in no folder. */
const LOOSE = 'Custom';
const MAX_DEPTH = 8;
const MAX_PATH = 255;

/**
 * Reads a relative path as labels: no folder is the category Custom; one folder is the category; two are business and
 * category; three business, category and sub-category. Folders below the third are joined to the sub-category, so that
 * two files of one name in different folders stay two products. The product is called like the file, without its
 * extension.
 *
 * Both slashes separate; empty parts, `.` and a drive's letter count for nothing; nothing is decoded. Gives a sentence
 * where no product can be made: a path that leaves its folder, deeper than 8 folders or longer than 255 characters, a
 * hidden file, a name that is empty or longer than 120 characters.
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
