/** Draws the proof of a list: its pieces as they will be made, for the customer to check and to sign. */
import { drawWatermark, nearView, renderView, type Scene, type SvgNode } from '@markwright/scene';
import type { ProofFacts } from '../../platform/ports/mediaJobs.ts';
import { MACHINE_NAMES, nameMaterial } from './jobPackage.ts';
import {
  drawFoot,
  drawHead,
  drawLettersNote,
  hasUnknownLetters,
  INNER,
  openSheet,
  PAGE,
  type Pen,
  QUIET,
  RIGHT,
  sayDay,
} from './jobSheet.ts';
import { paintSvg } from './paintSvg.ts';

/** The picture of a piece: a drawing in mm, the part of it to show, and the size of the marks; undefined for none. */
export interface ProofPicture {
  readonly drawing: SvgNode;
  readonly view: ReturnType<typeof nearView>;
  readonly sizeMm: { readonly width: number; readonly height: number } | undefined;
}

/** Between pieces. In points, as all lengths of a page. */
const GAP = 12;
const WORDS = 32;
const SIGN = 66;
const BOTTOM = PAGE.height - PAGE.margin - 20;
const PANEL = '#f4f5f7';
const LINE = '#d9dce0';

interface Grid {
  readonly columns: number;
  readonly rows: number;
}

/** How pieces may lie on a page: few of them are large. */
const GRIDS = {
  one: [{ columns: 1, rows: 1 }],
  few: [
    { columns: 2, rows: 2 },
    { columns: 1, rows: 4 },
  ],
  many: [
    { columns: 3, rows: 4 },
    { columns: 4, rows: 3 },
    { columns: 2, rows: 6 },
  ],
} as const satisfies Record<string, readonly Grid[]>;

/** Chooses the grid in which a picture is largest. */
function chooseGrid(count: number, top: number, { width, height }: ProofPicture['view']) {
  const cells = GRIDS[count === 1 ? 'one' : count <= 4 ? 'few' : 'many'].map((grid: Grid) => ({
    ...grid,
    width: (INNER - (grid.columns - 1) * GAP) / grid.columns,
    height: (BOTTOM - SIGN - top - (grid.rows - 1) * GAP) / grid.rows,
  }));
  const scaleOf = (cell: (typeof cells)[number]) => Math.min(cell.width / width, (cell.height - WORDS) / height);
  return cells.reduce((best, cell) => (scaleOf(cell) > scaleOf(best) ? cell : best));
}

/**
 * Returns a PDF with a row of pieces after the other. `draw` makes the picture of one by its place; they are asked for
 * one after the other, so that a list takes no more memory than a piece, besides the file. Cost: linear in the nodes of
 * the pictures, and about 0.2 s for the fonts.
 */
export async function drawProofSheet(
  facts: ProofFacts,
  draw: (place: number) => Promise<ProofPicture>,
): Promise<Uint8Array> {
  const { title, now, pieces } = facts;
  const words = [title, ...pieces.map(({ text }) => text)].join('');
  const { pen, end } = await openSheet(title, now, words, { kind: 'Proof' });
  const top = drawProofHead(pen, facts);
  const first = await draw(0);
  const { columns, rows, ...cell } = chooseGrid(pieces.length, top, first.view);
  const pages = Math.ceil(pieces.length / (columns * rows));
  for (const [i, piece] of pieces.entries()) {
    const place = i % (columns * rows);
    if (place === 0) {
      if (i > 0) {
        pen.doc.addPage();
        pen.y = PAGE.margin;
        drawProofHead(pen, facts);
      }
      const page = `Page ${i / (columns * rows) + 1} of ${pages}`;
      drawFoot(pen, `${page}  ·  Colors and gloss on the material differ from those on paper.`);
    }
    const left = PAGE.margin + (place % columns) * (cell.width + GAP);
    const y = top + Math.floor(place / columns) * (cell.height + GAP);
    drawPiece(pen, piece, i === 0 ? first : await draw(i), { ...cell, left, top: y });
  }
  drawSignature(pen, pieces.length);
  if (hasUnknownLetters(words)) drawLettersNote(pen, 'each picture');
  return end();
}

const sayCount = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'piece' : 'pieces'}`;

/** Returns where the pieces begin. */
function drawProofHead(pen: Pen, { title, machine, material, now, pieces }: ProofFacts): number {
  const facts = [sayCount(pieces.length), MACHINE_NAMES[machine], material && nameMaterial(material), sayDay(now)];
  drawHead(pen, 'PROOF', title, facts);
  return pen.y + 70;
}

interface Cell {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

function drawPiece(
  { doc, line }: Pen,
  { number, text }: ProofFacts['pieces'][number],
  { drawing, view, sizeMm }: ProofPicture,
  { left, top, width, height }: Cell,
): void {
  const room = height - WORDS;
  const scale = Math.min(width / view.width, room / view.height);
  doc.save().roundedRect(left, top, width, room, 6).clip();
  doc.rect(left, top, width, room).fill(PANEL);
  doc.translate(left + width / 2, top + room / 2).scale(scale);
  doc.translate(-view.x - view.width / 2, -view.y - view.height / 2);
  paintSvg(doc, drawing);
  doc.restore();
  doc.lineWidth(0.6).roundedRect(left, top, width, room, 6).stroke(LINE);
  const label = String(number);
  line(label, left, top + room + 6, 30, { size: 9, color: QUIET });
  const indent = 8 + 5.4 * label.length;
  line(text.replaceAll('\n', ' / '), left + indent, top + room + 5, width - indent, { size: 10, face: 'bold' });
  if (!sizeMm) return;
  const size = `${sizeMm.width.toFixed(1)} × ${sizeMm.height.toFixed(1)} mm`;
  line(size, left + indent, top + room + 18, width - indent, { size: 8, color: QUIET });
}

/** Draws what the customer signs, at the end of the last page. */
function drawSignature(pen: Pen, count: number): void {
  const y = BOTTOM - SIGN + 20;
  const what = count === 1 ? 'the piece' : `all ${sayCount(count)}`;
  const words = `I checked the names, spelling, places and sizes, and approve ${what} as shown.`;
  pen.line(words, PAGE.margin, y, INNER, { size: 9.5, face: 'bold' });
  const fields = [
    ['Name', PAGE.margin, 180],
    ['Signature', PAGE.margin + 196, 210],
    ['Date', PAGE.margin + 422, RIGHT - PAGE.margin - 422],
  ] as const;
  for (const [label, x, width] of fields) {
    pen.doc
      .lineWidth(0.8)
      .moveTo(x, y + 38)
      .lineTo(x + width, y + 38)
      .stroke(QUIET);
    pen.line(label, x, y + 42, width, { size: 8, color: QUIET });
  }
}

/** Draws a piece on its product as near as its marks are in sight, without the textures of its material. */
export function drawProofScene(scene: Scene, hasWatermark: boolean): Omit<ProofPicture, 'sizeMm'> {
  const view = nearView(scene);
  const { markPainter: _textures, ...plainScene } = scene;
  const drawing = renderView(plainScene, { kind: 'mockup' });
  if (!hasWatermark) return { drawing, view };
  return { drawing: { ...drawing, children: [...drawing.children, drawWatermark(view)] }, view };
}
