/** Draws the job sheet of a batch: a line with a box to tick for each piece, and a map of each sheet of them. */
import { boxInside } from '@markwright/scene/sheets';
import type { BatchSheet, SheetMap } from '../../platform/ports/mediaJobs.ts';
import { MACHINE_NAMES, nameMaterial } from './jobPackage.ts';
import {
  drawFoot,
  drawHead,
  drawLettersNote,
  drawList,
  drawRule,
  hasUnknownLetters,
  INNER,
  openSheet,
  PAGE,
  type Pen,
  QUIET,
  RIGHT,
  sayDay,
} from './jobSheet.ts';

const ROW = 19;
/** The most rows that are named as left out: `rows.csv` has all. */
const MOST_LEFT_OUT = 20;

/** Returns a PDF of as many pages as the pieces need. Cost: about a millisecond a piece. */
export async function drawBatchSheet(sheet: BatchSheet): Promise<Uint8Array> {
  const { title, machine, material, now, pieces, sheets = [] } = sheet;
  const leftOut = sheet.leftOut.slice(0, MOST_LEFT_OUT);
  const words = [title, ...pieces.flatMap(({ text, filename, note }) => [text, filename, note]), ...leftOut].join('');
  const { pen, end } = await openSheet(title, now, words);
  const total = pieces.reduce((sum, { quantity }) => sum + quantity, 0);
  const count = `${total.toLocaleString('en-US')} ${total === 1 ? 'piece' : 'pieces'}`;
  const facts = [count, MACHINE_NAMES[machine], material && nameMaterial(material), sayDay(now)];
  drawHead(pen, 'JOB SHEET', title, facts);
  pen.y += 76;
  drawList(pen, 'Left out', leftOut, 'dot');
  for (const [i, map] of sheets.entries()) {
    drawMap(pen, map, `Sheet ${i + 1} of ${sheets.length}`);
    drawFoot(pen, `${map.filename}  ·  Tick a piece when it is made.`);
    pen.need(PAGE.height); // a new page
  }
  drawColumns(pen, sheets.length > 0);
  for (const piece of pieces) {
    if (pen.y + ROW > PAGE.height - PAGE.margin - 20) {
      drawFoot(pen, count);
      pen.need(PAGE.height); // a new page
      drawColumns(pen, sheets.length > 0);
    }
    drawPiece(pen, piece);
  }
  drawRule(pen);
  drawFoot(pen, `${count}  ·  Tick a piece when it is made.`);
  if (hasUnknownLetters(words)) drawLettersNote(pen, 'rows.csv');
  return end();
}

const COLUMNS = { number: 20, text: 62, filename: 232, note: 436 } as const;

function drawColumns(pen: Pen, isOnSheets: boolean): void {
  const style = { size: 8, color: QUIET } as const;
  const titles = { number: 'Row', text: 'Text', filename: isOnSheets ? 'Place' : 'File', note: 'Note' };
  for (const [name, x] of Object.entries(COLUMNS)) {
    pen.line(titles[name as keyof typeof COLUMNS], PAGE.margin + x, pen.y, 100, style);
  }
  pen.y += 14;
}

function drawPiece(pen: Pen, { number, text, quantity, filename, where, note }: BatchSheet['pieces'][number]): void {
  drawRule(pen);
  const y = pen.y + 5;
  const left = PAGE.margin;
  pen.doc
    .lineWidth(0.9)
    .roundedRect(left, y - 1, 10, 10, 2)
    .stroke(QUIET);
  pen.line(String(number), left + COLUMNS.number, y, COLUMNS.text - COLUMNS.number - 6, { size: 9 });
  const words = text.replaceAll('\n', ' / ');
  pen.line(
    quantity > 1 ? `${quantity} × ${words}` : words,
    left + COLUMNS.text,
    y,
    COLUMNS.filename - COLUMNS.text - 8,
    {
      size: 9.5,
      face: 'bold',
    },
  );
  pen.line(where || filename, left + COLUMNS.filename, y, COLUMNS.note - COLUMNS.filename - 8, { size: 9 });
  pen.line(note, left + COLUMNS.note, y, RIGHT - left - COLUMNS.note, { size: 8, color: QUIET });
  pen.y += ROW;
}

