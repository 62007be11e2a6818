/**
 * The paper that is laid round a blank to see where its marks will be: the development of its wall at true size, with
 * the artwork on it. On a cone it is bent where a straight sheet would be seen to be off (`SAG_MM`).
 */
import { applyMatrix, type Matrix, multiply, type Point, translate } from '../geometry/matrix.ts';
import type { Contour } from '../geometry/pathData.ts';
import { type BlankView, openBlankView } from './blankView.ts';
import { boundsOf, cutBetween, type Polylines, toPolylines } from './projectPaths.ts';
import { bendForSheet, type RoundSurface, radiusAt, SAG_MM, sagMm } from './surface.ts';

export interface PaperWrap {
  readonly isBent: boolean;
  /** At the middle of the print area, mm. */
  readonly roundMm: number;
  /** Of the blank at the upper and the lower edge of the paper, mm. */
  readonly diametersMm: readonly [top: number, bottom: number];
  /** False for paper that ends beside a handle. */
  readonly goesRound: boolean;
  /** Lines in mm of the paper, whose box begins at 0, 0: where it is cut, and where both ends meet. */
  readonly cut: readonly Point[];
  readonly seam: readonly Point[];
  /** The line in the middle of the front. */
  readonly front: readonly Point[];
  readonly area: readonly (readonly Point[])[];
  readonly artwork: readonly (readonly Point[])[];
  readonly widthMm: number;
  readonly heightMm: number;
}

interface PaperInput {
  /** As a scene's backdrop has it. */
  readonly blank: { readonly form: RoundSurface; readonly middleMm: Point };
  /** The machine area. */
  readonly widthMm: number;
  readonly heightMm: number;
  /** In scene mm. */
  readonly artwork: readonly Contour[];
  readonly area: readonly Contour[];
}

/** How far the paper goes on above and below the machine area, and beyond the seam, mm. */
const EDGE_MM = 4;
const OVERLAP_MM = 8;
const TOLERANCE_MM = 0.02;
/** A line that is bent gets a point this often, mm: off by 0.01 mm on a cup. */
const STEP_MM = 2;

/** The wall of a blank, unrolled: what of it paper covers, in flat mm. */
export interface Strip {
  readonly view: BlankView;
  readonly roundMm: number;
  /** False where a handle leaves a part of the way round. */
  readonly goesRound: boolean;
  /** The middle of what can be marked, and how far it goes to both sides. */
  readonly middle: number;
  readonly half: number;
  /** The edges of the machine area. */
  readonly top: number;
  readonly bottom: number;
}

/**
 * Returns what of a blank is unrolled. All the way round, its middle is that of the machine area and the seam is behind
 * it; beside a handle it is that of the print area. Throws a RangeError for a surface without size.
 */
export function stripOf({ blank, widthMm, heightMm }: Pick<PaperInput, 'blank' | 'widthMm' | 'heightMm'>): Strip {
  const view = openBlankView(blank, { widthMm, heightMm });
  const [left, right] = view.columnsMm;
  const roundMm = view.circumferenceMm;
  const { arcMm = Infinity } = blank.form;
  const goesRound = arcMm > roundMm - 1;
  const middle = goesRound ? (left + right) / 2 : applyMatrix(view.toFlat, blank.middleMm).x;
  const ends = [
    { x: 0, y: 0 },
    { x: widthMm, y: heightMm },
  ].map((corner) => applyMatrix(view.toFlat, corner).y);
  const half = Math.min(arcMm, roundMm) / 2;
  return { view, roundMm, goesRound, middle, half, top: Math.min(...ends), bottom: Math.max(...ends) };
}

/** Lays the artwork on paper for its blank. Throws a RangeError for a surface without size. Cost: linear. */
export function layOnPaper({ blank, widthMm, heightMm, artwork, area }: PaperInput): PaperWrap {
  const strip = stripOf({ blank, widthMm, heightMm });
  const { view, goesRound, middle, half, roundMm } = strip;
  const { wall } = view.projection.camera!;
  const top = Math.max(-view.alongMm, strip.top - EDGE_MM);
  const bottom = Math.min(view.alongMm, strip.bottom + EDGE_MM);
  const isBent = sagMm(wall, 2 * half) > SAG_MM;
  const lay = (line: readonly Point[]) => (isBent ? splitLine(line).map((point) => bendForSheet(wall, point)) : line);

  const end = half + (goesRound ? OVERLAP_MM : 0);
  const cut = lay([
    ...[
      { x: -half, y: top },
      { x: end, y: top },
      { x: end, y: bottom },
    ],
    ...[
      { x: -half, y: bottom },
      { x: -half, y: top },
    ],
  ]);
  const box = boundsOf(cut.flatMap(({ x, y }) => [x, y]));
  const onPaper = (line: readonly Point[]) => line.map(({ x, y }) => ({ x: x - box.left, y: y - box.top }));
  const upright = (x: number) =>
    onPaper(
      lay([
        { x, y: top },
        { x, y: bottom },
      ]),
    );
  const toStrip = multiply(translate(-middle, 0), view.toFlat);
  const draw = (contours: readonly Contour[]) =>
    [true, false].flatMap((isClosed) => {
      const some = contours.filter((contour) => contour.isClosed === isClosed);
      return linesOf(some, toStrip, half, isClosed).map((line) => onPaper(lay(line)));
    });
  return {
    ...{ isBent, goesRound, roundMm },
    diametersMm: [2 * radiusAt(wall, top), 2 * radiusAt(wall, bottom)],
    ...{ cut: onPaper(cut), seam: goesRound ? upright(half) : [], front: upright(0) },
    ...{ area: draw(area), artwork: draw(artwork) },
    ...{ widthMm: box.right - box.left, heightMm: box.bottom - box.top },
  };
}

/** Returns the lines of contours as far as they lie on the paper. */
function linesOf(contours: readonly Contour[], matrix: Matrix, half: number, isClosed: boolean): Point[][] {
  if (contours.length === 0) return [];
  const lines = cutBetween(toPolylines(contours, TOLERANCE_MM), matrix, [-half, half], isClosed);
  return toPoints(lines);
}

function toPoints({ points, ends, isClosed }: Polylines): Point[][] {
  const lines: Point[][] = [];
  let start = 0;
  ends.forEach((end, i) => {
    const line = Array.from({ length: end - start }, (_, p) => ({
      x: points[2 * (start + p)]!,
      y: points[2 * (start + p) + 1]!,
    }));
    if (isClosed[i] && line.length > 1) line.push(line[0]!);
    if (line.length > 1) lines.push(line);
    start = end;
  });
  return lines;
}

/** Returns a line with points between, so that it can be bent. */
function splitLine(line: readonly Point[]): Point[] {
  return line.flatMap((point, i) => {
    const before = line[i - 1];
    if (!before) return [point];
    const steps = Math.max(1, Math.ceil(Math.hypot(point.x - before.x, point.y - before.y) / STEP_MM));
    return Array.from({ length: steps }, (_, step) => {
      const t = (step + 1) / steps;
      return { x: before.x + (point.x - before.x) * t, y: before.y + (point.y - before.y) * t };
    });
  });
}
