/** Codes from the composition to the file: what a decoder that shares no code with bwip-js reads of it. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { findFontPath } from '@markwright/fonts/files';
import { Resvg } from '@resvg/resvg-js';
import { beforeAll, expect, it } from 'vitest';
import { prepareZXingModule, type ReaderOptions, readBarcodes } from 'zxing-wasm/reader';
import { checkDigit } from '../src/figures/encode.ts';
import { createFigures } from '../src/figures/figures.ts';
import {
  type Assets,
  type CodeElement,
  type Contour,
  emptyComposition,
  leastModuleMm,
  linesOf,
  MACHINE_MODES,
  type MachineMode,
  newCode,
  readContours,
  renderScene,
  resolveScene,
  type Scene,
  SYMBOLOGIES,
  type Symbology,
  seededRandom,
  writeSvg,
} from '../src/index.ts';
import { createFontBook } from '../src/text/text.ts';

const COUNT = process.env.TEST_TIER === 'stress' ? 1000 : 40;
const SEED = Number(process.env.TEST_SEED ?? 20_261_128);
/** The resolution that the preflight asks of pictures for every machine. */
const DPI = 300;

const figures = createFigures();
const fonts = createFontBook();

beforeAll(() => {
  const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
  // Without its own bytes the reader would ask the network for them.
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(wasm)).buffer } });
});

type Code = Omit<CodeElement, 'kind' | 'id'>;

/** Resolves a code in the middle of a machine area that is larger than it by its quiet zone and 2 mm. */
function resolveCode(code: Code, machine: MachineMode): Scene {
  const element = { ...code, kind: 'code', id: 'c' } as const;
  const composition = { ...emptyComposition, machine, productId: 'p', elements: [element] };
  for (const { name } of linesOf(composition).flatMap((line) => fonts.missing(line))) {
    fonts.add(name, readFileSync(findFontPath(name)!));
  }
  const resolve = (widthMm: number, heightMm: number) => resolveScene(composition, toAssets(widthMm, heightMm));
  const { groups } = resolve(100, 100);
  const xs = groups[0]!.code!.quietZone.map(({ x }) => Math.abs(x - 50));
  const ys = groups[0]!.code!.quietZone.map(({ y }) => Math.abs(y - 50));
  return resolve(2 * Math.max(...xs) + 4, 2 * Math.max(...ys) + 4);
}

function toAssets(widthMm: number, heightMm: number): Assets {
  return {
    product: {
      pictureHref: '',
      pictureAspect: widthMm / heightMm,
      printArea: { x: 0, y: 0, width: 1, height: 1 },
      printWidthInches: widthMm / 25.4,
      printHeightInches: heightMm / 25.4,
      finish: { material: 'wood', markColor: '#222222' },
    },
    artworks: new Map(),
    fonts,
    figures,
  };
}

/** Returns the production file. A laser's has a line around what it fills, which tells a program its layer alone. */
const writeFile = (scene: Scene): string =>
  writeSvg(renderScene(scene, { kind: 'production' })).replaceAll(/ stroke="#000000" stroke-width="[\d.]+"/g, '');

const options = { formats: ['QRCode', 'DataMatrix', 'Code128', 'EAN13'] } satisfies ReaderOptions;

