/**
 * Measures how well lettering is recognized: lines set in each bundled face, 40 px high, saved as JPEG of quality 70
 * and traced; and lines set in fonts that are not bundled, for which nothing may be offered. Those are the weights of
 * the bundled families that the product does not have, which are the nearest other lettering there is; the font of the
 * pages; and the fonts of the machine (URW base 35, DejaVu: `apt-get install fonts-urw-base35 fonts-dejavu`). What is
 * missing is said.
 *
 *   npx tsx bench/lettering.ts [--seed N] [--apart] [--others]
 *
 * `--apart` takes the words and pictures that are set apart: they are looked at once, not tuned to. `--others` leaves
 * out the lines that are to be offered.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { allFontFiles, fontFiles } from '@markwright/fonts';
import { findFontPath } from '@markwright/fonts/files';
import {
  bundledFaces,
  type Face,
  indexLetters,
  LETTERS,
  type Lettering,
  recognizeLettering,
} from '@markwright/scene/lettering';
import { createFontBook } from '@markwright/scene/text';
import { Tracer, writeSvg } from '@markwright/vectorizer';
import sharp from 'sharp';
import {
  looseBounds,
  readContours,
  transformContours,
  writeContours,
} from '../packages/scene/src/geometry/pathData.ts';
import { readArtwork } from '../packages/scene/src/import/readArtwork.ts';
import { readSvg } from '../packages/scene/src/import/svgSafe.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    apart: { type: 'boolean', default: false },
    others: { type: 'boolean', default: false },
  },
});

/** What is written, and the least and the most of what its pictures have: cap height and blur in px, JPEG's quality. */
interface Material {
  readonly lines: readonly string[];
  readonly capHeight: readonly [number, number];
  readonly quality: readonly [number, number];
  readonly blur: readonly [number, number];
}

const TUNING_LINES = [
  'Happy Birthday',
  'Est. 1998',
  'The Smith Family',
  'COFFEE & TEA',
  'Mr. & Mrs. Jones',
  'Jenny',
  'Oak Street 24',
  'World’s best dad',
  'Quality first',
  'Bake shop',
  'Forever & always',
  'Captain Frederick',
];
const APART_LINES = [
  'Winter Market',
  'Vol. 36',
  'The Baker Sisters',
  'FRESH BREAD',
  'Dr. & Dr. Klein',
  'Vicky',
  'Grand Opening 2025',
  'Nana’s kitchen',
  'Made with love',
  'Brooklyn',
  'Hugs & kisses',
  'Professor Quentin',
];
const TUNING: Material = { lines: TUNING_LINES, capHeight: [40, 40], quality: [70, 70], blur: [0, 0] };
const APART: Material = { lines: APART_LINES, capHeight: [36, 48], quality: [60, 90], blur: [0.3, 0.6] };
const material = values.apart ? APART : TUNING;
const JETBRAINS = 'node_modules/@fontsource/jetbrains-mono/files';
const OTHER_FONTS = ['/usr/share/fonts/opentype/urw-base35', '/usr/share/fonts/truetype/dejavu'];

let state = Number(values.seed);
const random = (): number => {
  state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
  return state / 0x7fffffff;
};

const draw = ([least, most]: readonly [number, number]): number => least + random() * (most - least);
const drawLine = (): string => material.lines[Math.floor(random() * material.lines.length)]!;

const stand: Face = { fontFamily: 'Open Sans', isBold: false, isItalic: false };
const readFont = (path: string) => new Uint8Array(readFileSync(path));

const book = createFontBook();
for (const { name } of allFontFiles) book.add(name, readFont(findFontPath(name)!));
const indexTime = process.cpuUsage();
const index = indexLetters(bundledFaces, book);
console.log(`Index of ${bundledFaces.length} faces: ${secondsSince(indexTime).toFixed(1)} processor s`);

let recognizing = 0;

