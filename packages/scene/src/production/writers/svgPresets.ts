/** Laser jobs as SVG, in the dialects of the programs and drivers that read it. */
import { formatNumber, type SvgNode, svgNode, writeSvg } from '../../svg/svg.ts';
import type { Job, JobOutline, OutlinePlate } from '../job.ts';
import { drawJob } from './jobSvg.ts';
import { laserPlates, loopsOf, type SegmentLoop } from './segments.ts';

export type SvgPreset = 'lightburn' | 'glowforge' | 'xtool' | 'hairline' | 'cricut';

interface PresetRules {
  readonly strokeMm: number;
  /** One path for each plate, because the program makes an object, or a step, of every path. */
  readonly isCompound: boolean;
  readonly colorOf: (plate: OutlinePlate, engraveIndex: number) => string;
}

const operationColors = { score: '#0000FF', cut: '#FF0000' } as const;

/**
 * Glowforge runs its steps in the order of their colors' values. So engraved tones are dark blues below the blue of
 * scores, which are below the red of cuts.
 */
function risingColor({ kind, color }: OutlinePlate, engraveIndex: number): string {
  if (kind === 'score' || kind === 'cut') return operationColors[kind];
  if (kind !== 'engrave') return color;
  const blue = Math.min(0xf0, engraveIndex * 0x30);
  return `#0000${blue.toString(16).padStart(2, '0').toUpperCase()}`;
}

/** Epilog's driver maps six pure colors. The first engraved tone stays black, which is engraved by its darkness. */
function driverColor({ kind, color }: OutlinePlate): string {
  return kind === 'score' || kind === 'cut' ? operationColors[kind] : color;
}

const presets: Readonly<Record<Exclude<SvgPreset, 'lightburn'>, PresetRules>> = {
  glowforge: { strokeMm: 0.1, isCompound: true, colorOf: risingColor },
  xtool: { strokeMm: 0.1, isCompound: true, colorOf: risingColor },
  // A driver cuts a line of up to 0.025 mm (0.001 in), and engraves a wider one.
  hairline: { strokeMm: 0.025, isCompound: false, colorOf: driverColor },
  cricut: { strokeMm: 0.1, isCompound: true, colorOf: ({ color }) => color },
};

export const svgPresets = ['lightburn', ...Object.keys(presets)] as readonly SvgPreset[];

/** Returns the plates that a preset holds, with the color and layer name that each has in the file. */
export function svgPlates(job: Job, preset: SvgPreset): { plate: OutlinePlate; color: string; layer: string }[] {
  if (preset === 'lightburn') {
    const plates = job.machine === 'laser' ? laserPlates(job, 'SVG files') : paintLayers(job);
    return plates.map((plate) => ({ plate, color: plate.color, layer: layerName(plate, plate.color) }));
  }
  let engraveCount = 0;
  return laserPlates(job, 'Files for laser programs')
    .filter(({ kind }) => kind !== 'guide')
    .map((plate) => {
      const color = presets[preset].colorOf(plate, plate.kind === 'engrave' ? engraveCount++ : 0);
      return { plate, color, layer: layerName(plate, color) };
    });
}

const isFilled = ({ kind }: OutlinePlate): boolean => kind === 'engrave' || kind === 'white' || kind === 'gloss';

const layerName = (plate: OutlinePlate, color: string) => `${color.toLowerCase()} ${isFilled(plate) ? 'fill' : 'line'}`;

/** Returns a printed job as plates of one paint each, as a reader of the file tells them apart. */
function paintLayers({ plates }: Job): OutlinePlate[] {
  const layers = new Map<string, { id: string; kind: OutlinePlate['kind']; color: string; outlines: JobOutline[] }>();
  const add = (kind: OutlinePlate['kind'], color: string, outline: JobOutline) => {
    const id = `${color} ${kind}`;
    const layer = layers.get(id) ?? { id, kind, color, outlines: [] };
    layer.outlines.push(outline);
    layers.set(id, layer);
  };
  for (const plate of plates) {
    if (plate.kind !== 'color') {
      for (const outline of plate.outlines)
        add(isFilled(plate) ? 'engrave' : 'cut', plate.color.toLowerCase(), outline);
      continue;
    }
    for (const { elementId, shapes } of plate.groups) {
      for (const { contours, fill, gradient, stroke } of shapes) {
        const color = stroke ?? (gradient ? 'gradient' : fill);
        if (color) add(fill ? 'engrave' : 'cut', color.toLowerCase(), { elementId, contours });
      }
    }
  }
  return [...layers.values()];
}

/**
 * Writes a job as SVG at true size: one group for each plate in running order, no transforms, styles, references or
 * texts. Coordinates are microns. `lightburn` is the specified file, and the only one for printed jobs; it alone has
 * guides, because in other programs a guide would be cut. Throws `FormatUnfit` for a printed job in another preset.
 * Cost: linear.
 */
export function writeSvgPreset(job: Job, preset: SvgPreset): string {
  if (preset === 'lightburn') return writeSvg(drawJob(job));
  const { isCompound, strokeMm } = presets[preset];
  const groups = svgPlates(job, preset).map(({ plate, color }) => {
    const look = isFilled(plate)
      ? { fill: color, 'fill-rule': 'evenodd', stroke: 'none' }
      : { fill: 'none', stroke: color, 'stroke-width': strokeMm };
    const outlines = plate.outlines.map(pathData).filter((d) => d !== '');
    const paths = isCompound ? [outlines.join('')] : outlines;
    return svgNode(
      'g',
      { id: plate.id },
      paths.map((d): SvgNode => svgNode('path', { d, ...look })),
    );
  });
  const [width, height] = [formatNumber(job.widthMm, 4), formatNumber(job.heightMm, 4)];
  const frame = { width: `${width}mm`, height: `${height}mm`, viewBox: `0 0 ${width} ${height}` };
  return writeSvg(svgNode('svg', frame, groups));
}

const DECIMALS = 3;

/** Writes an outline as path data in `M L C Z`. */
const pathData = (outline: JobOutline): string =>
  loopsOf(outline, DECIMALS)
    .map((loop) => writeLoop(loop))
    .join('');

/** Writes a loop as path data, moved by `dx`, `dy`. */
export function writeLoop({ x, y, segments, isClosed }: SegmentLoop, dx = 0, dy = 0): string {
  const number = (value: number, i: number) => formatNumber(value + (i % 2 === 0 ? dx : dy), DECIMALS);
  const parts = [`M${number(x, 0)} ${number(y, 1)}`];
  segments.forEach((segment, i) => {
    // Z draws the last line of a closed loop.
    if (isClosed && i === segments.length - 1 && segment.length === 2) return;
    parts.push((segment.length === 2 ? 'L' : 'C') + segment.map(number).join(' '));
  });
  if (isClosed) parts.push('Z');
  return parts.join('');
}
