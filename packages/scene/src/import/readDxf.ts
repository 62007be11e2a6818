/**
 * Reads the outlines of a DXF drawing, from R12 to today's versions, as text. The facts come from Autodesk's DXF
 * reference and from what ezdxf's documentation says of the format.
 */
import { identity, type Matrix, multiply, scale, translate } from '../geometry/matrix.ts';
import { type Contour, type PathBounds, transformContours } from '../geometry/pathData.ts';
import {
  CONTOUR_FILE_LIMITS,
  ContourCollector,
  type ContourFile,
  decodeTextFile,
  FileRefused,
  type LayerOperation,
  requireOutlines,
} from './contourFile.ts';
import { type DxfRecords, type DxfSections, parseDxfNumber, readDxfSections } from './dxfTags.ts';
import { appendBulge, arcContour } from './roundShapes.ts';
import { splineContour } from './spline.ts';

/**
 * Returns the outlines of a drawing by layer, in mm by its `$INSUNITS` (mm when it says none). Blocks are followed.
 * Lines that only touch stay separate: see `joinTouching`. Throws `FileRefused` and nothing else. Cost: linear in the
 * file and in what blocks repeat.
 */
export function readDxf(bytes: Uint8Array): ContourFile {
  if (startsLikeBinary(bytes)) {
    throw new FileRefused('This is a binary DXF file. Save it as DXF text (ASCII) and try again.');
  }
  const { sections, records } = readDxfSections(decodeTextFile(bytes));
  const header = (name: string) => sections.get('HEADER')?.find((record) => records.kindOf(record) === name);
  const unitRecord = header('$INSUNITS');
  const code = unitRecord === undefined ? 0 : records.numberOf(unitRecord, 70, 0);
  const unit = toUnit(code);
  const layerColors = readLayerColors(sections, records);
  const collector = new ContourCollector();
  const reading: Reading = {
    ...{ records, collector, blocks: readBlocks(sections, records) },
    ...{ colors: new Map(), depth: 0 },
  };
  const turn: Matrix = { ...identity, a: unit, d: -unit };
  readEntities(sections.get('ENTITIES')!, turn, reading, undefined);
  requireOutlines(collector);
  return {
    frame: readFrame(records, { low: header('$LIMMIN'), high: header('$LIMMAX') }, unit),
    isUnitless: code === 0,
    origin: 'bottomLeft',
    layers: [...collector.layers].map(([name, outlines]) => {
      const color = reading.colors.get(name) ?? layerColors.get(name);
      return { name, color, operation: operationOf(name), outlines };
    }),
    droppedKinds: collector.droppedKinds,
  };
}

interface Reading {
  readonly records: DxfRecords;
  readonly collector: ContourCollector;
  readonly blocks: ReadonlyMap<string, Block>;
  /** The colors that entities say themselves, by layer: the first one counts. */
  readonly colors: Map<string, string>;
  readonly depth: number;
}

interface Block {
  readonly x: number;
  readonly y: number;
  readonly members: readonly number[];
}

const BINARY_MARK = 'AutoCAD Binary DXF';
const startsLikeBinary = (bytes: Uint8Array) =>
  String.fromCharCode(...bytes.subarray(0, BINARY_MARK.length)) === BINARY_MARK;

/** Millimeters in each unit of `$INSUNITS`. 0 means that the drawing has none: most programs take it as mm then. */
const units: Record<number, number> = {
  0: 1,
  1: 25.4,
  2: 304.8,
  4: 1,
  5: 10,
  6: 1000,
  8: 25.4e-6,
  9: 0.0254,
  10: 914.4,
  13: 0.001,
  14: 100,
};

function toUnit(code: number): number {
  const unit = units[code];
  if (unit === undefined) throw new FileRefused('This DXF file has a unit that is not used for drawings.');
  return unit;
}

interface Limits {
  readonly low: number | undefined;
  readonly high: number | undefined;
}

/** The drawing limits, which are the sheet. Files that were never given any have those of a new drawing. */
function readFrame(records: DxfRecords, { low, high }: Limits, unit: number): PathBounds | undefined {
  if (low === undefined || high === undefined) return undefined;
  const at = (record: number, code: number) => records.numberOf(record, code, 0) * unit;
  const [minX, maxX] = [at(low, 10), at(high, 10)];
  const [minY, maxY] = [at(low, 20), at(high, 20)];
  return maxX > minX && maxY > minY ? { minX, minY: -maxY, maxX, maxY: -minY } : undefined;
}

/** AutoCAD's first colors, and some that machines' layers have. Others have no color here. */
const indexColors: Record<number, string> = {
  1: '#ff0000',
  2: '#ffff00',
  3: '#00ff00',
  4: '#00ffff',
  5: '#0000ff',
  6: '#ff00ff',
  7: '#000000',
  8: '#808080',
  9: '#c0c0c0',
  30: '#ff7f00',
};

