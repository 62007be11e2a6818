/**
 * Changes every control of a trace beside every machine, color mode and draw style, and compares the production files:
 * a control that is shown changes the file of some picture, and one that is hidden changes none.
 */
import {
  hasEffect,
  type TraceControl,
  toHalftoneTrace,
  toPictureChanges,
  toScreenSettings,
  toVectorizerOptions,
  VectorizeSettings,
} from '@markwright/contract';
import { applyCommand, emptyComposition, type MachineMode } from '@markwright/scene';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { isStress, sampleOf } from '../../test/campaign.ts';
import { draw } from './draw.ts';
import { trace } from './trace.ts';

const WIDTH = 150;
const HEIGHT = 100;
/** Few pixels, as there are many traces. */
const WIDTH_PX = 120;
const svg = (body: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}">${body}</svg>`;
const ground = (color: string) => `<rect width="${WIDTH}" height="${HEIGHT}" fill="${color}"/>`;
const ramp = (from: string, to: string) =>
  `<linearGradient id="g"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`;

const pictures: Readonly<Record<string, string>> = {
  colors: `${ground('#e8f0d8')}<circle cx="105" cy="36" r="26" fill="#123a6b"/><circle cx="105" cy="36" r="12"
    fill="#e8f0d8"/><path d="M60 20l22 14-16 26z" fill="#2f7d4f"/><path d="M10 90Q50 50 70 90T140 80" fill="none"
    stroke="#222" stroke-width="5"/><circle cx="20" cy="20" r="1.6" fill="#111"/><circle cx="134" cy="88" r="7"
    fill="#123a6b"/>`,
  light: `${ground('#16202e')}<circle cx="75" cy="50" r="36" fill="#fff"/><circle cx="75" cy="50" r="15"
    fill="#16202e"/><path d="M8 8l24 6-11 15z" fill="#f2c14e"/>`,
  lines: `${ground('#f4e3c1')}<path d="M10 80Q40 10 75 60T140 20M20 20H60V40" fill="none" stroke="#101418"
    stroke-width="4"/><rect x="100" y="60" width="34" height="30" fill="#777"/><rect x="110" y="68" width="12"
    height="12" fill="#101418"/>`,
  pen: `${ground('#fff')}<path d="M12 84Q40 4 78 62T138 18M16 20H60V44M90 84A20 20 0 0 1 130 84" fill="none"
    stroke="#101418" stroke-width="3"/>`,
  star: `${ground('#fff')}<path d="M75.3 8l11.2 28.4 30.5 1.9-23.6 19.4 7.7 29.6-25.8-16.4-25.8 16.4 7.7-29.6-23.6-19.4
    30.5-1.9z" transform="rotate(11 75 50)" fill="#3a2c5c"/>`,
  ramp: `<defs>${ramp('#fff6c8', '#20242c')}</defs>${ground('#fff')}<rect x="8" y="8" width="134" height="84"
    fill="url(#g)"/>`,
};

/** The values that each control is tried with, beside its default. */
const values: { readonly [control in TraceControl]: readonly VectorizeSettings[control][] } = {
  quality: ['low', 'high'],
  colorMode: ['stainless', 'grayscale', 'color', 'black'],
  brightness: [-40, 40],
  contrast: [60],
  threshold: [20, 75],
  light: ['out', 'automatic'],
  regular: [true],
  paletteSize: [2],
  palette: [], // a color of the trace
  despeckle: [10],
  cutout: [true],
  simplify: [0, 100],
  drawStyle: ['fill_shapes', 'stroke_shapes', 'stroke_edges', 'centerline'],
  shapeStacking: ['cutouts', 'stacked'],
  groupBy: ['shape'],
  gradients: [false],
  laserMode: ['detailed', 'outline'],
  widthMm: [60],
  pitchMm: [2],
  angleDeg: [70],
  beamMm: [0.25],
  gapMm: [0.4],
  course: ['rings', 'straight'],
  dots: ['diamond'],
  invert: [true],
};
const controls = Object.keys(values) as TraceControl[];

type Kind = Pick<VectorizeSettings, 'colorMode' | 'drawStyle' | 'laserMode' | 'course' | 'widthMm'> & {
  readonly machineType: MachineMode;
};

const drawStyles = ['fill_shapes', 'stroke_shapes', 'stroke_edges', 'centerline'] as const;
const kinds: readonly Kind[] = (['laser', 'uv'] as const).flatMap((machineType) => [
  ...(['black', 'grayscale', 'color'] as const).flatMap((colorMode) => [
    ...drawStyles.map((drawStyle) => ({ machineType, colorMode, drawStyle, laserMode: 'detailed' as const })),
    { machineType, colorMode, drawStyle: 'fill_shapes' as const, laserMode: 'outline' as const },
  ]),
  { machineType, colorMode: 'stainless', drawStyle: 'fill_shapes', laserMode: 'detailed' },
]);
/** Small ones, of few outlines. */
const halftones: readonly Kind[] = [
  { machineType: 'laser', colorMode: 'black', drawStyle: 'halftone_lines', laserMode: 'detailed' },
  { machineType: 'laser', colorMode: 'color', drawStyle: 'halftone_lines', laserMode: 'detailed', course: 'rings' },
  { machineType: 'laser', colorMode: 'black', drawStyle: 'halftone_lines', laserMode: 'outline' },
  { machineType: 'uv', colorMode: 'color', drawStyle: 'halftone_dots', laserMode: 'detailed' },
  { machineType: 'laser', colorMode: 'grayscale', drawStyle: 'hatch', laserMode: 'detailed' },
  { machineType: 'laser', colorMode: 'stainless', drawStyle: 'stipple', laserMode: 'detailed' },
].map((kind) => ({ ...kind, widthMm: 20 }) as Kind);

