/** Every change a person can make to a composition, as data. This is the only file that clamps values. */

import {
  BEND,
  type Composition,
  DESIGN_SIZE,
  DesignPlacement,
  type FractionRect,
  InkRect,
  LETTER_SPACING,
  LINE_SPACING,
  MAX_NAME_LENGTH,
  MAX_TEXT_LENGTH,
  MAX_TEXTS,
  type MachineMode,
  MIN_MACHINE_AREA,
  OFFSET_LIMIT,
  Straightening,
  TEXT_HEIGHT_INCHES,
  TextElement,
} from './composition.ts';
import { fractionsOf, isSameCrop, isSameStraightening, movePlace, partOf, toCrop, wholePicture } from './crop.ts';
import { findElement, isDesign, textElementId, toZOrder } from './elements.ts';
import { toMachineColor } from './machine.ts';

export type Command =
  | { readonly type: 'setMachine'; readonly machine: MachineMode }
  /** Makes the whole print area of the new product the machine area. */
  | { readonly type: 'setProduct'; readonly productId: string | undefined }
  /** Rotates the product picture on screen to this angle. */
  | { readonly type: 'rotateProduct'; readonly angleDeg: number }
  /** `area` undefined means the whole print area. Placements are converted so that nothing moves or changes size. */
  | {
      readonly type: 'setMachineArea';
      readonly area: FractionRect | undefined;
      readonly printArea: FractionRect;
      /** Width over height of the product picture. */
      readonly pictureAspect: number;
    }
  /** A new trace of the present design keeps its placement. Another design starts in the middle. */
  | { readonly type: 'placeDesign'; readonly designId: string; readonly filename: string; readonly aspect: number }
  | { readonly type: 'removeDesign' }
  /**
   * Shows another part of the design's picture; undefined: all of it. What both parts show keeps its place and size on
   * the product. When the picture is straightened otherwise than before, the ink of the next trace takes the place and
   * size of the present ink.
   */
  | {
      readonly type: 'cropDesign';
      readonly crop: FractionRect | undefined;
      readonly straighten?: Straightening | undefined;
      /** Width over height of the whole picture, straightened if it is, and of the machine area. */
      readonly pictureAspect: number;
      readonly areaAspect: number;
    }
  /**
   * Sets the box around the ink, in fractions of the artwork's frame. The first time, the ink takes the place and size
   * of the frame. Afterwards, and in a composition from before version 2, no shape moves.
   */
  | {
      readonly type: 'trimDesign';
      readonly ink: FractionRect;
      /** Width over height of the artwork's frame, and of the machine area. */
      readonly aspect: number;
      readonly areaAspect: number;
    }
  | { readonly type: 'updateDesign'; readonly changes: DesignChanges }
  | { readonly type: 'addText'; readonly element: Partial<TextElement> & { readonly id: string } }
  | { readonly type: 'updateText'; readonly id: string; readonly changes: TextChanges }
  | { readonly type: 'removeText'; readonly id: string }
  /** `elementId` is `design` or `text:<id>`, here and below; dx and dy are per cent of the machine area. */
  | { readonly type: 'nudge'; readonly elementId: string; readonly dx: number; readonly dy: number }
  | { readonly type: 'center'; readonly elementId: string }
  | { readonly type: 'rotate90'; readonly elementId: string }
  | { readonly type: 'flip'; readonly elementId: string }
  /** A blank name calls the element by its words or its file again. */
  | { readonly type: 'rename'; readonly elementId: string; readonly name: string }
  | { readonly type: 'setLocked'; readonly elementId: string; readonly isLocked: boolean }
  | { readonly type: 'setHidden'; readonly elementId: string; readonly isHidden: boolean }
  /** Changes the z-order by one place, or to the very front or back. */
  | { readonly type: 'reorder'; readonly elementId: string; readonly to: OrderStep }
  /** Moves an element to a position in the z-order; 0 is the lowest. */
  | { readonly type: 'moveTo'; readonly elementId: string; readonly index: number }
  /** Adds an unlocked copy of a text above it in the z-order, a little to the right and down. */
  | { readonly type: 'duplicateText'; readonly id: string; readonly newId: string }
  /** Applies commands in turn, as one change. */
  | { readonly type: 'several'; readonly commands: readonly Command[] };

