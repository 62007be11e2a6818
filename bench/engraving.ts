/**
 * Compares dithers and halftones with the tones that they stand for, over the pictures of the background bench, beside
 * the dithers of sharp and ImageMagick (where `convert` is a program here). Then times large engravings, each in a
 * process of its own that runs bundled code, as the server's worker does. `look` writes the pictures on materials into
 * a folder, to be looked at.
 * Run: npx tsx bench/engraving.ts [folder of the pictures] [look FOLDER]
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  DITHER_METHODS,
  type DitherMethod,
  dither,
  engrave,
  engravingMaterial,
  type Gray,
  type HalftoneStyle,
  halftone,
  layOnBare,
  levelOf,
  lightOf,
  NEUTRAL_TONE,
  type Picture,
  resample,
  resolveInvert,
  suggestWay,
  toGray,
  toneForMaterial,
  toPathData,
} from '@markwright/engraving';
import { emptyComposition, newArtwork } from '@markwright/scene';
import sharp from 'sharp';
import { makeMachineFile } from '../apps/server/src/media/file.ts';
import { bundleBench, WORKER_ARGS, WORKER_ENVIRONMENT } from './bundle.ts';
import {
  blurGaussian,
  fillExactly,
  inkOf,
  meanOf,
  type Plane,
  similarityTo,
  worstWindow,
} from './engravingMeasures.ts';
import { peakMegabytes } from './peakMemory.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = process.argv[2] ?? join(root, '../shared/bench/background/set');
const INTERVAL_MM = 0.1;
const WIDTH_MM = 60;
const WINDOW_MM = 5;
const BLUR_MM = 0.2;
const PITCH_MM = 0.8;
const BEAM_MM = 0.1;
const BARS = { diffusion: 0.95, halftone: 0.9, mean: 0.01, window: 0.02 };

const styles: Readonly<Record<string, HalftoneStyle>> = {
  'level lines': { kind: 'lines', course: 'straight', pitchMm: PITCH_MM, angleDeg: 0 },
  'angled lines': { kind: 'lines', course: 'straight', pitchMm: PITCH_MM, angleDeg: 22.5 },
  rings: { kind: 'lines', course: 'rings', pitchMm: PITCH_MM, angleDeg: 0 },
  'form lines': { kind: 'lines', course: 'form', pitchMm: PITCH_MM, angleDeg: 30 },
  'round dots': { kind: 'dots', shape: 'round', pitchMm: PITCH_MM, angleDeg: 22.5 },
  'diamond dots': { kind: 'dots', shape: 'diamond', pitchMm: PITCH_MM, angleDeg: 45 },
  'cross-hatch': { kind: 'hatch', pitchMm: PITCH_MM, angleDeg: 45 },
  stipple: { kind: 'stipple', dotMm: 0.5 },
};

/** Large engravings: width and height in millimeters, interval, and the bar in seconds of processor time. */
const LARGE: Readonly<
  Record<string, { mm: number; intervalMm: number; barS: number; kind: DitherMethod | 'lines' | FileKind }>
