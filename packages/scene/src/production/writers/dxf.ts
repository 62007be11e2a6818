/**
 * Jobs as DXF R12 (AC1009): closed polylines with true arcs, one layer for each plate, mm, y up. The version that every
 * program reads. Facts: Autodesk's DXF reference, ezdxf's documentation.
 */
import { fitArcs } from '../../geometry/arcs.ts';
import { tightBounds } from '../../geometry/pathData.ts';
import { ByteText } from '../../svg/byteText.ts';
import type { Job, OutlinePlate } from '../job.ts';
import { linePlates, loopsOf, type SegmentLoop, turnUp } from './segments.ts';

/** The farthest that arcs leave their curves, mm: half of what machines can tell. */
const TOLERANCE_MM = 0.004;
/** Arcs shorter than 0.02 mm only make a machine stutter. A little more, because coordinates are rounded. */
const LEAST_ARC_MM = 0.021;
/** Coordinates are tenths of a micron. */
const DECIMALS = 4;
/** A bulge of a millionth is no height at any length of ours. */
const BULGE_DECIMALS = 7;
const BULGE_UNITS = 10 ** BULGE_DECIMALS;

const engraveColors: Readonly<Record<string, number>> = { '#000000': 7, '#808080': 8, '#B4B4B4': 9 };
const kindColors = { engrave: 7, score: 5, cut: 1, white: 4, gloss: 6, guide: 30 } as const;

/** Returns the name of a plate's layer: `ENGRAVE-C00`. */
export const dxfLayer = ({ id }: OutlinePlate): string => id.toUpperCase();

/** Returns AutoCAD's color number for a plate. */
const colorNumber = ({ kind, color }: OutlinePlate): number =>
  (kind === 'engrave' ? engraveColors[color.toUpperCase()] : undefined) ?? kindColors[kind];

/**
 * Writes the outlines of a job. Curves become arcs within 0.004 mm of them. The drawing limits are the frame. Throws
 * `FormatUnfit` for a job that has ink alone. Cost: linear, about ten arcs a microsecond at most.
 */
export function writeDxf(job: Job): ByteText {
  const plates = linePlates(job, 'DXF');
  const writer = new TagWriter();
  writeHeader(writer, job, plates);
  writeTables(writer, plates);
  writer.section('ENTITIES', () => {
    const matrix = turnUp(job);
    for (const plate of plates) {
      const look = { layer: dxfLayer(plate), color: String(colorNumber(plate)) };
      for (const outline of plate.outlines) {
        for (const loop of loopsOf(outline, DECIMALS, matrix)) writePolyline(writer, loop, look);
      }
    }
  });
  writer.tag(0, 'EOF');
  return writer.text;
}

/** Pairs of a group code and a value, each on a line of its own that ends as in DOS. */
class TagWriter {
  readonly text = new ByteText();

  tag(code: number, value: string | number): void {
    this.text.add(`${code}\r\n`);
    if (typeof value === 'number') this.text.addNumber(value, DECIMALS);
    else this.text.add(value);
    this.text.add('\r\n');
  }

  section(name: string, write: () => void): void {
    this.tag(0, 'SECTION');
    this.tag(2, name);
    write();
    this.tag(0, 'ENDSEC');
  }

  table(name: string, count: number, write: () => void): void {
    this.tag(0, 'TABLE');
    this.tag(2, name);
    this.tag(70, count);
    write();
    this.tag(0, 'ENDTAB');
  }
}