export type OrderStep = 'forward' | 'backward' | 'front' | 'back';

export type TextChanges = Partial<Omit<TextElement, 'id' | 'name' | 'isLocked' | 'isHidden'>>;

export type DesignChanges = Partial<Pick<DesignPlacement, 'x' | 'y' | 'size' | 'angleDeg' | 'isFlipped' | 'opacity'>>;

/**
 * Applies a command: the only way a composition changes. Pure. Returns the very same object when nothing changes (an
 * element that does not exist, a value already set, a locked element), so `===` tells whether there is something to
 * undo. Never throws: numbers out of range are clamped; NaN and infinite numbers are ignored. Cost: linear in the
 * elements.
 *
 * A locked element keeps its place and its look. It can be renamed, hidden, reordered, removed and replaced.
 */
export function applyCommand(composition: Composition, command: Command): Composition {
  switch (command.type) {
    case 'setMachine': {
      if (composition.machine === command.machine) return composition;
      const texts = composition.texts.map((text) => ({ ...text, color: toMachineColor(command.machine, text.color) }));
      return { ...composition, machine: command.machine, texts };
    }
    case 'setProduct': {
      if (composition.productId === command.productId) return composition;
      return { ...composition, productId: command.productId, machineArea: undefined, productAngleDeg: 0 };
    }
    case 'rotateProduct':
      return change(composition, { productAngleDeg: toAngle(command.angleDeg, composition.productAngleDeg) });
    case 'setMachineArea':
      return setMachineArea(composition, command);
    case 'placeDesign': {
      const { designId, filename } = command;
      const aspect = toAspect(command.aspect);
      const { design } = composition;
      if (design?.designId === designId) return changeDesign(composition, { ...design, filename, aspect });
      return { ...composition, design: { ...initialPlacement, designId, filename, aspect } };
    }
    case 'removeDesign':
      return composition.design ? { ...composition, design: undefined, textsUnderDesign: 0 } : composition;
    case 'cropDesign':
      return cropDesign(composition, command);
    case 'trimDesign':
      return trimDesign(composition, command);
    case 'updateDesign': {
      const { design } = composition;
      if (!design || design.isLocked) return composition;
      return changeDesign(composition, { ...design, ...command.changes });
    }
    case 'addText': {
      const { element } = command;
      if (composition.texts.length >= MAX_TEXTS || composition.texts.some(({ id }) => id === element.id)) {
        return composition;
      }
      const base = TextElement.parse({ id: element.id.slice(0, 64) || 'text', text: '' });
      const text = cleanText(composition, base, element);
      return { ...composition, texts: [...composition.texts, text] };
    }
    case 'updateText':
      return changeText(composition, command.id, command.changes);
    case 'removeText': {
      const index = composition.texts.findIndex(({ id }) => id === command.id);
      if (index < 0) return composition;
      const { textsUnderDesign } = composition;
      return {
        ...composition,
        texts: composition.texts.toSpliced(index, 1),
        textsUnderDesign: index < textsUnderDesign ? textsUnderDesign - 1 : textsUnderDesign,
      };
    }
    case 'nudge':
      return place(composition, command.elementId, ({ x, y }) => ({ x: x + command.dx, y: y + command.dy }));
    case 'center':
      return place(composition, command.elementId, () => ({ x: 0, y: 0 }));
    case 'rotate90':
      return place(composition, command.elementId, ({ angleDeg }) => ({ angleDeg: (angleDeg + 90) % 360 }));
    case 'flip':
      return place(composition, command.elementId, ({ isFlipped }) => ({ isFlipped: !isFlipped }));
    case 'rename':
      return setMark(composition, command.elementId, { name: cutText(command.name.trim(), MAX_NAME_LENGTH) });
    case 'setLocked':
      return setMark(composition, command.elementId, { isLocked: command.isLocked });
    case 'setHidden':
      return setMark(composition, command.elementId, { isHidden: command.isHidden });
    case 'reorder': {
      const order = toZOrder(composition);
      const at = order.indexOf(command.elementId);
      const to = { forward: at + 1, backward: at - 1, front: order.length - 1, back: 0 }[command.to];
      return moveTo(composition, command.elementId, to);
    }
    case 'moveTo':
      return moveTo(composition, command.elementId, command.index);
    case 'duplicateText':
      return duplicateText(composition, command.id, command.newId);
    case 'several':
      return command.commands.reduce(applyCommand, composition);
    default:
      return unreachable(command);
  }
}