/** The room that the title and the note of a map take. */
const MAP_HEAD = 26;
const TICK = 8;

/** Draws a sheet as large as the page lets it be: a box for each place, to tick, with its number, its row and text. */
function drawMap(pen: Pen, map: SheetMap, title: string): void {
  const { doc } = pen;
  const { widthMm, heightMm, filename, note, places } = map;
  const count = places.filter(({ rowNumber }) => rowNumber !== undefined).length;
  const size = `${widthMm.toFixed(0)} × ${heightMm.toFixed(0)} mm`;
  pen.line(title, PAGE.margin, pen.y, INNER / 2, { size: 11, face: 'bold' });
  const facts = [filename, size, `${count} ${count === 1 ? 'piece' : 'pieces'}`].join('  ·  ');
  pen.line(facts, PAGE.margin + INNER / 4, pen.y + 2, INNER * 0.75, { size: 8.5, color: QUIET, align: 'right' });
  if (note) pen.line(note, PAGE.margin, pen.y + 15, INNER, { size: 8.5, color: QUIET });
  const top = pen.y + MAP_HEAD;
  const scale = Math.min(INNER / widthMm, (PAGE.height - PAGE.margin - 30 - top) / heightMm);
  const left = PAGE.margin + (INNER - widthMm * scale) / 2;
  doc
    .lineWidth(0.8)
    .rect(left, top, widthMm * scale, heightMm * scale)
    .stroke(QUIET);
  for (const place of places) {
    const [x, y, w, h] = boxOf(place).map((mm) => mm * scale) as Box;
    drawPlaceLine(pen, place, (xMm, yMm) => [left + xMm * scale, top + yMm * scale]);
    drawPlace(pen, place, [left + x, top + y, w, h]);
  }
  pen.y = top + heightMm * scale + 14;
}

type Box = [x: number, y: number, width: number, height: number];

/** Where the words of a place stand: in its box, or in that which its outline leaves, so that no neighbor has them. */
function boxOf({ x, y, widthMm, heightMm, outline }: SheetMap['places'][number]): Box {
  if (!outline) return [x, y, widthMm, heightMm];
  const { minX, minY, maxX, maxY } = boxInside(outline);
  return [minX, minY, maxX - minX, maxY - minY];
}

function drawPlaceLine(
  { doc }: Pen,
  { x, y, widthMm, heightMm, outline }: SheetMap['places'][number],
  toPage: (xMm: number, yMm: number) => [x: number, y: number],
): void {
  const ring = outline ?? [x, y, x + widthMm, y, x + widthMm, y + heightMm, x, y + heightMm];
  for (let i = 0; i < ring.length; i += 2) {
    if (i === 0) doc.moveTo(...toPage(ring[0]!, ring[1]!));
    else doc.lineTo(...toPage(ring[i]!, ring[i + 1]!));
  }
  doc.closePath().lineWidth(0.5).stroke(QUIET);
}

function drawPlace(pen: Pen, { slot, rowNumber, text }: SheetMap['places'][number], [x, y, w, h]: Box): void {
  const { doc } = pen;
  if (rowNumber === undefined) {
    doc
      .moveTo(x, y + h)
      .lineTo(x + w, y)
      .stroke(QUIET);
    if (h > 12) pen.line(`${slot} ${text}`, x + 3, y + 3, w - 6, { size: Math.min(7, h / 2), color: QUIET });
    return;
  }
  const tick = Math.min(TICK, w / 3, h / 2);
  doc
    .lineWidth(0.7)
    .rect(x + 2, y + 2, tick, tick)
    .stroke(QUIET);
  const room = w - tick - 7;
  const letter = Math.max(3, Math.min(8, h / 2 - 2, room / 3));
  const isLow = h < Math.max(tick, letter) + letter + 6;
  const first = isLow ? `${slot}  ${text.replaceAll('\n', ' / ')}` : String(slot);
  pen.line(first, x + tick + 4, y + 2, room, { size: letter, face: 'bold' });
  if (isLow) return;
  const words = `${rowNumber}  ${text.replaceAll('\n', ' / ')}`;
  pen.line(words, x + 2, y + Math.max(tick, letter) + 4, w - 4, { size: Math.min(letter, 7.5) });
}
