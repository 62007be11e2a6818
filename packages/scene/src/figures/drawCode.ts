/** Draws codes in modules: one unit is the width of a module, 0, 0 the top left of the first one. */
import type { CodeElement } from '../document/composition.ts';
import { type Contour, readContours, tightBounds, transformContours } from '../geometry/pathData.ts';
import { codeLine } from '../resolve/figureText.ts';
import type { FontSource, OwnBox } from '../resolve/scene.ts';
import type { Modules } from './encode.ts';
import { traceModules } from './traceModules.ts';

/**
 * The space around each symbology that must stay free, in modules. ISO/IEC 18004 for QR, 16022 for Data Matrix, 15417
 * for Code 128, 15420 for EAN.
 */
const QUIET_ZONES = {
  qr: { left: 4, right: 4, ends: 4 },
  dataMatrix: { left: 1, right: 1, ends: 1 },
  code128: { left: 10, right: 10, ends: 0 },
  ean13: { left: 11, right: 7, ends: 0 },
} as const satisfies Record<CodeElement['symbology'], object>;

/** In modules: below bars, as their own letters are made, and around bars that stay bare. */
const LETTERS_EM = 11;
const LETTERS_GAP = 1.5;
const BARE_MARGIN = 2;
/** The guards of an EAN-13 go further down than its other bars, between the letters. */
const GUARDS = [0, 45, 92];
const GUARD_MODULES = { 0: 3, 45: 5, 92: 3 } as Readonly<Record<number, number>>;
const GUARD_DROP = 5;

export interface CodeDrawing {
  readonly contours: readonly Contour[];
  readonly quietZone: OwnBox;
}

/** Draws a code with bars of `barHeight` modules. Returns undefined while the font of its letters is not loaded. */
export function drawCode(
  code: Pick<CodeElement, 'symbology' | 'hasText' | 'isInverted'>,
  modules: Modules,
  barHeight: number,
  fonts: FontSource,
): CodeDrawing | undefined {
  const { columns } = modules;
  const isSquare = modules.rows > 1;
  const height = isSquare ? modules.rows : barHeight;
  const letters = isSquare || !code.hasText ? [] : drawLetters(code.symbology, modules, height, fonts);
  if (!letters) return undefined;
  const bottom = Math.max(height, ...letters.map((contour) => tightBounds([contour]).maxY));
  const { left, right, ends } = QUIET_ZONES[code.symbology];
  const quietZone = {
    left: -left,
    top: -ends,
    width: left + columns + right,
    height: bottom + 2 * ends,
  };
  const hasGuards = code.symbology === 'ean13' && letters.length > 0;
  const dark = isSquare
    ? traceModules(modules.dark, columns, modules.rows)
    : traceModules(modules.dark, columns, 1).map((bar) => stretch(bar, height, hasGuards));
  if (!code.isInverted) return { contours: [...dark, ...letters], quietZone };
  // By even-odd, what lies in the plate is bare.
  const margin = isSquare ? 0 : BARE_MARGIN;
  const { top, width } = quietZone;
  const plate = { ...quietZone, top: top - margin, width, height: quietZone.height + 2 * margin };
  return { contours: [toRectangle(plate), ...dark, ...letters], quietZone: plate };
}

/** Returns a bar of one module's height as high as it is. */
function stretch({ points, ...bar }: Contour, height: number, hasGuards: boolean): Contour {
  const from = Math.min(...points.filter((_, i) => i % 2 === 0));
  const isGuard = hasGuards && GUARDS.some((guard) => from >= guard && from < guard + GUARD_MODULES[guard]!);
  const end = isGuard ? height + GUARD_DROP : height;
  return { ...bar, points: points.map((value, i) => (i % 2 === 0 ? value : value * end)) };
}

function toRectangle({ left, top, width, height }: OwnBox): Contour {
  const [right, bottom] = [left + width, top + height];
  return { commands: ['L', 'L', 'L'], points: [left, top, right, top, right, bottom, left, bottom], isClosed: true };
}

/** The middles of the digits of an EAN-13: the first one stands in the quiet zone, each other one below its bars. */
const digitMiddle = (index: number) => (index === 0 ? -7.5 : index < 7 ? 7 * index - 0.5 : 7 * index + 4.5);

function drawLetters(
  symbology: CodeElement['symbology'],
  { letters, columns }: Modules,
  height: number,
  fonts: FontSource,
): Contour[] | undefined {
  const isEan = symbology === 'ean13';
  const parts = isEan ? [...letters] : [letters];
  const contours: Contour[] = [];
  for (const [index, part] of parts.entries()) {
    const outline = fonts.outline(codeLine(part));
    if (!outline) return undefined;
    const em = isEan ? LETTERS_EM : Math.min(LETTERS_EM, columns / outline.advance);
    const middle = isEan ? digitMiddle(index) : columns / 2;
    const baseline = height + LETTERS_GAP + CAP_HEIGHT * em;
    const place = { a: em, b: 0, c: 0, d: em, e: middle - (outline.advance * em) / 2, f: baseline };
    contours.push(...transformContours(readContours(outline.d), place));
  }
  return contours;
}

/** The height of a capital letter and a digit of the face of the letters, in ems. */
const CAP_HEIGHT = 0.72;