/** The initial placement and look of a new design. */
const initialPlacement = DesignPlacement.parse({ designId: 'new' });

type Mark = Pick<TextElement, 'name' | 'isLocked' | 'isHidden'>;

function setMark(composition: Composition, elementId: string, changes: Partial<Mark>): Composition {
  const element = findElement(composition, elementId);
  if (!element) return composition;
  if (isDesign(element)) return change(composition, { design: keep(element, { ...element, ...changes }) });
  const next = keep(element, { ...element, ...changes });
  if (next === element) return composition;
  return { ...composition, texts: composition.texts.map((text) => (text === element ? next : text)) };
}

function moveTo(composition: Composition, elementId: string, index: number): Composition {
  const order = toZOrder(composition);
  const at = order.indexOf(elementId);
  const to = clamp(Math.round(index), 0, order.length - 1, at);
  if (at < 0 || to === at) return composition;
  const next = order.toSpliced(at, 1).toSpliced(to, 0, elementId);
  const textOf = new Map(composition.texts.map((text) => [textElementId(text.id), text]));
  return {
    ...composition,
    texts: next.flatMap((id) => textOf.get(id) ?? []),
    textsUnderDesign: Math.max(0, next.indexOf('design')),
  };
}

/** Percent of the machine area: enough to see that there are two texts. */
const COPY_OFFSET = 3;

function duplicateText(composition: Composition, id: string, newId: string): Composition {
  const { texts, textsUnderDesign } = composition;
  const index = texts.findIndex((text) => text.id === id);
  const text = texts[index];
  if (!text || texts.length >= MAX_TEXTS || newId === '' || texts.some((other) => other.id === newId)) {
    return composition;
  }
  // A text at the edge is copied inward: a copy on the same spot would not be seen.
  const aside = (offset: number) => toOffset(offset + (offset + COPY_OFFSET > OFFSET_LIMIT ? -1 : 1) * COPY_OFFSET, 0);
  const copy: TextElement = {
    ...text,
    id: newId.slice(0, 64),
    x: aside(text.x),
    y: aside(text.y),
    isLocked: false,
    isHidden: false,
  };
  return {
    ...composition,
    texts: texts.toSpliced(index + 1, 0, copy),
    textsUnderDesign: index < textsUnderDesign ? textsUnderDesign + 1 : textsUnderDesign,
  };
}

type Placement = Pick<DesignPlacement, 'x' | 'y' | 'angleDeg' | 'isFlipped'>;

function place(
  composition: Composition,
  elementId: string,
  move: (placement: Placement) => Partial<Placement>,
): Composition {
  const element = findElement(composition, elementId);
  if (!element || element.isLocked) return composition;
  if (isDesign(element)) return changeDesign(composition, { ...element, ...move(element) });
  return changeText(composition, element.id, move(element));
}

/**
 * Changes the machine area and converts every percentage to the new frame, so that elements stay where they are. An
 * element whose middle would be outside the new frame is clamped to its edge.
 */
function setMachineArea(composition: Composition, command: Extract<Command, { type: 'setMachineArea' }>): Composition {
  const { printArea, pictureAspect } = command;
  const before = composition.machineArea ?? printArea;
  const machineArea = command.area && cleanArea(command.area, before);
  const after = machineArea ?? printArea;
  if (isSame(before, after)) return change(composition, { machineArea });

  const offset = ({ x, y }: { x: number; y: number }) => ({
    x: ((before.x + before.width * (0.5 + x / 100) - after.x) / after.width - 0.5) * 100,
    y: ((before.y + before.height * (0.5 + y / 100) - after.y) / after.height - 0.5) * 100,
  });
  const { design } = composition;
  // Width of the artwork's box when it is contain-fitted into an area, in picture widths.
  const aspect = design ? inkAspect(design) : 1;
  const fit = (area: FractionRect) => Math.min(area.width, (area.height / pictureAspect) * aspect);
  return {
    ...composition,
    machineArea,
    design: design && cleanDesign(design, { ...offset(design), size: (design.size * fit(before)) / fit(after) }),
    texts: composition.texts.map((text) => cleanText(composition, text, offset(text))),
  };
}

