/** Draws the paper test of a round blank: its wall unrolled at true size, to cut out and lay round the blank. */
import type { Job, Scene } from '@markwright/scene';
import { clipPaths, readContours } from '@markwright/scene';
import { layOnPaper, type PaperWrap } from '@markwright/scene/surface';
import { AppError } from '../../platform/errors.ts';
import { openSheet, type Pen, QUIET } from './jobSheet.ts';

/** Follows the name and the size of a paper test. */
export const PAPER_TEST_ENDING = '_paper-test.pdf';

/** Fits an A4 page and a US letter page alike, mm. */
const PAGE_MM = { long: 279.4, short: 210 } as const;
const MARGIN_MM = 6;
/** Of the words above the drawing and the scale bar below it. */
const HEAD_MM = 17;
const FOOT_MM = 14;
/** Pages share this much of the drawing. They are joined in the middle of it. */
const LAP_MM = 10;
const BAR_MM = 100;
const PT_PER_MM = 72 / 25.4;
const INK = '#17191c';
/** A paper of more pages than this is for nobody's printer. */
const MOST_PAGES = 24;

type Point = PaperWrap['cut'][number];

/**
 * Draws the pages. Throws unprocessable for a flat blank, and for one that needs more than 24 pages. Cost: linear in
 * the nodes of the job.
 */
export async function drawPaperTest(scene: Scene, job: Job, title: string, date: Date): Promise<Uint8Array> {
  const blank = scene.backdrop?.surface;
  if (!blank) throw new AppError('unprocessable', 'A paper test is for a round blank. This one is flat.');
  const { widthMm, heightMm } = scene;
  const frame = `M0 0L${widthMm} 0L${widthMm} ${heightMm}L0 ${heightMm}Z`;
  const identity = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };
  const area = [
    frame,
    ...clipPaths(
      scene.area?.filter(({ reason }) => !reason),
      identity,
    ),
  ].flatMap(readContours);
  const wrap = layOnPaper({ blank, widthMm, heightMm, area, artwork: contoursOf(job) });
  const grid = planPages(wrap);
  const pages = grid.columns * grid.rows;
  if (pages > MOST_PAGES) {
    const size = `${wrap.widthMm.toFixed(0)} × ${wrap.heightMm.toFixed(0)} mm`;
    throw new AppError('unprocessable', `The paper for this blank is ${size}: more than ${MOST_PAGES} pages.`);
  }
  const words = `${title}${factsOf(wrap)}`;
  const size = [grid.width * PT_PER_MM, grid.height * PT_PER_MM] as const;
  const { pen, end } = await openSheet(title, date, words, { kind: 'Paper test', size });
  for (let page = 0; page < pages; page++) {
    if (page > 0) pen.doc.addPage();
    drawPage(pen, wrap, grid, page, title);
  }
  return end();
}

/** Returns all outlines that the job makes, and the boxes of its photographs. */
function contoursOf({ plates, rasters }: Job) {
  const outlines = plates.flatMap((plate) =>
    plate.kind === 'color'
      ? plate.groups.flatMap(({ shapes }) => shapes.flatMap(({ contours }) => contours))
      : plate.kind === 'white'
        ? []
        : plate.outlines.flatMap(({ contours }) => contours),
  );
  const boxes = rasters.flatMap(({ x, y, width, height, intervalMm }) => {
    const [right, bottom] = [x + width * intervalMm, y + height * intervalMm];
    return readContours(`M${x} ${y}L${right} ${y}L${right} ${bottom}L${x} ${bottom}Z`);
  });
  return [...outlines, ...boxes];
}

interface Pages {
  readonly columns: number;
  readonly rows: number;
  /** Of a page, mm. */
  readonly width: number;
  readonly height: number;
}

/** Lies the pages so that there are as few as can be. */
function planPages({ widthMm, heightMm }: PaperWrap): Pages {
  const plan = (width: number, height: number): Pages => {
    const count = (length: number, room: number) =>
      length <= room ? 1 : Math.ceil((length - LAP_MM) / (room - LAP_MM));
    const room = roomOf({ width, height });
    return { columns: count(widthMm, room.width), rows: count(heightMm, room.height), width, height };
  };
  const level = plan(PAGE_MM.long, PAGE_MM.short);
  const upright = plan(PAGE_MM.short, PAGE_MM.long);
  return level.columns * level.rows <= upright.columns * upright.rows ? level : upright;
}

const roomOf = ({ width, height }: Pick<Pages, 'width' | 'height'>) => ({
  width: width - 2 * MARGIN_MM,
  height: height - 2 * MARGIN_MM - HEAD_MM - FOOT_MM,
});

const factsOf = ({ diametersMm: [top, bottom], roundMm }: PaperWrap) => {
  const diameter =
    Math.abs(top - bottom) < 0.05
      ? `diameter ${top.toFixed(1)} mm`
      : `diameter ${top.toFixed(1)} mm at its upper edge, ${bottom.toFixed(1)} mm at its lower one`;
  return `1:1 paper test  ·  ${diameter}  ·  ${roundMm.toFixed(1)} mm round at the middle`;
};

