/**
 * Every change a person can make to a composition, as data. This is the only file that clamps values.
 *
 * It is one file of more than 500 lines so that no change can leave a value that another one forbids: the list of
 * commands, the switch over them and the limits of each value are read side by side.
 */

import type {
  ArtworkElement,
  CodeElement,
  Composition,
  CompositionElement,
  CustomerParts,
  ElementWhite,
  Engraving,
  FigureElement,
  FractionRect,
  MachineMode,
  Operation,
  ShapeElement,
  Straightening,
  TextCircle,
  TextElement,
  Variant,
} from './composition.ts';
import {
  type AreaMm,
  fractionsOf,
  isSameCrop,
  isSameStraightening,
  movePlace,
  partOf,
  toCrop,
  trueSizeOf,
  wholePicture,
} from './crop.ts';
import { elementIdOf, findArtwork, findElement, membersOf, textsOf } from './elements.ts';
import {
  isArtwork,
  isCode,
  isFigure,
  isInkRect,
  isShape,
  isStraightening,
  isText,
  newArtwork,
  newText,
} from './initial.ts';
import {
  ARC_SWEEP,
  BEND,
  CIRCLE_RADIUS_MM,
  CIRCLE_SWEEP,
  CODE_SIZE_MM,
  ENGRAVING_INTERVAL_MM,
  ENGRAVING_TONE,
  FIRST_ARTWORK,
  HALFTONE_ANGLE,
  HALFTONE_GAP_MM,
  HALFTONE_PITCH_MM,
  LETTER_SPACING,
  LINE_SPACING,
  MAX_ARTWORKS,
  MAX_CLOSED_GAP,
  MAX_CODE_LENGTH,
  MAX_CODES,
  MAX_COLOR_OPERATIONS,
  MAX_LEFT_OUT,
  MAX_NAME_LENGTH,
  MAX_OUTLINES_LENGTH,
  MAX_SHAPES,
  MAX_TEXT_LENGTH,
  MAX_TEXTS,
  MAX_TONES,
  MAX_TRUE_WIDTH_MM,
  MAX_VARIANT_NAME,
  MIN_MACHINE_AREA,
  OFFSET_LIMIT,
  POLYGON_SIDES,
  SHAPE_CORNER_MM,
  SHAPE_SIZE_MM,
  SHAPE_STROKE_MM,
  STAR_INNER,
  STAR_POINTS,
  sizeRange,
  TEXT_HEIGHT_INCHES,
} from './limits.ts';
import { isNearWhite, toMachineColor } from './machine.ts';
import { outlineLength } from './outline.ts';

