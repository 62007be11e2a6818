/** How a text comes onto a circle, and off it again, without leaving its place. */
import {
  CIRCLE_RADIUS_MM,
  CIRCLE_SWEEP,
  type Command,
  findCircleRoom,
  OFFSET_LIMIT,
  type Point,
  type Scene,
  type TextCircle,
  type TextElement,
} from '@markwright/scene';
import type { EditorState } from './editor.ts';

/** The arc of a straight text that is put on a circle. */
const HALF_DEG = 180;
const STRAIGHT: TextCircle = { radiusMm: 100, side: 'top', edge: 'outside', sweepDeg: CIRCLE_SWEEP.max };

/**
 * Returns the command that puts a text on a circle: as large as its bend has it, or such that it takes half of it. The
 * middle of its words stays in place as far as the middle of the circle lies in the machine area. Undefined while its
 * font is not loaded.
 */
export function enterCircle(
  { scene, assets }: Pick<EditorState, 'scene' | 'assets'>,
  text: TextElement,
): Command | undefined {
  const lengthMm = findCircleRoom({ ...text, circle: STRAIGHT }, assets.fonts)?.lengthMm;
  if (lengthMm === undefined) return undefined;
  const wantedDeg = text.bend === 0 ? HALF_DEG : 3.6 * Math.abs(text.bend);
  const { min, max, step } = CIRCLE_RADIUS_MM;
  const radius = Math.ceil((lengthMm * 180) / (Math.PI * wantedDeg) / step) * step;
  const circle: TextCircle = {
    radiusMm: Math.min(max, Math.max(min, radius)),
    side: text.bend < 0 ? 'bottom' : 'top',
    edge: text.bend < 0 ? 'inside' : 'outside',
    sweepDeg: Math.max(HALF_DEG, Math.ceil(wantedDeg / CIRCLE_SWEEP.step) * CIRCLE_SWEEP.step),
  };
  return { type: 'updateText', id: text.id, changes: { circle, ...moveBy(scene, text, fromApex(text, circle)) } };
}

/** Returns the command that makes a text on a circle a straight one, where the middle of its words was. */
export function leaveCircle({ scene }: Pick<EditorState, 'scene'>, text: TextElement, circle: TextCircle): Command {
  const { x, y } = fromApex(text, circle);
  return { type: 'updateText', id: text.id, changes: { circle: null, ...moveBy(scene, text, { x: -x, y: -y }) } };
}

/** Returns the way from the middle of the words of a text to the middle of its circle, in mm. */
function fromApex({ angleDeg }: TextElement, { side, radiusMm }: TextCircle): Point {
  const angle = (angleDeg * Math.PI) / 180;
  const down = side === 'top' ? radiusMm : -radiusMm;
  return { x: -Math.sin(angle) * down, y: Math.cos(angle) * down };
}

function moveBy({ widthMm, heightMm }: Scene, text: TextElement, { x, y }: Point): Point {
  const clamp = (value: number) => Math.min(OFFSET_LIMIT, Math.max(-OFFSET_LIMIT, value));
  return { x: clamp(text.x + (100 * x) / widthMm), y: clamp(text.y + (100 * y) / heightMm) };
}
