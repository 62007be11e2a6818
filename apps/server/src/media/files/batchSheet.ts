/** Draws the job sheet of a batch: a line with a box to tick for each piece, so that none is forgotten. */
import type { BatchSheet } from '../../platform/ports/mediaJobs.ts';
import { MACHINE_NAMES, nameMaterial } from './jobPackage.ts';
import {
  drawFoot,
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
} from './jobSheet.ts';

const ROW = 19;
/** The most rows that are named as left out: `rows.csv` has all. */
const MOST_LEFT_OUT = 20;

/** Returns a PDF of as many pages as the pieces need. Cost: about a millisecond a piece. */
export async function drawBatchSheet(sheet: BatchSheet): Promise<Uint8Array> {
  const { title, machine, material, now, pieces } = sheet;
  const leftOut = sheet.leftOut.slice(0, MOST_LEFT_OUT);
  const words = [title, ...pieces.flatMap(({ text, filename, note }) => [text, filename, note]), ...leftOut].join('');
  const { pen, end } = await openSheet(title, now, words);
  const count = `${pieces.length.toLocaleString('en-US')} ${pieces.length === 1 ? 'piece' : 'pieces'}`;
  pen.line('JOB SHEET', PAGE.margin, pen.y, INNER, { size: 8, face: 'bold', color: QUIET, spacing: 1.4 });
  pen.line(title, PAGE.margin, pen.y + 15, INNER, { size: 21, face: 'bold' });
  const facts = [count, MACHINE_NAMES[machine], material && nameMaterial(material), now.toISOString().slice(0, 10)];
  pen.line(facts.filter(Boolean).join('  ·  '), PAGE.margin, pen.y + 45, INNER, { size: 10, color: QUIET });
  pen.y += 76;
  drawList(pen, 'Left out', leftOut, 'dot');
  drawColumns(pen);
  for (const piece of pieces) {
    if (pen.y + ROW > PAGE.height - PAGE.margin - 20) {
      drawFoot(pen, count);
      pen.need(PAGE.height); // a new page
      drawColumns(pen);
    }
    drawPiece(pen, piece);
  }
  drawRule(pen);
  drawFoot(pen, `${count}  ·  Tick a piece when it is made.`);
  if (hasUnknownLetters(words)) drawLettersNote(pen, 'rows.csv');
  return end();
}

const COLUMNS = { number: 20, text: 62, filename: 232, note: 436 } as const;

function drawColumns(pen: Pen): void {
  const style = { size: 8, color: QUIET } as const;
  const titles = { number: 'Row', text: 'Text', filename: 'File', note: 'Note' };
  for (const [name, x] of Object.entries(COLUMNS)) {
    pen.line(titles[name as keyof typeof COLUMNS], PAGE.margin + x, pen.y, 100, style);
  }
  pen.y += 14;
}

function drawPiece(pen: Pen, { number, text, filename, note }: BatchSheet['pieces'][number]): void {
  drawRule(pen);
  const y = pen.y + 5;
  const left = PAGE.margin;
  pen.doc
    .lineWidth(0.9)
    .roundedRect(left, y - 1, 10, 10, 2)
    .stroke(QUIET);
  pen.line(String(number), left + COLUMNS.number, y, COLUMNS.text - COLUMNS.number - 6, { size: 9 });
  pen.line(text.replaceAll('\n', ' / '), left + COLUMNS.text, y, COLUMNS.filename - COLUMNS.text - 8, {
    size: 9.5,
    face: 'bold',
  });
  pen.line(filename, left + COLUMNS.filename, y, COLUMNS.note - COLUMNS.filename - 8, { size: 9 });
  pen.line(note, left + COLUMNS.note, y, RIGHT - left - COLUMNS.note, { size: 8, color: QUIET });
  pen.y += ROW;
}
