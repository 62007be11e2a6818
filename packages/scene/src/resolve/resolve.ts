/**
 * Resolves a composition to a scene: percentages, inches, flips and fonts become matrices and outlines in millimeters.
 */

import type { Artwork, ArtworkShape } from '../artwork/artwork.ts';
import { isClear } from '../artwork/gradient.ts';
import { type AreaClip, transformClips } from '../document/areaClips.ts';
import type {
  ArtworkElement,
  CodeElement,
  Composition,
  FigureElement,
  MachineMode,
  Operation,
  TextElement,
} from '../document/composition.ts';
import { wholePicture } from '../document/crop.ts';
import { elementIdOf, isEngraved, toElementName, withoutHidden } from '../document/elements.ts';
import { isArtwork, isCode, isText } from '../document/initial.ts';
import { chosenOperation, isNearWhite, type OperationChoice, toneIndexOf } from '../document/machine.ts';
import { applyMatrix, type Matrix, multiply, type Point, rotateDeg, scale, translate } from '../geometry/matrix.ts';
import { readContours, tightBounds, transformContours, writeContours } from '../geometry/pathData.ts';
import { codeLines } from './figureText.ts';
import { leaveOut } from './leaveOut.ts';
import { MM_PER_INCH } from './millimeters.ts';
import { isFollowed, penRadius } from './pen.ts';
import type {
  Assets,
  Backdrop,
  CodeFault,
  ElementBox,
  EngravedArtwork,
  FigureOutlines,
  FontSource,
  MissingLetters,
  OutlinedText,
  ProductAsset,
  Scene,
  SceneGroup,
  ScenePath,
  TextLine,
} from './scene.ts';
import { bendLines, type CircleRoom, circleLines, measureCircle, stackLines, type TextBlock } from './textBlock.ts';

export { MM_PER_INCH };
/** The machine area before a product is chosen. */
export const DEFAULT_FRAME_MM = { width: 100, height: 100 } as const;

/**
 * Resolves a composition. Pure. The children of a group are the same objects as last time while artwork, text and style
 * are the same, so that a drag changes matrices only. A hidden element has no group; neither has one whose artwork or
 * font is not loaded, or that has nothing to draw. Cost: linear in the elements; an artwork's shapes are visited once,
 * when it is first seen.
 */
export function resolveScene(composition: Composition, assets: Assets): Scene {
  const backdrop = assets.product && resolveBackdrop(composition, assets.product);
  const frame = assets.product ? frameMm(composition, assets.product) : DEFAULT_FRAME_MM;
  const { machine } = composition;
  const { markPainter } = assets;
  const { elements } = withoutHidden(composition);
  const groups = elements.flatMap((element) => {
    if (isText(element)) return resolveText(element, assets, frame, machine) ?? [];
    if (!isArtwork(element)) return resolveFigure(element, assets, frame, machine) ?? [];
    const artwork = assets.artworks.get(element.id);
    if (!artwork) return [];
    const engravedArtwork = isEngraved(element, machine) ? assets.engravings?.get(element.id) : undefined;
    return resolveArtwork(element, { artwork, engravedArtwork }, frame, machine);
  });
  const missingLetters = elements.filter(isText).flatMap((text) => findMissingLetters(text, assets.fonts) ?? []);
  const codeFaults = elements.filter(isCode).flatMap((code) => findCodeFault(code, assets) ?? []);
  const area = assets.product?.area && placeArea(composition, assets.product, assets.product.area);
  return {
    machine,
    widthMm: frame.width,
    heightMm: frame.height,
    ...(area && { area }),
    groups,
    ...(missingLetters.length > 0 && { missingLetters }),
    ...(codeFaults.length > 0 && { codeFaults }),
    backdrop,
    markPainter,
  };
}

/** Returns all lines whose fonts a composition needs: those of its texts and of the letters of its codes. */
export const linesOf = ({ elements }: Pick<Composition, 'elements'>): readonly TextLine[] =>
  elements.flatMap((element) => (isText(element) ? toTextLines(element) : isCode(element) ? codeLines(element) : []));

