/** Draws the job sheet: the page that goes with a job to the machine, so that its operator has to ask nobody. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findFontPath } from '@markwright/fonts/files';
import type { SheetPapers } from '../../platform/ports/mediaJobs.ts';
import { unpackWoff } from './woff.ts';

export interface JobSheet extends SheetPapers {
  readonly title: string;
  /** `UV print`, `Laser`. */
  readonly machine: string;
  readonly material: string | undefined;
  readonly date: Date;
  readonly widthMm: number;
  readonly heightMm: number;
  /** The picture of the job as a PNG. */
  readonly picture: Uint8Array;
  readonly layers: readonly SheetLayer[];
  /** The checklist for the operator, one sentence for each point. */
  readonly checks: readonly string[];
  /** The findings of the job, one sentence for each. */
  readonly findings: readonly string[];
}

export interface SheetLayer {
  /** `#rrggbb`; undefined for the colors of the artwork. */
  readonly color: string | undefined;
  readonly name: string;
  readonly operation: string;
  readonly pieces: number;
  /** `1,024 mm²` */
  readonly amount: string;
  /** How the laser is set: `30 % · 250 mm/s`. Absent for a layer of a printer and for a guide. */
  readonly setting?: string | undefined;
}

/** A US letter page; the margins leave room for the height of an A4 one. In points, as all lengths here. */
export const PAGE = { width: 612, height: 792, margin: 38 };
export const INNER = PAGE.width - 2 * PAGE.margin;
export const RIGHT = PAGE.width - PAGE.margin;
/** The side of the code that leads to the order, at the top right. */
const CODE_SIDE = 68;
const INK = '#17191c';
export const QUIET = '#5b6169';
const RULE = '#d9dce0';
const PANEL = '#f4f5f7';
/** The files of the typeface, each with a part of its letters, and the letters that it is taken for. */
const SCRIPTS = [
  { script: 'latin', letters: /[\u0020-\u00ff\u2013\u2014\u2018-\u201d\u2022\u2026\u2032\u2033]/u },
  { script: 'latin-ext', letters: /[\u0100-\u024f\u1e00-\u1e9f\u1ef2-\u1eff\u20ac]/u },
  { script: 'vietnamese', letters: /[\u1ea0-\u1ef1\u20ab]/u },
  { script: 'cyrillic', letters: /[\u0400-\u045f\u0490\u0491\u04b0\u04b1\u2116]/u },
  { script: 'cyrillic-ext', letters: /[\u0460-\u048f\u0492-\u04af\u04b2-\u052f]/u },
  { script: 'greek', letters: /[\u0370-\u03ff]/u },
  { script: 'greek-ext', letters: /[\u1f00-\u1fff]/u },
] as const;
type Script = (typeof SCRIPTS)[number]['script'];
const WEIGHTS = { text: 400, bold: 700 } as const;
type Face = keyof typeof WEIGHTS;

/**
 * Draws a job sheet as a PDF of one page, or more when there are many layers or files. Letters beyond the Latin, Greek
 * and Cyrillic scripts stand as question marks, because a typeface of the others has megabytes; the sheet says so and
 * names the file that has them. Cost: about 0.2 s, most of it for the fonts.
 */
export async function drawJobSheet(sheet: JobSheet): Promise<Uint8Array> {
  const words = [sheet.title, sheet.material ?? '', ...sheet.files.map(({ filename }) => filename)].join('');
  const own = [...sheet.layers.map(({ name }) => name), ...sheet.checks, ...sheet.findings].join('');
  const { pen, end } = await openSheet(sheet.title, sheet.date, words + own);
  const { title, machine, material, date, order } = sheet;
  const kind = order ? `JOB SHEET  ·  ORDER ${order.number}` : 'JOB SHEET';
  drawHead(pen, kind, title, [machine, material, sayDay(date)], INNER - CODE_SIDE - 20);
  if (sheet.order) await drawOrderCode(pen, sheet.order);
  pen.y += CODE_SIDE + 8;
  drawPicture(pen, sheet);
  drawLayers(pen, sheet);
  drawList(pen, 'Before the machine starts', sheet.checks, 'box');
  drawList(pen, 'Found in this job', sheet.findings, 'dot');
  drawFiles(pen, sheet);
  const size = `${sheet.widthMm.toFixed(1)} × ${sheet.heightMm.toFixed(1)} mm`;
  drawFoot(pen, `${size}  ·  Measure the first piece before you run the rest.`);
  if (hasUnknownLetters(words + own)) drawLettersNote(pen, 'job.json');
  return end();
}

