/**
 * Reads the outlines of a LightBurn project (`.lbrn2`, and the older `.lbrn`). The format is undocumented; what is
 * known of it comes from genuine files and from two public parsers of them (jlucaso1/lbrn2-to-svg, meerk40t).
 */
import { FIRST_TOOL_SLOT, lightBurnPalette, lightBurnSlotName } from '../document/lightBurnPalette.ts';
import { identity, type Matrix, multiply } from '../geometry/matrix.ts';
import { type Contour, transformContours } from '../geometry/pathData.ts';
import {
  CONTOUR_FILE_LIMITS,
  ContourCollector,
  type ContourFile,
  decodeTextFile,
  type FilePicture,
  FileRefused,
  type LayerOperation,
  requireOutlines,
} from './contourFile.ts';
import { isSpace, parseDecimal } from './decimal.ts';
import { appendArc, arcContour } from './roundShapes.ts';
import { parseXml, type XmlElement } from './xmlTree.ts';

const damage = (what: string) => new FileRefused(`This LightBurn project is damaged: ${what}.`);

/**
 * Returns the outlines of a project by layer; a layer is named as LightBurn names it (`C00`, `T1`). Layers come in the
 * order of their priority; one that fills and then follows its outlines (`Scan+Cut`) is there twice. Texts are read
 * from the outlines that LightBurn saves with them. Throws `FileRefused` and nothing else. Cost: linear in the file and
 * in what groups repeat.
 */
export function readLightBurn(bytes: Uint8Array): ContourFile {
  const { text, pictures } = takePictures(bytes);
  const root = parseXml(decodeTextFile(text));
  if (root.tag !== 'LightBurnProject') throw new FileRefused('This file is no LightBurn project.');
  const settings = readSettings(root);
  const collector = new ContourCollector();
  const pool: GeometryPool = { vertices: new Map(), primitives: new Map() };
  // Files that mirror an axis store mirrored coordinates.
  const isTrue = (name: string) => root.attrs[name]?.toLowerCase() === 'true';
  const turn: Matrix = { ...identity, a: isTrue('MirrorX') ? -1 : 1, d: isTrue('MirrorY') ? 1 : -1 };
  const bitmaps: FilePicture[] = [];
  for (const child of root.children) {
    if (child.tag !== 'Shape') continue;
    readShape(child, turn, { collector, pool });
    if (child.attrs.Type === 'Bitmap') bitmaps.push(...readBitmap(child, { turn, settings, pictures }));
  }
  if (bitmaps.length === 0) requireOutlines(collector);
  const slots = [...collector.layers.keys()].map(Number);
  const priority = (slot: number) => settings.get(slot)?.priority ?? slot;
  slots.sort((a, b) => priority(a) - priority(b));
  return {
    frame: undefined,
    origin: 'bottomLeft',
    layers: slots.flatMap((slot) =>
      operationsOf(slot, settings.get(slot)?.type).map((operation) => ({
        name: lightBurnSlotName(slot),
        color: lightBurnPalette[slot]?.toLowerCase(),
        operation,
        outlines: collector.layers.get(String(slot))!,
      })),
    ),
    ...(bitmaps.length > 0 && { pictures: bitmaps }),
    droppedKinds: collector.droppedKinds,
  };
}

type CutSettings = ReturnType<typeof readSettings>;

interface BitmapReading {
  readonly turn: Matrix;
  readonly settings: CutSettings;
  readonly pictures: readonly Uint8Array[];
}

/** Reads a bitmap that stands upright; others are dropped. */
function readBitmap(shape: XmlElement, { turn, settings, pictures }: BitmapReading): FilePicture[] {
  const { attrs } = shape;
  const own = readTransform(child(shape, 'XForm')?.text);
  if (!(own.a > 0 && own.d > 0 && own.b === 0 && own.c === 0) || attrs.Data === undefined) return [];
  const slot = slotOf(attrs);
  const { a, d } = own;
  const { e, f } = multiply(turn, own);
  const [halfWidth, halfHeight] = [(a * number(attrs.W)) / 2, (d * number(attrs.H)) / 2];
  return [
    {
      layer: lightBurnSlotName(slot),
      ...{ minX: e - halfWidth, minY: f - halfHeight, maxX: e + halfWidth, maxY: f + halfHeight },
      passesThrough: settings.get(slot)?.passesThrough === true,
      png: fromBase64(attrs.Data, pictures),
    },
  ];
}

