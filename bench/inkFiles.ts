/**
 * The part of the bench of files for ink: PDF, PNG and TIFF of random compositions for a UV printer, read by qpdf,
 * poppler, Ghostscript, MuPDF, libtiff and ImageMagick. Each row of the table is one bar.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileOptions } from '@markwright/contract';
import { buildJob, type Job, type OutlinePlate, type Scene } from '@markwright/scene';
import sharp from 'sharp';
import { chooseFile } from '../apps/server/src/media/files/fileOptions.ts';
import { type FormatFile, makeFormat } from '../apps/server/src/media/files/makeFile.ts';
import { measureFilled } from '../packages/scene/src/geometry/filledArea.ts';
import { MM_GRID } from '../packages/scene/src/geometry/planar.ts';
import { compositionScene } from './fileCompositions.ts';
import { compareWithMockup } from './mockupPixels.ts';

const PRINT_DPI = 300;
const PLATE_DPI = 600;
const PICTURE_PX = 1200;
const POINTS_PER_MM = 72 / 25.4;

/** The programs, with the packages of Debian that have them. */
const programs = {
  qpdf: 'qpdf',
  pdfinfo: 'poppler-utils',
  pdftocairo: 'poppler-utils',
  gs: 'ghostscript',
  mutool: 'mupdf-tools',
  tiffinfo: 'libtiff-tools',
  identify: 'imagemagick',
} as const;
type Program = keyof typeof programs;

interface Measure {
  readonly name: string;
  readonly bar: number;
  readonly digits: number;
  worst: number;
  files: number;
}

