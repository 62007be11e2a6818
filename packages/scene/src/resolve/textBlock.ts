/** Places the lines of a text, in ems: below each other or bent in a box, or on a circle of a fixed size. */
import type { TextCircle, TextElement } from '../document/composition.ts';
import { type Matrix, multiply, rotateDeg, translate } from '../geometry/matrix.ts';
import { MM_PER_INCH } from './millimeters.ts';
import type { OutlinedText, TextLine } from './scene.ts';

/** The lines of a text with their places, in ems. */
export interface TextBlock {
  /** Absent: 0. */
  readonly left?: number;
  readonly top?: number;
  readonly width: number;
  readonly height: number;
  readonly lines: readonly { readonly place: Matrix; readonly arc?: Pick<TextLine, 'arcRadius'> }[];
}

/** Returns where each line begins and where its baseline is, in ems, before bending. */
function setLines(text: TextElement, outlines: readonly OutlinedText[]) {
  const width = Math.max(...outlines.map(({ advance }) => advance));
  let top = 0;
  let height = 0;
  const lines = outlines.map(({ advance, ascent, descent }) => {
    const x = { left: 0, center: (width - advance) / 2, right: width - advance }[text.textAlign];
    const line = { x, baseline: top + ascent, advance, ascent, descent };
    height = top + ascent + descent;
    top += (ascent + descent) * (text.lineSpacing / 100);
    return line;
  });
  return { width, height, lines };
}

/** Stacks lines straight. */
export function stackLines(text: TextElement, outlines: readonly OutlinedText[]): TextBlock {
  const { lines, ...size } = setLines(text, outlines);
  return { ...size, lines: lines.map(({ x, baseline }) => ({ place: translate(x, baseline) })) };
}

/** Least inner radius of a bent text, in ems: on a smaller circle the letters would overlap. */
const INNER_RADIUS = 0.25;

/**
 * Places lines along circles with one center. The longest line follows as much of its circle as `bend` says, if there
 * is room. The box holds the bent lines, so that a slight bend has nearly the box of a straight text.
 */
export function bendLines(text: TextElement, outlines: readonly OutlinedText[]): TextBlock {
  const { width, height, lines } = setLines(text, outlines);
  const isUp = text.bend > 0;
  const sign = isUp ? 1 : -1;
  // How much further each baseline is from the center of the circle than the middle of the block.
  const rises = lines.map(({ baseline }) => sign * (height / 2 - baseline));
  const radius = Math.max(
    width / ((Math.abs(text.bend) / 100) * 2 * Math.PI),
    height / 2 + INNER_RADIUS,
    ...lines.map(({ advance }, i) => advance / (2 * Math.PI) - rises[i]!),
  );
  const arcLines = lines.map((line, i) => {
    const arcRadius = roundTo(radius + rises[i]!, RADIUS_DECIMALS);
    const turn = (line.x + line.advance / 2 - width / 2) / arcRadius;
    return { ...line, arcRadius, turn };
  });

  // Relative to the center of the circle, y down. The outer side of letters is up on a rainbow and down in a smile.
  const corners = arcLines.flatMap(({ advance, ascent, descent, arcRadius, turn }) => {
    const half = advance / 2 / arcRadius;
    const quarters = [-2, -1, 0, 1, 2].map((n) => (n * Math.PI) / 2);
    const angles = [turn - half, turn + half, ...quarters.filter((angle) => Math.abs(angle - turn) < half)];
    const radii = isUp ? [arcRadius + ascent, arcRadius - descent] : [arcRadius - ascent, arcRadius + descent];
    return angles.flatMap((angle) => radii.map((r) => ({ x: r * Math.sin(angle), y: -sign * r * Math.cos(angle) })));
  });
  const xs = corners.map(({ x }) => x);
  const ys = corners.map(({ y }) => y);
  const left = Math.min(...xs);
  const top = Math.min(...ys);
  return {
    width: Math.max(...xs) - left,
    height: Math.max(...ys) - top,
    lines: arcLines.map(({ advance, arcRadius, turn }) => ({
      place: multiply(
        translate(-left, -top),
        rotateDeg((sign * turn * 180) / Math.PI),
        translate(-advance / 2, -sign * arcRadius),
      ),
      arc: { arcRadius: sign * arcRadius },
    })),
  };
}