interface SheetForm {
  /** The kind of sheet, which its title names. */
  readonly kind?: string;
  /** Of a page. Absent: that of a job sheet. */
  readonly size?: readonly [width: number, height: number];
}

/** Begins a sheet whose pen can write these words. `end` returns the PDF. */
export async function openSheet(
  title: string,
  date: Date,
  words: string,
  { kind = 'Job sheet', size = [PAGE.width, PAGE.height] }: SheetForm = {},
): Promise<{ pen: Pen; end(): Promise<Uint8Array> }> {
  // Loaded by the first sheet: it is a sixth of a worker's start, and few workers draw one.
  const { default: PDFDocument } = await import('pdfkit');
  const doc = new PDFDocument({
    size: [...size],
    // Places are given for everything; pdfkit would begin a page by itself at its margin.
    margins: { top: 0, left: 0, right: 0, bottom: 0 },
    info: { Title: `${kind}: ${title}`, Producer: 'Markwright', CreationDate: date },
  });
  const chunks: Buffer[] = [];
  const whole = new Promise<void>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    doc.on('end', resolve);
    doc.on('error', reject);
  });
  // A file that no letter is in would only cost its reading.
  const scripts = new Set<Script>(['latin', ...toRuns(words).map(({ script }) => script)]);
  for (const script of scripts) {
    for (const face of ['text', 'bold'] as const)
      doc.registerFont(nameFace(face, script), await readFont(face, script));
  }
  return {
    pen: createPen(doc),
    async end() {
      doc.end();
      await whole;
      return Buffer.concat(chunks);
    },
  };
}

export const hasUnknownLetters = (words: string): boolean =>
  [...words.normalize('NFC')].some((letter) => !scriptOf(letter));

const nameFace = (face: Face, script: Script) => `${face} ${script}`;

/** Reads the older form of a bundled font, which lies beside it: pdfkit cannot take letters out of WOFF2. */
async function readFont(face: Face, script: Script): Promise<Buffer> {
  const latin = findFontPath('inter-latin-400-normal.woff2')!;
  return unpackWoff(await readFile(join(dirname(latin), `inter-${script}-${WEIGHTS[face]}-normal.woff`)));
}

interface TextStyle {
  readonly size: number;
  readonly face?: Face;
  readonly color?: string;
  readonly align?: 'left' | 'right' | 'center';
  readonly spacing?: number;
}

export interface Pen {
  readonly doc: PDFKit.PDFDocument;
  y: number;
  /** Writes one line, cut with an ellipsis where it is too long, and leaves `y` as it is. */
  line(text: string, x: number, y: number, width: number, style: TextStyle): void;
  /** Begins a page when there is less room than this. */
  need(height: number): void;
}

/** No line of the sheet holds more. */
const MOST_CHARACTERS = 140;
/** The typeface would write the x between two numbers as a multiplication sign, also in the name of a file. */
const PLAIN_LETTERS = { features: { calt: false } as unknown as PDFKit.Mixins.OpenTypeFeatures[] };