/** Pixels in base64 that are longer than this are taken out of the text before it is parsed. */
const LONG_DATA = 65_536;
const DATA_START = [...'Data="'].map((character) => character.charCodeAt(0));
const [QUOTE, SPACE] = ['"'.charCodeAt(0), ' '.charCodeAt(0)];
/** A character that no base64 has, and the number of the picture. */
const TAKEN = /^#(\d+)$/;

/**
 * Takes the long pixels of pictures out of a project, which may be most of it: as text they would be in memory three
 * times. In their place is `#` and their number. Only what is nothing but base64 is taken, so that no part of the text
 * is missed. Cost: linear.
 */
function takePictures(bytes: Uint8Array): { readonly text: Uint8Array; readonly pictures: readonly Uint8Array[] } {
  const pictures: Uint8Array[] = [];
  const parts: Uint8Array[] = [];
  let from = 0;
  for (let at = bytes.indexOf(DATA_START[0]!); at >= 0; at = bytes.indexOf(DATA_START[0]!, at + 1)) {
    if (bytes[at - 1] !== SPACE || !DATA_START.every((code, i) => bytes[at + i] === code)) continue;
    const start = at + DATA_START.length;
    const end = bytes.indexOf(QUOTE, start);
    if (end < 0) break;
    const png = end - start > LONG_DATA ? decodeBase64(bytes.subarray(start, end)) : undefined;
    if (png) {
      parts.push(bytes.subarray(from, start), new TextEncoder().encode(`#${pictures.length}`));
      pictures.push(png);
      from = end;
    }
    at = end;
  }
  if (pictures.length === 0) return { text: bytes, pictures };
  parts.push(bytes.subarray(from));
  const text = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let to = 0;
  for (const part of parts) {
    text.set(part, to);
    to += part.length;
  }
  return { text, pictures };
}

const PADDING = '='.charCodeAt(0);
/** The six bits of each character of base64 (RFC 4648); 255 for all others. */
const SIX_BITS = new Uint8Array(256).fill(255);
for (const [bits, character] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  SIX_BITS[character.charCodeAt(0)] = bits;
}

/** Decodes base64 without spaces; undefined for anything else. */
function decodeBase64(text: Uint8Array): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined;
  const padding = text.at(-2) === PADDING ? 2 : text.at(-1) === PADDING ? 1 : 0;
  const out = new Uint8Array((text.length / 4) * 3 - padding);
  for (let from = 0, to = 0; from < text.length; from += 4, to += 3) {
    const isLast = from + 4 === text.length;
    const [a, b] = [SIX_BITS[text[from]!]!, SIX_BITS[text[from + 1]!]!];
    const c = isLast && padding > 1 ? 0 : SIX_BITS[text[from + 2]!]!;
    const d = isLast && padding > 0 ? 0 : SIX_BITS[text[from + 3]!]!;
    if ((a | b | c | d) > 63) return undefined;
    out[to] = (a << 2) | (b >> 4);
    // Beyond the end of a typed array nothing is written.
    out[to + 1] = (b << 4) | (c >> 2);
    out[to + 2] = (c << 6) | d;
  }
  return out;
}

function fromBase64(text: string, pictures: readonly Uint8Array[]): Uint8Array {
  const match = TAKEN.exec(text);
  if (match) {
    const png = pictures[Number(match[1])];
    if (!png) throw damage('a picture in it cannot be read');
    return png;
  }
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    throw damage('a picture in it cannot be read');
  }
}

interface Reading {
  readonly collector: ContourCollector;
  readonly pool: GeometryPool;
}

/** Lists that a later shape may refer to by their number. */
interface GeometryPool {
  readonly vertices: Map<string, Vertices>;
  readonly primitives: Map<string, Primitives>;
}

interface CutSetting {
  readonly type: string;
  readonly priority: number;
  readonly passesThrough: boolean;
}

function readSettings(root: XmlElement): Map<number, CutSetting> {
  const settings = new Map<number, CutSetting>();
  for (const { tag, attrs, children } of root.children) {
    if (tag !== 'CutSetting' && tag !== 'CutSetting_Img') continue;
    const value = (name: string) => Number(children.find((child) => child.tag === name)?.attrs.Value ?? Number.NaN);
    const slot = value('index');
    if (!Number.isInteger(slot)) continue;
    settings.set(slot, {
      type: attrs.type ?? '',
      priority: Number.isFinite(value('priority')) ? value('priority') : slot,
      passesThrough: value('passThrough') === 1,
    });
  }
  return settings;
}