/** Height of capitals in ems, of a font without the letter H. */
const USUAL_CAP = 0.7;

/** A line of a text that keeps to a circle. */
interface CircleLine {
  readonly advance: number;
  readonly ascent: number;
  readonly descent: number;
  /** How much further from the middle of the circle its baseline is than the circle, in ems. */
  readonly rise: number;
}

/** Returns the lines of a text on a circle: their capitals touch it from outside or inside, or lie across it. */
function riseLines(text: TextElement, circle: TextCircle, outlines: readonly OutlinedText[]): CircleLine[] {
  const { lines } = setLines(text, outlines);
  const last = lines.at(-1)!.baseline;
  const height = last - lines[0]!.baseline + (outlines[0]!.capHeight ?? USUAL_CAP);
  const sign = circle.side === 'top' ? 1 : -1;
  const share = { outside: 0, middle: 0.5, inside: 1 }[circle.edge];
  // The feet of the last line: capitals at the bottom have theirs on the outer side.
  const foot = -height * (sign > 0 ? share : share - 1);
  return lines.map(({ baseline, ...line }) => ({ ...line, rise: foot + sign * (last - baseline) }));
}

const toEms = (mm: number, { heightInches }: TextElement) => mm / (heightInches * MM_PER_INCH);

/** Places lines on a circle of a fixed size around 0, 0, whatever the words are. The box is that of the circle. */
export function circleLines(text: TextElement, circle: TextCircle, outlines: readonly OutlinedText[]): CircleBlock {
  const radius = toEms(circle.radiusMm, text);
  const sign = circle.side === 'top' ? 1 : -1;
  const half = (circle.sweepDeg * Math.PI) / 360;
  const lines = riseLines(text, circle, outlines).map(({ advance, ascent, descent, rise }) => {
    const arcRadius = roundTo(Math.max(INNER_RADIUS, radius + rise), RADIUS_DECIMALS);
    const free = Math.max(0, half - advance / 2 / arcRadius);
    const turn = { left: -free, center: 0, right: free }[text.textAlign];
    const place = multiply(rotateDeg((sign * turn * 180) / Math.PI), translate(-advance / 2, -sign * arcRadius));
    const edges = [arcRadius + sign * ascent, arcRadius - sign * descent];
    return { place, arc: { arcRadius: sign * arcRadius }, edges };
  });
  const edges = lines.flatMap((line) => line.edges);
  return {
    ...{ left: -radius, top: -radius, width: 2 * radius, height: 2 * radius },
    lines,
    band: { inner: Math.max(0, Math.min(...edges)), outer: Math.max(...edges) },
  };
}

interface CircleBlock extends TextBlock {
  /** Where its letters stand: from and to so many ems from the middle of the circle. */
  readonly band: { readonly inner: number; readonly outer: number };
}

/** How long the lines of a text on a circle are, and how long they may be. */
export interface CircleRoom {
  /** The share of its size at which each line just fits into the arc. */
  readonly share: number;
  /** Of the line that needs the most: its length on its baseline, and the length of the arc there, mm. */
  readonly lengthMm: number;
  readonly arcMm: number;
}

/** Returns how the lines of a text fit into the arc of its circle, which stays as it is when the letters shrink. */
export function measureCircle(text: TextElement, circle: TextCircle, outlines: readonly OutlinedText[]): CircleRoom {
  const emMm = text.heightInches * MM_PER_INCH;
  const sweep = (circle.sweepDeg * Math.PI) / 180;
  const rooms = riseLines(text, circle, outlines).map(({ advance, rise }) => {
    // At a share s of the size: s * advance = sweep * (radius + s * rise).
    const growth = advance - sweep * rise;
    const share = growth > 0 ? (sweep * toEms(circle.radiusMm, text)) / growth : Number.POSITIVE_INFINITY;
    return { share, lengthMm: advance * emMm, arcMm: sweep * (circle.radiusMm + rise * emMm) };
  });
  return rooms.reduce((least, room) => (room.share < least.share ? room : least));
}

/** Decimals of an em: coarse enough that all machines round alike, fine enough for each step of a slider. */
const RADIUS_DECIMALS = 4;

const roundTo = (value: number, decimals: number) => Number(value.toFixed(decimals));