/**
 * Crops the design: each pixel of the picture stays where it was. The box around the ink loses what is cut away, until
 * a trace of the new part says more. A middle outside the machine area is clamped to its edge.
 */
function cropDesign(composition: Composition, command: Extract<Command, { type: 'cropDesign' }>): Composition {
  const { design } = composition;
  const crop = toCrop(command.crop);
  const straighten = toStraightening(command.straighten);
  if (!design || design.isLocked) return composition;
  const pictureAspect = toAspect(command.pictureAspect);
  const areaAspect = toAspect(command.areaAspect);
  if (!isSameStraightening(design.straighten, straighten)) {
    const { width, height } = crop ?? wholePicture;
    const { straighten: _straighten, crop: _crop, ink: _ink, ...rest } = design;
    const aspect = (width / height) * pictureAspect;
    return { ...composition, design: { ...rest, ...(straighten && { straighten }), ...(crop && { crop }), aspect } };
  }
  if (isSameCrop(design.crop, crop)) return composition;
  const from = partOf(design.crop, design.ink);
  const ink = design.ink && (fractionsOf(crop, from) ?? wholePicture);
  const to = partOf(crop, ink);
  const { width, height } = crop ?? wholePicture;
  const { crop: _crop, ink: _ink, ...rest } = design;
  const placement = { ...rest, ...(crop && { crop }), ...(ink && { ink }), aspect: (width / height) * pictureAspect };
  return change(composition, {
    design: cleanDesign(placement, movePlace(design, { from, to, pictureAspect, areaAspect })),
  });
}

/** Decimals of the corners of a straightened picture: a hundredth of a pixel of a large one. */
const CORNER_DECIMALS = 6;

/** Rounds the corners, so that the same ones are the same file. Returns undefined for what the schema refuses. */
function toStraightening(straighten: Straightening | undefined): Straightening | undefined {
  const round = (value: number) => Number(value.toFixed(CORNER_DECIMALS)) + 0;
  const candidate = straighten && {
    corners: straighten.corners.map(({ x, y }) => ({ x: round(x), y: round(y) })),
    aspect: round(straighten.aspect),
  };
  return Straightening.safeParse(candidate).data;
}

/** Decimals of the ink's box: less than a micron of an artwork that is as long as a tumbler. */
const INK_DECIMALS = 6;

/**
 * Trims the box of the design to its ink. Where that would need a place or a size beyond the limits, the box stays: a
 * composition must not move because of what is measured on it.
 */
function trimDesign(composition: Composition, command: Extract<Command, { type: 'trimDesign' }>): Composition {
  const { design } = composition;
  const ink = roundRect(command.ink);
  if (!design || !InkRect.safeParse(ink).success || (design.ink && isSame(design.ink, ink))) return composition;
  const aspect = toAspect(command.aspect);
  if (!design.ink) return { ...composition, design: { ...design, ink, aspect } };
  const place = movePlace(design, {
    from: design.ink,
    to: ink,
    pictureAspect: aspect,
    areaAspect: toAspect(command.areaAspect),
  });
  const isWithinLimits =
    Math.abs(place.x) <= OFFSET_LIMIT &&
    Math.abs(place.y) <= OFFSET_LIMIT &&
    place.size >= DESIGN_SIZE.min &&
    place.size <= DESIGN_SIZE.max;
  return isWithinLimits ? { ...composition, design: { ...design, ...place, ink, aspect } } : composition;
}

function roundRect({ x, y, width, height }: FractionRect): FractionRect {
  const round = (value: number) => Number(value.toFixed(INK_DECIMALS)) + 0;
  return { x: round(x), y: round(y), width: round(width), height: round(height) };
}

/** Returns the width over the height of the design's box. */
const inkAspect = ({ aspect, ink }: DesignPlacement) => aspect * (ink ? ink.width / ink.height : 1);

const toAspect = (aspect: number) => (aspect > 0 && Number.isFinite(aspect) ? aspect : 1);

