/**
 * Straightens generated camera pictures and compares what is left with the truth: pages of 14 kinds, turned by up to
 * 12° and tilted by up to 15°, with uneven light, blur, noise and the blocks of a JPEG. Counts false offers, too: for
 * pictures that give no reason, for those that the camera saw straight, and for clean ones that no camera saw. Times 12
 * megapixels. The seeds of the last table were not looked at while the method was
 * made. The first picture of each kind is written to .build/straighten, beside what became of it.
 * Run: npx tsx bench/straighten.ts [pictures of each kind] [own or apart, for one of the tables] [first seed apart]
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Bitmap, findSkew, type Point, planWarp, type Skew, warp } from '@markwright/straighten';
import sharp from 'sharp';
import { createRandom, lookAt, straightView, takePicture, type View } from '../packages/straighten/test/camera.ts';
import { drawPage, type Kind, type Page, plainKinds, reasonKinds } from './straightenPictures.ts';

const folder = join(fileURLToPath(new URL('..', import.meta.url)), '.build', 'straighten');
const count = Number(process.argv[2] ?? 6);
const tables = process.argv[3];
const FIRST_SEED = 1;
/** The seeds from here on were kept apart. */
const FIRST_HELD_OUT_SEED = Number(process.argv[4] ?? 730_001);
const [width, height] = [1000, 750];
const BAR = { angle: 0.3, distortion: 0.01, share: 0.9, falseOffers: 1 / 50 };
const degrees = Math.PI / 180;

/** `clean`: the page itself, as a person draws it. */
type Pose = 'tilted' | 'straight' | 'clean';

interface Residual {
  /** Degrees. */
  readonly angle: number;
  /** The largest difference of opposite sides, or of a corner from a right angle, as a share. */
  readonly distortion: number;
}
interface Row {
  readonly kind: string;
  readonly seed: number;
  readonly before: Residual;
  readonly after: Residual;
  readonly hasOffer: boolean;
  readonly isGood: boolean;
  readonly cpuMs: number;
}

mkdirSync(folder, { recursive: true });
if (tables !== 'apart') await table('Seeds that the method was made with', FIRST_SEED);
if (tables !== 'own') await table('Seeds kept apart', FIRST_HELD_OUT_SEED);
await timeLarge();

async function table(title: string, firstSeed: number): Promise<void> {
  console.log(
    `${title}\n\nkind              good    angle: median, worst   perspective: median, worst   offers   CPU median`,
  );
  const tiltedRows = await rowsOf(reasonKinds, firstSeed, 'tilted');
  const plain = await rowsOf(plainKinds, firstSeed, 'tilted');
  const straight = await rowsOf([...reasonKinds, 'italic'], firstSeed, 'straight');
  const clean = await rowsOf([...reasonKinds, ...plainKinds, 'italic'], firstSeed, 'clean');
  summarize('tilted, with a reason', tiltedRows, BAR.share);
  const none = [...plain, ...straight, ...clean];
  const falseCount = none.filter(({ isGood }) => !isGood).length;
  const isMet = falseCount <= BAR.falseOffers * none.length;
  const counts = [plain, straight, clean].map(
    (rows) => `${rows.filter(({ isGood }) => !isGood).length}/${rows.length}`,
  );
  console.log(
    `false offers: ${falseCount} of ${none.length} (without a reason ${counts[0]}, straight already ${counts[1]}, ` +
      `clean ${counts[2]}); bar ${isMet ? 'met' : 'missed'}: at most 1 in 50`,
  );
  for (const { kind, seed, before, after, isGood, hasOffer } of [...tiltedRows, ...none]) {
    if (isGood) continue;
    console.log(`  ${kind} ${seed}: from ${show(before)} to ${show(after)}${hasOffer ? '' : ', no offer'}`);
  }
  console.log('');
}

function show({ angle, distortion }: Residual): string {
  return `${angle.toFixed(2)}° and ${(100 * distortion).toFixed(1)} %`;
}

