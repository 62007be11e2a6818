/** A print area with a shape of its own, from the product to files, pictures and findings. */
import { Resvg } from '@resvg/resvg-js';
import { describe, expect, it } from 'vitest';
import type { Artwork } from '../artwork/artwork.ts';
import { applyCommand, type Command } from '../document/commands.ts';
import type { Composition, MachineMode } from '../document/composition.ts';
import { emptyComposition } from '../document/initial.ts';
import type { AreaShape } from '../document/printArea.ts';
import { measureFilled } from '../geometry/filledArea.ts';
import { type Contour, flatten } from '../geometry/pathData.ts';
import { reviewRequest } from '../preflight/cutChecks.ts';
import { preflight } from '../preflight/preflight.ts';
import { reviewJob } from '../preflight/reviewJob.ts';
import { renderScene } from '../render/render.ts';
import { productArea } from '../resolve/productArea.ts';
import { resolveScene } from '../resolve/resolve.ts';
import type { Assets, Scene } from '../resolve/scene.ts';
import { onlyArtwork, testProduct } from '../resolve/testProduct.ts';
import { writeSvg } from '../svg/svg.ts';
import { buildJob } from './buildJob.ts';
import type { Job } from './job.ts';
import { addUnderbase } from './underbase.ts';

// 40 x 40 mm in the middle of a picture of 80 x 80 mm.
const blank = {
  pictureAspect: 1,
  printArea: { x: 0.25, y: 0.25, width: 0.5, height: 0.5 },
  printWidthInches: 40 / 25.4,
  printHeightInches: 40 / 25.4,
};
const paint = { stroke: undefined, strokeWidth: 0, opacity: 1 };
const square: Artwork = {
  width: 100,
  height: 100,
  shapes: [{ ...paint, d: 'M0 0L100 0L100 100L0 100Z', fill: '#000000' }],
};
const cutSquare: Artwork = {
  width: 100,
  height: 100,
  shapes: [{ d: 'M0 0L100 0L100 100L0 100Z', fill: undefined, stroke: '#ff0000', strokeWidth: 1, opacity: 1 }],
};
const logo = { kind: 'rectangle', x: 0.6, y: 0.4, width: 0.2, height: 0.2, reason: 'logo' } as const;
const circle: AreaShape = { kind: 'circle' };

interface Options {
  readonly shape?: AreaShape;
  readonly artwork?: Artwork;
  /** In percent of the print area. */
  readonly size?: number;
  readonly machine?: MachineMode;
  readonly commands?: readonly Command[];
}

function compose({ shape, artwork = square, size = 100, machine = 'laser', commands = [] }: Options) {
  const composition: Composition = [
    { type: 'setMachine', machine } as const,
    { type: 'placeDesign', id: 'design', designId: 'd', filename: 'a.svg', aspect: 1 } as const,
    { type: 'updateDesign', id: 'design', changes: { size } } as const,
    ...commands,
  ].reduce(applyCommand, emptyComposition);
  const area = productArea({ ...blank, printArea: { ...blank.printArea, shape } });
  const assets: Assets = {
    product: { ...testProduct, ...blank, ...(area && { area }) },
    artworks: onlyArtwork(artwork),
    fonts: { outline: () => undefined },
  };
  return { composition, assets, scene: resolveScene(composition, assets) };
}

const sceneOf = (options: Options): Scene => compose(options).scene;

const contoursOf = ({ plates }: Job): Contour[] =>
  plates.flatMap((plate) =>
    plate.kind === 'color'
      ? plate.groups.flatMap(({ shapes }) => shapes.flatMap(({ contours }) => contours))
      : plate.outlines.flatMap(({ contours }) => contours),
  );
const areaOf = (job: Job) => measureFilled(contoursOf(job));
const pointsOf = (job: Job) =>
  contoursOf(job).flatMap((contour) => {
    const line = flatten(contour, 0.001);
    return Array.from({ length: line.length / 2 }, (_, i) => ({ x: line[2 * i]!, y: line[2 * i + 1]! }));
  });