/** Measures the files of `count` compositions from `seed` on, and prints the largest error of each kind. */
export async function measureInkFiles(count: number, seed: number): Promise<void> {
  const absent = new Set(
    (Object.keys(programs) as Program[]).filter((name) => spawnSync(name, ['--version']).error !== undefined),
  );
  const list = [...absent].map((name) => `${name} (${programs[name]})`).join(', ');
  console.log(`\n${count} compositions for ink. ${list ? `Missing readers: ${list}.` : 'All readers are installed.'}`);
  const measures = new Map<string, Measure>();
  const note: Note = (name, bar, value, digits = 4) => {
    const measure = measures.get(name) ?? { name, bar, digits, worst: 0, files: 0 };
    measures.set(name, { ...measure, worst: Math.max(measure.worst, value), files: measure.files + 1 });
  };
  const folder = mkdtempSync(join(tmpdir(), 'ink-'));
  try {
    for (let i = 0; i < count; i++) await measureOne(compositionScene(seed + i, 'uv'), { folder, absent, note });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  for (const { name, bar, digits, worst, files } of measures.values()) {
    const verdict = worst <= bar ? 'ok' : 'over';
    console.log(
      `${name.padEnd(58)}${String(files).padStart(5)}${worst.toFixed(digits).padStart(10)}  bar ${bar}  ${verdict}`,
    );
  }
}

type Note = (name: string, bar: number, value: number, digits?: number) => void;

interface Setting {
  readonly folder: string;
  readonly absent: ReadonlySet<Program>;
  readonly note: Note;
}

async function measureOne(scene: Scene, setting: Setting): Promise<void> {
  const job = buildJob(scene);
  const choices = chooseFile('uv', undefined, FileOptions.parse({}));
  const inks = await makeFormat(job, 'pdf', undefined, choices);
  const plain = await makeFormat(job, 'pdf', undefined, { ...choices, white: 'none', colors: 'sRGB' });
  const png = await makeFormat(job, 'png', undefined, choices);
  const tiff = await makeFormat(job, 'tiff', undefined, choices);
  const path = (name: string) => join(setting.folder, name);
  for (const [name, { bytes }] of Object.entries({
    'inks.pdf': inks,
    'plain.pdf': plain,
    'a.png': png,
    'a.tif': tiff,
  })) {
    writeFileSync(path(name), bytes);
  }
  checkPdf(path('inks.pdf'), job, setting);
  checkPixels(path('a.png'), path('a.tif'), job, setting);
  await checkWhite(inks, setting, choices.spots.white);
  await comparePictures(scene, path('plain.pdf'), path('a.png'), setting);
}

/** Returns what a program prints; throws when it fails. */
function run(program: Program, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} failed: ${stderr.slice(0, 500)}`);
  return stdout;
}

function checkPdf(path: string, job: Job, { absent, note }: Setting): void {
  if (!absent.has('qpdf')) note('PDF: errors of qpdf --check', 0, spawnSync('qpdf', ['--check', path]).status ?? 1, 0);
  if (!absent.has('mutool')) {
    const { status, stderr } = spawnSync('mutool', ['draw', '-q', '-r', '36', '-o', `${path}.png`, path], {
      encoding: 'utf8',
    });
    // Debian's is built without color management, and says so of every file with a profile.
    const faults = stderr.split('\n').filter((line) => line !== '' && !line.includes('ICC support is not available'));
    note('PDF: errors and warnings of mutool draw', 0, faults.length + (status ?? 1), 0);
  }
  if (absent.has('pdfinfo')) return;
  const text = run('pdfinfo', '-box', path);
  for (const name of ['MediaBox', 'TrimBox']) {
    const [x0, y0, x1, y1] = new RegExp(`${name}:\\s+(.*)`).exec(text)![1]!.trim().split(/\s+/).map(Number);
    const error = Math.max(
      Math.abs((x1! - x0!) / POINTS_PER_MM - job.widthMm),
      Math.abs((y1! - y0!) / POINTS_PER_MM - job.heightMm),
    );
    note(`PDF: ${name} against the job, mm (pdfinfo)`, 0.01, error);
  }
}

function checkPixels(pngPath: string, tiffPath: string, job: Job, { absent, note }: Setting): void {
  const check = (format: string, reader: string, [width, height]: readonly number[]) => {
    const sides = [width! - (job.widthMm * PRINT_DPI) / 25.4, height! - (job.heightMm * PRINT_DPI) / 25.4];
    note(`${format}: sides against the job, px (${reader})`, 0.5, Math.max(...sides.map(Math.abs)), 2);
  };
  if (!absent.has('identify')) {
    const [width, height, perCm, alpha] = run('identify', '-format', '%w %h %x %A', pngPath).split(' ');
    check('PNG', 'ImageMagick', [Number(width), Number(height)]);
    const dpi = Number.parseFloat(perCm!);
    // Older versions say dots per inch, newer ones per centimeter.
    note(
      'PNG: dots per inch (ImageMagick)',
      0.05,
      Math.min(Math.abs(dpi - PRINT_DPI), Math.abs(dpi * 2.54 - PRINT_DPI)),
    );
    note('PNG: without alpha (ImageMagick)', 0, /true|blend/i.test(alpha!) ? 0 : 1, 0);
  }
  if (absent.has('tiffinfo')) return;
  const text = run('tiffinfo', tiffPath);
  const value = (pattern: RegExp) => Number(pattern.exec(text)?.[1]);
  check('TIFF', 'libtiff', [value(/Image Width: (\d+)/), value(/Image Length: (\d+)/)]);
  const samples = job.plates.some(({ kind }) => kind === 'color') ? 5 : 4;
  note('TIFF: samples beside CMYK and white (libtiff)', 0, Math.abs(value(/Samples\/Pixel: (\d+)/) - samples), 0);
  note('TIFF: dots per inch (libtiff)', 0.05, Math.abs(value(/Resolution: ([\d.]+)/) - PRINT_DPI));
}

/** Compares the white plate that Ghostscript separates with the area of the job's plate. */
async function checkWhite(file: FormatFile, { folder, absent, note }: Setting, name: string): Promise<void> {
  const plate = file.job.plates.find((each): each is OutlinePlate => each.kind === 'white');
  if (!plate || absent.has('gs')) return;
  const plan = measureFilled(
    plate.outlines.flatMap(({ contours }) => contours),
    MM_GRID,
  );
  // It paints every pixel that an area touches, unless the fill is told not to grow. Drawn four times as fine and
  // brought down, pixels at an edge are as gray as they are covered.
  const args = ['-q', '-dNOPAUSE', '-dBATCH', '-sDEVICE=tiffsep', `-r${4 * PLATE_DPI}`];
  const output = ['-dDownScaleFactor=4', `-sOutputFile=${join(folder, 'plate.tif')}`];
  run('gs', ...args, ...output, '-c', '0 0 .setfilladjust2', '-f', join(folder, 'inks.pdf'));
  const path = join(folder, `plate(${name}).tif`);
  const { data, info } = await sharp(path).raw().toBuffer({ resolveWithObject: true });
  let ink = 0;
  for (let p = 0; p < data.length; p += info.channels) ink += 255 - data[p]!;
  rmSync(path);
  const area = (ink / 255) * (25.4 / PLATE_DPI) ** 2;
  note('PDF: white plate against the job, % (Ghostscript)', 0.2, (100 * Math.abs(area - plan)) / plan, 3);
}

/** Compares the pictures of the files with that of the mockup, which has no finish on a bare frame. */
async function comparePictures(
  scene: Scene,
  pdf: string,
  png: string,
  { folder, absent, note }: Setting,
): Promise<void> {
  const compare = async (format: string, path: string) => {
    const { mean, farShare } = await compareWithMockup(path, scene);
    note(`${format}: picture against the mockup, mean of 255`, 1, mean, 3);
    note(`${format}: picture against the mockup, % over 40 of 255`, 0.1, 100 * farShare, 3);
  };
  await compare('PNG', png);
  if (absent.has('pdftocairo')) return;
  // At whole pixels: by its resolution it would add a part of one to the page.
  const scale = ['-scale-to-x', String(PICTURE_PX), '-scale-to-y', '-1'];
  run('pdftocairo', '-png', '-singlefile', ...scale, pdf, join(folder, 'poppler'));
  if (existsSync(join(folder, 'poppler.png'))) await compare('PDF (poppler)', join(folder, 'poppler.png'));
}
