/** Fits a text into the machine area. Pure. */

import { boxAround, type Command, findCircleRoom, findElement, TEXT_HEIGHT_INCHES } from '@markwright/scene';
import type { EditorState } from './editor.ts';

/** The share of the machine area that stays empty on each side of a fitted text. */
const MARGIN = 0.05;
/** Decimals of an inch: as many as the text's own field shows. */
const INCH_DECIMALS = 2;

/**
 * Returns the command that gives a text the largest size at which its box, rotated or not, fits into the machine area
 * with a margin. It goes to the middle across, and up or down only as far as it must. Returns undefined for an element
 * that is no text, is locked or is not drawn. A text on a circle gets the largest letters that fit into its arc.
 */
export function fitTextCommand(
  { composition, scene, assets }: Pick<EditorState, 'composition' | 'scene' | 'assets'>,
  elementId: string,
): Command | undefined {
  const text = findElement(composition, elementId);
  const group = scene.groups.find((candidate) => candidate.elementId === elementId);
  if (!text || !group || text.isLocked || !('heightInches' in text)) return undefined;
  const { left, top, right, bottom } = boxAround([group])!;
  const room = 1 - 2 * MARGIN;
  const ofArea = Math.min((scene.widthMm * room) / (right - left), (scene.heightMm * room) / (bottom - top));
  const ofArc = findCircleRoom(text, assets.fonts)?.share;
  const { min, max } = TEXT_HEIGHT_INCHES;
  const heightInches = Math.min(max, Math.max(min, roundDown(text.heightInches * (ofArc ?? ofArea))));
  if (ofArc !== undefined) return { type: 'updateText', id: text.id, changes: { heightInches } };
  // The middle of the ink is not that of the lines, which the placement is about.
  const scale = heightInches / text.heightInches;
  const inkOffset = (from: number, to: number, at: number, lengthMm: number) =>
    ((from + to) / 2 - lengthMm * (0.5 + at / 100)) * scale;
  const offset = {
    x: inkOffset(left, right, text.x, scene.widthMm),
    y: inkOffset(top, bottom, text.y, scene.heightMm),
  };
  const reachMm = Math.max(0, (scene.heightMm * room - (bottom - top) * scale) / 2);
  const inkY = (text.y / 100) * scene.heightMm + offset.y;
  const y = Math.min(reachMm, Math.max(-reachMm, inkY)) - offset.y;
  const changes = { heightInches, x: (-offset.x / scene.widthMm) * 100, y: (y / scene.heightMm) * 100 };
  return { type: 'updateText', id: text.id, changes };
}

const roundDown = (value: number) => Math.floor(value * 10 ** INCH_DECIMALS + 1e-9) / 10 ** INCH_DECIMALS;