export type Command =
  | { readonly type: 'setMachine'; readonly machine: MachineMode }
  /** Makes the whole print area of the new product the machine area. */
  | { readonly type: 'setProduct'; readonly productId: string | undefined; readonly variant?: Variant | undefined }
  /** Chooses another color or size of the same product, which may have had another id. Everything stays in place. */
  | { readonly type: 'setVariant'; readonly productId: string; readonly variant: Variant }
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
  /**
   * Adds an artwork, in the middle and over the others. Where there is one of this id, a new trace of its design keeps
   * the placement, and another design starts in the middle.
   */
  | {
      readonly type: 'placeDesign';
      readonly id: string;
      readonly designId: string;
      readonly filename: string;
      readonly aspect: number;
      /** The width of its frame, when its file says it, and the machine area: it starts at its true size. */
      readonly trueSize?: { readonly widthMm: number; readonly area: AreaMm } | undefined;
    }
  /**
   * Shows another part of the artwork's picture; undefined: all of it. What both parts show keeps its place and size on
   * the product. When the picture is straightened otherwise than before, the ink of the next trace takes the place and
   * size of the present ink.
   */
  | {
      readonly type: 'cropDesign';
      readonly id: string;
      readonly crop: FractionRect | undefined;
      readonly straighten?: Straightening | undefined;
      /** Width over height of the whole picture, straightened if it is, and of the machine area. */
      readonly pictureAspect: number;
      readonly areaAspect: number;
    }
  /**
   * Sets the box around the ink, in fractions of the artwork's frame. The first time, the ink takes the place and size
   * of the frame, or its place alone where the file says its size. Afterwards, and in a composition from before version
   * 2, no shape moves.
   */
  | {
      readonly type: 'trimDesign';
      readonly id: string;
      readonly ink: FractionRect;
      /** Width over height of the artwork's frame, and of the machine area. */
      readonly aspect: number;
      readonly areaAspect: number;
    }
  | { readonly type: 'updateDesign'; readonly id: string; readonly changes: DesignChanges }
  | { readonly type: 'addText'; readonly element: Partial<TextElement> & { readonly id: string } }
  | { readonly type: 'updateText'; readonly id: string; readonly changes: TextChanges }
  /** Places a text. Another height takes its circle along. */
  | { readonly type: 'placeText'; readonly id: string; readonly changes: TextPlace }
  | { readonly type: 'updateCode'; readonly id: string; readonly changes: CodeChanges }
  | { readonly type: 'updateShape'; readonly id: string; readonly changes: ShapeChanges }
  /** Places a code or a shape. Another width takes its height along. */
  | { readonly type: 'placeFigure'; readonly elementId: string; readonly changes: FigurePlace }
  /** `elementId` is one of `elementIdOf`, here and below. */
  | { readonly type: 'remove'; readonly elementId: string }
  /** dx and dy are per cent of the machine area. */
  | { readonly type: 'nudge'; readonly elementId: string; readonly dx: number; readonly dy: number }
  | { readonly type: 'center'; readonly elementId: string }
  | { readonly type: 'rotate90'; readonly elementId: string }
  | { readonly type: 'flip'; readonly elementId: string }
  /** A blank name calls the element by its words or its file again. */
  | { readonly type: 'rename'; readonly elementId: string; readonly name: string }
  /** Chooses what the machine does with an element, or with one color of it; undefined: what its paint says. */
  | {
      readonly type: 'setOperation';
      readonly elementId: string;
      readonly operation: Operation | undefined;
      readonly color?: string;
    }
  /** Chooses the white ink below an element; undefined: under its colors. */
  | { readonly type: 'setWhite'; readonly elementId: string; readonly white: ElementWhite | undefined }
  /** Closes the gaps in an artwork's cuts up to `reach`, as `closesGaps` has it; undefined: as in every file. */
  | { readonly type: 'closeGaps'; readonly elementId: string; readonly reach: number | undefined }
  /**
   * Leaves out shapes of an artwork, besides those that are left out already: areas as `leavesOut` has them, up to its
   * limit. Undefined: all shapes are made again.
   */
  | { readonly type: 'leaveOut'; readonly id: string; readonly areas: readonly FractionRect[] | undefined }
  /**
   * Chooses the order in which a laser engraves an artwork's colors as tones, the most burnt first; undefined: three
   * tones by lightness. Colors that are there twice or nearly white are left out, and those beyond the limit.
   */
  | { readonly type: 'setTones'; readonly id: string; readonly tones: readonly string[] | undefined }
  /** Engraves an artwork's picture itself; undefined: its trace. Numbers are clamped. */
  | { readonly type: 'setEngraving'; readonly id: string; readonly engraving: Engraving | undefined }
  | { readonly type: 'setLocked'; readonly elementId: string; readonly isLocked: boolean }
  | { readonly type: 'setHidden'; readonly elementId: string; readonly isHidden: boolean }
  /** Says what a customer may change of an element; without any part, nothing is said. */
  | { readonly type: 'setCustomer'; readonly elementId: string; readonly customer: CustomerParts }
  /** Changes the z-order by one place, or to the very front or back. */
  | { readonly type: 'reorder'; readonly elementId: string; readonly to: OrderStep }
  /** Moves an element to a position in the z-order; 0 is the lowest. */
  | { readonly type: 'moveTo'; readonly elementId: string; readonly index: number }
  /** Sets the z-order, the lowest first. It must name every element. The members of a group stay together. */
  | { readonly type: 'setZOrder'; readonly elementIds: readonly string[] }
  /**
   * Adds unlocked and visible copies over the elements, a little to the right and down, or `offset` per cent of the
   * machine area. `newId` is the copy's own id. Copies of several members of a group are a group, a single one is in
   * none. Copies beyond the limits are left out.
   */
  | {
      readonly type: 'duplicate';
      readonly copies: readonly { readonly elementId: string; readonly newId: string }[];
      readonly offset?: number;
    }
  /** Adds elements over the others, with their places. Elements beyond the limits, or of an id in use, are left out. */
  | { readonly type: 'addElements'; readonly elements: readonly CompositionElement[] }
  /** Makes one group of at least two elements, at the place of the uppermost. They leave the groups they are in. */
  | { readonly type: 'group'; readonly elementIds: readonly string[]; readonly groupId: string }
  | { readonly type: 'ungroup'; readonly groupId: string }
  /** A blank name takes the group's name away. */
  | { readonly type: 'renameGroup'; readonly groupId: string; readonly name: string }
  /** Takes a composition that was read in place of the whole one. */
  | { readonly type: 'replace'; readonly composition: Composition }
  /** Applies commands in turn, as one change. */
  | { readonly type: 'several'; readonly commands: readonly Command[] };

export type OrderStep = 'forward' | 'backward' | 'front' | 'back';

/** `circle` null: the text leaves its circle. One with a circle is not bent besides. */
export type TextChanges = Partial<Omit<TextElement, 'kind' | 'id' | 'circle' | Exclude<OwnField, 'white'>>> & {
  readonly circle?: TextCircle | null;
};
export type TextPlace = Partial<Pick<TextElement, 'x' | 'y' | 'angleDeg' | 'isFlipped' | 'heightInches'>>;

export type CodeChanges = Partial<Omit<CodeElement, 'kind' | 'id' | OwnField>>;
/** `strokeMm` null: it is filled. No other form becomes an outline, nor one another form. */
export type ShapeChanges = Partial<Omit<ShapeElement, 'kind' | 'id' | 'outline' | 'strokeMm' | OwnField>> & {
  readonly strokeMm?: number | null;
};
export type FigurePlace = Partial<Pick<FigureElement, 'x' | 'y' | 'angleDeg' | 'isFlipped' | 'widthMm'>>;
/** Fields of every element that have commands of their own. */
type OwnField =
  | 'groupId'
  | 'groupName'
  | 'name'
  | 'isLocked'
  | 'isHidden'
  | 'operation'
  | 'operations'
  | 'white'
  | 'customer';

