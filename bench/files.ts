/**
 * Makes machines' files of random compositions, and reads every one by programs that are not the product's: DXF by
 * ezdxf, PLT by hp2xx, SVG by Inkscape, and all but PLT by parsers of their own (`readFiles.py`, with shapely, which
 * also looks for open, crossing and double cuts, short segments and small islands). Prints what they found against
 * the bars of the file reference, and which programs are missing. `inkFiles.ts` does the same for the files of
 * printers. Debian has them all: inkscape, hp2xx, python3-ezdxf, python3-shapely. Then `fileTimes.ts`
 * measures 20,000 nodes. The compositions are made, read and forgotten in slices, so that memory and disk do not grow.
 *
 * Run: npm run bench:files [-- --count 1000 --seed 1 --ink 50 --inkscape 10 --slice 50 --formats plt,dxf]. The seed is
 * printed; it repeats a run. The progress goes to stderr.
 */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { buildJob, type Job, type OutlinePlate } from '@markwright/scene';
import {
  checkOutlineFile,
  type OutlineFormat,
  outlineFormats,
  type SvgPreset,
  svgPresets,
  writeOutlineFile,
} from '@markwright/scene/production';
import sharp from 'sharp';
import { lengthOf, signedArea } from '../packages/scene/src/geometry/measure.ts';
import { type Contour, flatten, tightBounds } from '../packages/scene/src/geometry/pathData.ts';
import { bundleBench, WORKER_ARGS } from './bundle.ts';
import { compositionJob, compositionScene } from './fileCompositions.ts';
import { measureInkFiles } from './inkFiles.ts';
import { compareWithMockup } from './mockupPixels.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    ink: { type: 'string', default: '50' },
    inkscape: { type: 'string', default: '10' },
    slice: { type: 'string', default: '50' },
    formats: { type: 'string', default: outlineFormats.join() },
  },
});
const BAR = {
  sizeMm: 0.01,
  areaShare: 0.001,
  areaMm2: 0.05,
  deviationMm: 0.01,
  seconds: 1,
  megabytes: 300,
};
/**
 * The bars of PLT follow from its grid, as do the tolerances of its read-back (decision 53): its units are 0.025 mm,
 * so a point goes aside by up to half a unit in x and in y, and a line leaves its curve by 0.003 mm before that. A line
 * that lies half a unit aside along all of its length takes in so much more area: no writer of whole units can promise
 * less. The table says beside it how that compares with the bar of the other formats.
 */
const HALF_UNIT_MM = 0.0125;
const PLOTTER_LINE_MM = 0.003;
const PLOTTER_BAR = {
  sizeMm: HALF_UNIT_MM + PLOTTER_LINE_MM,
  deviationMm: HALF_UNIT_MM * Math.SQRT2 + PLOTTER_LINE_MM,
  areaMm2PerMm: HALF_UNIT_MM,
};
/** Every file's outlines are compared by box and area, and those of every so many by distance, too. */
const DEVIATION_STEP = 10;
const runFile = promisify(execFile);
const here = fileURLToPath(new URL('.', import.meta.url));

interface Kind {
  readonly name: string;
  readonly format: OutlineFormat;
  readonly preset?: SvgPreset;
}
const allKinds: readonly Kind[] = [
  ...svgPresets.map((preset): Kind => ({ name: `svg ${preset}`, format: 'svg', preset })),
  ...outlineFormats.filter((format) => format !== 'svg').map((format): Kind => ({ name: format, format })),
];
const kinds = allKinds.filter(({ format }) => values.formats.split(',').includes(format));

/** What is compared of a contour. Boxes are minX, minY, maxX, maxY, mm. */
interface Measures {
  readonly closed: boolean;
  readonly area: number;
  /** Of a contour of the job; a reading has none. */
  readonly length?: number;
  readonly box: readonly number[];
}
interface Reading {
  readonly name: string;
  readonly failure?: string;
  readonly size?: readonly [number, number] | null;
  readonly layers?: readonly { readonly id: string; readonly contours: readonly Measures[] }[];
  readonly errors?: number;
  readonly fixes?: number;
  readonly deviation?: number | null;
  readonly faults?: Faults;
}
/**
 * Faults in the lines of a file: cuts that are open, cross or run twice (mm) without a finding, `named` ones that have
 * a finding, segments and islands that are too small, and outer cuts before inner ones.
 */