/** Clamps an area to the picture and to at least `MIN_MACHINE_AREA` in width and height. */
function cleanArea(area: FractionRect, fallback: FractionRect): FractionRect {
  const width = clamp(area.width, MIN_MACHINE_AREA, 1, fallback.width);
  const height = clamp(area.height, MIN_MACHINE_AREA, 1, fallback.height);
  return {
    x: clamp(area.x, 0, 1 - width, fallback.x),
    y: clamp(area.y, 0, 1 - height, fallback.y),
    width,
    height,
  };
}

const changeDesign = (composition: Composition, changes: DesignPlacement): Composition =>
  change(composition, { design: cleanDesign(composition.design!, changes) });

function cleanDesign(design: DesignPlacement, changes: Partial<DesignPlacement>): DesignPlacement {
  const next = { ...design, ...withoutUndefined(changes) };
  return keep(design, {
    ...next,
    x: toOffset(next.x, design.x),
    y: toOffset(next.y, design.y),
    size: clamp(next.size, DESIGN_SIZE.min, DESIGN_SIZE.max, design.size),
    angleDeg: toAngle(next.angleDeg, design.angleDeg),
    opacity: clamp(next.opacity, 0, 100, design.opacity),
  });
}

function changeText(composition: Composition, id: string, changes: Partial<TextElement>): Composition {
  let isChanged = false;
  const texts = composition.texts.map((text) => {
    if (text.id !== id || text.isLocked) return text;
    const next = cleanText(composition, text, { ...changes, id });
    isChanged ||= next !== text;
    return next;
  });
  return isChanged ? { ...composition, texts } : composition;
}

function cleanText(composition: Composition, text: TextElement, changes: Partial<TextElement>): TextElement {
  const next = { ...text, ...withoutUndefined(changes) };
  const { min, max } = TEXT_HEIGHT_INCHES;
  const color = /^#[0-9a-fA-F]{6}$/.test(next.color) ? next.color : text.color;
  return keep(text, {
    ...next,
    id: text.id,
    text: cutText(next.text, MAX_TEXT_LENGTH),
    name: cutText(next.name.trim(), MAX_NAME_LENGTH),
    fontFamily: next.fontFamily.slice(0, 80),
    heightInches: clamp(next.heightInches, min, max, text.heightInches),
    letterSpacing: clamp(next.letterSpacing, LETTER_SPACING.min, LETTER_SPACING.max, text.letterSpacing),
    lineSpacing: clamp(next.lineSpacing, LINE_SPACING.min, LINE_SPACING.max, text.lineSpacing),
    bend: clamp(next.bend, BEND.min, BEND.max, text.bend),
    color: color === text.color ? color : toMachineColor(composition.machine, color),
    x: toOffset(next.x, text.x),
    y: toOffset(next.y, text.y),
    angleDeg: toAngle(next.angleDeg, text.angleDeg),
  });
}

/** Truncates a text to at most `length` UTF-16 units, never inside a surrogate pair. */
function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}

function change(composition: Composition, changes: Partial<Composition>): Composition {
  return keep(composition, { ...composition, ...changes });
}

/** Returns the old object when the new one has the same values. */
function keep<T extends object>(before: T, after: T): T {
  return isSame(before, after) ? before : after;
}

function isSame<T extends object>(a: T, b: T): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof T>;
  for (const name of names) if (!Object.is(a[name], b[name])) return false;
  return true;
}

function withoutUndefined<T extends object>(changes: T): T {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as T;
}

const toOffset = (value: number, fallback: number) => clamp(value, -OFFSET_LIMIT, OFFSET_LIMIT, fallback);

/** Normalizes an angle to 0…360 degrees. Both 0 and 360 stay, so that a slider can rest on either end. */
function toAngle(value: number, fallback: number): number {
  if (!Number.isFinite(value)) return fallback;
  return value >= 0 && value <= 360 ? value : ((value % 360) + 360) % 360;
}

function clamp(value: number, min: number, max: number, fallback: number): number {
  if (!Number.isFinite(value)) return fallback;
  // `+ 0` turns minus zero into zero.
  return Math.min(max, Math.max(min, value)) + 0;
}

function unreachable(command: never): never {
  throw new Error(`No such command: ${JSON.stringify(command)}`);
}