export type DesignChanges = Partial<Pick<ArtworkElement, 'x' | 'y' | 'size' | 'angleDeg' | 'isFlipped' | 'opacity'>>;

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
      const elements = composition.elements.map((element) =>
        isArtwork(element) ? element : { ...element, color: toMachineColor(command.machine, element.color) },
      );
      return { ...composition, machine: command.machine, elements };
    }
    case 'setProduct': {
      if (composition.productId === command.productId) return composition;
      const { variant: _before, ...rest } = composition;
      const next = { ...rest, productId: command.productId, machineArea: undefined, productAngleDeg: 0 };
      const { productId, variant } = command;
      return productId && variant ? setVariant(next, { type: 'setVariant', productId, variant }) : next;
    }
    case 'setVariant':
      return setVariant(composition, command);
    case 'rotateProduct':
      return change(composition, { productAngleDeg: toAngle(command.angleDeg, composition.productAngleDeg) });
    case 'setMachineArea':
      return setMachineArea(composition, command);
    case 'placeDesign':
      return placeDesign(composition, command);
    case 'cropDesign':
      return cropDesign(composition, command);
    case 'trimDesign':
      return trimDesign(composition, command);
    case 'updateDesign':
      return changeArtwork(composition, command.id, command.changes);
    case 'addText': {
      const { element } = command;
      const base = newText(element.id.slice(0, 64) || 'text');
      return addElements(composition, [cleanText(composition, base, element)]);
    }
    case 'updateText':
      return changeText(composition, command.id, () => command.changes);
    case 'placeText': {
      const { changes } = command;
      return changeText(composition, command.id, (text) => ({ ...changes, ...scaleCircle(text, changes) }));
    }
    case 'updateCode':
    case 'updateShape': {
      const kind = command.type === 'updateCode' ? 'code' : 'shape';
      return changeFigure(composition, `${kind}:${command.id}`, () => command.changes);
    }
    case 'placeFigure': {
      const { widthMm, ...place } = command.changes;
      return changeFigure(composition, command.elementId, (figure) => ({
        ...place,
        ...(widthMm !== undefined && scaleFigure(figure, widthMm / figure.widthMm)),
      }));
    }
    case 'remove': {
      const elements = composition.elements.filter((element) => elementIdOf(element) !== command.elementId);
      return withElements(composition, elements);
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
    case 'setOperation':
      return setOperation(composition, command);
    case 'setWhite':
      return setWhite(composition, command);
    case 'closeGaps':
      return closeGaps(composition, command);
    case 'leaveOut':
      return leaveOut(composition, command);
    case 'setTones':
      return setTones(composition, command);
    case 'setEngraving':
      return setEngraving(composition, command);
    case 'setLocked':
      return setMark(composition, command.elementId, { isLocked: command.isLocked });
    case 'setHidden':
      return setMark(composition, command.elementId, { isHidden: command.isHidden });
    case 'setCustomer':
      return setCustomer(composition, command);
    case 'reorder': {
      const at = composition.elements.findIndex((element) => elementIdOf(element) === command.elementId);
      const to = { forward: at + 1, backward: at - 1, front: composition.elements.length - 1, back: 0 }[command.to];
      return moveTo(composition, command.elementId, to);
    }
    case 'moveTo':
      return moveTo(composition, command.elementId, command.index);
    case 'setZOrder': {
      const places = new Map(command.elementIds.map((id, index) => [id, index]));
      const placeOf = (element: CompositionElement) => places.get(elementIdOf(element)) ?? -1;
      if (composition.elements.some((element) => placeOf(element) < 0)) return composition;
      return withElements(
        composition,
        composition.elements.toSorted((a, b) => placeOf(a) - placeOf(b)),
      );
    }
    case 'duplicate':
      return duplicate(composition, command);
    case 'addElements':
      return addElements(composition, command.elements);
    case 'group':
      return group(composition, command.elementIds, command.groupId);
    case 'ungroup': {
      const elements = composition.elements.map((element) =>
        element.groupId === command.groupId ? withoutGroup(element) : element,
      );
      return withElements(composition, elements);
    }
    case 'renameGroup': {
      const name = cutText(command.name.trim(), MAX_NAME_LENGTH);
      const elements = composition.elements.map((element) => {
        if (element.groupId !== command.groupId || (element.groupName ?? '') === name) return element;
        const { groupName: _before, ...rest } = element;
        return (name === '' ? rest : { ...rest, groupName: name }) as CompositionElement;
      });
      return withElements(composition, elements);
    }
    case 'replace':
      return command.composition;
    case 'several':
      return command.commands.reduce(applyCommand, composition);
    default:
      return unreachable(command);
  }
}

/** The initial placement and look of a new artwork. */
const initialPlacement = newArtwork('new');

