/** Places the lines of a text, in ems from the top left of their box: below each other, or on circles. */
import type { TextElement } from '../document/composition.ts';
import { type Matrix, multiply, rotateDeg, translate } from '../geometry/matrix.ts';
import type { OutlinedText, TextLine } from './scene.ts';

/** The lines of a text with their places, in ems. */
export interface TextBlock {
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

/** Decimals of an em: coarse enough that all machines round alike, fine enough for each step of a slider. */
const RADIUS_DECIMALS = 4;

const roundTo = (value: number, decimals: number) => Number(value.toFixed(decimals));
