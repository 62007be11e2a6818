/** Changes of an element that fix what preflight finds: place and size, by one click or in words. */
import type { Bounds } from '../arrange/arrange.ts';
import type { Command } from '../document/commands.ts';
import type { CompositionElement } from '../document/composition.ts';
import { elementIdOf, sizeOf } from '../document/elements.ts';
import { isFigure, isText } from '../document/initial.ts';
import { OFFSET_LIMIT } from '../document/limits.ts';
import { placeCommand } from '../document/placeCommand.ts';
import { lengthScale } from '../geometry/matrix.ts';
import type { Scene, SceneGroup } from '../resolve/scene.ts';
import { inkWidth, OUTSIDE_MM } from './ink.ts';
import type { MachineLimits } from './machineLimits.ts';

/** An element that is checked. */
export interface Check {
  readonly group: SceneGroup;
  readonly element: CompositionElement;
  /** The box of what is made of it, in scene mm. */
  readonly ink: Bounds;
  readonly scene: Scene;
  readonly limits: MachineLimits;
  /** The whole frame of an artwork, in its own units. */
  readonly frame: { readonly width: number; readonly height: number } | undefined;
  length(mm: number): string;
}

/** A change that one click makes, and the same in words: "make it 12 % larger". */
export interface Change {
  readonly label: string;
  readonly words: string;
  readonly commands: readonly Command[];
}

/** Returns how far a box reaches past each edge of the machine area, mm; below 0 where it does not. */
export const pastEdges = ({ left, top, right, bottom }: Bounds, { widthMm, heightMm }: Scene) => ({
  left: -left,
  top: -top,
  right: right - widthMm,
  bottom: bottom - heightMm,
});

/** Returns the change that moves the element inside the machine area, and shrinks it if moving is not enough. */
export function fitInside(check: Check): Change | undefined {
  const { ink, scene, length } = check;
  const { x, y } = check.element;
  const room = Math.min(
    1,
    roomAlong(scene.widthMm, scene.widthMm * (0.5 + x / 100), ink.left, ink.right),
    roomAlong(scene.heightMm, scene.heightMm * (0.5 + y / 100), ink.top, ink.bottom),
  );
  const resizing = resize(check, room, Math.floor);
  if (!resizing) return undefined;
  const { commands, factor } = resizing;
  if (room < 1) {
    const percent = toPercent(1 - factor);
    return { label: `Shrink ${percent} to fit`, words: `make it ${percent} smaller and move it inside`, commands };
  }
  const { left, top, right, bottom } = pastEdges(ink, scene);
  const moves = Object.entries({ right: left, down: top, left: right, up: bottom }).flatMap(([way, by]) =>
    by > 0 ? `${length(by)} ${way}` : [],
  );
  return { label: 'Move inside', words: `move it ${moves.join(' and ')}`, commands };
}

/** Returns the advice to make the machine area as much larger as the ink needs. */
export function enlargeArea({ ink, scene, length }: Check): string {
  const past = pastEdges(ink, scene);
  const more = Object.entries({ wider: past.left + past.right, higher: past.top + past.bottom }).flatMap(([way, by]) =>
    by > OUTSIDE_MM ? `${length(by)} ${way}` : [],
  );
  // Ink that is smaller than the area can lie so far off that no move brings it back.
  return more.length > 0 ? `Make the machine area ${more.join(' and ')}.` : 'Delete it, and place it anew.';
}

/**
 * Returns the factor by which ink from `from` to `to` fits into an area along an axis, when it is sized about the
 * middle of its element, and that middle moves no further than it may.
 */
function roomAlong(areaMm: number, middle: number, from: number, to: number): number {
  const reach = areaMm * (0.5 + OFFSET_LIMIT / 100);
  return Math.min(areaMm / (to - from), reach / Math.max(0, middle - from), reach / Math.max(0, to - middle));
}

/** Returns a share of 1 in percent, with a decimal where it is small. */
const toPercent = (share: number) => `${trim((share * 100).toFixed(share < 0.1 ? 1 : 0))} %`;

/** A drawing this many times as large is another one; and what asks for more is too thin to be measured well. */
const MAX_FACTOR = 8;

/** Returns the change that makes an element larger or smaller by at least a factor. */
export function sizeBy(check: Check, factor: number): Change | undefined {
  if (factor > MAX_FACTOR) return undefined;
  const resizing = resize(check, factor, factor > 1 ? Math.ceil : Math.floor);
  if (!resizing) return undefined;
  const { commands } = resizing;
  const label = sizeWords(check, resizing.factor);
  return { label, words: lowerFirst(label), commands };
}