function createPen(doc: PDFKit.PDFDocument): Pen {
  const measure = (runs: readonly Run[], { size, face = 'text', spacing = 0 }: TextStyle) =>
    runs.reduce((sum, { text, script }) => {
      doc.font(nameFace(face, script)).fontSize(size);
      return sum + doc.widthOfString(text, { ...PLAIN_LETTERS, characterSpacing: spacing });
    }, 0);
  return {
    doc,
    y: PAGE.margin,
    line(text, x, y, width, style) {
      const { size, face = 'text', color = INK, align = 'left', spacing = 0 } = style;
      let part = text.slice(0, MOST_CHARACTERS);
      let runs = toRuns(part);
      while (part.length > 1 && measure(runs, style) > width) {
        part = part.slice(0, -1);
        runs = toRuns(`${part.trimEnd()}…`);
      }
      const free = width - measure(runs, style);
      let left = x + (align === 'right' ? free : align === 'center' ? free / 2 : 0);
      for (const run of runs) {
        doc.font(nameFace(face, run.script)).fontSize(size).fillColor(color);
        doc.text(run.text, left, y, { ...PLAIN_LETTERS, lineBreak: false, characterSpacing: spacing });
        left += measure([run], style);
      }
    },
    need(height) {
      if (this.y + height <= PAGE.height - PAGE.margin - 20) return;
      doc.addPage();
      this.y = PAGE.margin;
    },
  };
}

const scriptOf = (letter: string) => SCRIPTS.find(({ letters }) => letters.test(letter))?.script;

interface Run {
  readonly text: string;
  readonly script: Script;
}

/** Splits a text by the font file that has its letters. What none has is a question mark. */
export function toRuns(text: string): Run[] {
  const runs: { text: string; script: Script }[] = [];
  for (const letter of text.normalize('NFC')) {
    const script = scriptOf(letter);
    const last = runs.at(-1);
    if (last?.script === (script ?? 'latin')) last.text += script ? letter : '?';
    else runs.push({ text: script ? letter : '?', script: script ?? 'latin' });
  }
  return runs;
}

/** Draws the head of a sheet: its kind, its title, and those of the facts that are known. */
export function drawHead(
  pen: Pen,
  kind: string,
  title: string,
  facts: readonly (string | undefined)[],
  width = INNER,
): void {
  const left = PAGE.margin;
  pen.line(kind, left, pen.y, width, { size: 8, face: 'bold', color: QUIET, spacing: 1.4 });
  pen.line(title, left, pen.y + 15, width, { size: 21, face: 'bold' });
  pen.line(facts.filter(Boolean).join('  ·  '), left, pen.y + 45, width, { size: 10, color: QUIET });
}

/** Returns a day as sheets write it. */
export const sayDay = (date: Date): string => date.toISOString().slice(0, 10);

/** Draws the code that a phone reads, at the top right: it opens the page of the order. */
async function drawOrderCode({ doc, y }: Pen, { url }: NonNullable<JobSheet['order']>): Promise<void> {
  // Loaded with the first sheet of an order: the library has a megabyte of all kinds of codes.
  const { default: codes } = await import('bwip-js/node');
  const [code] = codes.raw('qrcode', url, 'eclevel=M');
  if (!code || !('pixs' in code)) throw new Error('No code was made of the address of an order.');
  const modules = code.pixx;
  const module = CODE_SIDE / modules;
  const left = RIGHT - CODE_SIDE;
  for (let row = 0; row < modules; row++) {
    // Modules side by side are one rectangle: between single ones a printer may leave hairlines.
    for (let from = 0, to = 0; from < modules; from = to + 1) {
      for (to = from; to < modules && code.pixs[row * modules + to]; ) to++;
      if (to > from) doc.rect(left + from * module, y + row * module, (to - from) * module, module);
    }
  }
  doc.fill(INK);
}

/** The height of the picture's panel. */
const PICTURE = { least: 150, most: 290 };
const ROWS = { layer: 22, sentence: 18, file: 29 };

/** Returns the height that the rest of the sheet leaves for the picture, so that the sheet is one page if it can be. */
function spaceFor({ layers, checks, findings, files }: JobSheet, y: number): number {
  const list = (sentences: readonly string[]) =>
    sentences.length > 0 ? 32 + Math.ceil(sentences.length / 2) * ROWS.sentence : 0;
  const rest = 57 + layers.length * ROWS.layer + list(checks) + list(findings) + 26 + files.length * ROWS.file;
  return PAGE.height - PAGE.margin - 20 - y - 30 - rest;
}