function placeDesign(composition: Composition, command: Extract<Command, { type: 'placeDesign' }>): Composition {
  const { designId, filename } = command;
  const id = command.id.slice(0, 64) || FIRST_ARTWORK;
  const aspect = toAspect(command.aspect);
  const existing = findArtwork(composition, id);
  const design = { designId, filename, aspect, ...toTrueSize(command.trueSize, aspect) };
  if (!existing) {
    // Under the texts, which would not be seen under a picture, and over the other pictures.
    const above = composition.elements.findLastIndex(isArtwork) + 1;
    return addElements(composition, [{ ...initialPlacement, id, ...design }], above);
  }
  if (existing.designId === designId) {
    return replaceElement(composition, existing, cleanArtwork(existing, { filename, aspect }));
  }
  return replaceElement(composition, existing, { ...initialPlacement, id, ...design });
}

function toTrueSize(trueSize: Extract<Command, { type: 'placeDesign' }>['trueSize'], aspect: number) {
  if (!trueSize || !(trueSize.widthMm > 0 && trueSize.widthMm <= MAX_TRUE_WIDTH_MM)) return {};
  const trueWidthMm = trueSize.widthMm;
  const { min, max } = sizeRange({ trueWidthMm });
  return { trueWidthMm, size: clamp(trueSizeOf({ trueWidthMm, aspect }, trueSize.area)!, min, max, max) };
}

type Mark = Pick<TextElement, 'name' | 'isLocked' | 'isHidden'>;

function setMark(composition: Composition, elementId: string, changes: Partial<Mark>): Composition {
  const element = findElement(composition, elementId);
  return element ? replaceElement(composition, element, keep(element, { ...element, ...changes })) : composition;
}

function setCustomer(
  composition: Composition,
  { elementId, customer }: Extract<Command, { type: 'setCustomer' }>,
): Composition {
  const element = findElement(composition, elementId);
  if (!element || JSON.stringify(customer) === JSON.stringify(element.customer ?? {})) return composition;
  const { customer: _before, ...rest } = element;
  const isAny = Object.keys(customer).length > 0;
  return replaceElement(composition, element, { ...rest, ...(isAny && { customer }) });
}

function replaceElement(composition: Composition, before: CompositionElement, after: CompositionElement): Composition {
  if (after === before) return composition;
  return { ...composition, elements: composition.elements.map((element) => (element === before ? after : element)) };
}

/** Replaces the list of elements. Members of a group stand together, and a group has at least two. */
function withElements(composition: Composition, elements: readonly CompositionElement[]): Composition {
  const next = gatherGroups(elements);
  const { elements: before } = composition;
  const isSameList = next.length === before.length && next.every((element, index) => element === before[index]);
  return isSameList ? composition : { ...composition, elements: next };
}

/** Brings the members of each group together, at the place of the uppermost. A single member is in no group. */
function gatherGroups(elements: readonly CompositionElement[]): CompositionElement[] {
  return elements.flatMap((element, index) => {
    const { groupId } = element;
    if (groupId === undefined) return [element];
    const members = elements.filter((other) => other.groupId === groupId);
    if (members.length === 1) return [withoutGroup(element)];
    return elements.findLastIndex((other) => other.groupId === groupId) === index ? members : [];
  });
}

function withoutGroup<T extends CompositionElement>(element: T): T {
  const { groupId: _group, groupName: _name, ...rest } = element;
  return rest as T;
}

function group(composition: Composition, elementIds: readonly string[], groupId: string): Composition {
  const ids = new Set(elementIds);
  const isChosen = (element: CompositionElement) => ids.has(elementIdOf(element));
  const members = composition.elements.filter(isChosen);
  const isGroup = members.every((element) => element.groupId !== undefined && element.groupId === members[0]!.groupId);
  if (
    members.length < 2 ||
    groupId === '' ||
    (isGroup && membersOf(composition, members[0]!.groupId!).length === members.length)
  ) {
    return composition;
  }
  const id = groupId.slice(0, 64);
  if (composition.elements.some((element) => element.groupId === id && !isChosen(element))) return composition;
  return withElements(
    composition,
    composition.elements.map((element) => (isChosen(element) ? { ...withoutGroup(element), groupId: id } : element)),
  );
}

function moveTo(composition: Composition, elementId: string, index: number): Composition {
  const { elements } = composition;
  const at = elements.findIndex((element) => elementIdOf(element) === elementId);
  const to = clamp(Math.round(index), 0, elements.length - 1, at);
  if (at < 0 || to === at) return composition;
  return withElements(composition, elements.toSpliced(at, 1).toSpliced(to, 0, elements[at]!));
}

/** Adds elements over the others, or from `index` on, as far as the limits allow, each with an id of its own. */
function addElements(
  composition: Composition,
  elements: readonly CompositionElement[],
  index = composition.elements.length,
): Composition {
  const next = [...composition.elements];
  let at = index;
  for (const element of elements) {
    if (!hasRoomFor(next, element)) continue;
    next.splice(at++, 0, cleanElement(composition, element, element));
  }
  return withElements(composition, next);
}

const mostOfKind = { artwork: MAX_ARTWORKS, text: MAX_TEXTS, code: MAX_CODES, shape: MAX_SHAPES } as const;