interface Faults {
  readonly open: number;
  readonly crossing: number;
  readonly doubleMm: number;
  readonly short: number;
  readonly islands: number;
  readonly outerFirst: number;
  readonly named: number;
}

async function run(count: number, seed: number, sliceSize: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'files-'));
  try {
    const python = findPython();
    console.log(`${count} random compositions, seed ${seed}.`);
    const totals = createTotals();
    const start = process.cpuUsage();
    let reading = Promise.resolve();
    for (let done = 0; done < count; ) {
      const jobs = Array.from({ length: Math.min(sliceSize, count - done) }, (_, i) => compositionJob(seed + done + i));
      if (done === 0) {
        const drawings = Math.min(Number(values.inkscape), count);
        await compareWithInkscape(jobs.slice(0, drawings), folder);
        await comparePictures(drawings, seed, folder);
      }
      // The next compositions are made while the readers are at work.
      const isReady = reading;
      ({ done: reading } = await addSlice(totals, jobs, mkdtempSync(join(folder, 'slice-')), {
        python,
        isReady,
        seed: seed + done,
      }));
      done += jobs.length;
      const seconds = secondsOf(process.cpuUsage(start)) / done;
      const megabytes = process.memoryUsage().rss / 2 ** 20;
      console.error(`${done} of ${count}: ${seconds.toFixed(2)} s CPU each, ${megabytes.toFixed(0)} MB`);
    }
    await reading;
    const { user, system } = process.cpuUsage(start);
    printTotals(totals, secondsOf({ user, system }) / count);
    await measureInkFiles(Number(values.ink), seed);
    await measureAll();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const secondsOf = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1e6;

/** The sums over the slices that are done. */
interface Totals {
  contours: number;
  readonly findings: Map<string, number>;
  readonly ownDifferences: Map<string, number>;
  readonly rows: ReadonlyMap<string, Row>;
  readonly failures: string[];
  /** Files in which something is wrong that is counted: the seed of the composition, and what. */
  readonly faulty: string[];
}

const createTotals = (): Totals => ({
  contours: 0,
  findings: new Map(),
  ownDifferences: new Map(),
  rows: new Map(kinds.map(({ name }) => [name, createRow()])),
  failures: [],
  faulty: [],
});

interface Readers {
  readonly python: string | undefined;
  /** Of the slice before. */
  readonly isReady: Promise<void>;
  /** Of the first composition. */
  readonly seed: number;
}

/** Writes the files of jobs; the promise in the result is settled when they are read, compared and deleted. */
async function addSlice(
  totals: Totals,
  jobs: readonly Job[],
  folder: string,
  { python, isReady, seed }: Readers,
): Promise<{ done: Promise<void> }> {
  totals.contours += jobs.reduce((sum, job) => sum + contoursOf(job, true).flat().length, 0);
  for (const { kind, count } of jobs.flatMap((job) => job.findings)) {
    totals.findings.set(kind, (totals.findings.get(kind) ?? 0) + count);
  }
  for (const [name, count] of writeAll(jobs, folder)) {
    totals.ownDifferences.set(name, (totals.ownDifferences.get(name) ?? 0) + count);
  }
  await isReady;
  return { done: compareFiles(totals, jobs, folder, python, seed) };
}

async function compareFiles(
  totals: Totals,
  jobs: readonly Job[],
  folder: string,
  python: string | undefined,
  seed: number,
): Promise<void> {
  const readings = python ? await read(python, folder) : new Map<string, Reading>();
  rmSync(folder, { recursive: true });
  for (const kind of kinds) {
    const row = totals.rows.get(kind.name)!;
    for (const [i, job] of jobs.entries()) {
      const reading = readings.get(fileName(i, kind));
      if (!reading) continue;
      row.files++;
      if (reading.layers) {
        const before = countsOf(row);
        compare(job, kind, reading, row);
        const counts = countsOf(row).flatMap(([name, count], k) =>
          count > before[k]![1] + 1e-6 ? [`${name} ${+(count - before[k]![1]).toFixed(4)}`] : [],
        );
        if (counts.length > 0) totals.faulty.push(`${kind.name} of seed ${seed + i}: ${counts.join(', ')}`);
      } else {
        row.failures++;
        totals.failures.push(`${reading.name}: ${reading.failure}`);
      }
    }
  }
}

/** Finds a Python that has the readers, and names the programs that are missing. */
function findPython(): string | undefined {
  const has = (program: string, ...args: string[]) => spawnSync(program, args, { stdio: 'ignore' }).status === 0;
  const python = ['/usr/bin/python3', 'python3'].find((name) => has(name, '-c', 'import ezdxf, shapely'));
  const missing = [
    ...(python ? [] : ['python3-ezdxf and python3-shapely']),
    ...(has('sh', '-c', 'command -v hp2xx') ? [] : ['hp2xx']),
    ...(has('sh', '-c', 'command -v inkscape') ? [] : ['inkscape']),
  ];
  console.log(missing.length > 0 ? `Missing readers: ${missing.join(', ')}.` : 'All readers are installed.');
  return python;
}

const fileName = (i: number, { format, preset }: Kind) =>
  `${String(i).padStart(5, '0')}${preset ? `-${preset}` : ''}.${format}`;

/** Writes every file, and returns how many own readers find different, by kind. */
function writeAll(jobs: readonly Job[], folder: string): Map<string, number> {
  const differences = new Map<string, number>();
  const frames: Record<string, object> = {};
  for (const [i, job] of jobs.entries()) {
    const findingPlaces: Record<string, number[][][]> = {};
    for (const { kind, places } of job.findings) {
      const corners = places.map((place) => place.map(({ x, y }) => [x, y]));
      findingPlaces[kind] = [...(findingPlaces[kind] ?? []), ...corners];
    }
    for (const kind of kinds) {
      const name = fileName(i, kind);
      const text = writeOutlineFile(job, kind.format, kind);
      writeFileSync(join(folder, name), text);
      const count = checkOutlineFile(new TextEncoder().encode(text), job, kind.format, kind).length;
      if (count > 0) differences.set(kind.name, (differences.get(kind.name) ?? 0) + 1);
      const lines = i % DEVIATION_STEP === 0 ? linesOf(job, kind) : undefined;
      frames[name] = {
        width: job.widthMm,
        height: job.heightMm,
        left: leftOf(job, kind),
        kinds: shownPlates(job, hasGuides(kind)).map((plate) => plate.kind),
        findingPlaces,
        ...(lines && { lines }),
      };
    }
  }
  writeFileSync(join(folder, 'frames.json'), JSON.stringify(frames));
  return differences;
}

/** Returns the contours of each plate that a kind of file holds, in running order. */
const platesOf = (job: Job, kind: Kind): Contour[][] => contoursOf(job, hasGuides(kind));
const hasGuides = ({ format, preset }: Kind) => preset === 'lightburn' || format === 'lbrn2' || format === 'dxf';

const shownPlates = ({ plates }: Job, withGuides: boolean): OutlinePlate[] =>
  plates.flatMap((plate) =>
    plate.kind === 'color' || (plate.kind === 'guide' && !withGuides) ? [] : [plate as OutlinePlate],
  );

const contoursOf = (job: Job, withGuides: boolean): Contour[][] =>
  shownPlates(job, withGuides).map(({ outlines }) =>
    outlines.flatMap(({ contours }) => contours.filter((contour) => lengthOf(contour) > 0.001)),
  );

/** Returns contours as fine lines, as the reader of the file sees them. */
function linesOf(job: Job, kind: Kind): number[][][] {
  const place = placeOf(job, kind);
  return platesOf(job, kind)
    .flat()
    .map((contour) => {
      const flat = flatten(contour, 0.0005);
      if (contour.isClosed) flat.push(flat[0]!, flat[1]!);
      return Array.from({ length: flat.length / 2 }, (_, i) => place(flat[2 * i]!, flat[2 * i + 1]!));
    });
}

/** hp2xx moves a drawing to the left edge of its sheet, whose y points up. */
function placeOf(job: Job, kind: Kind): (x: number, y: number) => number[] {
  if (kind.format !== 'plt') return (x, y) => [x, y];
  const left = leftOf(job, kind);
  return (x, y) => [x - left, job.heightMm - y];
}

/**
 * Returns the leftmost x of a plotter file, mm; 0 of all others. It is that of the file, not of the job: where an
 * extreme lies between two units, the job's may round to the other one, and all of the drawing would seem to be off by
 * a unit.
 */
function leftOf(job: Job, { format }: Kind): number {
  if (format !== 'plt') return 0;
  const numbers = [...writeOutlineFile(job, 'plt').matchAll(/(-?\d+),-?\d+/g)].map(([, x]) => Number(x));
  return numbers.reduce((least, x) => Math.min(least, x), Infinity) / 40;
}

function measure(contour: Contour, place: (x: number, y: number) => number[]): Measures {
  const { minX, minY, maxX, maxY } = tightBounds([contour]);
  const [[x0, y0], [x1, y1]] = [place(minX, minY), place(maxX, maxY)] as [[number, number], [number, number]];
  return {
    closed: contour.isClosed,
    area: contour.isClosed ? Math.abs(signedArea(contour)) : 0,
    length: lengthOf(contour),
    box: [x0, Math.min(y0, y1), x1, Math.max(y0, y1)],
  };
}

/** Returns what the readers find in the files of a folder. Throws an Error where they fail. */
async function read(python: string, folder: string): Promise<Map<string, Reading>> {
  const { stdout } = await runFile(python, [join(here, 'readFiles.py'), folder], { maxBuffer: 2 ** 30 });
  const readings = stdout.split('\n').filter(Boolean);
  return new Map(readings.map((line) => JSON.parse(line) as Reading).map((reading) => [reading.name, reading]));
}

interface Row {
  files: number;
  failures: number;
  sizeMm: number;
  /** The largest error of a layer's area, as a share of its bar, and of that of the other formats. */
  area: number;
  commonArea: number;
  areaMm2: number;
  deviationMm: number;
  /** Contours that are open in the file and not in the job, or the other way. */
  open: number;
  /** Contours too many or too few. */
  count: number;
  /** Contours that are not where the job's order has them. */
  order: number;
  audit: number;
  /** Layers whose area is over the bar of the other formats. */
  layers: number;
  layersOver: number;
  faults: Faults;
}

const createRow = (): Row => ({
  files: 0,
  failures: 0,
  sizeMm: 0,
  area: 0,
  commonArea: 0,
  areaMm2: 0,
  deviationMm: 0,
  open: 0,
  count: 0,
  order: 0,
  audit: 0,
  layers: 0,
  layersOver: 0,
  faults: { open: 0, crossing: 0, doubleMm: 0, short: 0, islands: 0, outerFirst: 0, named: 0 },
});

/** The plates of a laser in the order in which they run. */
const RUNNING_ORDER: readonly string[] = ['engrave', 'score', 'cut', 'guide'];

/** Returns the counts of a row, by name. Each has the bar 0. */
const countsOf = ({ open, count, order, audit, faults }: Row): [string, number][] => {
  const { named: _, ...unnamed } = faults;
  const { open: cutsOpen, ...others } = unnamed;
  return Object.entries({ open, count, order, audit, cutsOpen, ...others });
};

const addFaults = (a: Faults, b: Faults): Faults => ({
  open: a.open + b.open,
  crossing: a.crossing + b.crossing,
  doubleMm: a.doubleMm + b.doubleMm,
  short: a.short + b.short,
  islands: a.islands + b.islands,
  outerFirst: a.outerFirst + b.outerFirst,
  named: a.named + b.named,
});

function printTotals({ contours, findings, ownDifferences, rows, failures, faulty }: Totals, seconds: number): void {
  const list = [...findings].map(([kind, count]) => `${kind} ${count}`).join(', ') || 'none';
  console.log(`${contours} contours. Findings of the jobs: ${list}.`);
  console.log(`${seconds.toFixed(2)} s of processor time for each, with its nine files and our readers.`);
  console.log(
    `\nkind            files  fail  size mm  area mm2 (of bar)  deviation mm  open  count  order  audit  own readers`,
  );
  for (const kind of kinds) {
    const row = rows.get(kind.name)!;
    console.log(
      `${kind.name.padEnd(15)}${String(row.files).padStart(6)}${String(row.failures).padStart(6)}` +
        `${row.sizeMm.toFixed(4).padStart(9)}${`${row.areaMm2.toFixed(4)} (${(100 * row.area).toFixed(0)} %)`.padStart(19)}` +
        `${row.deviationMm.toFixed(4).padStart(14)}${String(row.open).padStart(6)}${String(row.count).padStart(7)}` +
        `${String(row.order).padStart(7)}${(kind.format === 'dxf' ? String(row.audit) : '-').padStart(7)}` +
        `${String(ownDifferences.get(kind.name) ?? 0).padStart(13)}`,
    );
  }
  console.log(
    '\nby shapely, in the files   cuts open  crossing  double mm  (named by findings)  segments < 0.02 mm  ' +
      'islands < 0.01 mm2  outer before inner',
  );
  for (const { name } of kinds) {
    const { open, crossing, doubleMm, short, islands, outerFirst, named } = rows.get(name)!.faults;
    console.log(
      `${name.padEnd(27)}${String(open).padStart(9)}${String(crossing).padStart(10)}` +
        `${doubleMm.toFixed(2).padStart(11)}${`(${named})`.padStart(21)}${String(short).padStart(20)}` +
        `${String(islands).padStart(20)}${String(outerFirst).padStart(20)}`,
    );
  }
  const { sizeMm, deviationMm, areaMm2PerMm } = PLOTTER_BAR;
  const plotter = rows.get('plt') ?? createRow();
  console.log(
    `bars: size ${BAR.sizeMm}, area ${100 * BAR.areaShare} % or ${BAR.areaMm2} mm2 of a layer, deviation ` +
      `${BAR.deviationMm}, the rest 0.\nPLT, whose grid is ${2 * HALF_UNIT_MM} mm: size ${sizeMm.toFixed(4)}, deviation ` +
      `${deviationMm.toFixed(4)}, area ${areaMm2PerMm} mm2 for each mm of line;\nits area is off by ` +
      `${(100 * plotter.commonArea).toFixed(0)} % of the bar of the other formats at most, which ${plotter.layersOver} of ` +
      `${plotter.layers} layers miss.`,
  );
  for (const failure of failures.slice(0, 5)) console.log(`  ${failure}`);
  for (const file of faulty.slice(0, 40)) console.log(`  ${file}`);
}

function compare(job: Job, kind: Kind, reading: Reading, row: Row): void {
  const place = placeOf(job, kind);
  const expected = platesOf(job, kind).map((contours) => contours.map((contour) => measure(contour, place)));
  const actual = reading.layers!.map(({ contours }) => contours);
  const note = (error: number) => {
    row.sizeMm = Math.max(row.sizeMm, error);
  };
  if (reading.size) {
    note(Math.abs(reading.size[0] - job.widthMm));
    note(Math.abs(reading.size[1] - job.heightMm));
  }
  row.audit += (reading.errors ?? 0) + (reading.fixes ?? 0);
  row.deviationMm = Math.max(row.deviationMm, reading.deviation ?? 0);
  row.faults = addFaults(row.faults, reading.faults!);
  const running = shownPlates(job, true).map((plate) => RUNNING_ORDER.indexOf(plate.kind));
  if (running.some((place, i) => i > 0 && place < running[i - 1]!)) row.order++;
  if (expected.length !== actual.length) row.order++;
  for (const [i, plan] of expected.entries()) {
    const layer = actual[i] ?? [];
    row.count += Math.abs(layer.length - plan.length);
    const area = (list: readonly Measures[]) => list.reduce((sum, contour) => sum + contour.area, 0);
    const error = Math.abs(area(layer) - area(plan));
    row.areaMm2 = Math.max(row.areaMm2, error);
    const bar = Math.max(BAR.areaMm2, area(plan) * BAR.areaShare);
    const length = plan.reduce((sum, contour) => sum + (contour.length ?? 0), 0);
    const ownBar = kind.format === 'plt' ? Math.max(bar, length * PLOTTER_BAR.areaMm2PerMm) : bar;
    row.area = Math.max(row.area, error / ownBar);
    row.commonArea = Math.max(row.commonArea, error / bar);
    row.layers++;
    if (error > bar) row.layersOver++;
    for (const [j, contour] of plan.entries()) {
      const other = layer[j];
      if (!other) continue;
      if (other.closed !== contour.closed) row.open++;
      const distance = Math.max(...contour.box.map((value, axis) => Math.abs(value - other.box[axis]!)));
      // A contour so far off is another one.
      if (distance > 0.1) row.order++;
      else note(distance);
    }
  }
}

/** Returns the path of Inkscape's picture of a job's SVG; undefined where it does not draw. */
function drawByInkscape(job: Job, dpi: number, path: string): string | undefined {
  // Of this preset, areas have their own tones and no stroke.
  writeFileSync(path, writeOutlineFile(job, 'svg', { preset: 'cricut' }));
  const png = path.replace('.svg', '.png');
  const { status } = spawnSync('inkscape', ['--export-type=png', `--export-dpi=${dpi}`, '-o', png, path], {
    stdio: 'ignore',
  });
  if (status === 0) return png;
  console.log('\nInkscape did not draw.');
  return undefined;
}

/** A bare frame has 1,000 px a side. */
const PICTURE_DPI = 254;

/** Compares Inkscape's picture of a laser's file with that of the mockup, which has no finish on a bare frame. */
async function comparePictures(count: number, seed: number, folder: string): Promise<void> {
  let [worstMean, worstShare] = [0, 0];
  for (let i = 0; i < count; i++) {
    const scene = compositionScene(seed + i, 'laser', true);
    // A line to follow has no width that a picture could show.
    const groups = scene.groups.map((group) => ({
      ...group,
      children: group.children.filter((child) => child.kind === 'path' && child.fill),
    }));
    const areas = { ...scene, groups };
    const path = drawByInkscape(buildJob(areas), PICTURE_DPI, join(folder, `picture-${i}.svg`));
    if (!path) return;
    const { mean, farShare } = await compareWithMockup(path, areas);
    worstMean = Math.max(worstMean, mean);
    worstShare = Math.max(worstShare, farShare);
  }
  console.log(
    `Inkscape's picture of ${count} files against the mockup without its finish: mean off by at most ` +
      `${worstMean.toFixed(3)} of 255 (bar 1), over 40 of 255 at ${(100 * worstShare).toFixed(3)} % (bar 0.1).`,
  );
}

/** Compares Inkscape's picture of the engraved areas, 20 px to the mm, with the areas of the job. */
async function compareWithInkscape(jobs: readonly Job[], folder: string): Promise<void> {
  let [worst, worstSide, files] = [0, 0, 0];
  for (const [i, job] of jobs.entries()) {
    const plates = job.plates.filter(({ kind }) => kind === 'engrave').slice(0, 1);
    if (plates.length === 0) continue;
    const png = drawByInkscape({ ...job, plates }, 508, join(folder, `area-${i}.svg`));
    if (!png) return;
    const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    let ink = 0;
    for (let p = 3; p < data.length; p += 4) ink += data[p]! / 255;
    const [plate] = plates;
    const plan =
      plate!.kind === 'color' ? 0 : plate!.outlines.reduce((sum, { contours }) => sum + fillArea(contours), 0);
    // Inkscape stretches the sheet to whole pixels.
    const area = ink * (job.widthMm / info.width) * (job.heightMm / info.height);
    worst = Math.max(worst, Math.abs(area - plan) / Math.max(BAR.areaMm2, plan * BAR.areaShare));
    worstSide = Math.max(worstSide, Math.abs(info.width - job.widthMm * 20), Math.abs(info.height - job.heightMm * 20));
    files++;
  }
  console.log(
    `\nInkscape's picture of ${files} files at 508 dpi: engraved area off by at most ${(100 * worst).toFixed(0)} % of ` +
      `the bar, sides by ${worstSide.toFixed(2)} px (bar 1).`,
  );
}

/** Returns the even-odd area of contours that do not cross: those at an odd depth are holes. */
function fillArea(contours: readonly Contour[]): number {
  const lines = contours.map((contour) => flatten(contour, 0.002));
  return contours.reduce((sum, contour, i) => {
    const depth = lines.filter((line, j) => j !== i && surrounds(line, lines[i]!)).length;
    return sum + (depth % 2 === 0 ? 1 : -1) * Math.abs(signedArea(contour));
  }, 0);
}

/** True when most of a line lies inside another one: they may touch. */
function surrounds(outer: readonly number[], inner: readonly number[]): boolean {
  const step = 2 * Math.ceil(inner.length / 50);
  let votes = 0;
  for (let i = 0; i < inner.length; i += step) votes += isInside(outer, inner[i]!, inner[i + 1]!) ? 1 : -1;
  return votes > 0;
}

function isInside(line: readonly number[], x: number, y: number): boolean {
  let isIn = false;
  for (let i = 0, j = line.length - 2; i < line.length; j = i, i += 2) {
    const [ax, ay, bx, by] = [line[i]!, line[i + 1]!, line[j]!, line[j + 1]!];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isIn = !isIn;
  }
  return isIn;
}

/** Measures 20,000 nodes in each format, in a process of its own that runs bundled code. */
async function measureAll(): Promise<void> {
  const bundle = await bundleBench(import.meta.resolve('./fileTimes.ts'));
  console.log('\n20,000 nodes      write s CPU  with read-back s CPU  peak memory MB     file kB');
  for (const format of outlineFormats) {
    const { stdout, stderr, status } = spawnSync(process.execPath, [...WORKER_ARGS, bundle, format], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
    process.stdout.write(stdout);
  }
  console.log(`bars: write ${BAR.seconds} s, memory ${BAR.megabytes} MB, each in a fresh process`);
}

await run(Number(values.count), Number(values.seed), Number(values.slice));
