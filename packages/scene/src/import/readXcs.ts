/**
 * Reads the outlines of an xTool Creative Space project (`.xcs`): JSON with a list of displays. The format is
 * undocumented; what is known of it comes from two public programs that read or write it (meerk40t, lbrn2xcs).
 */
import { type Contour, transformContours } from '../geometry/pathData.ts';
import {
  CONTOUR_FILE_LIMITS,
  ContourCollector,
  type ContourFile,
  decodeTextFile,
  FileRefused,
  requireOutlines,
} from './contourFile.ts';
import { readPathData, readPlainContours } from './readArtwork.ts';

const damage = (what: string) => new FileRefused(`This xTool project is damaged: ${what}.`);

/**
 * Returns the paths of the first canvas, one layer for each color, with the color as its name, in the order of the
 * layers. Other displays (texts, pictures, basic shapes) are named in `droppedKinds`, and so is a path that is turned.
 * Throws `FileRefused` and nothing else.
 */
export function readXcs(bytes: Uint8Array): ContourFile {
  const root = parseJson(decodeTextFile(bytes));
  const canvas = listOf(root, 'canvas')[0];
  if (!isRecord(canvas)) throw new FileRefused('This file is no xTool project.');
  const collector = new ContourCollector();
  for (const display of listOf(canvas, 'displays')) {
    collector.countEntity();
    if (!isRecord(display)) throw damage('a display in it is none');
    if (display.type !== 'PATH' || numberOf(display, 'angle', 0) !== 0) {
      collector.drop(typeof display.type === 'string' ? display.type : 'display');
      continue;
    }
    const color = typeof display.layerColor === 'string' ? display.layerColor.toLowerCase() : '';
    if (!/^#[0-9a-f]{6}$/.test(color)) throw damage('a path has no color');
    collector.add(color, readPath(display));
  }
  requireOutlines(collector);
  const layerData = isRecord(canvas.layerData) ? canvas.layerData : {};
  const order = (color: string) => {
    const layer = layerData[color];
    return isRecord(layer) ? numberOf(layer, 'order', 0) : 0;
  };
  const layers = [...collector.layers].sort(([a], [b]) => order(a) - order(b));
  return {
    frame: undefined,
    origin: 'topLeft',
    layers: layers.map(([color, outlines]) => ({ name: color, color, operation: undefined, outlines })),
    droppedKinds: collector.droppedKinds,
  };
}

type JsonRecord = Record<string, unknown>;

const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parseJson(text: string): JsonRecord {
  checkDepth(text);
  let root: unknown;
  try {
    root = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    throw damage('it is no JSON');
  }
  if (!isRecord(root)) throw new FileRefused('This file is no xTool project.');
  return root;
}

/** Brackets inside texts count, too: honest projects have none there in such numbers without closing them. */
function checkDepth(text: string): void {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === 0x5b || char === 0x7b) depth++;
    else if (char === 0x5d || char === 0x7d) depth--;
    if (depth > CONTOUR_FILE_LIMITS.depth) throw new FileRefused('This file is nested too deeply.');
  }
}

function listOf(record: JsonRecord, name: string): readonly unknown[] {
  const value = record[name];
  return Array.isArray(value) ? value : [];
}

function numberOf(record: JsonRecord, name: string, fallback: number): number {
  const value = record[name] ?? fallback;
  if (typeof value !== 'number' || !(Math.abs(value) <= CONTOUR_FILE_LIMITS.coordinateMm)) {
    throw damage('a number in it cannot be read');
  }
  return value;
}

function readPath(display: JsonRecord): Contour[] {
  if (typeof display.dPath !== 'string') throw damage('a path has no outline');
  const scale = isRecord(display.scale) ? display.scale : {};
  const matrix = {
    a: numberOf(scale, 'x', 1),
    b: 0,
    c: 0,
    d: numberOf(scale, 'y', 1),
    e: numberOf(display, 'graphicX', 0),
    f: numberOf(display, 'graphicY', 0),
  };
  const plain = readPlainContours(display.dPath, matrix);
  if (plain) return plain;
  const contours = readPathData(display.dPath);
  if (!contours) throw damage('an outline cannot be read');
  return transformContours(contours, matrix);
}