/** True when an element may be added: there are not too many of its kind, and none of its id. */
function hasRoomFor(elements: readonly CompositionElement[], element: CompositionElement): boolean {
  const id = elementIdOf(element);
  const count = elements.filter(({ kind }) => kind === element.kind).length;
  return (
    count < mostOfKind[element.kind] &&
    outlineLength([...elements.filter(isShape), ...(isShape(element) ? [element] : [])]) <= MAX_OUTLINES_LENGTH &&
    elements.every((other) => elementIdOf(other) !== id)
  );
}

/** Percent of the machine area: enough to see that there are two elements. */
const COPY_OFFSET = 3;

/** Copies elements. A copy lies directly above its original, or above the group of it. */
function duplicate(
  composition: Composition,
  { copies, offset = COPY_OFFSET }: Extract<Command, { type: 'duplicate' }>,
): Composition {
  const newIds = new Map(copies.map(({ elementId, newId }) => [elementId, newId.slice(0, 64)]));
  const originals = composition.elements.filter((element) => newIds.get(elementIdOf(element)));
  // Elements at the edge are copied inward: a copy on the same spot would not be seen.
  const shiftAlong = (axis: 'x' | 'y') =>
    originals.some((element) => Math.abs(element[axis] + offset) > OFFSET_LIMIT) ? -offset : offset;
  const shift = { x: shiftAlong('x'), y: shiftAlong('y') };
  const copyOf = (original: CompositionElement): CompositionElement => {
    const firstOfGroup = originals.find(({ groupId }) => groupId !== undefined && groupId === original.groupId);
    return {
      ...withoutGroup(original),
      ...(firstOfGroup && {
        groupId: newIds.get(elementIdOf(firstOfGroup))!,
        ...(original.groupName !== undefined && { groupName: original.groupName }),
      }),
      id: newIds.get(elementIdOf(original))!,
      x: toOffset(original.x + shift.x, 0),
      y: toOffset(original.y + shift.y, 0),
      isLocked: false,
      isHidden: false,
    };
  };
  let next = composition.elements;
  for (const original of originals) {
    const copy = copyOf(original);
    if (!hasRoomFor(next, copy)) continue;
    const isBelow = (element: CompositionElement) =>
      element === original ||
      (original.groupId !== undefined && element.groupId === original.groupId) ||
      (copy.groupId !== undefined && element.groupId === copy.groupId);
    next = next.toSpliced(next.findLastIndex(isBelow) + 1, 0, copy);
  }
  return withElements(composition, next);
}

type Placement = Pick<ArtworkElement, 'x' | 'y' | 'angleDeg' | 'isFlipped'>;

function place(
  composition: Composition,
  elementId: string,
  move: (placement: Placement) => Partial<Placement>,
): Composition {
  const element = findElement(composition, elementId);
  if (!element || element.isLocked) return composition;
  const changes = move(element);
  return replaceElement(composition, element, cleanElement(composition, element, changes));
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
  // Width of an artwork's box when it is contain-fitted into an area, in picture widths.
  const fit = (area: FractionRect, artwork: ArtworkElement) =>
    Math.min(area.width, (area.height / pictureAspect) * inkAspect(artwork));
  const convert = (element: CompositionElement) =>
    isArtwork(element)
      ? cleanArtwork(element, {
          ...offset(element),
          size: (element.size * fit(before, element)) / fit(after, element),
        })
      : cleanElement(composition, element, offset(element));
  return { ...composition, machineArea, elements: composition.elements.map(convert) };
}

/**
 * Crops the design: each pixel of the picture stays where it was. The box around the ink loses what is cut away, until
 * a trace of the new part says more. A middle outside the machine area is clamped to its edge.
 */
function cropDesign(composition: Composition, command: Extract<Command, { type: 'cropDesign' }>): Composition {
  const design = findArtwork(composition, command.id);
  const crop = toCrop(command.crop);
  const straighten = toStraightening(command.straighten);
  if (!design || design.isLocked) return composition;
  const pictureAspect = toAspect(command.pictureAspect);
  const areaAspect = toAspect(command.areaAspect);
  if (!isSameStraightening(design.straighten, straighten)) {
    const { width, height } = crop ?? wholePicture;
    // Areas of the picture are others then, too.
    const { straighten: _straighten, crop: _crop, ink: _ink, leavesOut: _leavesOut, ...rest } = design;
    const aspect = (width / height) * pictureAspect;
    const framing = { ...(straighten && { straighten }), ...(crop && { crop }) };
    return replaceElement(composition, design, { ...rest, ...framing, aspect });
  }
  if (isSameCrop(design.crop, crop)) return composition;
  const from = partOf(design.crop, design.ink);
  const ink = design.ink && (fractionsOf(crop, from) ?? wholePicture);
  const to = partOf(crop, ink);
  const { width, height } = crop ?? wholePicture;
  const { crop: _crop, ink: _ink, ...rest } = design;
  const placement = { ...rest, ...(crop && { crop }), ...(ink && { ink }), aspect: (width / height) * pictureAspect };
  const place = movePlace(design, { from, to, pictureAspect, areaAspect });
  return replaceElement(composition, design, cleanArtwork(placement, place));
}