async function rowsOf(kinds: readonly Kind[], firstSeed: number, pose: Pose): Promise<Row[]> {
  const rows: Row[] = [];
  for (const kind of kinds) {
    const own: Row[] = [];
    for (let seed = firstSeed; seed < firstSeed + count; seed++) own.push(await run(kind, seed, pose));
    printKind(pose === 'tilted' ? kind : `${kind} (${pose === 'clean' ? 'clean' : '0°'})`, own);
    rows.push(...own);
  }
  return rows;
}

async function run(kind: Kind, seed: number, pose: Pose): Promise<Row> {
  const page = await drawPage(kind, seed);
  const { raster } = page;
  const view = viewOf(kind, seed, page, pose);
  const picture = pose === 'clean' ? raster : await compress(takePicture(raster, view), 60 + ((seed * 37) % 35));
  const start = process.cpuUsage();
  const skew = findSkew(picture);
  const { user, system } = process.cpuUsage(start);
  const toPicture = pose === 'clean' ? (point: Point) => point : lookAt(raster, view).toPicture;
  const [right, bottom] = [raster.width, raster.height];
  const corners = [toPicture({ x: 0, y: 0 }), toPicture({ x: right, y: 0 })];
  corners.push(toPicture({ x: right, y: bottom }), toPicture({ x: 0, y: bottom }));
  const before = measure(corners);
  const plan = skew && planWarp(picture, requestOf(skew));
  const after = plan ? measure(corners.map((corner) => plan.toResult(corner))) : before;
  const needsNone = pose !== 'tilted' || (plainKinds as readonly Kind[]).includes(kind);
  const isStraight = Math.abs(after.angle) <= BAR.angle && after.distortion <= BAR.distortion;
  if (seed === FIRST_SEED && pose === 'tilted') await write(kind, picture, skew);
  return {
    kind,
    seed,
    before,
    after,
    hasOffer: skew !== undefined,
    isGood: needsNone ? !skew : isStraight,
    cpuMs: (user + system) / 1000,
  };
}

function requestOf({ angleDeg, corners }: Skew) {
  return corners ? { corners } : { angleDeg };
}

/** Chooses how the camera sees a page. A quarter of the tilted ones is turned only. */
function viewOf(kind: Kind, seed: number, page: Page, pose: Pose): View {
  const salt = [...kind].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7);
  const random = createRandom(seed * 31_337 + salt);
  const range = (from: number, to: number) => from + (to - from) * random();
  const roll = pose !== 'tilted' ? range(-0.15, 0.15) : range(-12, 12);
  const tilt = range(0, 15) * (random() < 0.25 || pose !== 'tilted' ? 0 : 1);
  const direction = range(0, 2 * Math.PI);
  const { ground } = page;
  return {
    ...straightView,
    width,
    height,
    roll,
    pitch: tilt * Math.cos(direction),
    yaw: tilt * Math.sin(direction),
    focal: range(0.75, 1.5),
    fill: ground ? range(0.65, 0.85) : 0.95,
    shiftX: range(-0.03, 0.03),
    shiftY: range(-0.03, 0.03),
    paper: page.paper,
    ground,
    lightLoss: range(0, 0.4),
    lightDirection: range(0, 6),
    blur: range(0.5, 1.4),
    noise: range(1, 7),
    seed,
  };
}

/** Writes a picture as a JPEG and reads it back. */
async function compress({ data }: Bitmap, quality: number): Promise<Bitmap> {
  const file = await sharp(data, { raw: { width, height, channels: 4 } })
    .jpeg({ quality })
    .toBuffer();
  const { data: pixels, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(pixels) };
}