> = {
  '100 x 100 mm at 254 dpi, floyd-steinberg': { mm: 100, intervalMm: 0.1, barS: 0.5, kind: 'floyd-steinberg' },
  '100 x 100 mm at 254 dpi, jarvis': { mm: 100, intervalMm: 0.1, barS: 0.5, kind: 'jarvis' },
  '300 x 300 mm at 318 dpi, floyd-steinberg': { mm: 300, intervalMm: 0.08, barS: 3, kind: 'floyd-steinberg' },
  '300 x 300 mm at 318 dpi, jarvis': { mm: 300, intervalMm: 0.08, barS: 3, kind: 'jarvis' },
  '300 x 300 mm at 318 dpi, blue-noise': { mm: 300, intervalMm: 0.08, barS: 3, kind: 'blue-noise' },
  '300 x 300 mm, angled lines as path data': { mm: 300, intervalMm: 0.08, barS: 3, kind: 'lines' },
  ...Object.fromEntries(
    (['svg', 'lbrn2', 'xcs', 'dxf', 'plt', 'pdf'] as const).map((format) => [
      `142 x 142 mm, 20,000 dots, ${format}, read back`,
      { mm: 142, intervalMm: 0.1, barS: 2, kind: `dots ${format}` } as const,
    ]),
  ),
  '1999 x 1999 mm at 254 dpi, 400 million dots, PNG': { mm: 1999, intervalMm: 0.1, barS: 60, kind: 'photo png' },
  '1999 x 1999 mm at 254 dpi, the same in LightBurn': { mm: 1999, intervalMm: 0.1, barS: 60, kind: 'photo lbrn2' },
};
const MOST_MB = 400;
/** Files as the server makes them, read back. */
type FileKind = `dots ${'svg' | 'lbrn2' | 'xcs' | 'dxf' | 'plt' | 'pdf'}` | 'photo png' | 'photo lbrn2';
const isFileKind = (kind: string): kind is FileKind => /^(dots|photo) /.test(kind);

/** How far heat and light spread around a dot, in millimeters. */
const SPREAD_MM = 0.05;

interface Score {
  readonly similarity: number;
  readonly mean: number;
  readonly window: number;
  readonly cpuMs: number;
}

const [, , , task, argument] = process.argv;
if (task === 'large') await timeLarge(argument!);
else if (!existsSync(join(folder, 'list.json'))) console.log('the pictures are not here: nothing was measured');
else if (task === 'look') await look(argument!);
else await compare();

async function compare(): Promise<void> {
  const files = listPictures();
  const scores = new Map<string, Score[]>();
  const add = (name: string, score: Score) => scores.set(name, [...(scores.get(name) ?? []), score]);
  const work = mkdtempSync(join(tmpdir(), 'engraving-'));
  try {
    for (const { file } of files) {
      const gray = await grayAt(await read(join(folder, file)), WIDTH_MM / INTERVAL_MM);
      const truth = inkOf(gray);
      const judge = judgeOf(truth, BLUR_MM / INTERVAL_MM);
      for (const method of DITHER_METHODS) {
        if (method === 'gray') continue;
        const { value, cpuMs } = time(() => dither(gray, method));
        add(method, { ...judge(inkOf(value)), cpuMs });
      }
      for (const [name, peer] of Object.entries(peersIn(work))) {
        const { value, cpuMs } = await peer(gray);
        add(name, { ...judge(inkOf(value)), cpuMs });
      }
      const judgeCoarse = judgeOf(truth, PITCH_MM / INTERVAL_MM);
      for (const [name, style] of Object.entries(styles)) {
        const request = { widthMm: WIDTH_MM, style, beamMm: BEAM_MM, gapMm: 0 };
        const { value, cpuMs } = time(() => halftone(gray, request));
        add(name, { ...judgeCoarse(fillExactly(value, 1 / INTERVAL_MM, gray)), cpuMs });
      }
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  print(files.length, scores);
  await printLarge();
}

/** Lists the pictures, each a JSON entry of the folder's list. */
function listPictures(): { name: string; file: string }[] {
  return JSON.parse(readFileSync(join(folder, 'list.json'), 'utf8'));
}

async function read(path: string): Promise<Picture> {
  const { data, info } = await sharp(path)
    .toColorspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data) };
}

function grayAt(picture: Picture, width: number): Gray {
  return layOnBare(resample(toGray(picture), width, Math.round((width * picture.height) / picture.width)));
}

function judgeOf(truth: Plane, sigma: number) {
  const similarity = similarityTo(blurGaussian(truth, sigma));
  const mean = meanOf(truth);
  return (ink: Plane) => ({
    similarity: similarity(blurGaussian(ink, sigma)),
    mean: meanOf(ink) - mean,
    window: worstWindow(ink, truth, Math.round(WINDOW_MM / INTERVAL_MM)),
  });
}

