/** Reads a production PDF back: what is on which layer, in which ink. */
import { applyMatrix, identity, lengthScale, type Matrix, multiply } from '../geometry/matrix.ts';
import type { Contour } from '../geometry/pathData.ts';
import {
  type Inflate,
  openPdf,
  type PdfDictionary,
  PdfLexer,
  PdfName,
  type PdfObjects,
  PdfUnreadable,
  type PdfValue,
  PdfWord,
} from './pdfObjects.ts';

export interface PdfReading {
  /** The media box, in mm. */
  readonly widthMm: number;
  readonly heightMm: number;
  /** How far the trim box is inside the media box at the left, and at the top. */
  readonly trimLeftMm: number;
  readonly trimTopMm: number;
  readonly trimWidthMm: number;
  readonly trimHeightMm: number;
  /** The names of the layers, the lowest first. */
  readonly layers: readonly string[];
  /** In painting order. */
  readonly marks: readonly PdfMark[];
}

/** A path that is painted once. */
export interface PdfMark {
  /** The name of its layer; undefined for one that is on no layer. */
  readonly layer: string | undefined;
  readonly kind: 'fill' | 'line' | 'shade';
  /** `DeviceCMYK`, `DeviceRGB`, or the name of a spot color. A shade has that of its shading. */
  readonly ink: string;
  readonly values: readonly number[];
  readonly isOverprinted: boolean;
  /** Of its own, without that of the groups around it. */
  readonly opacity: number;
  /** The product of the opacities of the groups around it. */
  readonly groupOpacity: number;
  /** In mm from the frame's (the trim box's) top left corner, y down. */
  readonly contours: readonly Contour[];
  readonly lineWidthMm: number;
}

interface Paint {
  readonly ink: string;
  readonly values: readonly number[];
}
interface State {
  readonly matrix: Matrix;
  readonly fill: Paint;
  readonly line: Paint;
  readonly lineWidth: number;
  readonly isOverprinted: boolean;
  readonly opacity: number;
  readonly clip: readonly Contour[];
}

const BLACK: Paint = { ink: 'DeviceGray', values: [0] };
const MAX_FORMS = 64;
const MM_PER_POINT = 25.4 / 72;

/**
 * Reads a PDF of one page. It knows the operators that production files use and refuses every other one, so that
 * nothing is in a file that was not read. `inflate` is for compressed ones. Throws PdfUnreadable. Cost: linear.
 */
export function readPdf(bytes: Uint8Array, inflate?: Inflate): PdfReading {
  const pdf = openPdf(bytes, inflate);
  const catalog = pdf.dictionary(pdf.trailer.get('Root'));
  const pages = pdf.dictionary(catalog.get('Pages'));
  const kids = pdf.resolve(pages.get('Kids'));
  if (!Array.isArray(kids) || kids.length !== 1) throw new PdfUnreadable('The PDF has not one page.');
  const page = pdf.dictionary(kids[0]);
  const media = readBox(pdf, page, 'MediaBox');
  const trim = readBox(pdf, page, 'TrimBox');
  const k = MM_PER_POINT;
  const toMm: Matrix = { a: k, b: 0, c: 0, d: -k, e: -trim[0]! * k, f: trim[3]! * k };
  const walker = new ContentWalker(pdf);
  const start = { matrix: toMm, fill: BLACK, line: BLACK, lineWidth: 1, isOverprinted: false, opacity: 1, clip: [] };
  const content = pdf.content(page.get('Contents'));
  walker.walk(content, pdf.dictionary(page.get('Resources')), start, { layer: undefined, opacity: 1 });
  return {
    widthMm: (media[2]! - media[0]!) * k,
    heightMm: (media[3]! - media[1]!) * k,
    trimLeftMm: (trim[0]! - media[0]!) * k,
    trimTopMm: (media[3]! - trim[3]!) * k,
    trimWidthMm: (trim[2]! - trim[0]!) * k,
    trimHeightMm: (trim[3]! - trim[1]!) * k,
    layers: readLayers(pdf, catalog),
    marks: walker.marks,
  };
}

function readBox(pdf: PdfObjects, page: PdfDictionary, name: string): number[] {
  const box = pdf.resolve(page.get(name));
  if (!Array.isArray(box) || box.length !== 4) throw new PdfUnreadable(`The page of the PDF has no ${name}.`);
  return box.map((value) => toNumber(pdf.resolve(value)));
}

function readLayers(pdf: PdfObjects, catalog: PdfDictionary): string[] {
  const groups = pdf.resolve(pdf.dictionary(catalog.get('OCProperties')).get('OCGs'));
  if (!Array.isArray(groups)) throw new PdfUnreadable('The PDF has no layers.');
  return groups.map((group) => String(pdf.dictionary(group).get('Name')));
}

function toNumber(value: PdfValue | undefined): number {
  if (typeof value !== 'number') throw new PdfUnreadable('The PDF lacks a number.');
  return value;
}

interface Surroundings {
  readonly layer: string | undefined;
  readonly opacity: number;
}

class ContentWalker {
  readonly marks: PdfMark[] = [];
  private readonly pdf: PdfObjects;
  private forms = 0;

  constructor(pdf: PdfObjects) {
    this.pdf = pdf;
  }