/** Draws the picture as large as the page lets it be, with its size at two of its sides as on a drawing. */
function drawPicture(pen: Pen, sheet: JobSheet): void {
  const { picture, widthMm, heightMm } = sheet;
  const { doc } = pen;
  const height = Math.max(PICTURE.least, Math.min(PICTURE.most, spaceFor(sheet, pen.y)));
  const [left, top] = [PAGE.margin, pen.y + 6];
  doc.roundedRect(left, top, INNER, height, 8).fill(PANEL);
  const [roomX, roomY] = [INNER - 150, height - 66];
  const scale = Math.min(roomX / widthMm, roomY / heightMm);
  const [w, h] = [widthMm * scale, heightMm * scale];
  const x = left + (INNER - w) / 2;
  const y = top + (height - h) / 2 - 12;
  doc.rect(x, y, w, h).fill('#ffffff');
  doc.image(Buffer.from(picture), x, y, { width: w, height: h });
  doc.lineWidth(0.6).rect(x, y, w, h).stroke(RULE);

  doc.lineWidth(0.7).strokeColor(QUIET);
  const below = y + h + 12;
  doc
    .moveTo(x, below)
    .lineTo(x + w, below)
    .moveTo(x, below - 4)
    .lineTo(x, below + 4);
  doc
    .moveTo(x + w, below - 4)
    .lineTo(x + w, below + 4)
    .stroke();
  const besides = x - 12;
  doc
    .moveTo(besides, y)
    .lineTo(besides, y + h)
    .moveTo(besides - 4, y)
    .lineTo(besides + 4, y);
  doc
    .moveTo(besides - 4, y + h)
    .lineTo(besides + 4, y + h)
    .stroke();
  const middle = x + w / 2;
  pen.line(toLength(widthMm), middle - 100, below + 8, 200, { size: 9, face: 'bold', align: 'center' });
  const label = toLength(heightMm);
  doc.save().rotate(-90, { origin: [besides - 18, y + h / 2] });
  pen.line(label, besides - 118, y + h / 2, 200, { size: 9, face: 'bold', align: 'center' });
  doc.restore();
  pen.y = top + height + 24;
}

const MM_PER_INCH = 25.4;
const toLength = (mm: number) => `${mm.toFixed(1)} mm  ·  ${(mm / MM_PER_INCH).toFixed(2)} in`;

function drawTitle(pen: Pen, title: string, height: number): void {
  pen.need(height + 26);
  pen.line(title, PAGE.margin, pen.y, INNER, { size: 11, face: 'bold' });
  pen.y += 20;
}

export function drawRule(pen: Pen): void {
  pen.doc.lineWidth(0.5).moveTo(PAGE.margin, pen.y).lineTo(RIGHT, pen.y).stroke(RULE);
}

interface Column {
  readonly x: number;
  readonly width: number;
  readonly title: string;
  readonly isNumber?: true;
  text(layer: SheetLayer): string;
}

const COLUMNS: Readonly<Record<'name' | 'operation' | 'pieces' | 'amount', Column>> = {
  name: { x: 22, width: 190, title: 'Layer', text: ({ name }) => name },
  operation: { x: 216, width: 150, title: 'Operation', text: ({ operation }) => operation },
  pieces: { x: 370, width: 60, title: 'Pieces', isNumber: true, text: ({ pieces }) => String(pieces) },
  amount: { x: 434, width: INNER - 434, title: 'Amount', isNumber: true, text: ({ amount }) => amount },
};
/** The columns of a laser's sheet, which says how each layer is set. */
const LASER_COLUMNS: readonly Column[] = [
  { ...COLUMNS.name, width: 100 },
  { ...COLUMNS.operation, x: 126, width: 104 },
  { x: 234, width: 158, title: 'Power and speed', text: ({ setting }) => setting ?? '' },
  { ...COLUMNS.pieces, x: 392, width: 48 },
  { ...COLUMNS.amount, x: 446, width: INNER - 446 },
];