function drawPage(pen: Pen, wrap: PaperWrap, pages: Pages, page: number, title: string): void {
  const { doc } = pen;
  const [column, row] = [page % pages.columns, Math.floor(page / pages.columns)];
  const room = roomOf(pages);
  const count = pages.columns * pages.rows;
  const width = room.width * PT_PER_MM;
  const left = MARGIN_MM * PT_PER_MM;
  const number = count > 1 ? `Page ${page + 1} of ${count}` : '';
  pen.line(title, left, left, width - 90, { size: 12, face: 'bold' });
  pen.line(number, left + width - 90, left + 2, 90, { size: 9, align: 'right', face: 'bold' });
  pen.line(factsOf(wrap), left, left + 15, width, { size: 8.5, color: QUIET });
  const join = wrap.goesRound ? 'tape the overlap under the seam' : 'tape both ends beside the handle';
  const steps = `Print at 100 %, without “fit to page”, and measure the bar. Cut along the thick line, lay it round, ${join}.`;
  pen.line(steps, left, left + 27, width, { size: 8.5, color: QUIET });

  doc
    .save()
    .scale(PT_PER_MM)
    .translate(MARGIN_MM, MARGIN_MM + HEAD_MM);
  // A single page has the drawing in its middle.
  const spare = { x: (room.width - wrap.widthMm) / 2, y: (room.height - wrap.heightMm) / 2 };
  const x = pages.columns > 1 ? -column * (room.width - LAP_MM) : spare.x;
  const y = pages.rows > 1 ? -row * (room.height - LAP_MM) : spare.y;
  doc.save().rect(0, 0, room.width, room.height).clip().translate(x, y);
  drawWrap(doc, wrap);
  doc.restore();
  drawJoins(doc, pages, { column, row });
  doc.restore();
  if (page === 0) labelWrap(pen, wrap, { x: MARGIN_MM + x, y: MARGIN_MM + HEAD_MM + y });
  drawBar(pen, left, (pages.height - MARGIN_MM - 6) * PT_PER_MM);
}

function trace(doc: PDFKit.PDFDocument, line: readonly Point[]): void {
  line.forEach(({ x, y }, i) => {
    if (i === 0) doc.moveTo(x, y);
    else doc.lineTo(x, y);
  });
}

function drawWrap(doc: PDFKit.PDFDocument, { cut, seam, front, area, artwork }: PaperWrap): void {
  for (const line of artwork) trace(doc, line);
  if (artwork.length > 0) doc.fillColor('#e4e6e9').fill('even-odd');
  for (const line of artwork) trace(doc, line);
  if (artwork.length > 0) doc.lineWidth(0.1).strokeColor(INK).stroke();
  for (const line of area) trace(doc, line);
  doc.lineWidth(0.15).dash(1.5, { space: 1 }).strokeColor(QUIET).stroke();
  trace(doc, front);
  doc.lineWidth(0.12).dash(4, { space: 1.5 }).strokeColor(QUIET).stroke();
  trace(doc, seam);
  if (seam.length > 0) doc.lineWidth(0.2).dash(3, { space: 1.2 }).strokeColor(INK).stroke();
  doc.undash();
  trace(doc, cut);
  doc.lineWidth(0.35).strokeColor(INK).stroke();
}

/** Draws the lines in which pages are laid on each other, with a cross at both ends of each. */
function drawJoins(doc: PDFKit.PDFDocument, pages: Pages, { column, row }: { column: number; row: number }): void {
  const room = roomOf(pages);
  const lap = LAP_MM / 2;
  const upright = [...(column > 0 ? [lap] : []), ...(column < pages.columns - 1 ? [room.width - lap] : [])];
  const level = [...(row > 0 ? [lap] : []), ...(row < pages.rows - 1 ? [room.height - lap] : [])];
  const cross = (x: number, y: number) =>
    doc
      .moveTo(x - 3, y)
      .lineTo(x + 3, y)
      .moveTo(x, y - 3)
      .lineTo(x, y + 3);
  for (const x of upright) doc.moveTo(x, 0).lineTo(x, room.height);
  for (const y of level) doc.moveTo(0, y).lineTo(room.width, y);
  if (upright.length + level.length === 0) return;
  doc.lineWidth(0.15).dash(0.8, { space: 1.2 }).strokeColor(QUIET).stroke().undash();
  for (const x of upright) for (const y of [4, room.height - 4]) cross(x, y);
  for (const y of level) for (const x of [4, room.width - 4]) cross(x, y);
  doc.lineWidth(0.25).strokeColor(INK).stroke();
}

/** Writes the names of the lines beside their upper ends. `at` is the place of the paper on the page, mm. */
function labelWrap(pen: Pen, { seam, front }: PaperWrap, at: Point): void {
  const label = (text: string, [point]: readonly Point[]) => {
    if (!point) return;
    const [x, y] = [(at.x + point.x) * PT_PER_MM, (at.y + point.y) * PT_PER_MM];
    pen.line(text, x - 46, y + 2, 43, { size: 6.5, color: QUIET, align: 'right' });
  };
  label('Front', front);
  label('Seam', seam);
}

/** Draws the bar that shows whether the printer kept the size. */
function drawBar(pen: Pen, x: number, y: number): void {
  const { doc } = pen;
  const at = (mm: number) => x + mm * PT_PER_MM;
  for (let mm = 0; mm < BAR_MM; mm += 20) doc.rect(at(mm), y, 10 * PT_PER_MM, 5);
  doc.fillColor(INK).fill();
  doc
    .lineWidth(0.6)
    .strokeColor(INK)
    .rect(x, y, BAR_MM * PT_PER_MM, 5)
    .stroke();
  const note = `This bar is ${BAR_MM} mm long (${(BAR_MM / 25.4).toFixed(2)} in). If yours is not, the print was scaled.`;
  pen.line(note, at(BAR_MM) + 8, y - 3, 400, { size: 8.5 });
}