function time<T>(run: () => T): { value: T; cpuMs: number } {
  const start = process.cpuUsage();
  const value = run();
  const { user, system } = process.cpuUsage(start);
  return { value, cpuMs: (user + system) / 1000 };
}

type Peer = (gray: Gray) => Promise<{ value: Gray; cpuMs: number }>;

/** Returns the dithers of other programs that are here. Their times are not comparable: files are written and read. */
function peersIn(work: string): Record<string, Peer> {
  const pngOf = ({ width, height, data }: Gray) =>
    sharp(data, { raw: { width, height, channels: 1 } })
      .png()
      .toBuffer();
  const grayFrom = async (png: Buffer | string): Promise<Gray> => {
    const image = sharp(png).toColorspace('b-w').extractChannel(0);
    const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, data: new Uint8Array(data) };
  };
  const peers: Record<string, Peer> = {
    'sharp, 2 colors': async (gray) => {
      const png = await sharp(await pngOf(gray))
        .png({ palette: true, colors: 2, dither: 1 })
        .toBuffer();
      return { value: await grayFrom(png), cpuMs: Number.NaN };
    },
  };
  if (!hasMagick()) return peers;
  const [source, target] = [join(work, 'in.png'), join(work, 'out.png')];
  const magick =
    (args: readonly string[]): Peer =>
    async (gray) => {
      writeFileSync(source, await pngOf(gray));
      execFileSync('convert', [source, ...args, target]);
      return { value: await grayFrom(target), cpuMs: Number.NaN };
    };
  const remap = ['-remap', 'pattern:gray50'];
  return {
    ...peers,
    'ImageMagick, Floyd-Steinberg': magick(['-dither', 'FloydSteinberg', ...remap]),
    'ImageMagick, Riemersma': magick(['-dither', 'Riemersma', ...remap]),
    'ImageMagick, ordered 8 × 8': magick(['-ordered-dither', 'o8x8']),
  };
}

function hasMagick(): boolean {
  const { stdout } = spawnSync('convert', ['-version'], { encoding: 'utf8' });
  return stdout?.includes('ImageMagick') ?? false;
}

