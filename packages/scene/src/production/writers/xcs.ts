/**
 * Laser jobs as xTool Creative Space projects (`.xcs`). Experimental: the format is undocumented, and no file of ours
 * was opened in xTool's program yet. Sources: two public programs that read or write it (meerk40t, lbrn2xcs).
 */
import { type PathBounds, tightBounds } from '../../geometry/pathData.ts';
import { hashText } from '../../svg/hash.ts';
import { formatNumber } from '../../svg/svg.ts';
import type { Job, OutlinePlate } from '../job.ts';
import { laserPlates, loopsOf } from './segments.ts';
import { writeLoop } from './svgPresets.ts';

/** Returns the plates that a project holds. Guides are left out: the program burns also what is hidden. */
export const xcsPlates = (job: Job): readonly OutlinePlate[] =>
  laserPlates(job, 'xTool projects').filter(({ kind }) => kind !== 'guide');

/** Returns the color of a plate, which is the name of its layer. */
export const xcsLayer = ({ color }: OutlinePlate): string => color.toLowerCase();

/**
 * Writes a laser job as a project: one path for each outline, one layer for each plate in running order, y down. Power
 * and speed are the program's own, which the operator sets. The same job always gives the same text. Throws
 * `FormatUnfit` for a job that is not a laser's. Cost: linear.
 */
export function writeXcs(job: Job): string {
  const plates = xcsPlates(job);
  const seed = `${job.widthMm} ${job.heightMm} ${plates.map(({ id }) => id).join(' ')}`;
  const canvasId = makeId(seed, 0);
  let count = 0;
  const displays = plates.flatMap((plate) =>
    plate.outlines.flatMap((outline) => {
      const box = tightBounds(outline.contours);
      const place = { x: round(box.minX), y: round(box.minY) };
      // Loops are rounded in place, and moved afterward by whole microns: neighbors keep touching.
      const loops = loopsOf(outline, DECIMALS);
      if (loops.length === 0) return [];
      const d = loops.map((loop) => writeLoop(loop, -place.x, -place.y)).join('');
      return [writeDisplay(plate, d, { ...place, ...sizeOf(box) }, { id: makeId(seed, ++count), order: count })];
    }),
  );
  const layers = plates.map((plate, i) => [xcsLayer(plate), { name: plate.id, order: i + 1, visible: true }] as const);
  return JSON.stringify({
    canvasId,
    canvas: [{ id: canvasId, title: 'Markwright', layerData: Object.fromEntries(layers), groupData: {}, displays }],
    extId: '',
    extName: '',
    version: '1.3.6',
    device: { id: '', power: [], data: { dataType: 'Map', value: [] }, materialList: [], materialTypeList: [] },
  });
}

const DECIMALS = 3;
const round = (value: number) => Number(formatNumber(value, DECIMALS));
const sizeOf = ({ minX, minY, maxX, maxY }: PathBounds) => ({ width: round(maxX - minX), height: round(maxY - minY) });

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function writeDisplay(plate: OutlinePlate, dPath: string, box: Box, { id, order }: { id: string; order: number }) {
  const isFill = plate.kind === 'engrave';
  const hex = xcsLayer(plate);
  const color = Number.parseInt(hex.slice(1), 16);
  const paint = { paintType: 'color', color, alpha: 1 };
  return {
    id,
    name: null,
    type: 'PATH',
    x: box.x,
    y: box.y,
    angle: 0,
    scale: { x: 1, y: 1 },
    skew: { x: 0, y: 0 },
    pivot: { x: 0, y: 0 },
    localSkew: { x: 0, y: 0 },
    offsetX: box.x,
    offsetY: box.y,
    lockRatio: true,
    isClosePath: plate.outlines.every(({ contours }) => contours.every(({ isClosed }) => isClosed)),
    zOrder: order,
    sourceId: '',
    groupTag: '',
    layerTag: hex,
    layerColor: hex,
    visible: true,
    originColor: hex,
    enableTransform: true,
    visibleState: true,
    lockState: false,
    resourceOrigin: '',
    customData: {},
    rootComponentId: '',
    minCanvasVersion: '0.0.0',
    fill: { ...paint, visible: isFill },
    stroke: { ...paint, visible: !isFill, width: 0.1, cap: 'butt', join: 'miter', miterLimit: 4, alignment: 0.5 },
    width: box.width,
    height: box.height,
    isFill,
    lineColor: color,
    fillColor: hex,
    graphicX: box.x,
    graphicY: box.y,
    isCompoundPath: true,
    fillRule: 'evenodd',
    points: [],
    dPath,
  };
}

/** Returns an id of the form that the program uses (a UUID), made of a text and a number. */
function makeId(seed: string, index: number): string {
  const digits = [0, 1, 2, 3].map((part) =>
    Number.parseInt(hashText(`${seed} ${index} ${part}`), 36)
      .toString(16)
      .padStart(8, '0'),
  );
  const hex = digits.join('');
  const groups = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20)];
  return groups.join('-');
}