/** Returns the lines of a text element from top to bottom; none for a blank text. */
export function toTextLines(element: TextElement): readonly TextLine[] {
  const text = element.text.trim();
  if (text === '') return [];
  return text.split('\n').map((line) => ({
    text: line.trimEnd(),
    fontFamily: element.fontFamily,
    isBold: element.fontWeight === 'bold',
    isItalic: element.fontStyle === 'italic',
    isUnderlined: element.textDecoration === 'underline',
    ...(element.letterSpacing !== 0 && { letterSpacing: element.letterSpacing / 100 }),
  }));
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Returns the size of the product picture in mm, from the known width of the print area; pixels are square. */
function pictureMm(product: ProductAsset): Size {
  const width = (product.printWidthInches * MM_PER_INCH) / product.printArea.width;
  return { width, height: width / product.pictureAspect };
}

/** Returns the width of the machine area over its height, also where there is no product yet. */
export function areaAspect(
  { machineArea }: Pick<Composition, 'machineArea'>,
  product: Pick<ProductAsset, 'printArea' | 'pictureAspect'> | undefined,
): number {
  if (!product) return DEFAULT_FRAME_MM.width / DEFAULT_FRAME_MM.height;
  const { width, height } = machineArea ?? product.printArea;
  return (width / height) * product.pictureAspect;
}

function frameMm({ machineArea }: Composition, product: ProductAsset): Size {
  const area = machineArea ?? product.printArea;
  const picture = pictureMm(product);
  return { width: area.width * picture.width, height: area.height * picture.height };
}

interface PlacedArea {
  readonly dx: number;
  readonly dy: number;
  readonly clips: readonly AreaClip[];
}
const placedAreas = new WeakMap<readonly AreaClip[], PlacedArea>();

/**
 * The shape of the print area stays at its place on the blank, wherever the machine area is. It is the same object
 * while the machine area stays.
 */
function placeArea({ machineArea }: Composition, product: ProductAsset, area: readonly AreaClip[]) {
  const { printArea } = product;
  const picture = pictureMm(product);
  const { x, y } = machineArea ?? printArea;
  const [dx, dy] = [(printArea.x - x) * picture.width, (printArea.y - y) * picture.height];
  let place = placedAreas.get(area);
  if (!place || place.dx !== dx || place.dy !== dy) {
    place = { dx, dy, clips: transformClips(area, translate(dx, dy)) };
    placedAreas.set(area, place);
  }
  return place.clips;
}

function resolveBackdrop(composition: Composition, product: ProductAsset): Backdrop {
  const area = composition.machineArea ?? product.printArea;
  const { printArea, surface } = product;
  const picture = pictureMm(product);
  const middleMm = {
    x: (printArea.x + printArea.width / 2 - area.x) * picture.width,
    y: (printArea.y + printArea.height / 2 - area.y) * picture.height,
  };
  return {
    pictureHref: product.pictureHref,
    pictureWidthMm: picture.width,
    pictureHeightMm: picture.height,
    originMm: { x: area.x * picture.width, y: area.y * picture.height },
    angleDeg: composition.productAngleDeg % 360,
    finish: product.finish,
    ...(surface && surface.kind !== 'flat' && { surface: { form: surface, middleMm } }),
  };
}

/** What an artwork shows. */
interface ShownArtwork {
  readonly artwork: Artwork;
  readonly engravedArtwork: EngravedArtwork | undefined;
}

function resolveArtwork(
  element: ArtworkElement,
  { artwork, engravedArtwork }: ShownArtwork,
  frame: Size,
  machine: MachineMode,
): SceneGroup {
  const { x, y, width, height } = element.ink ?? wholePicture;
  const box = {
    left: x * artwork.width,
    top: y * artwork.height,
    width: width * artwork.width,
    height: height * artwork.height,
  };
  const fit = Math.min(frame.width / box.width, frame.height / box.height);
  const unitMm = (fit * element.size) / 100;
  const { matrix, boxAt } = resolvePlacement(element, box, unitMm, frame);
  const { closesGaps } = element;
  return {
    kind: 'group',
    elementId: elementIdOf(element),
    label: toElementName(element),
    // An engraving has its opacity in its dots.
    opacity: engravedArtwork ? 1 : element.opacity / 100,
    ...(element.white && { white: element.white }),
    children: engravedArtwork?.children ?? designChildren(leaveOut(artwork, element), machine, element),
    matrix,
    ...(closesGaps && { gapMm: closesGaps * Math.max(artwork.width, artwork.height) * unitMm }),
    ...boxAt(box),
  };
}

/** A part of an element's own space. */
interface Box extends Size {
  /** 0 when absent, as is `top`. */
  readonly left?: number;
  readonly top?: number;
}

/**
 * Places a box in own units, each `unitMm` mm long, with its middle at the element's position. `boxAt` returns the
 * place of any box in own units: its corners rotate with the element and stay clockwise when it is flipped.
 */
function resolvePlacement(
  element: Pick<ArtworkElement, 'x' | 'y' | 'angleDeg' | 'isFlipped'>,
  { left = 0, top = 0, ...size }: Box,
  unitMm: number,
  frame: Size,
): { readonly matrix: Matrix; boxAt(box: Box): ElementBox } {
  const toFrame = multiply(
    translate(frame.width * (0.5 + element.x / 100), frame.height * (0.5 + element.y / 100)),
    rotateDeg(element.angleDeg),
  );
  const matrix: Matrix = multiply(
    toFrame,
    scale(element.isFlipped ? -unitMm : unitMm, unitMm),
    translate(-left - size.width / 2, -top - size.height / 2),
  );
  const middle = { x: left + size.width / 2, y: top + size.height / 2 };
  function boxAt({ left = 0, top = 0, ...size }: Box): ElementBox {
    const sizeMm = { width: size.width * unitMm, height: size.height * unitMm };
    const aside = (left + size.width / 2 - middle.x) * unitMm;
    const down = (top + size.height / 2 - middle.y) * unitMm;
    const corner = (x: number, y: number): Point =>
      applyMatrix(toFrame, {
        x: (element.isFlipped ? -aside : aside) + (x * sizeMm.width) / 2,
        y: down + (y * sizeMm.height) / 2,
      });
    return { sizeMm, corners: [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)] };
  }
  return { matrix, boxAt };
}

