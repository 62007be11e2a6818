/** Looks for lines of bundled lettering in a traced artwork, and fetches what that takes as it is needed. */
import type { Artwork, ArtworkShape } from '../artwork/artwork.ts';
import { type Contour, readContours } from '../geometry/pathData.ts';
import type { FontSource, TextLine } from '../resolve/scene.ts';
import type { LetterIndex } from './faces.ts';
import { findLetterLines, guessLines, type Lettering, readLines } from './recognize.ts';

/** A line of lettering in an artwork, in the artwork's units. */
export interface ArtworkLettering extends Lettering {
  /** The fill of its letters, `#rrggbb`. */
  readonly color: string;
}

/** What the search needs besides the artwork. */
export interface LetteringSources {
  /** Reads the index of the letters of the bundled faces. */
  readIndex(): Promise<LetterIndex>;
  /** Loads all files that the lines need. */
  loadFonts(lines: readonly TextLine[]): Promise<FontSource>;
}

/** Outlines are flattened to this share of the longer side of the artwork. */
const TOLERANCE = 1 / 20_000;
/** A character that no `latin` file has: a face that sets it needs all of its files, and those that stand in for it. */
const EXTENDED = 'Ą';

/**
 * Finds the lines of letters that a bundled face draws, color by color, from top to bottom. Shapes with a gradient or
 * a stroke, and translucent ones, are no lettering. The index is read where something looks like a line of letters; the
 * fonts are loaded where letters of a face look like it.
 */
export async function findLettering(
  artwork: Pick<Artwork, 'width' | 'height' | 'shapes' | 'cutouts'>,
  { readIndex, loadFonts }: LetteringSources,
): Promise<ArtworkLettering[]> {
  const tolerance = Math.max(artwork.width, artwork.height) * TOLERANCE;
  const lines = [...contoursByColor(artwork.cutouts ?? artwork.shapes)]
    .map(([color, contours]) => ({ color, lines: findLetterLines(contours, tolerance) }))
    .filter(({ lines }) => lines.length > 0);
  if (lines.length === 0) return [];
  const index = await readIndex();
  const candidates = lines
    .map(({ color, lines }) => ({ color, candidates: guessLines(lines, index) }))
    .filter(({ candidates }) => candidates.length > 0);
  if (candidates.length === 0) return [];
  const places = new Set(candidates.flatMap((entry) => entry.candidates.flatMap(({ guesses }) => guesses.map(toFace))));
  const fonts = await loadFonts([...places].map((face) => ({ ...index.faces[face]!, text: EXTENDED })));
  return candidates
    .flatMap(({ color, candidates }) => readLines(candidates, index, fonts).map((line) => ({ ...line, color })))
    .sort((a, b) => a.y - b.y);
}

const toFace = ({ face }: { readonly face: number }): number => face;

function contoursByColor(shapes: readonly ArtworkShape[]): Map<string, Contour[]> {
  const byColor = new Map<string, Contour[]>();
  for (const { d, fill, gradient, stroke, opacity } of shapes) {
    if (!fill || gradient || stroke || opacity < 1) continue;
    const color = fill.toLowerCase();
    const contours = byColor.get(color) ?? [];
    byColor.set(color, contours);
    for (const contour of readContours(d)) contours.push(contour);
  }
  return byColor;
}