function drawLayers(pen: Pen, { layers }: JobSheet): void {
  drawTitle(pen, 'Layers, in the order of the machine', 40);
  const columns = layers.some(({ setting }) => setting) ? LASER_COLUMNS : Object.values(COLUMNS);
  const cell = ({ x, width, isNumber }: Column, text: string, style: TextStyle) =>
    pen.line(text, PAGE.margin + x, pen.y, width, { align: isNumber ? 'right' : 'left', ...style });
  for (const column of columns) cell(column, column.title, { size: 8, color: QUIET });
  pen.y += 15;
  for (const [i, layer] of layers.entries()) {
    pen.need(ROWS.layer);
    drawRule(pen);
    pen.y += 6;
    drawSwatch(pen, layer.color);
    const [first, ...others] = columns;
    cell(first!, `${i + 1}   ${first!.text(layer)}`, { size: 9.5, face: 'bold' });
    for (const column of others) cell(column, column.text(layer), { size: 9.5 });
    pen.y += 16;
  }
  drawRule(pen);
  pen.y += 22;
}

function drawSwatch({ doc, y }: Pen, color: string | undefined): void {
  const [x, side] = [PAGE.margin, 11];
  if (color) doc.roundedRect(x, y, side, side, 2).fill(color);
  else {
    const inks = ['#00a0d8', '#d8287c', '#f2c80f', '#1d1d1b'];
    for (const [i, ink] of inks.entries()) doc.rect(x + (i % 2) * 5.5, y + Math.floor(i / 2) * 5.5, 5.5, 5.5).fill(ink);
  }
  doc.lineWidth(0.5).roundedRect(x, y, side, side, 2).stroke(RULE);
}

/** Draws sentences in two columns, each with a box to tick or a dot. */
export function drawList(pen: Pen, title: string, sentences: readonly string[], mark: 'box' | 'dot'): void {
  if (sentences.length === 0) return;
  const width = (INNER - 24) / 2;
  const rows = Math.ceil(sentences.length / 2);
  drawTitle(pen, title, rows * ROWS.sentence);
  const top = pen.y;
  for (const [i, sentence] of sentences.entries()) {
    const x = PAGE.margin + (i >= rows ? width + 24 : 0);
    const y = top + (i % rows) * ROWS.sentence;
    if (mark === 'box') pen.doc.lineWidth(0.9).roundedRect(x, y, 10, 10, 2).stroke(QUIET);
    else pen.doc.circle(x + 5, y + 5.5, 2).fill('#b4530a');
    pen.line(sentence, x + 18, y - 0.5, width - 18, { size: 9.5 });
  }
  pen.y = top + rows * ROWS.sentence + 12;
}

function drawFiles(pen: Pen, { files }: JobSheet): void {
  if (files.length === 0) return;
  drawTitle(pen, 'Files and their SHA-256', Math.min(4, files.length) * ROWS.file);
  for (const { filename, sha256, sizeBytes } of files) {
    pen.need(ROWS.file);
    drawRule(pen);
    pen.y += 6;
    pen.line(filename, PAGE.margin, pen.y, INNER - 90, { size: 9.5, face: 'bold' });
    pen.line(toSize(sizeBytes), RIGHT - 84, pen.y, 84, { size: 9.5, align: 'right' });
    pen.line(sha256.match(/.{1,8}/g)!.join(' '), PAGE.margin, pen.y + 12, INNER, { size: 8, color: QUIET });
    pen.y += 23;
  }
  drawRule(pen);
}

const toSize = (bytes: number) => (bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);

/** The baseline of the words at the foot of a page. */
const FOOT = PAGE.height - PAGE.margin - 4;

/** Writes the foot of the page that the pen is on. */
export function drawFoot(pen: Pen, words: string): void {
  pen.line(`Markwright  ·  ${words}`, PAGE.margin, FOOT, INNER, { size: 8, color: QUIET });
}

/** Draws the note that question marks may stand for letters, with the name of the file that has them. */
export function drawLettersNote(pen: Pen, filename: string): void {
  const note = `A question mark may stand for a letter that this sheet has no typeface for: ${filename} has the names.`;
  pen.line(note, PAGE.margin, FOOT + 11, INNER, { size: 8, color: QUIET });
}