const designCache = new WeakMap<Artwork, Map<string, SceneGroup['children']>>();
/** An artwork in as many machines and choices of operations as a person goes back and forth between. */
const MAX_USES = 12;

export function designChildren(
  artwork: Artwork,
  machine: MachineMode,
  { operation, operations, tones }: OperationChoice = {},
): SceneGroup['children'] {
  const byUse = designCache.get(artwork) ?? new Map<string, SceneGroup['children']>();
  designCache.set(artwork, byUse);
  const choice = { operation, operations, tones };
  const use = `${machine} ${JSON.stringify(choice)}`;
  let children = byUse.get(use);
  if (!children) {
    const { width, height, imageHref } = artwork;
    // A laser burns every shape it gets, so what lies hidden under other shapes must be cut away first.
    const all = (machine === 'laser' && artwork.cutouts) || artwork.shapes;
    // A translucent gradient only tints the paint below it; to a laser it is no mark.
    const shapes = machine === 'laser' ? all.filter(({ gradient }) => !gradient || !isClear(gradient)) : all;
    children = imageHref
      ? [{ kind: 'image', href: imageHref, width, height, opacity: 1 }]
      : shapes.map((shape) => toPath(machine, shape, choice));
    if (byUse.size >= MAX_USES) byUse.clear();
    byUse.set(use, children);
  }
  return children;
}

/** Returns a shape as the machine uses it: what a tool follows is a line, whatever was filled. */
function toPath(machine: MachineMode, shape: ArtworkShape, choice: OperationChoice): ScenePath {
  const operation = chosenOperation(machine, shape, choice);
  if (!isFollowed(operation) || !shape.fill) {
    return { kind: 'path', operation, ...shape, ...toneOf(machine, operation, shape, choice) };
  }
  return {
    kind: 'path',
    operation,
    ...shape,
    fill: undefined,
    gradient: undefined,
    stroke: shape.fill,
    strokeWidth: 0,
  };
}

function toneOf(
  machine: MachineMode,
  operation: Operation,
  { fill, stroke }: ArtworkShape,
  { tones }: OperationChoice,
): Pick<ScenePath, 'tone'> {
  const color = fill ?? stroke;
  if (machine !== 'laser' || operation !== 'engrave' || !tones || !color || isNearWhite(color)) return {};
  return { tone: { index: toneIndexOf(color, tones), count: tones.length } };
}

