/** Makes outlines of the selection: a line around it, or its areas combined. Loaded when it is first used. */
import {
  type Command,
  type Contour,
  findElement,
  isOutline,
  newShape,
  OFFSET_LIMIT,
  type Scene,
  SHAPE_SIZE_MM,
  type ShapeElement,
  tightBounds,
  writeContours,
} from '@markwright/scene';
import {
  areaOfElement,
  type Combination,
  combineAreas,
  type LineAround,
  lineAround,
  TooDetailed,
  toStencil,
} from '@markwright/scene/combine';
import type { EditorState, ElementId } from './editor.ts';
import { newId } from './ids.ts';
import { removeCommand } from './keymap.ts';

/** A step that adds an element, or a sentence that says why there is none. */
export type OutlineResult = { readonly command: Command; readonly elementId: ElementId } | { readonly fault: string };

type State = Pick<EditorState, 'composition' | 'scene'>;

const names: Readonly<Record<Combination, string>> = {
  unite: 'United',
  subtract: 'Subtracted',
  intersect: 'Intersection',
};

/** Returns the step that replaces elements by one outline. `subtract` takes those above from the lowest one. */
export function combine(state: State, ids: readonly ElementId[], how: Combination): OutlineResult {
  return outlineOf(state, ids, names[how], (areas) => combineAreas(areas, how), inPlaceOf(state, ids));
}

/** Returns the step that replaces elements by one outline with bridges, so that nothing falls out of a cut sheet. */
export function makeStencil(state: State, ids: readonly ElementId[], bridgeMm: number): OutlineResult {
  const make = (areas: (readonly Contour[])[]) => toStencil(areas, bridgeMm) ?? 'Nothing of it would fall out.';
  return outlineOf(state, ids, 'Stencil', make, inPlaceOf(state, ids));
}

/** The outline has the color and the operation of the lowest of the elements. */
const inPlaceOf =
  ({ composition }: State, ids: readonly ElementId[]) =>
  (shape: ShapeElement, [lowest]: readonly ElementId[]): Command => {
    const { operation, ...rest } = findElement(composition, lowest) ?? {};
    const color = 'color' in rest ? rest.color : shape.color;
    return {
      type: 'several',
      commands: [
        ...ids.map(removeCommand),
        { type: 'addElements', elements: [{ ...shape, color, ...(operation && { operation }) }] },
      ],
    };
  };

/** Returns the step that adds a line around elements, which a laser cuts. */
export function outlineAround(state: State, ids: readonly ElementId[], line: LineAround): OutlineResult {
  const name = line.distanceMm < 0 ? 'Inset' : 'Cut line';
  return outlineOf(
    state,
    ids,
    name,
    (areas) => lineAround(areas, line),
    (shape) => ({
      type: 'addElements',
      elements: [{ ...shape, operation: 'cut', strokeMm: LINE_MM }],
    }),
  );
}

/** The width of the line, where a machine prints it. */
const LINE_MM = 0.3;

function outlineOf(
  { composition, scene }: State,
  ids: readonly ElementId[],
  name: string,
  make: (areas: (readonly Contour[])[]) => readonly Contour[] | string,
  toCommand: (shape: ShapeElement, lowestFirst: readonly ElementId[]) => Command,
): OutlineResult {
  const groups = scene.groups.filter(({ elementId }) => ids.includes(elementId));
  try {
    const contours = make(groups.map((group) => areaOfElement(group, composition.machine === 'laser')));
    const shape = typeof contours === 'string' ? contours : toShape(contours, scene, name);
    if (typeof shape === 'string') return { fault: shape };
    return {
      command: toCommand(
        shape,
        groups.map(({ elementId }) => elementId),
      ),
      elementId: `shape:${shape.id}`,
    };
  } catch (error) {
    if (error instanceof TooDetailed) return { fault: error.message };
    throw error;
  }
}

/** Decimals of mm: fewer are tried where the outline would be too long. */
const DECIMALS = [3, 2];

function toShape(contours: readonly Contour[], scene: Scene, name: string): ShapeElement | string {
  if (contours.length === 0) return 'Nothing is left of it.';
  const { minX, minY, maxX, maxY } = tightBounds(contours);
  const [widthMm, heightMm] = [maxX - minX, maxY - minY];
  const { min, max } = SHAPE_SIZE_MM;
  if (Math.min(widthMm, heightMm) < min) return 'What is left of it is too small.';
  if (Math.max(widthMm, heightMm) > max) return 'The outline would be too large.';
  const outline = DECIMALS.map((decimals) => writeContours(contours, decimals)).find(isOutline);
  if (outline === undefined) return new TooDetailed().message;
  const x = ((minX + maxX) / 2 / scene.widthMm - 0.5) * 100;
  const y = ((minY + maxY) / 2 / scene.heightMm - 0.5) * 100;
  if (Math.max(Math.abs(x), Math.abs(y)) > OFFSET_LIMIT) return 'Its middle would lie outside of the machine area.';
  return { ...newShape(newId()), form: 'outline', outline, name, widthMm, heightMm, x, y };
}
