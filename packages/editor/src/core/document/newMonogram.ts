/** How a monogram comes onto the product: one outline, and under the halves of a split letter's name a live text. */
import { type Command, newText, type Scene, TEXT_HEIGHT_INCHES, writeContours } from '@markwright/scene';
import type { Monogram, MonogramDrawing } from '@markwright/scene/monogram';
import { newId } from './ids.ts';
import { MM_PER_INCH } from './measure.ts';
import { addFigure, iconFigure } from './newFigure.ts';

/** Decimals of the outline: it is some 30 units high. */
const DECIMALS = 3;
/** The em of the name in the band of a split letter, in heights of the band: capitals take two thirds of it. */
const NAME_EM = 0.92;

/** Returns the command that adds a monogram where there is room, and the id of its outline's element. */
export function addMonogram(
  scene: Scene,
  { letters, fontFamily, name }: Omit<Monogram, 'style'> & { readonly name: string },
  { contours, band }: MonogramDrawing,
): { readonly command: Command; readonly elementId: `shape:${string}` } {
  const initials = band ? [...letters.trim()][0] : letters.trim();
  const figure = iconFigure(`Monogram ${initials}`, writeContours(contours, DECIMALS));
  const { command, elementId } = addFigure(scene, figure);
  const [shape] = command.type === 'addElements' ? command.elements : [];
  const id = `shape:${elementId}` as const;
  if (!band || name.trim() === '' || shape?.kind !== 'shape') return { command, elementId: id };
  const groupId = newId();
  const bandMm = (band.height / (2 * band.middle)) * shape.heightMm;
  const { min, max } = TEXT_HEIGHT_INCHES;
  const text = {
    ...newText(newId()),
    ...{ text: name.trim(), fontFamily, x: shape.x, y: shape.y, groupId },
    heightInches: Math.min(max, Math.max(min, Number(((NAME_EM * bandMm) / MM_PER_INCH).toFixed(3)))),
  };
  return { command: { type: 'addElements', elements: [{ ...shape, groupId }, text] }, elementId: id };
}