describe('a production job', () => {
  it.each(['laser', 'uv', 'sublimation', 'dtf'] as const)('ends at the circle of its print area (%s)', (machine) => {
    const job = buildJob(sceneOf({ shape: circle, machine }));
    expect(areaOf(job) / (Math.PI * 400)).toBeCloseTo(1, 3);
    const farthest = Math.max(...pointsOf(job).map(({ x, y }) => Math.hypot(x - 20, y - 20)));
    expect(farthest).toBeGreaterThan(19.99);
    expect(farthest).toBeLessThan(20.011);
    expect([job.widthMm, job.heightMm]).toEqual([expect.closeTo(40, 9), expect.closeTo(40, 9)]);
  });

  it.each(['laser', 'uv'] as const)('is the same to the byte where all marks are inside (%s)', (machine) => {
    const options = { machine, size: 50 };
    const { area, ...job } = buildJob(
      sceneOf({ ...options, shape: { ...circle, keepOuts: [{ ...logo, x: 0.9, width: 0.05 }] } }),
    );
    expect(area).toHaveLength(2);
    expect(JSON.stringify(job)).toBe(JSON.stringify(buildJob(sceneOf(options))));
  });

  it('leaves free what is kept free, mirrored with the print', () => {
    const shape: AreaShape = { kind: 'rectangle', keepOuts: [logo] };
    const isInLogo = (from: number, to: number) => (point: { x: number; y: number }) =>
      point.x > from + 0.01 && point.x < to - 0.01 && point.y > 16.01 && point.y < 23.99;
    const straight = buildJob(sceneOf({ shape, machine: 'uv' }));
    expect(areaOf(straight)).toBeCloseTo(1600 - 64, 3);
    expect(pointsOf(straight).some(({ x, y }) => Math.hypot(x - 24, y - 16) < 0.001)).toBe(true);
    const print = buildJob(sceneOf({ shape, machine: 'sublimation' }));
    expect(areaOf(print)).toBeCloseTo(1600 - 64, 3);
    expect(pointsOf(print).some(({ x, y }) => Math.hypot(x - 16, y - 16) < 0.001)).toBe(true);
    expect(pointsOf(print).filter(isInLogo(8, 16))).toEqual([]);
  });

  it('says which cuts the edge opens, and takes their ends at it for no fault', () => {
    const { findings, plates } = buildJob(sceneOf({ shape: circle, artwork: cutSquare, size: 85 }));
    expect(findings.map(({ kind }) => kind)).toEqual(['clippedCut']);
    const cuts = plates.flatMap((plate) => (plate.kind === 'cut' ? plate.outlines : []));
    expect(cuts).toHaveLength(4);
    expect(cuts.flatMap(({ contours }) => contours.map(({ isClosed }) => isClosed))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it('keeps the shape at its place on the blank when the machine area is another', () => {
    const whole = { x: 0, y: 0, width: 1, height: 1 };
    const wider: Command = {
      type: 'setMachineArea',
      area: whole,
      printArea: blank.printArea,
      pictureAspect: blank.pictureAspect,
    };
    const scene = sceneOf({ shape: circle, size: 200, commands: [wider] });
    const job = buildJob(scene);
    expect(job.widthMm).toBeCloseTo(80, 6);
    expect(areaOf(job) / (Math.PI * 400)).toBeCloseTo(1, 3);
    const middle = pointsOf(job).map(({ x, y }) => Math.hypot(x - 40, y - 40));
    expect(Math.max(...middle)).toBeLessThan(20.011);
    // The rectangle is limited by the machine area alone.
    expect(areaOf(buildJob(sceneOf({ size: 200, commands: [wider] })))).toBeGreaterThan(6000);
  });

  it('floods the circle alone with white', () => {
    const job = addUnderbase(buildJob(sceneOf({ shape: circle, machine: 'uv', size: 30 })), {
      mode: 'flood',
      chokeMm: 0.2,
    });
    const white = job.plates.flatMap((plate) => (plate.kind === 'white' ? plate.outlines : []));
    expect(measureFilled(white.flatMap(({ contours }) => contours)) / (Math.PI * 400)).toBeCloseTo(1, 3);
  });

  it.each([true, false])('burns the dots of a raster inside alone (gray: %s)', (isGray) => {
    const scene = sceneOf({ shape: { ...circle, keepOuts: [logo] } });
    const side = 400;
    const raster = {
      kind: 'raster',
      href: 'data:,',
      width: side,
      height: side,
      matrix: { a: 100 / side, b: 0, c: 0, d: 100 / side, e: 0, f: 0 },
      intervalMm: 0.1,
      opacity: 1,
      dotGain: undefined,
      file: { rows: new Uint8Array(isGray ? side * side : (side / 8) * side), isGray },
    } as const;
    const job = buildJob({ ...scene, groups: scene.groups.map((group) => ({ ...group, children: [raster] })) });
    const { rows } = job.rasters[0]!.file!;
    const isBare = (i: number) => (isGray ? rows[i] === 255 : (rows[i >> 3]! & (128 >> (i & 7))) !== 0);
    let wrong = 0;
    for (let i = 0; i < side * side; i++) {
      const [x, y] = [((i % side) + 0.5) / 10, (Math.floor(i / side) + 0.5) / 10];
      const isFree = x > 24 && x < 32 && y > 16 && y < 24;
      const fromEdge = Math.hypot(x - 20, y - 20) - 20;
      if (Math.abs(fromEdge) < 0.02) continue;
      if (isBare(i) !== (fromEdge >= 0 || isFree)) wrong++;
    }
    expect(wrong).toBe(0);
  });
});

describe('a picture', () => {
  it.each(['preview', 'mockup'] as const)('shows the marks inside of the shape alone (%s)', (kind) => {
    const scene = sceneOf({ shape: { ...circle, keepOuts: [logo] }, machine: 'uv' });
    const svg = writeSvg(renderScene(scene, { kind }));
    const { pixels, width } = new Resvg(svg, { background: '#ffffff', fitTo: { mode: 'width', value: 320 } }).render();
    /** Of the picture of 80 mm, whose print area starts at 20 mm. */
    const isMarked = (x: number, y: number) =>
      pixels[4 * (Math.round((y + 20) * 4) * width + Math.round((x + 20) * 4))]! < 128;
    expect([isMarked(20, 20), isMarked(20, 1), isMarked(39, 20), isMarked(22, 20)]).toEqual([true, true, true, true]);
    // A corner, the logo, and beyond the rectangle.
    expect([isMarked(2, 2), isMarked(38, 38), isMarked(28, 20), isMarked(-3, 20)]).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('preflight', () => {
  const check = (options: Options) => {
    const { composition, assets, scene } = compose(options);
    const review = reviewJob(structuredClone(reviewRequest(scene)));
    return preflight(composition, assets, scene, { featuresOf: () => undefined, review });
  };

  it('finds marks outside of a circle that are inside of its rectangle', () => {
    const [finding, ...others] = check({ shape: circle, size: 85 });
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ kind: 'outsideArea', severity: 'problem', title: 'Outside the print area' });
    // The four corners of the square.
    expect(finding!.places).toHaveLength(4);
    expect(check({ shape: circle, size: 70 })).toEqual([]);
    expect(check({ size: 85 })).toEqual([]);
  });

  it('names the part that stays free', () => {
    const shape: AreaShape = { kind: 'rectangle', keepOuts: [logo] };
    expect(check({ shape, size: 50 })).toMatchObject([{ kind: 'onFreePart', title: 'Lies on the maker’s logo' }]);
    expect(check({ shape, size: 15 })).toEqual([]);
  });
});
