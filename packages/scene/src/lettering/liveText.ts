/** Makes live text of a line of lettering: the letters leave their artwork, and a text stands in their place. */
import type { Command } from '../document/commands.ts';
import type { ArtworkElement, Composition, FractionRect, TextElement } from '../document/composition.ts';
import { partOf, wholePicture } from '../document/crop.ts';
import { elementIdOf, findArtwork, isEngraved, textsOf } from '../document/elements.ts';
import { newText } from '../document/initial.ts';
import {
  LETTER_SPACING,
  MAX_LEFT_OUT,
  MAX_TEXT_LENGTH,
  MAX_TEXTS,
  OFFSET_LIMIT,
  TEXT_HEIGHT_INCHES,
} from '../document/limits.ts';
import { applyMatrix, lengthScale } from '../geometry/matrix.ts';
import type { PathBounds } from '../geometry/pathData.ts';
import { MM_PER_INCH } from '../resolve/resolve.ts';
import type { Scene } from '../resolve/scene.ts';
import type { Face } from './faces.ts';
import type { ArtworkLettering } from './findLettering.ts';

/** Lettering that was found in a frame of an artwork, of a size in the artwork's units. */
export interface PlacedLettering {
  readonly artworkId: string;
  readonly frame: { readonly width: number; readonly height: number };
  readonly lettering: ArtworkLettering;
}

/** A letter of another trace of the same picture may be this much larger, in cap heights. */
const SLACK = 0.08;

/**
 * Returns the command that makes live text of a line, as one change: its letters are left out of the artwork, and the
 * text stands directly above it, with the font, size, place, rotation, color and operation of the letters. Undefined
 * where a text cannot be what the letters are: it is too small, too large or too far off for a text, one too many, or
 * the artwork is locked, translucent, engraved itself, or engraved in tones of an order of its own.
 */
export function toLiveText(
  composition: Composition,
  scene: Pick<Scene, 'groups' | 'widthMm' | 'heightMm'>,
  { artworkId, frame, lettering }: PlacedLettering,
  textId: string,
): Command | undefined {
  const element = findArtwork(composition, artworkId);
  const group = element && scene.groups.find(({ elementId }) => elementId === elementIdOf(element));
  if (!element || !group || !isPlain(element, composition)) return undefined;
  const areas = toAreas(lettering.parts, { element, frame, capHeight: lettering.capHeight });
  const middle = applyMatrix(group.matrix, lettering.middle);
  const text: TextElement = {
    ...newText(textId),
    text: lettering.text,
    fontFamily: lettering.fontFamily,
    fontWeight: lettering.isBold ? 'bold' : 'normal',
    fontStyle: lettering.isItalic ? 'italic' : 'normal',
    letterSpacing: Number((100 * lettering.letterSpacing).toFixed(1)),
    heightInches: (lettering.size * lengthScale(group.matrix)) / MM_PER_INCH,
    color: lettering.color,
    x: 100 * (middle.x / scene.widthMm - 0.5),
    y: 100 * (middle.y / scene.heightMm - 0.5),
    angleDeg: element.angleDeg,
    isFlipped: element.isFlipped,
    ...operationOf(element, lettering.color),
    ...(element.white && { white: element.white }),
  };
  if (!isWithinLimits(text) || textsOf(composition).length >= MAX_TEXTS) return undefined;
  if ((element.leavesOut?.length ?? 0) + areas.length > MAX_LEFT_OUT) return undefined;
  const index = composition.elements.indexOf(element) + 1;
  return {
    type: 'several',
    commands: [
      { type: 'leaveOut', id: artworkId, areas },
      { type: 'addElements', elements: [text] },
      { type: 'moveTo', elementId: elementIdOf(text), index },
    ],
  };
}

/** True when all letters of a line are left out of its artwork already. */
export function isLeftOut(
  element: Pick<ArtworkElement, 'leavesOut' | 'crop'>,
  { frame, lettering }: PlacedLettering,
): boolean {
  const areas = toAreas(lettering.parts, { element, frame, capHeight: 0 });
  return areas.every((area) => element.leavesOut?.some((other) => holds(other, area)));
}

/** Returns the boxes of letters, and a little around them, in fractions of the picture, as `leavesOut` has them. */
function toAreas(
  parts: readonly PathBounds[],
  {
    element,
    frame,
    capHeight,
  }: { element: Pick<ArtworkElement, 'crop'>; frame: PlacedLettering['frame']; capHeight: number },
): FractionRect[] {
  const slack = SLACK * capHeight;
  return parts.map(({ minX, minY, maxX, maxY }) =>
    partOf(element.crop ?? wholePicture, {
      x: (minX - slack) / frame.width,
      y: (minY - slack) / frame.height,
      width: (maxX - minX + 2 * slack) / frame.width,
      height: (maxY - minY + 2 * slack) / frame.height,
    }),
  );
}

const holds = (a: FractionRect, b: FractionRect): boolean =>
  a.x <= b.x && a.y <= b.y && a.x + a.width >= b.x + b.width && a.y + a.height >= b.y + b.height;

/** True when a text can look like a part of the artwork. */
const isPlain = (element: ArtworkElement, { machine }: Composition): boolean =>
  !element.isLocked && element.opacity === 100 && !element.tones && !isEngraved(element, machine);

function operationOf({ operation, operations = [] }: ArtworkElement, color: string): Pick<TextElement, 'operation'> {
  const choice = operations.find((entry) => entry.color.toLowerCase() === color)?.operation ?? operation;
  return choice ? { operation: choice } : {};
}

function isWithinLimits({ text, heightInches, letterSpacing, x, y }: TextElement): boolean {
  const isIn = (value: number, { min, max }: { readonly min: number; readonly max: number }) =>
    value >= min && value <= max;
  return (
    text.length <= MAX_TEXT_LENGTH &&
    isIn(heightInches, TEXT_HEIGHT_INCHES) &&
    isIn(letterSpacing, LETTER_SPACING) &&
    Math.abs(x) <= OFFSET_LIMIT &&
    Math.abs(y) <= OFFSET_LIMIT
  );
}

/** Says a face as people do: “Montserrat Bold Italic”. */
export const sayFace = ({ fontFamily, isBold, isItalic }: Face): string =>
  [fontFamily, isBold && 'Bold', isItalic && 'Italic'].filter(Boolean).join(' ');