/** Fills a path in millimeters with black on white, antialiased, at the size of a picture. */
async function fill(path: string, { width, height }: Gray): Promise<Gray> {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${WIDTH_MM} ${(WIDTH_MM * height) / width}"`;
  const ground = '<rect width="100%" height="100%" fill="#fff"/>';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${ground}<path d="${path}"/></svg>`;
  const { data } = await sharp(Buffer.from(svg), { unlimited: true })
    .flatten({ background: '#fff' })
    .toColorspace('b-w')
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width, height, data: new Uint8Array(data) };
}

function print(count: number, scores: ReadonlyMap<string, readonly Score[]>): void {
  const mm = `${WIDTH_MM} mm wide at ${INTERVAL_MM} mm`;
  console.log(`${count} pictures, ${mm}. SSIM blurred by ${BLUR_MM} mm, of halftones by their pitch, ${PITCH_MM} mm.`);
  console.log(
    `\nmethod                        SSIM: mean, least   mean tone   worst window of ${WINDOW_MM} mm   CPU mean`,
  );
  const misses: string[] = [];
  for (const [name, rows] of scores) {
    const mean = (pick: (row: Score) => number) => rows.reduce((sum, row) => sum + pick(row), 0) / rows.length;
    const worst = (pick: (row: Score) => number) => Math.max(...rows.map(pick));
    const similarity = mean((row) => row.similarity);
    const least = -worst((row) => -row.similarity);
    const [tone, window] = [worst((row) => Math.abs(row.mean)), worst((row) => row.window)];
    const cpuMs = mean((row) => row.cpuMs);
    const percent = (share: number) => `${(100 * share).toFixed(2)} %`;
    console.log(
      `${name.padEnd(30)}${similarity.toFixed(3)}, ${least.toFixed(3)}        ` +
        `${percent(tone).padEnd(12)}${percent(window).padEnd(23)}` +
        `${Number.isNaN(cpuMs) ? '' : `${cpuMs.toFixed(0)} ms`}`,
    );
    const isDiffusion = ['floyd-steinberg', 'jarvis', 'stucki', 'atkinson'].includes(name);
    const bar = isDiffusion ? BARS.diffusion : name in styles && !/form|hatch|stipple/.test(name) ? BARS.halftone : 0;
    if (similarity < bar) misses.push(`${name}: SSIM ${similarity.toFixed(3)}, bar ${bar}`);
    const isDither = (DITHER_METHODS as readonly string[]).includes(name);
    if (isDither && tone > BARS.mean) misses.push(`${name}: mean tone ${percent(tone)}`);
    if (isDither && window > BARS.window) misses.push(`${name}: window ${percent(window)}`);
  }
  console.log(misses.length === 0 ? '\nAll bars are met.' : `\nMissed: ${misses.join('; ')}`);
}

async function printLarge(): Promise<void> {
  const bundle = await bundleBench(import.meta.url);
  console.log('\nlarge engravings, from a photograph of 4 megapixels    CPU      bar     memory');
  for (const [name, { barS }] of Object.entries(LARGE)) {
    const args = [...WORKER_ARGS, bundle, folder, 'large', name];
    const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', env: WORKER_ENVIRONMENT });
    const { seconds, clockSeconds, againSeconds, megabytes } = JSON.parse(stdout);
    // A file is waited for, by a person and the clock. A process that has just begun spends as much again on threads
    // where V8 compiles what runs often.
    const isMet = (clockSeconds ?? seconds) <= barS && megabytes <= MOST_MB;
    const clock = clockSeconds && `, by the clock ${clockSeconds.toFixed(2)} s, again ${againSeconds.toFixed(2)} s`;
    console.log(
      `${name.padEnd(55)}${seconds.toFixed(2)} s   ${barS} s   ${megabytes.toFixed(0)} MB` +
        `${clock ?? ''}${isMet ? '' : '   missed'}`,
    );
  }
}

/** Runs one large engraving and prints its time and the memory that the process took beyond its start. */
async function timeLarge(name: string): Promise<void> {
  const { mm, intervalMm, kind } = LARGE[name]!;
  const side = 2000;
  const data = new Uint8Array(4 * side * side);
  for (let y = 0, i = 0; y < side; y++) {
    for (let x = 0; x < side; x++, i += 4) {
      const light = 128 + 70 * Math.sin(x / 90 + y / 310) + 40 * Math.sin(y / 47) + 14 * Math.sin(1.7 * x + 2.9 * y);
      data[i] = light;
      data[i + 1] = 0.8 * light;
      data[i + 2] = 0.6 * light;
      data[i + 3] = 255;
    }
  }
  const picture = { width: side, height: side, data };
  const tones = { tone: { ...NEUTRAL_TONE, contrast: 20 }, invert: false, curve: engravingMaterial('walnut').curve };
  if (isFileKind(kind)) {
    const png = await sharp(Buffer.from(data), { raw: { width: side, height: side, channels: 4 } })
      .png()
      .toBuffer();
    const start = process.cpuUsage();
    const startTime = performance.now();
    await makeFile(png, mm, kind);
    const clockSeconds = (performance.now() - startTime) / 1000;
    const { user, system } = process.cpuUsage(start);
    const secondTime = performance.now();
    await makeFile(png, mm, kind);
    const againSeconds = (performance.now() - secondTime) / 1000;
    const megabytes = peakMegabytes();
    console.log(JSON.stringify({ seconds: (user + system) / 1e6, clockSeconds, againSeconds, megabytes }));
    return;
  }
  const { cpuMs } = time(() => {
    if (kind !== 'lines') return engrave(picture, { ...tones, widthMm: mm, intervalMm, method: kind });
    const gray = toneForMaterial(toGray(picture), tones);
    const style = { kind: 'lines', course: 'straight', pitchMm: PITCH_MM, angleDeg: 22.5 } as const;
    return toPathData(halftone(gray, { widthMm: mm, style, beamMm: BEAM_MM, gapMm: 0 }));
  });
  console.log(JSON.stringify({ seconds: cpuMs / 1000, megabytes: peakMegabytes() }));
}

/** Makes the file of a picture as the server does: of round dots of 1 mm, or of a photograph in dots. */
async function makeFile(png: Buffer, mm: number, kind: FileKind): Promise<void> {
  const look = kind.startsWith('dots ')
    ? ({ method: 'halftone_dots', pitchMm: 1, gapMm: 0.05 } as const)
    : ({ method: 'floyd-steinberg' } as const);
  const engraving = { ...look, intervalMm: BEAM_MM, invert: false, tone: { ...NEUTRAL_TONE } };
  const artwork = { ...newArtwork('d'), id: 'a', aspect: 1, size: 100, engraving };
  const inches = mm / 25.4;
  await makeMachineFile({
    composition: { ...emptyComposition, elements: [artwork] },
    product: {
      picture: undefined,
      pictureAspect: 1,
      printArea: { x: 0, y: 0, width: 1, height: 1 },
      ...{ printWidthInches: inches, printHeightInches: inches },
      finish: { material: 'walnut', markColor: engravingMaterial('walnut').colors.mark },
    },
    artworks: [{ id: 'a', picture: { png: new Uint8Array(png) }, engraved: { changes: undefined } }],
    format: kind.slice(kind.indexOf(' ') + 1) as 'svg',
    ...{ preset: undefined, options: {}, names: {}, material: undefined, mockup: undefined },
    now: new Date(),
  });
}

/** Writes pictures by each way onto materials: what the eye sees of bare and burnt parts. */
async function look(target: string): Promise<void> {
  mkdirSync(target, { recursive: true });
  const samples = [join(root, 'apps/web/src/samples/portrait.jpg'), join(root, 'apps/web/src/samples/logo.jpg')];
  const files = [...samples, ...listPictures().map(({ file }) => join(folder, file))];
  for (const file of files) {
    const picture = await read(file);
    const name = file.replace(/.*\/|\.\w+$/g, '');
    console.log(name, JSON.stringify(suggestWay(picture, 'slate')));
    for (const material of ['slate', 'walnut', 'stainless']) {
      const { curve } = engravingMaterial(material);
      const tones = { tone: NEUTRAL_TONE, invert: resolveInvert('auto', material), curve };
      const width = WIDTH_MM / INTERVAL_MM;
      const scan = resample(toGray(picture), width, Math.round((width * picture.height) / picture.width));
      const gray = toneForMaterial(scan, tones);
      await show(dither(gray, 'jarvis'), material, join(target, `${name}-${material}-jarvis.png`));
      if (material !== 'walnut') continue;
      for (const [style, request] of Object.entries(styles)) {
        const path = toPathData(halftone(gray, { widthMm: WIDTH_MM, style: request, beamMm: BEAM_MM, gapMm: 0 }));
        await show(await fill(path, gray), material, join(target, `${name}-${material}-${style}.png`));
      }
    }
  }
}

/** Writes a raster in the colors of a material. */
async function show(raster: Gray, material: string, file: string): Promise<void> {
  const { colors } = engravingMaterial(material);
  const { width, height, data } = blurGaussian(inkOf(raster), SPREAD_MM / INTERVAL_MM);
  const channel = (color: string, k: number) => lightOf(Number.parseInt(color.slice(1 + 2 * k, 3 + 2 * k), 16) / 255);
  const out = Buffer.alloc(3 * width * height);
  for (let k = 0; k < 3; k++) {
    const [bare, mark] = [channel(colors.bare, k), channel(colors.mark, k)];
    for (let i = 0; i < data.length; i++) {
      out[3 * i + k] = Math.round(255 * levelOf(bare + (mark - bare) * data[i]!));
    }
  }
  await sharp(out, { raw: { width, height, channels: 3 } })
    .png()
    .toFile(file);
}