function writeHeader(writer: TagWriter, job: Job, plates: readonly OutlinePlate[]): void {
  const contours = plates.flatMap(({ outlines }) => outlines.flatMap((outline) => outline.contours));
  const empty = { minX: 0, minY: 0, maxX: job.widthMm, maxY: job.heightMm };
  const box = contours.length > 0 ? tightBounds(contours) : empty;
  const point = (name: string, x: number, y: number) => {
    writer.tag(9, name);
    writer.tag(10, x);
    writer.tag(20, y);
  };
  const number = (name: string, value: number) => {
    writer.tag(9, name);
    writer.tag(70, value);
  };
  writer.section('HEADER', () => {
    writer.tag(9, '$ACADVER');
    writer.tag(1, 'AC1009');
    // Millimeters, and the metric set of line types.
    number('$INSUNITS', 4);
    number('$MEASUREMENT', 1);
    point('$EXTMIN', box.minX, job.heightMm - box.maxY);
    point('$EXTMAX', box.maxX, job.heightMm - box.minY);
    point('$LIMMIN', 0, 0);
    point('$LIMMAX', job.widthMm, job.heightMm);
  });
}

function writeTables(writer: TagWriter, plates: readonly OutlinePlate[]): void {
  const layers = [
    { name: '0', color: 7 },
    ...plates.map((plate) => ({ name: dxfLayer(plate), color: colorNumber(plate) })),
  ];
  writer.section('TABLES', () => {
    writer.table('LTYPE', 1, () => {
      writer.tag(0, 'LTYPE');
      writer.tag(2, 'CONTINUOUS');
      writer.tag(70, 0);
      writer.tag(3, 'Solid line');
      writer.tag(72, 65);
      writer.tag(73, 0);
      writer.tag(40, 0);
    });
    writer.table('LAYER', layers.length, () => {
      for (const { name, color } of layers) {
        writer.tag(0, 'LAYER');
        writer.tag(2, name);
        writer.tag(70, 0);
        writer.tag(62, color);
        writer.tag(6, 'CONTINUOUS');
      }
    });
  });
}

interface Look {
  readonly layer: string;
  readonly color: string;
}

function writePolyline(writer: TagWriter, loop: SegmentLoop, { layer, color }: Look): void {
  writer.tag(0, 'POLYLINE');
  writer.tag(8, layer);
  writer.tag(62, color);
  writer.tag(66, 1);
  writer.tag(10, 0);
  writer.tag(20, 0);
  writer.tag(30, 0);
  writer.tag(70, loop.isClosed ? 1 : 0);
  const vertices = new VertexWriter(writer.text, layer);
  let { x, y } = loop;
  for (const segment of loop.segments) {
    const endX = segment[segment.length - 2]!;
    const endY = segment[segment.length - 1]!;
    if (segment.length === 2) vertices.add(x, y, 0);
    else {
      for (const arc of fitArcs([x, y, ...segment], TOLERANCE_MM, LEAST_ARC_MM)) {
        vertices.add(x, y, arc.bulge);
        x = arc.x;
        y = arc.y;
      }
    }
    x = endX;
    y = endY;
  }
  // A closed one does not repeat its start.
  if (!loop.isClosed) vertices.add(x, y, 0);
  writer.tag(0, 'SEQEND');
  writer.tag(8, layer);
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const Y_TAG = bytesOf('\r\n20\r\n');
const Z_TAG = bytesOf('\r\n30\r\n0\r\n');

/** Writes vertices. 20,000 dots have 400,000, and their lines took a quarter of the time of the file as texts. */
class VertexWriter {
  readonly #text: ByteText;
  readonly #head: Uint8Array;

  /** A vertex has the color of its polyline. */
  constructor(text: ByteText, layer: string) {
    this.#text = text;
    this.#head = bytesOf(`0\r\nVERTEX\r\n8\r\n${layer}\r\n10\r\n`);
  }

  /** `bulge` is that of the arc that starts here. */
  add(x: number, y: number, bulge: number): void {
    const text = this.#text;
    text.addBytes(this.#head);
    text.addNumber(x, DECIMALS);
    text.addBytes(Y_TAG);
    text.addNumber(y, DECIMALS);
    text.addBytes(Z_TAG);
    if (Math.round(bulge * BULGE_UNITS) === 0) return;
    text.add('42\r\n');
    text.addNumber(bulge, BULGE_DECIMALS);
    text.add('\r\n');
  }
}