function colorOf(records: DxfRecords, record: number): string | undefined {
  const trueColor = records.textOf(record, 420);
  if (trueColor !== undefined) {
    return `#${(parseDxfNumber(trueColor) & 0xffffff).toString(16).padStart(6, '0')}`;
  }
  const index = records.textOf(record, 62);
  // A layer that is off has its color below 0.
  return index === undefined ? undefined : indexColors[Math.abs(parseDxfNumber(index))];
}

function readLayerColors(sections: DxfSections, records: DxfRecords): Map<string, string | undefined> {
  const layers = (sections.get('TABLES') ?? []).filter((record) => records.kindOf(record) === 'LAYER');
  return new Map(layers.map((layer) => [records.textOf(layer, 2) ?? '', colorOf(records, layer)]));
}

/** The operation that a layer's name begins with, as our own files have it. */
function operationOf(name: string): LayerOperation | undefined {
  const [, word] = /^(engrave|score|cut|guide)(?![a-z])/i.exec(name) ?? [];
  return word?.toLowerCase() as LayerOperation | undefined;
}

function readBlocks(sections: DxfSections, records: DxfRecords): Map<string, Block> {
  const blocks = new Map<string, Block>();
  let members: number[] | undefined;
  for (const record of sections.get('BLOCKS') ?? []) {
    const kind = records.kindOf(record);
    if (kind === 'BLOCK') {
      members = [];
      const block = { x: records.numberOf(record, 10, 0), y: records.numberOf(record, 20, 0), members };
      blocks.set(records.textOf(record, 2) ?? '', block);
    } else if (kind === 'ENDBLK') members = undefined;
    else members?.push(record);
  }
  return blocks;
}

function readEntities(entities: readonly number[], matrix: Matrix, reading: Reading, layerOfInsert?: string): void {
  const { records, collector, colors } = reading;
  const pairsOf = (record: number) => records.endOf(record) - records.firstOf(record);
  for (let i = 0; i < entities.length; i++) {
    const record = entities[i]!;
    collector.countEntity();
    collector.countTags(pairsOf(record));
    const ownLayer = records.textOf(record, 8) ?? '0';
    // Layer 0 of a block is the layer of whoever inserts it.
    const layer = ownLayer === '0' && layerOfInsert !== undefined ? layerOfInsert : ownLayer;
    const draw = (contours: readonly Contour[], isTurned = true) => {
      const color = colorOf(records, record);
      if (color !== undefined && !colors.has(layer)) colors.set(layer, color);
      const upright = isTurned ? multiply(matrix, extrusionOf(records, record)) : matrix;
      collector.add(layer, transformContours(contours, upright));
    };
    const kind = records.kindOf(record);
    const isNext = (name: string) => i + 1 < entities.length && records.kindOf(entities[i + 1]!) === name;
    switch (kind) {
      case 'POLYLINE': {
        const first = i + 1;
        while (isNext('VERTEX')) {
          i++;
          // One more for each: a vertex without a pair takes time, too.
          collector.countTags(1 + pairsOf(entities[i]!));
        }
        const vertices = entities.slice(first, i + 1);
        if (isNext('SEQEND')) i++;
        draw(readPolyline(record, vertices, reading));
        break;
      }
      case 'LWPOLYLINE':
        draw(readLightPolyline(records, record));
        break;
      case 'LINE':
        draw([readLine(records, record)], false);
        break;
      case 'CIRCLE':
      case 'ARC':
        draw([readCircle(records, record)]);
        break;
      case 'ELLIPSE':
        draw([readEllipse(records, record)], false);
        break;
      case 'SPLINE': {
        const contour = readSpline(records, record);
        if (contour) draw([contour], false);
        else collector.drop('SPLINE');
        break;
      }
      case 'INSERT':
        insertBlock(record, matrix, reading, layer);
        break;
      case 'VERTEX':
      case 'SEQEND':
        break;
      default:
        collector.drop(kind);
    }
  }
}

/** Entities with an extrusion of 0, 0, -1 are seen from below: their x runs to the left. */
const extrusionOf = (records: DxfRecords, record: number): Matrix =>
  records.numberOf(record, 230, 1) < 0 ? scale(-1, 1) : identity;

function readLine(records: DxfRecords, record: number): Contour {
  const at = (code: number) => records.numberOf(record, code);
  return { commands: ['L'], points: [at(10), at(20), at(11), at(21)], isClosed: false };
}

/** A corner of a polyline, with the bulge of the arc after it. */
interface Corner {
  readonly x: number;
  readonly y: number;
  bulge: number;
}

function readPolyline(record: number, vertices: readonly number[], { records, collector }: Reading): Contour[] {
  const flags = records.numberOf(record, 70, 0);
  // Meshes have vertices in three dimensions.
  if (flags & (16 | 64)) {
    collector.drop('mesh');
    return [];
  }
  const corners: Corner[] = [];
  for (const vertex of vertices) {
    // The control points of a curve that was fitted are not on it.
    if (records.numberOf(vertex, 70, 0) & 16) continue;
    corners.push({
      x: records.numberOf(vertex, 10),
      y: records.numberOf(vertex, 20),
      bulge: records.numberOf(vertex, 42, 0),
    });
  }
  return joinCorners(corners, (flags & 1) === 1);
}