  walk(content: Uint8Array, resources: PdfDictionary, start: State, around: Surroundings): void {
    const lexer = new PdfLexer(content);
    const stack: State[] = [];
    const layers: (string | undefined)[] = [];
    let state = start;
    let path: Contour[] = [];
    let operands: PdfValue[] = [];
    const layer = () => layers.findLast((name) => name !== undefined) ?? around.layer;
    const paint = (kind: PdfMark['kind'], { ink, values }: Paint, contours: readonly Contour[] = path) => {
      const { isOverprinted, opacity, lineWidth, matrix } = state;
      const lineWidthMm = lineWidth * lengthScale(matrix);
      const groupOpacity = around.opacity;
      this.marks.push({
        layer: layer(),
        kind,
        ink,
        values,
        isOverprinted,
        opacity,
        groupOpacity,
        contours,
        lineWidthMm,
      });
    };
    const operators: Readonly<Record<string, (numbers: number[]) => void>> = {
      q: () => stack.push(state),
      Q: () => {
        const last = stack.pop();
        if (!last) throw new PdfUnreadable('The PDF restores a state that it never saved.');
        state = last;
      },
      cm: ([a, b, c, d, e, f]) => {
        state = { ...state, matrix: multiply(state.matrix, { a: a!, b: b!, c: c!, d: d!, e: e!, f: f! }) };
      },
      m: (place) => path.push({ commands: [], points: placeAll(state.matrix, place), isClosed: false }),
      l: (place) => addTo(path, 'L', placeAll(state.matrix, place)),
      c: (places) => addTo(path, 'C', placeAll(state.matrix, places)),
      h: () => {
        path.at(-1)!.isClosed = true;
      },
      'f*': () => {
        paint('fill', state.fill);
        path = [];
      },
      S: () => {
        paint('line', state.line);
        path = [];
      },
      'W*': () => {
        state = { ...state, clip: path };
      },
      n: () => {
        path = [];
      },
      w: ([width]) => {
        state = { ...state, lineWidth: width! };
      },
      M: () => undefined,
      k: (values) => {
        state = { ...state, fill: { ink: 'DeviceCMYK', values } };
      },
      K: (values) => {
        state = { ...state, line: { ink: 'DeviceCMYK', values } };
      },
      rg: (values) => {
        state = { ...state, fill: { ink: 'DeviceRGB', values } };
      },
      RG: (values) => {
        state = { ...state, line: { ink: 'DeviceRGB', values } };
      },
      scn: (values) => {
        state = { ...state, fill: { ...state.fill, values } };
      },
      SCN: (values) => {
        state = { ...state, line: { ...state.line, values } };
      },
      cs: () => {
        state = { ...state, fill: { ink: this.readSpace(find('ColorSpace')), values: [] } };
      },
      CS: () => {
        state = { ...state, line: { ink: this.readSpace(find('ColorSpace')), values: [] } };
      },
      gs: () => {
        state = this.applyState(state, this.pdf.dictionary(find('ExtGState')));
      },
      sh: () => {
        const space = this.pdf.resolve(this.pdf.dictionary(find('Shading')).get('ColorSpace'));
        paint('shade', { ink: this.readSpace(space), values: [] }, state.clip);
      },
      Do: () => this.drawForm(find('XObject'), state, { layer: layer(), opacity: around.opacity * state.opacity }),
      BDC: () => {
        const name = this.pdf.dictionary(find('Properties')).get('Name');
        layers.push(typeof name === 'string' ? name : undefined);
      },
      EMC: () => layers.pop(),
    };
    const find = (kind: string): PdfValue | undefined => {
      const name = operands.findLast((value) => value instanceof PdfName);
      return this.pdf.resolve(this.pdf.dictionary(resources.get(kind)).get(name?.name ?? ''));
    };
    for (let value = lexer.next(); value !== undefined; value = lexer.next()) {
      if (!(value instanceof PdfWord)) {
        operands.push(value);
        continue;
      }
      const operator = Object.hasOwn(operators, value.word) ? operators[value.word] : undefined;
      if (!operator) throw new PdfUnreadable(`The PDF has the operator ${value.word.slice(0, 20)}.`);
      operator(operands.filter((operand) => typeof operand === 'number'));
      operands = [];
    }
    if (stack.length > 0 || layers.length > 0) throw new PdfUnreadable('The PDF leaves a state or a layer open.');
  }

  private readSpace(value: PdfValue | undefined): string {
    if (value instanceof PdfName) return value.name;
    if (Array.isArray(value) && value[0] instanceof PdfName && value[1] instanceof PdfName) return value[1].name;
    throw new PdfUnreadable('The PDF has a color space that production files do not have.');
  }

  private applyState(state: State, entries: PdfDictionary): State {
    const opacity = entries.get('ca');
    const overprint = entries.get('op');
    return {
      ...state,
      ...(typeof opacity === 'number' && { opacity }),
      ...(typeof overprint === 'boolean' && { isOverprinted: overprint }),
    };
  }

  private drawForm(form: PdfValue | undefined, state: State, around: Surroundings): void {
    if (++this.forms > MAX_FORMS * 1024) throw new PdfUnreadable('The PDF draws too many groups.');
    const dictionary = this.pdf.dictionary(form);
    const resources = this.pdf.dictionary(dictionary.get('Resources'));
    this.walk(this.pdf.content(form), resources, { ...state, opacity: 1 }, around);
  }
}

const placeAll = (matrix: Matrix, places: readonly number[]): number[] => {
  const result: number[] = [];
  for (let i = 0; i < places.length; i += 2) {
    const { x, y } = applyMatrix(matrix ?? identity, { x: places[i]!, y: places[i + 1]! });
    result.push(x, y);
  }
  return result;
};

function addTo(path: readonly Contour[], command: 'L' | 'C', points: readonly number[]): void {
  const contour = path.at(-1);
  if (!contour) throw new PdfUnreadable('The PDF has a path without a start.');
  contour.commands.push(command);
  contour.points.push(...points);
}