/** Draws a path in ems as a JPEG, traces it in one ink, and returns what is recognized. */
async function recognize(d: string, advance: number, capHeight: number): Promise<Lettering[]> {
  const size = draw(material.capHeight) / capHeight;
  const quality = Math.round(draw(material.quality));
  const blur = draw(material.blur);
  const [width, height] = [Math.ceil(advance * size + 60), Math.ceil(size * 1.9 + 40)];
  const matrix = { a: size, b: 0, c: 0, d: size, e: 30 + random(), f: height * 0.62 + random() };
  const path = writeContours(transformContours(readContours(d), matrix));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="#fff"/><path d="${path}" fill="#1a1a1a" fill-rule="evenodd"/></svg>`;
  const drawing = sharp(Buffer.from(svg));
  const picture = await (blur > 0 ? drawing.blur(blur) : drawing).jpeg({ quality }).toBuffer();
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const bitmap = { width: info.width, height: info.height, data: new Uint8ClampedArray(data) };
  const artwork = readArtwork(readSvg(writeSvg(new Tracer(bitmap).trace({ colorMode: 'monochrome' }))));
  const contours = (artwork?.shapes ?? []).flatMap((shape) => readContours(shape.d));
  const start = process.cpuUsage();
  const lines = recognizeLettering(contours, index, book, 0.05);
  recognizing += secondsSince(start);
  return lines;
}

function secondsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

/** Faces without small letters show the same for both cases: what is drawn decides. */
function looksAlike(face: Face, text: string, line: Lettering): boolean {
  const set = (look: Face, words: string) => book.outline({ ...look, text: words })?.d;
  return set(face, text) === set(line, line.text);
}

const counts = { right: 0, missed: 0, wrong: 0 };
for (const face of values.others ? [] : bundledFaces) {
  const text = drawLine();
  const { d, advance } = book.outline({ ...face, text })!;
  const cap = index.box[4 * firstEntry(face) + 1]!;
  const [line] = await recognize(d, advance, -cap);
  const result = !line ? 'missed' : looksAlike(face, text, line) ? 'right' : 'wrong';
  counts[result]++;
  if (result !== 'right') {
    const name = `${face.fontFamily}${face.isBold ? ' bold' : ''}${face.isItalic ? ' italic' : ''}`;
    console.log(`${result}: ${name}, ${text}${line ? ` as ${line.fontFamily}, ${line.text}` : ''}`);
  }
}
const total = bundledFaces.length;
const share = (count: number, all: number) => `${count} of ${all} (${((100 * count) / all).toFixed(1)} %)`;
if (!values.others) {
  console.log(`Bundled faces: right ${share(counts.right, total)}, missed ${counts.missed}, wrong ${counts.wrong}`);
  console.log(`Recognition: ${((1000 * recognizing) / total).toFixed(0)} processor ms a line`);
}

let others = 0;
let offers = 0;

/** Sets lines in the font of a file, three by default, and counts what is offered for them. */
async function tryOther(path: string, lines = 3): Promise<void> {
  // A book in which the font stands in the place of a bundled one sets its lines as the product does.
  const other = createFontBook();
  for (const { name } of fontFiles({ ...stand, text: 'H' })) other.add(name, readFont(path));
  const cap = other.outline({ ...stand, text: 'H' })!;
  if (cap.leftOut || other.outline({ ...stand, text: 'a' })!.leftOut) return;
  const capHeight = -looseBounds(readContours(cap.d)).minY;
  for (let i = 0; i < lines; i++) {
    const text = drawLine().replaceAll('’', "'");
    const { d, advance } = other.outline({ ...stand, text })!;
    const [line] = await recognize(d, advance, capHeight);
    others++;
    if (!line) continue;
    offers++;
    const name = `${line.fontFamily}${line.isBold ? ' bold' : ''}${line.isItalic ? ' italic' : ''}`;
    console.log(`offered for ${basename(path)}, ${text}: ${name}, ${line.text}, ${line.error.toFixed(4)}`);
  }
}

const bundledNames = new Set(allFontFiles.map(({ name }) => name));
const families = [...new Set(allFontFiles.map((file) => `node_modules/${file.package}/files`)), JETBRAINS];
for (const folder of families) {
  const isOther = (name: string) => /-latin-\d+-\w+\.woff2$/.test(name) && !bundledNames.has(name);
  for (const name of readdirSync(folder).filter(isOther)) await tryOther(`${folder}/${name}`, 1);
}
console.log(`Other weights and JetBrains Mono: offers for ${share(offers, others)}`);
[others, offers] = [0, 0];
for (const folder of OTHER_FONTS) {
  if (!existsSync(folder)) {
    console.log(`Missing: ${folder}`);
    continue;
  }
  for (const file of readdirSync(folder).filter((name) => /\.(otf|ttf)$/.test(name)))
    await tryOther(`${folder}/${file}`);
}
if (others > 0) console.log(`Other fonts: offers for ${share(offers, others)}`);

/** Returns the entry of H in a face. */
function firstEntry(face: Face): number {
  const f = index.faces.indexOf(face);
  for (let entry = 0; entry < index.count; entry++) {
    if (index.face[entry] === f && index.letter[entry] === LETTERS.indexOf('H')) return entry;
  }
  throw new Error(`${face.fontFamily} has no H.`);
}