function readLightPolyline(records: DxfRecords, record: number): Contour[] {
  const corners: Corner[] = [];
  let x: number | undefined;
  for (let pair = records.firstOf(record); pair < records.endOf(record); pair++) {
    const code = records.codeAt(pair);
    if (code === 10) x = records.numberAt(pair);
    else if (code === 20 && x !== undefined) {
      corners.push({ x, y: records.numberAt(pair), bulge: 0 });
      x = undefined;
    } else if (code === 42 && corners.length > 0) corners.at(-1)!.bulge = records.numberAt(pair);
  }
  return joinCorners(corners, (records.numberOf(record, 70, 0) & 1) === 1);
}

function joinCorners(corners: readonly Corner[], isClosed: boolean): Contour[] {
  const [first, ...rest] = corners;
  if (!first || rest.length === 0) return [];
  const contour: Contour = { commands: [], points: [first.x, first.y], isClosed };
  let { bulge } = first;
  for (const corner of rest) {
    appendBulge(contour, corner.x, corner.y, bulge);
    bulge = corner.bulge;
  }
  if (isClosed && bulge !== 0) appendBulge(contour, first.x, first.y, bulge);
  return [contour];
}

const degrees = Math.PI / 180;

function readCircle(records: DxfRecords, record: number): Contour {
  const radius = records.numberOf(record, 40);
  const isArc = records.kindOf(record) === 'ARC';
  const start = isArc ? records.numberOf(record, 50) * degrees : 0;
  const sweep = isArc ? turnTo(records.numberOf(record, 51) * degrees - start) : 2 * Math.PI;
  const [centerX, centerY] = [records.numberOf(record, 10), records.numberOf(record, 20)];
  return arcContour({ centerX, centerY, axisX: [radius, 0], axisY: [0, radius], start, sweep });
}

function readEllipse(records: DxfRecords, record: number): Contour {
  const at = (code: number, fallback?: number) => records.numberOf(record, code, fallback);
  const [majorX, majorY] = [at(11), at(21)];
  const ratio = at(40);
  const side = at(230, 1) < 0 ? -1 : 1;
  const [start, end] = [at(41, 0), at(42, 2 * Math.PI)];
  return arcContour({
    centerX: at(10),
    centerY: at(20),
    axisX: [majorX, majorY],
    axisY: [-majorY * ratio * side, majorX * ratio * side],
    start,
    sweep: turnTo(end - start),
  });
}

/** Returns a positive turn of at most a whole one; equal ends are a whole one. */
function turnTo(angle: number): number {
  const turn = angle % (2 * Math.PI);
  if (Math.abs(turn) < 1e-9) return 2 * Math.PI;
  return turn < 0 ? turn + 2 * Math.PI : turn;
}

function readSpline(records: DxfRecords, record: number): Contour | undefined {
  const points: number[] = [];
  const [knots, weights]: [number[], number[]] = [[], []];
  let x: number | undefined;
  for (let pair = records.firstOf(record); pair < records.endOf(record); pair++) {
    const code = records.codeAt(pair);
    if (code === 40) knots.push(records.numberAt(pair));
    else if (code === 41) weights.push(records.numberAt(pair));
    else if (code === 10) x = records.numberAt(pair);
    else if (code === 20 && x !== undefined) {
      points.push(x, records.numberAt(pair));
      x = undefined;
    }
  }
  const flags = records.numberOf(record, 70, 0);
  return splineContour({
    degree: records.numberOf(record, 71, 3),
    points,
    knots,
    weights,
    isClosed: (flags & 1) === 1,
  });
}

function insertBlock(record: number, matrix: Matrix, reading: Reading, layer: string): void {
  const { records } = reading;
  const block = reading.blocks.get(records.textOf(record, 2) ?? '');
  if (!block) return;
  if (reading.depth === CONTOUR_FILE_LIMITS.depth) {
    throw new FileRefused('The blocks of this DXF file are nested too deeply.');
  }
  const at = (code: number, fallback: number) => records.numberOf(record, code, fallback);
  const angle = at(50, 0) * degrees;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const turn: Matrix = { a: cos, b: sin, c: -sin, d: cos, e: at(10, 0), f: at(20, 0) };
  const place = multiply(matrix, extrusionOf(records, record), turn);
  const size = multiply(scale(at(41, 1), at(42, 1)), translate(-block.x, -block.y));
  const [columns, rows] = [Math.max(1, at(70, 1)), Math.max(1, at(71, 1))];
  const deeper = { ...reading, depth: reading.depth + 1 };
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      // Empty blocks cost time, too.
      reading.collector.countEntity();
      const shift = translate(column * at(44, 0), row * at(45, 0));
      readEntities(block.members, multiply(place, shift, size), deeper, layer);
    }
  }
}
