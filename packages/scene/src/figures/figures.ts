/** Codes and shapes as outlines. Loaded with the first of them: the tables of codes and Clipper come with it. */
import type { CodeElement, FigureElement, ShapeElement } from '../document/composition.ts';
import { isCode } from '../document/initial.ts';
import { type Contour, tightBounds, writeContours } from '../geometry/pathData.ts';
import type { FigureDrawing, FigureOutlines, FigureSource, FontSource, OwnBox } from '../resolve/scene.ts';
import { drawCode } from './drawCode.ts';
import { drawShape } from './drawShape.ts';
import { type Encoding, encode } from './encode.ts';

/** Drawings that are kept; the least recently used one is dropped first. */
const MAX_DRAWINGS = 200;
/** Decimals of modules, and of mm: both below what a machine can make. */
const MODULE_DECIMALS = 3;
const MM_DECIMALS = 4;

interface CodeLook {
  readonly outlines: FigureOutlines;
  readonly quietZone: OwnBox;
}

/** Creates the source of all figures of a page or a worker. */
export function createFigures(): FigureSource {
  const encodings = createCache<Encoding>();
  const codes = createCache<CodeLook>();
  const shapes = createCache<FigureOutlines>();
  // A key of a hundred thousand characters would be made, and compared, at each step of a drag.
  const numbers = createCache<{ readonly number: number }>();
  let lastNumber = 0;
  const numberOf = (outline: string) => numbers(outline, () => ({ number: ++lastNumber }))!;

  function drawCodeElement(code: CodeElement, fonts: FontSource): FigureDrawing | undefined {
    const { symbology, data, errorLevel, hasText, isInverted } = code;
    const encoding = encodings(JSON.stringify([symbology, data, errorLevel]), () => encode(code))!;
    if ('fault' in encoding) return { outlines: nothing, unitMm: 1, fault: encoding.fault };
    const unitMm = code.widthMm / encoding.columns;
    const barHeight = Number((code.heightMm / unitMm).toFixed(MODULE_DECIMALS));
    const isSquare = encoding.rows > 1;
    const key = JSON.stringify([symbology, data, errorLevel, isInverted, ...(isSquare ? [] : [hasText, barHeight])]);
    const look = codes(key, () => {
      const drawing = drawCode(code, encoding, barHeight, fonts);
      return drawing && { outlines: toOutlines(drawing.contours, MODULE_DECIMALS), quietZone: drawing.quietZone };
    });
    return look && { ...look, unitMm };
  }

  function drawShapeElement(shape: ShapeElement): FigureDrawing {
    const { form, outline, widthMm, heightMm, strokeMm, cornerMm, sides, points, innerPercent, sweepDeg } = shape;
    const own = outline === undefined ? 0 : numberOf(outline).number;
    const measures = [widthMm, heightMm, strokeMm, cornerMm, sides, points, innerPercent, sweepDeg];
    const key = JSON.stringify([form, own, ...measures]);
    const outlines = shapes(key, () => {
      const { fill, lines } = drawShape(shape);
      return { ...toOutlines(fill, MM_DECIMALS), lines: writeContours(lines, MM_DECIMALS) };
    });
    return { outlines: outlines!, unitMm: 1 };
  }

  return {
    draw: (figure: FigureElement, fonts) =>
      isCode(figure) ? drawCodeElement(figure, fonts) : drawShapeElement(figure),
  };
}

const nothing: FigureOutlines = { fill: '', lines: '', box: { left: 0, top: 0, width: 0, height: 0 } };

function toOutlines(contours: readonly Contour[], decimals: number): FigureOutlines {
  const { minX, minY, maxX, maxY } = tightBounds(contours);
  const fill = writeContours(contours, decimals);
  return { fill, lines: fill, box: { left: minX, top: minY, width: maxX - minX, height: maxY - minY } };
}

/** Returns a function that makes a value for a key, or returns the one that it has. */
function createCache<T extends object>(): (key: string, make: () => T | undefined) => T | undefined {
  const values = new Map<string, T>();
  return (key, make) => {
    const value = values.get(key) ?? make();
    if (!value) return undefined;
    values.delete(key);
    values.set(key, value);
    if (values.size > MAX_DRAWINGS) values.delete(values.keys().next().value!);
    return value;
  };
}