function resolveText(text: TextElement, assets: Assets, frame: Size, machine: MachineMode): SceneGroup | undefined {
  const lines = toTextLines(text);
  const straight = outlineAll(lines, assets.fonts);
  if (!straight || straight.every(({ d }) => d === '')) return undefined;
  const { circle } = text;
  const isBent = circle !== undefined || text.bend !== 0;
  const onCircle = circle && circleLines(text, circle, straight);
  const block = onCircle ?? (isBent ? bendLines(text, straight) : stackLines(text, straight));
  const bentLines = () => lines.map((line, i) => ({ ...line, ...block.lines[i]!.arc }));
  const outlines = isBent ? outlineAll(bentLines(), assets.fonts) : straight;
  if (!outlines) return undefined;
  const children = textChildren(text, outlines, block, machine);
  const emMm = text.heightInches * MM_PER_INCH;
  const { matrix, boxAt } = resolvePlacement(text, block, emMm, frame);
  return {
    kind: 'group',
    elementId: elementIdOf(text),
    label: toElementName(text),
    opacity: 1,
    ...(text.white && { white: text.white }),
    children,
    matrix,
    ...boxAt(lettersBox(children)),
    lineBox: boxAt(block),
    ...(onCircle && { bandMm: { inner: onCircle.band.inner * emMm, outer: onCircle.band.outer * emMm } }),
  };
}

function resolveFigure(
  figure: FigureElement,
  { figures, fonts }: Assets,
  frame: Size,
  machine: MachineMode,
): SceneGroup | undefined {
  const drawing = figures?.draw(figure, fonts);
  if (!drawing || drawing.fault !== undefined) return undefined;
  const { outlines, unitMm, quietZone } = drawing;
  const { matrix, boxAt } = resolvePlacement(figure, outlines.box, unitMm, frame);
  return {
    kind: 'group',
    elementId: elementIdOf(figure),
    label: toElementName(figure),
    opacity: 1,
    ...(figure.white && { white: figure.white }),
    children: figureChildren(figure, outlines, machine),
    matrix,
    ...boxAt(outlines.box),
    ...(quietZone && { code: { moduleMm: unitMm, quietZone: boxAt(quietZone).corners } }),
  };
}

const figureCache = new WeakMap<FigureOutlines, Map<string, readonly ScenePath[]>>();

/** A tool follows lines; all else fills outlines. */
function figureChildren(figure: FigureElement, outlines: FigureOutlines, machine: MachineMode): readonly ScenePath[] {
  const looks = figureCache.get(outlines) ?? new Map<string, readonly ScenePath[]>();
  figureCache.set(outlines, looks);
  const { color, operation, operations } = figure;
  const key = JSON.stringify([machine, color, operation, operations]);
  let children = looks.get(key);
  if (!children) {
    const paint = { fill: color.toLowerCase(), stroke: undefined, strokeWidth: 0, opacity: 1 };
    const path = toPath(machine, { d: outlines.fill, ...paint }, { operation, operations });
    children = [path.fill ? path : { ...path, d: outlines.lines }];
    if (looks.size >= MAX_LOOKS) looks.clear();
    looks.set(key, children);
  }
  return children;
}

/** Returns how a text fits into the arc of its circle; undefined without a circle, and while it is not known. */
export function findCircleRoom(text: TextElement, fonts: FontSource): CircleRoom | undefined {
  const outlines = text.circle && outlineAll(toTextLines(text), fonts);
  return outlines?.[0] && measureCircle(text, text.circle!, outlines);
}

/** Says why a code cannot be made; undefined for one that can, one without data, and while it is not known. */
export function findCodeFault(
  code: CodeElement,
  { figures, fonts }: Pick<Assets, 'figures' | 'fonts'>,
): CodeFault | undefined {
  const sentence = figures?.draw(code, fonts)?.fault;
  return sentence ? { elementId: elementIdOf(code), sentence } : undefined;
}