const pngs = new Map<string, Promise<Buffer>>();
const pngOf = (name: string) => {
  const png =
    pngs.get(name) ??
    sharp(Buffer.from(svg(pictures[name]!)))
      .resize(WIDTH_PX)
      .png()
      .toBuffer();
  pngs.set(name, png);
  return png;
};

/** Traces, or refusals, by what went into them: settings that mean the same are traced once. */
const traces = new Map<string, Promise<string>>();
/** Production files by machine and trace: settings that change nothing are drawn once. */
const files = new Map<string, Promise<string>>();

/** Returns the value at a key, and makes it before when it is not there. */
function once<T>(map: Map<string, T>, key: string, make: () => T): T {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}

/** Returns the production file of a picture, or for a screen its trace; a refusal where nothing is left of it. */
async function make(name: string, settings: VectorizeSettings, isForScreen: boolean): Promise<string> {
  const options = toVectorizerOptions(isForScreen ? toScreenSettings(settings) : { ...settings, quality: 'high' });
  const changes = toPictureChanges(settings);
  const halftone = toHalftoneTrace(settings);
  const svg = await once(traces, JSON.stringify([name, options, changes, halftone]), async () => {
    const input = { picture: { png: await pngOf(name) }, options, changes, halftone };
    return trace(input, () => undefined).then(
      (output) => output.svg,
      ({ message }: Error) => message,
    );
  });
  const machine = settings.machineType!;
  if (isForScreen || !svg.startsWith('<svg')) return svg;
  return once(files, `${machine} ${svg}`, () => drawFile(machine, svg));
}

async function drawFile(machine: MachineMode, svg: string): Promise<string> {
  const place = {
    type: 'placeDesign',
    id: 'design',
    designId: 'd',
    filename: 'a.png',
    aspect: WIDTH / HEIGHT,
  } as const;
  const composition = applyCommand({ ...emptyComposition, machine }, place);
  const file = await draw({
    composition,
    product: undefined,
    artworks: [{ id: 'design', picture: { svg } }],
    target: { kind: 'production' },
    sidePx: undefined,
  });
  return 'svg' in file ? file.svg : '';
}

/** Returns true when a control changes the result of some picture. */
async function changesSomething(control: TraceControl, kind: Kind): Promise<boolean> {
  const base = { ...kind, shapeStacking: kind.machineType === 'laser' ? 'cutouts' : 'stacked' } as const;
  // The quality is that of the screen: every file has the finest. A halftone's file holds its very outlines.
  const isForScreen = control === 'quality' || toHalftoneTrace(VectorizeSettings.parse(base)) !== undefined;
  for (const name of Object.keys(pictures)) {
    const before = await make(name, VectorizeSettings.parse(base), isForScreen);
    const color = /="(#[0-9a-f]{6})"/.exec(await make(name, VectorizeSettings.parse(base), true))?.[1];
    const valuesToTry = control === 'palette' && color ? [[{ color, paint: '#ff00ff' }]] : values[control];
    for (const value of valuesToTry) {
      const settings = VectorizeSettings.parse({ ...base, [control]: value });
      if ((await make(name, settings, isForScreen)) !== before) return true;
    }
  }
  return false;
}

/** Not all kinds without the stress tier, and of these a fourth in `npm test`. */
const sample = [
  ...kinds.filter(({ machineType }, i) => isStress || i % 8 === (machineType === 'laser' ? 2 : 7)),
  ...halftones.filter((_, i) => isStress || i % 2 === 0),
];

describe.each(sampleOf(sample, 4))('$machineType, $colorMode, $drawStyle, $laserMode, $course', (kind) => {
  test('shows exactly the controls that have an effect', async () => {
    const effective: TraceControl[] = [];
    for (const control of controls) if (await changesSomething(control, kind)) effective.push(control);
    // Edges have no colors to choose from, though a color that was merged before has none.
    if (!hasEffect('cutout', kind) && effective.includes('palette')) effective.splice(effective.indexOf('palette'), 1);
    expect(effective).toEqual(controls.filter((control) => hasEffect(control, kind)));
  });
});

test('a palette past 64 colors reaches the engine', { tags: ['detail'] }, async () => {
  const [columns, rows, side] = [12, 10, 16];
  const cells = Array.from({ length: columns * rows }, (_, i) => {
    const [column, row] = [i % columns, Math.floor(i / columns)];
    const color = `rgb(${10 + column * 21} ${10 + row * 25} ${((column * 7 + row * 13) % 12) * 21})`;
    return `<rect x="${column * side}" y="${row * side}" width="${side}" height="${side}" fill="${color}"/>`;
  });
  const size = `width="${columns * side}" height="${rows * side}"`;
  const png = await sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${size} shape-rendering="crispEdges">${cells.join('')}</svg>`),
  )
    .png()
    .toBuffer();
  const countColors = async (paletteSize: number) => {
    const settings = VectorizeSettings.parse({ colorMode: 'color', paletteSize });
    const output = await trace(
      { picture: { png }, options: toVectorizerOptions(settings), changes: undefined },
      () => undefined,
    );
    return new Set(output.svg.match(/fill="#[0-9a-f]{6}"/g)).size;
  };
  expect(await countColors(64)).toBe(64);
  expect(await countColors(100)).toBe(100);
  expect(await countColors(256)).toBe(columns * rows);
});
