/** The test card by which a shop measures what a material shows. */
import { BARE, BURNT, type Gray } from './picture.ts';
import { engravingSize } from './resample.ts';
import { WEDGE_STEPS } from './toneCurve.ts';

/** A patch of the card, in millimeters from its top left corner. */
export interface WedgePatch {
  /** The share of the patch that is burnt, 0..1. */
  readonly share: number;
  readonly leftMm: number;
  readonly topMm: number;
}

export interface Wedge {
  /** To be dithered as the pictures will be, without any other tone curve. */
  readonly gray: Gray;
  readonly widthMm: number;
  readonly heightMm: number;
  readonly patchMm: number;
  readonly patches: readonly WedgePatch[];
}

const COLUMNS = 10;
const GAP_MM = 2;
const DIGIT_HEIGHT_MM = 2.5;
/** Rows of three pixels, top first, as bits. */
const DIGITS = ['75557', '26227', '71747', '71717', '55711', '74717', '74757', '71222', '75757', '75717'];
const [DIGIT_COLUMNS, DIGIT_ROWS] = [3, 5];

/**
 * Draws the card: 20 patches in two rows, from bare to all burnt, each with its number from 1 to 20 above it. Throws a
 * RangeError as `engravingSize` does.
 */
export function drawWedge(intervalMm: number, patchMm = 8): Wedge {
  const rows = WEDGE_STEPS / COLUMNS;
  const rowMm = DIGIT_HEIGHT_MM + 0.5 + patchMm + GAP_MM;
  const size = engravingSize(GAP_MM + COLUMNS * (patchMm + GAP_MM), GAP_MM + rows * rowMm, intervalMm);
  const { widthPx, heightPx, widthMm, heightMm } = size;
  const data = new Uint8Array(widthPx * heightPx).fill(BARE);
  const fill = (leftMm: number, topMm: number, wMm: number, hMm: number, value: number) => {
    const [left, right] = [leftMm, leftMm + wMm].map((mm) => Math.min(widthPx, Math.round(mm / intervalMm)));
    const [top, bottom] = [topMm, topMm + hMm].map((mm) => Math.min(heightPx, Math.round(mm / intervalMm)));
    for (let y = top; y < bottom; y++) data.fill(value, y * widthPx + left, y * widthPx + right);
  };
  const patches = Array.from({ length: WEDGE_STEPS }, (_, step): WedgePatch => {
    const leftMm = GAP_MM + (step % COLUMNS) * (patchMm + GAP_MM);
    const topMm = GAP_MM + Math.floor(step / COLUMNS) * rowMm + DIGIT_HEIGHT_MM + 0.5;
    return { share: step / (WEDGE_STEPS - 1), leftMm, topMm };
  });
  patches.forEach(({ share, leftMm, topMm }, step) => {
    fill(leftMm, topMm, patchMm, patchMm, Math.round(BARE * (1 - share)));
    const dotMm = DIGIT_HEIGHT_MM / DIGIT_ROWS;
    [...String(step + 1)].forEach((digit, place) => {
      const startMm = leftMm + place * (DIGIT_COLUMNS + 1) * dotMm;
      rowsOf(Number(digit)).forEach((bits, y) => {
        for (let x = 0; x < DIGIT_COLUMNS; x++) {
          if (!((bits >> (DIGIT_COLUMNS - 1 - x)) & 1)) continue;
          fill(startMm + x * dotMm, topMm - 0.5 - DIGIT_HEIGHT_MM + y * dotMm, dotMm, dotMm, BURNT);
        }
      });
    });
  });
  return { gray: { width: widthPx, height: heightPx, data }, widthMm, heightMm, patchMm, patches };
}

const rowsOf = (digit: number) => [...DIGITS[digit]].map(Number);