/** Decimals of the corners of a straightened picture: a hundredth of a pixel of a large one. */
const CORNER_DECIMALS = 6;

type Corners = Straightening['corners'];

/** Rounds the corners, so that the same ones are the same file. Returns undefined for what the schema refuses. */
function toStraightening(straighten: Straightening | undefined): Straightening | undefined {
  const round = (value: number) => Number(value.toFixed(CORNER_DECIMALS)) + 0;
  const candidate = straighten && {
    corners: straighten.corners.map(({ x, y }) => ({ x: round(x), y: round(y) })) as unknown as Corners,
    aspect: round(straighten.aspect),
  };
  return candidate && isStraightening(candidate) ? candidate : undefined;
}

/** Decimals of the ink's box: less than a micron of an artwork that is as long as a tumbler. */
const INK_DECIMALS = 6;

/**
 * Trims the box of the design to its ink. Where that would need a place or a size beyond the limits, the box stays: a
 * composition must not move because of what is measured on it.
 */
function trimDesign(composition: Composition, command: Extract<Command, { type: 'trimDesign' }>): Composition {
  const design = findArtwork(composition, command.id);
  const ink = roundRect(command.ink);
  if (!design || !isInkRect(ink) || (design.ink && isSame(design.ink, ink))) return composition;
  const aspect = toAspect(command.aspect);
  const place = movePlace(design, {
    from: design.ink ?? wholePicture,
    to: ink,
    pictureAspect: aspect,
    areaAspect: toAspect(command.areaAspect),
  });
  const { min, max } = sizeRange(design);
  if (!design.ink) {
    const size = design.trueWidthMm === undefined ? design.size : clamp(place.size, min, max, design.size);
    return replaceElement(composition, design, { ...design, ink, aspect, size });
  }
  const isWithinLimits =
    Math.abs(place.x) <= OFFSET_LIMIT && Math.abs(place.y) <= OFFSET_LIMIT && place.size >= min && place.size <= max;
  return isWithinLimits ? replaceElement(composition, design, { ...design, ...place, ink, aspect }) : composition;
}

function roundRect({ x, y, width, height }: FractionRect): FractionRect {
  const round = (value: number) => Number(value.toFixed(INK_DECIMALS)) + 0;
  return { x: round(x), y: round(y), width: round(width), height: round(height) };
}

/** Returns the width over the height of an artwork's box. */
const inkAspect = ({ aspect, ink }: ArtworkElement) => aspect * (ink ? ink.width / ink.height : 1);

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

function changeArtwork(composition: Composition, id: string, changes: DesignChanges): Composition {
  const artwork = findArtwork(composition, id);
  if (!artwork || artwork.isLocked) return composition;
  return replaceElement(composition, artwork, cleanArtwork(artwork, changes));
}

function cleanArtwork(artwork: ArtworkElement, changes: Partial<ArtworkElement>): ArtworkElement {
  const next = { ...artwork, ...withoutUndefined(changes) };
  const { min, max } = sizeRange(artwork);
  return keep(artwork, {
    ...next,
    x: toOffset(next.x, artwork.x),
    y: toOffset(next.y, artwork.y),
    size: clamp(next.size, min, max, artwork.size),
    angleDeg: toAngle(next.angleDeg, artwork.angleDeg),
    opacity: clamp(next.opacity, 0, 100, artwork.opacity),
  });
}