/** Returns the letters of a text that no loaded font has; undefined where all are there or a font is not loaded. */
export function findMissingLetters(text: TextElement, fonts: FontSource): MissingLetters | undefined {
  const letters = new Set(toTextLines(text).flatMap((line) => fonts.outline(line)?.leftOut ?? []));
  return letters.size > 0 ? { elementId: elementIdOf(text), letters: [...letters] } : undefined;
}

const letterBoxes = new WeakMap<readonly ScenePath[], Box>();

/** Returns the box around the letters of a text, in ems: what a caliper would measure. */
function lettersBox(children: readonly ScenePath[]): Box {
  let box = letterBoxes.get(children);
  if (!box) {
    const bounds = children.map((child) => ({ ...tightBounds(readContours(child.d)), pen: penRadius(child) }));
    let left = Math.min(...bounds.map(({ minX, pen }) => minX - pen));
    let top = Math.min(...bounds.map(({ minY, pen }) => minY - pen));
    let right = Math.max(...bounds.map(({ maxX, pen }) => maxX + pen));
    let bottom = Math.max(...bounds.map(({ maxY, pen }) => maxY + pen));
    // A stroke straight up, such as an l, has no width that could be scaled.
    if (right - left < PEN_EMS) [left, right] = [left - PEN_EMS / 2, right + PEN_EMS / 2];
    if (bottom - top < PEN_EMS) [top, bottom] = [top - PEN_EMS / 2, bottom + PEN_EMS / 2];
    box = { left, top, width: right - left, height: bottom - top };
    letterBoxes.set(children, box);
  }
  return box;
}

function outlineAll(lines: readonly TextLine[], fonts: FontSource): OutlinedText[] | undefined {
  const outlines = lines.flatMap((line) => fonts.outline(line) ?? []);
  return outlines.length === lines.length ? outlines : undefined;
}

/** Keyed by the outline of the first line, which the font book caches, then by all else that is visible. */
const textCache = new WeakMap<
  OutlinedText,
  { outlines: OutlinedText[]; key: string; children: readonly ScenePath[] }[]
>();
const MAX_LOOKS = 8;

function textChildren(
  text: TextElement,
  outlines: OutlinedText[],
  block: TextBlock,
  machine: MachineMode,
): readonly ScenePath[] {
  const looks = textCache.get(outlines[0]!) ?? [];
  textCache.set(outlines[0]!, looks);
  const choice = { operation: text.operation, operations: text.operations };
  const { textAlign, lineSpacing, bend, circle } = text;
  const key = JSON.stringify([machine, textAlign, lineSpacing, bend, circle?.sweepDeg, text.color, choice]);
  const look = looks.find(
    (look) =>
      look.key === key &&
      look.outlines.length === outlines.length &&
      look.outlines.every((outline, index) => outline === outlines[index]),
  );
  if (look) return look.children;

  const color = text.color.toLowerCase();
  const children = outlines.flatMap(({ d, isSingleLine }, i): ScenePath[] => {
    const pathData = writeContours(transformContours(readContours(d), block.lines[i]!.place), TEXT_DECIMALS);
    if (!pathData) return [];
    if (isSingleLine) return [toStroke(machine, { d: pathData, color }, choice)];
    const paint = { fill: color, stroke: undefined, strokeWidth: 0, opacity: 1 };
    return [toPath(machine, { d: pathData, ...paint }, choice)];
  });
  looks.push({ outlines, key, children });
  if (looks.length > MAX_LOOKS) looks.shift();
  return children;
}

/** Width of the pen by which single lines are printed and filled: that of a light face, in ems. */
const PEN_EMS = 0.04;
/** Width of single lines that a tool follows, as a screen shows them: about that of a beam. */
const BEAM_EMS = 0.01;

/** Returns strokes of a text: a laser follows them if nothing else is chosen, and other machines draw them by a pen. */
function toStroke(machine: MachineMode, { d, color }: { d: string; color: string }, choice: OperationChoice) {
  const shape = { d, fill: undefined, stroke: color, strokeWidth: PEN_EMS, opacity: 1 };
  const path = toPath(machine, shape, choice);
  return isFollowed(path.operation) ? { ...path, strokeWidth: BEAM_EMS } : path;
}

/** Decimals of an em. An em is at most an inch, so the last one is a quarter of a micron. */
const TEXT_DECIMALS = 5;