async function readBack(scene: Scene): Promise<{ text: string; format: string }[]> {
  const svg = writeFile(scene);
  const widthPx = Math.round((scene.widthMm / 25.4) * DPI);
  const fitTo = { mode: 'width', value: widthPx } as const;
  const png = new Resvg(svg, { fitTo, background: '#ffffff', font: { loadSystemFonts: false } }).render().asPng();
  const codes = await readBarcodes(new Blob([png as Uint8Array<ArrayBuffer>]), { ...options, tryInvert: false });
  return codes.map(({ text, format }) => ({ text, format }));
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 .,:;/?&=%+-_#@!(){}[]^~$*"<>|\\\'`';
const WIDE_LETTERS = 'äöüßéèñçåøłžşİкиевαβγ東京日本語한글😀☕';

function randomCode(random: () => number): Code {
  const pick = <T>(list: ArrayLike<T>): T => list[Math.floor(random() * list.length)]!;
  const symbology = pick(SYMBOLOGIES);
  const letters = (length: number, from: readonly string[]) => Array.from({ length }, () => pick(from)).join('');
  const isWide = (symbology === 'qr' || symbology === 'dataMatrix') && random() < 0.25;
  const alphabet = random() < 0.2 ? '0123456789' : LETTERS;
  const length = 1 + Math.floor(random() ** 2 * (symbology === 'code128' ? 40 : 200));
  const twelve = letters(12, [...'0123456789']);
  return {
    ...newCode('c'),
    symbology,
    data:
      symbology === 'ean13' ? twelve + checkDigit(twelve) : letters(length, [...(isWide ? WIDE_LETTERS : alphabet)]),
    errorLevel: pick(['L', 'M', 'Q', 'H'] as const),
    hasText: random() < 0.5,
    angleDeg: pick([0, 90, 180, 270]),
  };
}

/** Returns the code at the least size that the preflight lets pass. */
function atLeastSize(code: Code, machine: MachineMode): Code {
  const moduleMm = leastModuleMm(machine, code.symbology);
  const { outlines } = figures.draw({ ...code, kind: 'code', id: 'c', hasText: false, heightMm: 10 }, fonts)!;
  const widthMm = outlines.box.width * moduleMm;
  return { ...code, widthMm, heightMm: code.symbology === 'ean13' ? 18 : 8 };
}

const formats: Readonly<Record<Symbology, string>> = {
  qr: 'QRCode',
  dataMatrix: 'DataMatrix',
  code128: 'Code128',
  ean13: 'EAN13',
};

it(`reads ${COUNT} random codes of the least size back from their files`, { timeout: 600_000 }, async () => {
  const random = seededRandom(SEED);
  const unread: unknown[] = [];
  const countOf = new Map<string, number>();
  for (let i = 0; i < COUNT; i++) {
    const machine = MACHINE_MODES[i % MACHINE_MODES.length]!;
    const code = atLeastSize(randomCode(random), machine);
    const scene = resolveCode(code, machine);
    const readings = await readBack(mirrorBack(scene));
    const [only] = readings;
    const isRead = readings.length === 1 && only!.text === code.data && only!.format === formats[code.symbology];
    if (!isRead) unread.push({ i, machine, code, readings });
    countOf.set(code.symbology, (countOf.get(code.symbology) ?? 0) + 1);
  }
  expect(unread).toEqual([]);
  for (const symbology of SYMBOLOGIES) expect(countOf.get(symbology)).toBeGreaterThan(COUNT / 8);
});

/** A print for sublimation is mirrored, and its file with it: it is read as it lies on the blank. */
const mirrorBack = (scene: Scene): Scene => (scene.machine === 'sublimation' ? { ...scene, machine: 'uv' } : scene);

it.each([
  ['qr', 'HELLO', 21],
  ['qr', 'https://example.com/a', 25],
  ['dataMatrix', 'HELLO', 12],
  ['code128', 'HELLO', 35 + 5 * 11],
  ['ean13', '4006381333931', 95],
] as const)('a %s of “%s” is %d modules wide', (symbology, data, columns) => {
  const { outlines, unitMm } = figures.draw(
    { ...newCode('c'), symbology, data, hasText: false, widthMm: columns },
    fonts,
  )!;
  expect(outlines.box.width).toBe(columns);
  expect(unitMm).toBe(1);
});

it('draws each code as closed outlines of right angles that share no edge', () => {
  const random = seededRandom(SEED + 1);
  for (let i = 0; i < 60; i++) {
    const code = { ...atLeastSize(randomCode(random), 'laser'), hasText: false, kind: 'code', id: 'c' } as const;
    const { outlines } = figures.draw(code, fonts)!;
    expect(findFaults(readContours(outlines.fill))).toEqual([]);
  }
});

/** Returns what is wrong with outlines of modules: each fault once. */
function findFaults(contours: readonly Contour[]): string[] {
  const faults = new Set<string>();
  const edges = new Set<string>();
  for (const { points, commands, isClosed } of contours) {
    if (!isClosed || commands.includes('C')) faults.add('an open or a curved outline');
    const corners = Array.from({ length: points.length / 2 }, (_, k) => [points[2 * k]!, points[2 * k + 1]!] as const);
    corners.forEach(([x, y], k) => {
      const [nextX, nextY] = corners[(k + 1) % corners.length]!;
      const [lastX] = corners[(k + corners.length - 1) % corners.length]!;
      if ((x === nextX) === (y === nextY)) faults.add('a line that is not upright or level');
      if ((x === nextX) === (x === lastX)) faults.add('a point on a line that goes on');
      for (const edge of unitEdges(x, y, nextX, nextY)) {
        if (edges.has(edge)) faults.add('an edge that is there twice');
        edges.add(edge);
      }
    });
  }
  return [...faults];
}

function* unitEdges(x: number, y: number, nextX: number, nextY: number): Generator<string> {
  const isAcross = y === nextY;
  const [from, to] = isAcross ? [Math.min(x, nextX), Math.max(x, nextX)] : [Math.min(y, nextY), Math.max(y, nextY)];
  const [least, most] = [Math.floor(from), Math.ceil(to)];
  for (let at = least; at < most; at++) yield isAcross ? `- ${at} ${y}` : `| ${x} ${at}`;
}

it.each(SYMBOLOGIES)('an inverted %s is read where its marks are light', async (symbology) => {
  const data = symbology === 'ean13' ? '4006381333931' : 'Markwright 12';
  const scene = resolveCode({ ...newCode('c'), symbology, data, isInverted: true, widthMm: 40, heightMm: 15 }, 'laser');
  const svg = writeFile(scene).replaceAll('#000000', '#ffffff');
  const png = new Resvg(svg, { fitTo: { mode: 'zoom', value: 12 }, background: '#000000' }).render().asPng();
  const codes = await readBarcodes(new Blob([png as Uint8Array<ArrayBuffer>]), { tryInvert: false });
  expect(codes.map(({ text }) => text)).toEqual([data]);
});

it.each([
  ['ean13', '4006381333932', 'The last digit does not fit the others: it would be 1. Check all of them.'],
  ['ean13', '12345', 'EAN-13 has 13 digits, or 12 without the check digit, and these are 5.'],
  ['ean13', '40063813A3931', 'EAN-13 holds digits alone.'],
  ['code128', 'Café', 'Code 128 holds plain letters, digits and signs, and not “é”. A QR code does.'],
  ['code128', 'a\nb', 'Code 128 holds plain letters, digits and signs, and not line breaks. A QR code does.'],
  ['code128', 'x'.repeat(81), 'Code 128 takes 80 characters, and these are 81. Take a QR code.'],
  ['qr', '漢'.repeat(700), 'This is too long for a QR code of level H. Shorten it, or choose a lower level.'],
  ['dataMatrix', '漢'.repeat(700), 'This is too long for a Data Matrix. Shorten it.'],
] as const)('a %s of “%s” is not drawn, and says why', (symbology, data, sentence) => {
  const element = { ...newCode('c'), symbology, data, errorLevel: 'H' } as const;
  const scene = resolveScene({ ...emptyComposition, elements: [element] }, toAssets(100, 100));
  expect(scene.groups).toEqual([]);
  expect(scene.codeFaults).toEqual([{ elementId: 'code:c', sentence }]);
});

it('adds the check digit of an EAN-13, and takes one with spaces', () => {
  const draw = (data: string) =>
    figures.draw({ ...newCode('c'), symbology: 'ean13', data, hasText: false }, fonts)!.outlines.fill;
  expect(draw('400638133393')).toBe(draw('4006381333931'));
  expect(draw('4 006381 333931')).toBe(draw('4006381333931'));
});
