/** The letters of fonts as parts, and an index of what they look like. */
import { chooseFace, fontCategories } from '@markwright/fonts';
import { type PathBounds, readContours } from '../geometry/pathData.ts';
import type { FontSource } from '../resolve/scene.ts';
import { MOMENTS, type Part, splitParts } from './parts.ts';

/** One face of a font: what a text element stores of it. */
export interface Face {
  readonly fontFamily: string;
  readonly isBold: boolean;
  readonly isItalic: boolean;
}

/** A letter of a face in ems, y down from the baseline, x from its origin. Some have several parts: i, %, ü. */
export interface Letter {
  /** One character, or the characters of a ligature. */
  readonly text: string;
  readonly advance: number;
  readonly parts: readonly Part[];
}

/**
 * The parts of all letters of all faces, in columns: faces one after the other, and in them the letters by their order
 * in `LETTERS`. One entry takes 66 bytes.
 */
export interface LetterIndex {
  readonly faces: readonly Face[];
  /** For each face 1 where its letters join, as those of scripts do; else 0. */
  readonly joins: Uint8Array;
  readonly count: number;
  /** Place in `faces`. */
  readonly face: Uint16Array;
  /** Place in `LETTERS`. */
  readonly letter: Uint16Array;
  /** Place in the letter's parts. */
  readonly part: Uint8Array;
  /** Number of the letter's parts. */
  readonly parts: Uint8Array;
  readonly holes: Uint8Array;
  /** Box in ems: min x, min y, max x, max y for each entry. */
  readonly box: Float32Array;
  /** `MOMENTS` of them for each entry. */
  readonly moments: Float32Array;
}

/** What is looked for: ASCII, the letters of western Europe, and the ligatures that fonts set by themselves. */
export const LETTERS: readonly string[] = [
  ...Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)),
  ...'ÄÖÜäöüßÀÁÂÃÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕØÙÚÛàáâãåæçèéêëìíîïñòóôõøùúû’‘“”–—•·©®™',
  ...['fi', 'fl', 'ff', 'ffi', 'ffl', 'tt', 'ft', 'Th', 'll'],
];

/** Letters of one part each. */
const JOINT = 'noun';

/** Letters are flattened to this many ems. */
const TOLERANCE = 0.002;

/** Every face of every bundled font with outlines, each once: a picture's letters have some width. */
export const bundledFaces: readonly Face[] = fontCategories
  .flatMap((category) => category.fonts)
  .filter(({ isSingleLine }) => !isSingleLine)
  .flatMap((font) => {
    const styles = [
      { isBold: false, isItalic: false },
      { isBold: true, isItalic: false },
      { isBold: false, isItalic: true },
      { isBold: true, isItalic: true },
    ];
    const names = new Set<string>();
    return styles.flatMap((style) => {
      const face = chooseFace(font, style);
      if (names.has(face)) return [];
      names.add(face);
      return [{ fontFamily: font.family, ...style }];
    });
  });

/**
 * Reads a letter of a face; undefined where the face does not have it, or its files are not in the book. Cost: about
 * half a millisecond.
 */
export function readLetter(face: Face, text: string, fonts: FontSource): Letter | undefined {
  const outline = fonts.outline({ ...face, text });
  if (!outline || outline.leftOut || outline.d === '') return undefined;
  const parts = splitParts(readContours(outline.d), TOLERANCE);
  return parts.length > 0 ? { text, advance: outline.advance, parts } : undefined;
}

/**
 * Makes the index of faces. A ligature is kept only where its letters are joined: they have fewer parts than apart.
 * Throws an Error when the files of a face are not in the book. Cost: about 80 ms a face.
 */
export function indexLetters(faces: readonly Face[], fonts: FontSource): LetterIndex {
  const rows: { face: number; letter: number; part: number; parts: number; value: Part }[] = [];
  for (const [f, face] of faces.entries()) {
    if (!fonts.outline({ ...face, text: 'H' })) throw new Error(`The files of ${face.fontFamily} are not loaded.`);
    const partsOf = new Map<string, number>();
    for (const [l, text] of LETTERS.entries()) {
      const letter = readLetter(face, text, fonts);
      if (!letter) continue;
      const { parts } = letter;
      partsOf.set(text, parts.length);
      const characters = [...text];
      const apart = characters.reduce((sum, character) => sum + (partsOf.get(character) ?? 0), 0);
      if (characters.length > 1 && parts.length >= apart) continue;
      for (const [p, value] of parts.entries()) rows.push({ face: f, letter: l, part: p, parts: parts.length, value });
    }
  }
  const box = new Float32Array(rows.length * 4);
  const moments = new Float32Array(rows.length * MOMENTS);
  for (const [i, { value }] of rows.entries()) {
    const { minX, minY, maxX, maxY } = value.bounds;
    box.set([minX, minY, maxX, maxY], i * 4);
    moments.set(value.form.moments, i * MOMENTS);
  }
  return {
    faces,
    joins: Uint8Array.from(faces, (face) => (readLetter(face, JOINT, fonts)!.parts.length < JOINT.length ? 1 : 0)),
    count: rows.length,
    face: Uint16Array.from(rows, (row) => row.face),
    letter: Uint16Array.from(rows, (row) => row.letter),
    part: Uint8Array.from(rows, (row) => row.part),
    parts: Uint8Array.from(rows, (row) => row.parts),
    holes: Uint8Array.from(rows, (row) => row.value.form.holes),
    box,
    moments,
  };
}

/** Returns the box of an entry of the index, in ems. */
export function boxOf({ box }: LetterIndex, entry: number): PathBounds {
  return { minX: box[entry * 4]!, minY: box[entry * 4 + 1]!, maxX: box[entry * 4 + 2]!, maxY: box[entry * 4 + 3]! };
}