const lowerFirst = (words: string): string => `${words[0]!.toLowerCase()}${words.slice(1)}`;

/** Returns the change that gives a text on a circle letters of another size, and leaves the circle as it is. */
export function sizeLetters({ element }: Check, factor: number): Change | undefined {
  const { value, min, max, decimals } = sizeOf(element);
  const [steps, slack] = [10 ** decimals, 0.01];
  const size = factor > 1 ? Math.ceil(value * factor * steps - slack) : Math.floor(value * factor * steps + slack);
  const heightInches = size / steps;
  if (heightInches < min || heightInches > max) return undefined;
  const label = `${factor > 1 ? 'Enlarge' : 'Shrink'} letters to ${heightInches.toFixed(decimals)} in`;
  const commands = [{ type: 'updateText' as const, id: element.id, changes: { heightInches } }];
  return { label, words: lowerFirst(label), commands };
}

/** Returns the label of a change of size, in the unit of the element's own field. */
function sizeWords({ element, length }: Check, factor: number): string {
  const isLarger = factor > 1;
  if (isText(element)) {
    const size = `${(element.heightInches * factor).toFixed(2)} in`;
    if (!isLarger) return `Shrink to ${size}`;
    // Below that the size alone says enough.
    return factor < 1.1 ? `Enlarge to ${size}` : `Enlarge to ${size}, ${trim(factor.toFixed(1))}×`;
  }
  if (isFigure(element)) return `${isLarger ? 'Enlarge' : 'Shrink'} to a width of ${length(element.widthMm * factor)}`;
  if (factor >= 2) return `Make it ${trim(factor.toFixed(1))}× larger`;
  return `Make it ${toPercent(Math.abs(factor - 1))} ${isLarger ? 'larger' : 'smaller'}`;
}

/** Returns the advice for an element that would have to be `factor` times as large, and has no room for it. */
export function noRoom(check: Check, factor: number, otherwise: string): string {
  if (factor > MAX_FACTOR) return `${otherwise[0]!.toUpperCase()}${otherwise.slice(1)}.`;
  const { element, group, scene, length } = check;
  const widthMm = inkWidth(group, scene.machine) * lengthScale(group.matrix) * factor;
  const size = isText(element)
    ? `${(Math.ceil(element.heightInches * factor * 100) / 100).toFixed(2)} in high`
    : `${trim(factor.toFixed(factor < 2 ? 2 : 1))}× larger, ${length(Math.ceil(widthMm * 10) / 10)} wide`;
  return `There is no room to make it ${size}: ${otherwise}.`;
}

/**
 * Returns the commands that resize an element by `targetFactor`, rounded to the steps of its field, and move its ink
 * into the machine area. Returns undefined when the size is out of range or the element would not fit.
 */
function resize(
  check: Check,
  targetFactor: number,
  round: (value: number) => number,
): { readonly commands: readonly Command[]; readonly factor: number } | undefined {
  const { element, scene, ink } = check;
  const { widthMm, heightMm } = scene;
  const { value: before, min, max, decimals } = sizeOf(element);
  const steps = 10 ** decimals;
  // A hundredth of a step of slack, so that a size that is already right stays the same.
  const nudge = round === Math.floor ? 0.01 : -0.01;
  const after = targetFactor === 1 ? before : round(before * targetFactor * steps + nudge) / steps;
  if (after < min || after > max) return undefined;
  const factor = after / before;
  const center = { x: widthMm * (0.5 + element.x / 100), y: heightMm * (0.5 + element.y / 100) };
  const newBounds: Bounds = {
    left: center.x + (ink.left - center.x) * factor,
    right: center.x + (ink.right - center.x) * factor,
    top: center.y + (ink.top - center.y) * factor,
    bottom: center.y + (ink.bottom - center.y) * factor,
  };
  const past = pastEdges(newBounds, scene);
  if (past.left + past.right > OUTSIDE_MM || past.top + past.bottom > OUTSIDE_MM) return undefined;
  const shift = (before: number, after: number) => Math.max(0, before) - Math.max(0, after);
  const place = {
    x: element.x + (shift(past.left, past.right) / widthMm) * 100,
    y: element.y + (shift(past.top, past.bottom) / heightMm) * 100,
  };
  if (Math.abs(place.x) > OFFSET_LIMIT || Math.abs(place.y) > OFFSET_LIMIT) return undefined;
  return { commands: [placeCommand(elementIdOf(element), { ...place, size: after })], factor };
}

/** Removes the zeros at the end of a decimal number. */
export const trim = (text: string) => text.replace(/\.?0+$/, '');