function setOperation(
  composition: Composition,
  { elementId, operation, color }: Extract<Command, { type: 'setOperation' }>,
): Composition {
  const element = findElement(composition, elementId);
  if (!element || element.isLocked) return composition;
  const { operation: _whole, operations = [], ...rest } = element;
  if (color === undefined) {
    if (element.operation === operation) return composition;
    const next = { ...rest, ...(operation && { operation }), ...(operations.length > 0 && { operations }) };
    return replaceElement(composition, element, next);
  }
  const key = color.toLowerCase();
  if (!/^#[0-9a-f]{6}$/.test(key)) return composition;
  if (operations.find((entry) => entry.color === key)?.operation === operation) return composition;
  const others = operations.filter((entry) => entry.color !== key);
  const list = operation ? [...others, { color: key, operation }].slice(-MAX_COLOR_OPERATIONS) : others;
  const next = {
    ...rest,
    ...(element.operation && { operation: element.operation }),
    ...(list.length > 0 && { operations: list }),
  };
  return replaceElement(composition, element, next);
}

function setWhite(composition: Composition, { elementId, white }: Extract<Command, { type: 'setWhite' }>): Composition {
  const element = findElement(composition, elementId);
  if (!element || element.isLocked || element.white === white) return composition;
  const { white: _before, ...rest } = element;
  return replaceElement(composition, element, { ...rest, ...(white && { white }) });
}

function closeGaps(
  composition: Composition,
  { elementId, reach }: Extract<Command, { type: 'closeGaps' }>,
): Composition {
  const element = findElement(composition, elementId);
  if (!element || !isArtwork(element) || element.isLocked || Number.isNaN(reach)) return composition;
  const { closesGaps: _before, ...rest } = element;
  const isOn = reach !== undefined && reach > 0;
  return replaceElement(
    composition,
    element,
    keep(element, isOn ? { ...rest, closesGaps: Math.min(reach, MAX_CLOSED_GAP) } : rest),
  );
}

/** Areas that the schema refuses are passed over. */
function leaveOut(composition: Composition, { id, areas }: Extract<Command, { type: 'leaveOut' }>): Composition {
  const artwork = findArtwork(composition, id);
  if (!artwork || artwork.isLocked) return composition;
  const { leavesOut: before = [], ...rest } = artwork;
  const more = (areas ?? []).map(roundRect).filter(isInkRect);
  const next = areas ? [...before, ...more].slice(0, MAX_LEFT_OUT) : [];
  if (next.length === before.length) return composition;
  return replaceElement(composition, artwork, next.length > 0 ? { ...rest, leavesOut: next } : rest);
}

function setTones(composition: Composition, { id, tones }: Extract<Command, { type: 'setTones' }>): Composition {
  const artwork = findArtwork(composition, id);
  if (!artwork || artwork.isLocked) return composition;
  const colors = (tones ?? []).map((color) => color.toLowerCase());
  const list = [...new Set(colors)].filter((color) => /^#[0-9a-f]{6}$/.test(color) && !isNearWhite(color));
  const { tones: before, ...rest } = artwork;
  const next = list.length > 1 ? list.slice(0, MAX_TONES) : undefined;
  if (next?.join() === before?.join()) return composition;
  return replaceElement(composition, artwork, next ? { ...rest, tones: next } : rest);
}

function setEngraving(
  composition: Composition,
  { id, engraving }: Extract<Command, { type: 'setEngraving' }>,
): Composition {
  const artwork = findArtwork(composition, id);
  if (!artwork || artwork.isLocked) return composition;
  const { engraving: before, ...rest } = artwork;
  const next = engraving && cleanEngraving(engraving, before);
  if (JSON.stringify(next) === JSON.stringify(before)) return composition;
  return replaceElement(composition, artwork, next ? { ...rest, engraving: next } : rest);
}

/** Clamps the numbers of an engraving, and leaves out what is absent. */
function cleanEngraving(engraving: Engraving, before: Engraving | undefined): Engraving {
  const within = ({ min, max }: { readonly min: number; readonly max: number }, value: number, fallback: number) =>
    clamp(value, min, max, fallback);
  const tone = (name: keyof Engraving['tone']) =>
    within(ENGRAVING_TONE[name], engraving.tone[name], before?.tone[name] ?? ENGRAVING_TONE[name].neutral);
  const { method, intervalMm, invert, pitchMm, angleDeg, course, dots, gapMm } = engraving;
  return {
    method,
    intervalMm: within(ENGRAVING_INTERVAL_MM, intervalMm, before?.intervalMm ?? ENGRAVING_INTERVAL_MM.max),
    tone: {
      brightness: tone('brightness'),
      contrast: tone('contrast'),
      gamma: tone('gamma'),
      localContrast: tone('localContrast'),
      sharpen: tone('sharpen'),
    },
    invert,
    ...(pitchMm !== undefined && { pitchMm: within(HALFTONE_PITCH_MM, pitchMm, 1) }),
    ...(angleDeg !== undefined && { angleDeg: within(HALFTONE_ANGLE, angleDeg, 0) }),
    ...(course && { course }),
    ...(dots && { dots }),
    ...(gapMm !== undefined && { gapMm: within(HALFTONE_GAP_MM, gapMm, 0) }),
  };
}

function changeText(composition: Composition, id: string, changesOf: (text: TextElement) => TextChanges): Composition {
  const text = textsOf(composition).find((candidate) => candidate.id === id);
  if (!text || text.isLocked) return composition;
  return replaceElement(composition, text, cleanText(composition, text, changesOf(text)));
}

/** Returns the circle of a text in proportion to another height of it, as far as that is one that it may have. */
function scaleCircle({ circle, heightInches: before }: TextElement, { heightInches: height = before }: TextPlace) {
  if (!circle) return {};
  const { min, max } = TEXT_HEIGHT_INCHES;
  return { circle: { ...circle, radiusMm: (circle.radiusMm * clamp(height, min, max, before)) / before } };
}

/** Clamps the numbers of a circle. Returns the one before when it is the same. */
function cleanCircle(circle: TextCircle, before: TextCircle | undefined): TextCircle {
  const [radius, sweep] = [CIRCLE_RADIUS_MM, CIRCLE_SWEEP];
  const next = {
    ...circle,
    radiusMm: clamp(circle.radiusMm, radius.min, radius.max, before?.radiusMm ?? radius.min),
    sweepDeg: clamp(circle.sweepDeg, sweep.min, sweep.max, before?.sweepDeg ?? sweep.max),
  };
  return before ? keep(before, next) : next;
}

function cleanText(
  composition: Composition,
  text: TextElement,
  changes: Partial<TextElement> | TextChanges,
): TextElement {
  const { circle: circleBefore, ...rest } = text;
  const { circle = changes.bend ? null : circleBefore, ...others } = withoutUndefined<TextChanges>(changes);
  const next = { ...rest, ...others };
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
    bend: circle ? 0 : clamp(next.bend, BEND.min, BEND.max, text.bend),
    ...(circle && { circle: cleanCircle(circle, circleBefore) }),
    color: color === text.color ? color : toMachineColor(composition.machine, color),
    x: toOffset(next.x, text.x),
    y: toOffset(next.y, text.y),
    angleDeg: toAngle(next.angleDeg, text.angleDeg),
  });
}