/** Returns the operations of a layer in the order in which LightBurn runs them. */
function operationsOf(slot: number, type: string | undefined): readonly (LayerOperation | undefined)[] {
  if (slot >= FIRST_TOOL_SLOT || type === 'Tool') return ['guide'];
  // LightBurn knows one kind of line. Shops agree on red for cutting and blue for scoring.
  const line = slot === 1 ? 'score' : 'cut';
  if (type === 'Scan') return ['engrave'];
  if (type === 'Scan+Cut') return ['engrave', line];
  return [type === 'Cut' ? line : undefined];
}

function readShape(shape: XmlElement, parent: Matrix, reading: Reading, textSlot?: number): void {
  const { collector, pool } = reading;
  collector.countEntity();
  const { attrs } = shape;
  const matrix = multiply(parent, readTransform(child(shape, 'XForm')?.text));
  const type = attrs.Type ?? '';
  if (type === 'Group') {
    for (const list of shape.children) {
      if (list.tag === 'Children') for (const member of list.children) readShape(member, matrix, reading);
    }
    return;
  }
  if (type === 'Text' && attrs.HasBackupPath === '1') {
    // The outline has a transform of its own, the same as the text's.
    const backup = child(shape, 'BackupPath');
    if (backup) readShape(backup, parent, reading, slotOf(attrs));
    return;
  }
  const slot = textSlot ?? slotOf(attrs);
  const add = (contours: readonly Contour[]) => collector.add(String(slot), transformContours(contours, matrix));
  if (type === 'Path') add(readPath(shape, pool, collector));
  else if (type === 'Rect') add([rectangle(number(attrs.W), number(attrs.H), number(attrs.Cr ?? '0'))]);
  else if (type === 'Ellipse') {
    const [rx, ry] = [number(attrs.Rx), number(attrs.Ry)];
    add([arcContour({ centerX: 0, centerY: 0, axisX: [rx, 0], axisY: [0, ry], start: 0, sweep: 2 * Math.PI })]);
  } else collector.drop(type || 'Shape');
}

const child = (element: XmlElement, tag: string) => element.children.find((candidate) => candidate.tag === tag);

function slotOf({ CutIndex }: Readonly<Record<string, string>>): number {
  const slot = Number(CutIndex ?? Number.NaN);
  if (!(Number.isInteger(slot) && slot >= 0 && slot < lightBurnPalette.length)) throw damage('a shape has no layer');
  return slot;
}

function number(text: string | undefined): number {
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  if (!(Math.abs(value) <= CONTOUR_FILE_LIMITS.coordinateMm)) throw damage('a number in it cannot be read');
  return value;
}

function readTransform(text: string | undefined): Matrix {
  if (text === undefined) return identity;
  const values = text.trim().split(/\s+/);
  if (values.length !== 6) throw damage('a transform has not six numbers');
  const [a, b, c, d, e, f] = values.map(number);
  return { a: a!, b: b!, c: c!, d: d!, e: e!, f: f! };
}

/** A rectangle about its middle. `radius` rounds its corners; a negative one cuts them out, and is read as 0. */
function rectangle(width: number, height: number, radius: number): Contour {
  const [x, y] = [width / 2, height / 2];
  const r = Math.min(Math.max(0, radius), Math.abs(x), Math.abs(y));
  if (r === 0) return { commands: ['L', 'L', 'L'], points: [-x, -y, x, -y, x, y, -x, y], isClosed: true };
  const contour: Contour = { commands: [], points: [-x + r, -y], isClosed: true };
  const corners = [
    [x - r, -y, x - r, -y + r],
    [x, y - r, x - r, y - r],
    [-x + r, y, -x + r, y - r],
    [-x, -y + r, -x + r, -y + r],
  ] as const;
  corners.forEach(([lineX, lineY, centerX, centerY], i) => {
    contour.commands.push('L');
    contour.points.push(lineX, lineY);
    const start = (i - 1) * (Math.PI / 2);
    appendArc(contour, { centerX, centerY, axisX: [r, 0], axisY: [0, r], start, sweep: Math.PI / 2 });
  });
  return contour;
}