/** Measures what is left of turn and perspective in the page's four corners. */
function measure(corners: readonly Point[]): Residual {
  const sides = corners.map((from, i) => {
    const to = corners[(i + 1) % 4]!;
    // Without the quarter turns, each side's angle is the turn.
    const angle = Math.atan2(to.y - from.y, to.x - from.x) / degrees - 90 * i;
    return { length: Math.hypot(to.x - from.x, to.y - from.y), angle: ((angle + 540) % 360) - 180 };
  });
  const [top, right, bottom, left] = sides as [PageSide, PageSide, PageSide, PageSide];
  const bends = sides.map(({ angle }, i) => Math.abs(angle - sides[(i + 1) % 4]!.angle) * degrees);
  const ratios = [top.length / bottom.length - 1, right.length / left.length - 1].map(Math.abs);
  return {
    angle: (top.angle + right.angle + bottom.angle + left.angle) / 4,
    distortion: Math.max(...ratios, ...bends),
  };
}
interface PageSide {
  readonly length: number;
  readonly angle: number;
}

function printKind(name: string, rows: readonly Row[]): void {
  const good = rows.filter(({ isGood }) => isGood).length;
  const offers = rows.filter(({ hasOffer }) => hasOffer).length;
  const angles = rows.map(({ after }) => Math.abs(after.angle)).sort((a, b) => a - b);
  const shares = rows.map(({ after }) => 100 * after.distortion).sort((a, b) => a - b);
  const cpu = rows.map(({ cpuMs }) => cpuMs).sort((a, b) => a - b);
  const both = (values: readonly number[], unit: string) =>
    `${median(values).toFixed(2)}${unit}, ${values.at(-1)!.toFixed(2)}${unit}`;
  console.log(
    `${name.padEnd(18)}${`${good}/${rows.length}`.padEnd(8)}${both(angles, '°').padEnd(23)}${both(shares, ' %').padEnd(29)}${String(offers).padEnd(9)}${median(cpu).toFixed(0)} ms`,
  );
}

function median(ascending: readonly number[]): number {
  return ascending[Math.floor(ascending.length / 2)]!;
}

function summarize(name: string, rows: readonly Row[], bar: number): void {
  const good = rows.filter(({ isGood }) => isGood).length;
  const isMet = good >= bar * rows.length;
  console.log(`${name}: ${good} of ${rows.length} good; bar ${isMet ? 'met' : 'missed'}: ${100 * bar} %`);
}

/** Writes a picture beside what becomes of it when its offer is taken. */
async function write(name: string, picture: Bitmap, skew: Skew | undefined): Promise<void> {
  const result = skew ? warp(picture, requestOf(skew)) : picture;
  const encode = (bitmap: Bitmap) =>
    sharp(bitmap.data, { raw: { width: bitmap.width, height: bitmap.height, channels: 4 } })
      .resize({ height: 700 })
      .png()
      .toBuffer({ resolveWithObject: true });
  const [left, right] = [await encode(picture), await encode(result)];
  const sheet = {
    width: left.info.width + right.info.width + 20,
    height: 700,
    channels: 4,
    background: '#888',
  } as const;
  await sharp({ create: sheet })
    .composite([
      { input: left.data, left: 0, top: 0 },
      { input: right.data, left: left.info.width + 20, top: 0 },
    ])
    .png()
    .toFile(join(folder, `${name}.png`));
}

/** Times the search and the straightened picture for 12 megapixels, once the engine is warm. */
async function timeLarge(): Promise<void> {
  const page = await drawPage('label', 3);
  const small = takePicture(page.raster, viewOf('label', 3, page, 'tilted'));
  const { data, info } = await sharp(small.data, { raw: { width, height, channels: 4 } })
    .resize(4000, 3000)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const picture = { width: info.width, height: info.height, data: new Uint8Array(data) };
  const time = <T>(task: () => T) => {
    const start = process.cpuUsage();
    const value = task();
    const { user, system } = process.cpuUsage(start);
    return { value, seconds: ((user + system) / 1e6).toFixed(2) };
  };
  const { value: skew, seconds } = time(() => findSkew(picture));
  console.log(`12 megapixels: search ${seconds} s CPU; bar <= 0.5 s`);
  if (skew)
    console.log(`12 megapixels: straightened picture ${time(() => warp(picture, requestOf(skew))).seconds} s CPU`);
}