function changeFigure(
  composition: Composition,
  elementId: string,
  changesOf: (figure: FigureElement) => CodeChanges | ShapeChanges,
): Composition {
  const element = findElement(composition, elementId);
  if (!element || !isFigure(element) || element.isLocked) return composition;
  return replaceElement(composition, element, cleanElement(composition, element, changesOf(element)));
}

/** Returns the sides of a figure times a factor, or as far as both stay within their limits. */
function scaleFigure({ kind, widthMm, heightMm }: FigureElement, factor: number) {
  const { min, max } = kind === 'code' ? CODE_SIZE_MM : SHAPE_SIZE_MM;
  const least = min / Math.min(widthMm, heightMm);
  const most = max / Math.max(widthMm, heightMm);
  const by = clamp(factor, least, most, 1);
  return { widthMm: widthMm * by, heightMm: heightMm * by };
}

/** Applies changes to an element, whatever its kind is, and clamps them. */
function cleanElement(
  composition: Composition,
  element: CompositionElement,
  changes: Partial<Placement> | Partial<CompositionElement> | ShapeChanges,
): CompositionElement {
  if (isArtwork(element)) return cleanArtwork(element, changes as Partial<ArtworkElement>);
  if (isText(element)) return cleanText(composition, element, changes as Partial<TextElement>);
  if (isCode(element)) return cleanCode(composition, element, changes as Partial<CodeElement>);
  return cleanShape(composition, element, changes as ShapeChanges);
}

/** Clamps what codes and shapes have in common. */
function cleanFigure<T extends FigureElement>(composition: Composition, before: T, next: T): T {
  const { min, max } = isCode(before) ? CODE_SIZE_MM : SHAPE_SIZE_MM;
  const color = /^#[0-9a-fA-F]{6}$/.test(next.color) ? next.color : before.color;
  return {
    ...next,
    kind: before.kind,
    id: before.id,
    name: cutText(next.name.trim(), MAX_NAME_LENGTH),
    widthMm: clamp(next.widthMm, min, max, before.widthMm),
    heightMm: clamp(next.heightMm, min, max, before.heightMm),
    color: color === before.color ? color : toMachineColor(composition.machine, color),
    x: toOffset(next.x, before.x),
    y: toOffset(next.y, before.y),
    angleDeg: toAngle(next.angleDeg, before.angleDeg),
  };
}

function cleanCode(composition: Composition, code: CodeElement, changes: Partial<CodeElement>): CodeElement {
  const next = cleanFigure(composition, code, { ...code, ...withoutUndefined(changes) });
  return keep(code, { ...next, data: cutText(next.data, MAX_CODE_LENGTH) });
}

function cleanShape(composition: Composition, shape: ShapeElement, changes: ShapeChanges): ShapeElement {
  const { strokeMm: strokeBefore, ...rest } = shape;
  const { strokeMm = strokeBefore, ...others } = withoutUndefined(changes);
  const next = cleanFigure(composition, shape, { ...rest, ...others });
  const within = ({ min, max }: { readonly min: number; readonly max: number }, value: number, fallback: number) =>
    clamp(value, min, max, fallback);
  const isOutline = (form: ShapeElement['form']) => form === 'outline';
  return keep(shape, {
    ...next,
    form: isOutline(next.form) === isOutline(shape.form) ? next.form : shape.form,
    ...(typeof strokeMm === 'number' && {
      strokeMm: within(SHAPE_STROKE_MM, strokeMm, strokeBefore ?? SHAPE_STROKE_MM.initial),
    }),
    cornerMm: within(SHAPE_CORNER_MM, next.cornerMm, shape.cornerMm),
    sides: Math.round(within(POLYGON_SIDES, next.sides, shape.sides)),
    points: Math.round(within(STAR_POINTS, next.points, shape.points)),
    innerPercent: within(STAR_INNER, next.innerPercent, shape.innerPercent),
    sweepDeg: within(ARC_SWEEP, next.sweepDeg, shape.sweepDeg),
  });
}

/** Truncates a text to at most `length` UTF-16 units, never inside a surrogate pair. */
function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}

/** The names of a variant that is nothing more than the product are left out, so that old keys stay as they are. */
function setVariant(
  composition: Composition,
  { productId, variant }: Extract<Command, { type: 'setVariant' }>,
): Composition {
  const { productId: before, variant: old, ...rest } = composition;
  const nameOf = (name: string | undefined) => (name ? cutText(name, MAX_VARIANT_NAME) : undefined);
  const [color, size] = [nameOf(variant.color), nameOf(variant.size)];
  if (productId === before && color === old?.color && size === old?.size) return composition;
  const next = { ...(color && { color }), ...(size && { size }) };
  return { ...rest, productId, ...((color || size) && { variant: next }) };
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