/** The points of a path. 20,000 dots have 400,000 in one path: as objects they took half of the reader's time. */
class Vertices {
  count = 0;
  /** x and y of each. */
  #places = new Float64Array(16);
  /** The handle toward the next vertex and the one from the vertex before, x and y each; NaN for none. */
  #handles: Float64Array | undefined;

  add(x: number, y: number): void {
    if (2 * this.count === this.#places.length) {
      const more = new Float64Array(4 * this.count);
      more.set(this.#places);
      this.#places = more;
      if (this.#handles) {
        const moreHandles = new Float64Array(8 * this.count).fill(Number.NaN);
        moreHandles.set(this.#handles);
        this.#handles = moreHandles;
      }
    }
    this.#places[2 * this.count] = x;
    this.#places[2 * this.count + 1] = y;
    this.count++;
  }

  /** Gives the last vertex a handle. */
  addHandle(name: 'c0' | 'c1', x: number, y: number): void {
    this.#handles ??= new Float64Array(2 * this.#places.length).fill(Number.NaN);
    const at = 4 * (this.count - 1) + (name === 'c0' ? 0 : 2);
    this.#handles[at] = x;
    this.#handles[at + 1] = y;
  }

  /** Appends the place of a vertex. */
  pushPlace(points: number[], i: number): void {
    points.push(this.#places[2 * i]!, this.#places[2 * i + 1]!);
  }

  /** Appends the place of a handle, or of its vertex where there is none. */
  pushHandle(points: number[], i: number, name: 'c0' | 'c1'): void {
    const at = 4 * i + (name === 'c0' ? 0 : 2);
    const x = this.#handles?.[at];
    if (x === undefined || Number.isNaN(x)) this.pushPlace(points, i);
    else points.push(x, this.#handles![at + 1]!);
  }
}

function readPath(shape: XmlElement, pool: GeometryPool, collector: ContourCollector): Contour[] {
  const { VertID, PrimID } = shape.attrs;
  const vertexList = child(shape, 'VertList');
  const primitiveList = child(shape, 'PrimList');
  const vertices = vertexList
    ? readVertices(vertexList.text)
    : (pool.vertices.get(VertID ?? '') ?? readOldVertices(shape));
  if (vertexList && VertID !== undefined) pool.vertices.set(VertID, vertices);
  const primitives = primitiveList
    ? readPrimitives(primitiveList.text.trim())
    : (pool.primitives.get(PrimID ?? '') ?? readPrimitives(readOldPrimitives(shape)));
  if (primitiveList && PrimID !== undefined) pool.primitives.set(PrimID, primitives);
  if (vertices.count < 2) return [];
  if (primitives === 'LineClosed' || primitives === 'LineOpen') {
    const contour: Contour = { commands: [], points: [], isClosed: primitives === 'LineClosed' };
    for (let i = 0; i < vertices.count; i++) {
      if (i > 0) contour.commands.push('L');
      vertices.pushPlace(contour.points, i);
    }
    return [contour];
  }
  return joinPrimitives(primitives, vertices, collector);
}

const [LETTER_V, LETTER_C, LETTER_S] = [86, 99, 83];
const [LETTER_X, LETTER_Y] = [120, 121];

/** Reads `V1 2c0x3c0y4c1x1V…`. A handle without its y is a placeholder. Other letters are marks of the editor. */
function readVertices(text: string): Vertices {
  const vertices = new Vertices();
  const fault = () => damage('a list of points cannot be read');
  let at = 0;
  const skipSpace = () => {
    while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  };
  const readNumber = (): number => {
    skipSpace();
    const start = at;
    for (let code = text.charCodeAt(at); at < text.length; code = text.charCodeAt(++at)) {
      if (isSpace(code) || code === LETTER_V || code === LETTER_C || code === LETTER_S) break;
    }
    if (at === start) throw fault();
    const value = parseDecimal(text, start, at);
    return value !== undefined && Math.abs(value) <= CONTOUR_FILE_LIMITS.coordinateMm
      ? value
      : number(text.slice(start, at));
  };
  let pending: 'c0' | 'c1' | undefined;
  let pendingX = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === LETTER_V) {
      at++;
      const x = readNumber();
      if (!isSpace(text.charCodeAt(at))) throw fault();
      vertices.add(x, readNumber());
      pending = undefined;
    } else if (code === LETTER_C) {
      const digit = text.charCodeAt(at + 1);
      const axis = text.charCodeAt(at + 2);
      if ((digit !== 48 && digit !== 49) || (axis !== LETTER_X && axis !== LETTER_Y)) throw fault();
      at += 3;
      const value = readNumber();
      if (vertices.count === 0) throw fault();
      const name = digit === 48 ? 'c0' : 'c1';
      if (axis === LETTER_X) {
        pending = name;
        pendingX = value;
      } else if (pending === name) vertices.addHandle(name, pendingX, value);
    } else if (code === LETTER_S || isSpace(code)) at++;
    else throw fault();
  }
  return vertices;
}

/** Reads the points of the older format: one element each. */
function readOldVertices(shape: XmlElement): Vertices {
  const vertices = new Vertices();
  for (const { tag, attrs } of shape.children) {
    if (tag !== 'V') continue;
    vertices.add(number(attrs.vx), number(attrs.vy));
    for (const name of ['c0', 'c1'] as const) {
      const [x, y] = [attrs[`${name}x`], attrs[`${name}y`]];
      if (x !== undefined && y !== undefined) vertices.addHandle(name, number(x), number(y));
    }
  }
  return vertices;
}

const readOldPrimitives = (shape: XmlElement): string =>
  shape.children
    .filter(({ tag }) => tag === 'P')
    .map(({ attrs }) => `${attrs.T}${attrs.p0} ${attrs.p1}`)
    .join('');

/** The segments between the vertices of a path: in the order of the vertices, or listed one by one. */
type Primitives = 'LineClosed' | 'LineOpen' | PrimitiveList;

/** Lines and curves, three numbers each: 1 for a curve, and the indexes of its vertices. */
type PrimitiveList = readonly number[];

const [LETTER_L, LETTER_B] = [76, 66];
/** More than any index of a vertex. */
const NO_INDEX = 2 ** 30;

/** Reads `L0 1B1 2…`, a line and a curve. */
function readPrimitives(text: string): Primitives {
  if (text === 'LineClosed' || text === 'LineOpen') return text;
  const primitives: number[] = [];
  const fault = () => damage('a list of lines and curves cannot be read');
  let at = 0;
  const skipSpace = () => {
    while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  };
  const readIndex = (): number => {
    skipSpace();
    const start = at;
    let index = 0;
    for (let code = text.charCodeAt(at); code >= 48 && code <= 57; code = text.charCodeAt(++at)) {
      if (index < NO_INDEX) index = 10 * index + code - 48;
    }
    if (at === start) throw fault();
    return Math.min(index, NO_INDEX);
  };
  for (skipSpace(); at < text.length; skipSpace()) {
    const code = text.charCodeAt(at++);
    if (code !== LETTER_L && code !== LETTER_B) throw fault();
    const from = readIndex();
    if (!isSpace(text.charCodeAt(at))) throw fault();
    const to = readIndex();
    if (primitives.length === 3 * CONTOUR_FILE_LIMITS.points) throw new FileRefused('This file has too many points.');
    primitives.push(code === LETTER_B ? 1 : 0, from, to);
  }
  return primitives;
}

/** Chains primitives: one that starts at another vertex than the last one's end starts a contour. */
function joinPrimitives(primitives: PrimitiveList, vertices: Vertices, collector: ContourCollector): Contour[] {
  const contours: Contour[] = [];
  let contour: Contour | undefined;
  let first = -1;
  let last = -1;
  let pointCount = 0;
  for (let k = 0; k < primitives.length; k += 3) {
    const isCurve = primitives[k] === 1;
    const from = primitives[k + 1]!;
    const to = primitives[k + 2]!;
    if (from >= vertices.count || to >= vertices.count) throw damage('a line or curve has no end');
    if (!contour || contour.isClosed || from !== last) {
      collector.countEntity();
      contour = { commands: [], points: [], isClosed: false };
      vertices.pushPlace(contour.points, from);
      contours.push(contour);
      first = from;
    }
    // A short list of points can be named by millions of lines.
    collector.requireRoom(++pointCount);
    contour.commands.push(isCurve ? 'C' : 'L');
    if (isCurve) {
      vertices.pushHandle(contour.points, from, 'c0');
      vertices.pushHandle(contour.points, to, 'c1');
    }
    vertices.pushPlace(contour.points, to);
    last = to;
    if (to === first) contour.isClosed = true;
  }
  return contours;
}
