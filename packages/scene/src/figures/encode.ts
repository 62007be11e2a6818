/**
 * Encodes the data of codes: which modules are dark. The tables are bwip-js's; what cannot be encoded is said in words.
 */
import { code128, type DrawingContext, datamatrix, ean13, qrcode, type RenderOptions } from 'bwip-js/generic';
import type { CodeElement } from '../document/composition.ts';

/** The modules of a code. */
export interface Modules {
  /** Modules in a row, and rows of them: bars have one. */
  readonly columns: number;
  readonly rows: number;
  /** Row by row, 1 where it is dark. */
  readonly dark: Uint8Array;
  /** What is written below bars: the data, with the check digit of an EAN-13. */
  readonly letters: string;
}

/** The modules of a code, or why it has none. An empty fault: there is no data yet. */
export type Encoding = Modules | { readonly fault: string };

type CodeContent = Pick<CodeElement, 'symbology' | 'data' | 'errorLevel'>;

/** Beyond this a row of bars is wider than a scanner's beam. */
const MAX_CODE128_LENGTH = 80;

/** Encodes a code. Pure. Never throws. Cost: some milliseconds for a large square, most of it for choosing a mask. */
export function encode({ symbology, data, errorLevel }: CodeContent): Encoding {
  if (data === '') return { fault: '' };
  if (symbology === 'ean13') return encodeEan13(data);
  if (symbology === 'code128') return encodeCode128(data);
  const isQr = symbology === 'qr';
  try {
    const modules = isQr
      ? draw(qrcode, { text: data, eclevel: errorLevel, scale: 1 }, readSquare())
      : draw(datamatrix, { ...dataMatrixText(data), scale: 1 }, readSquare());
    return { ...modules, letters: data };
  } catch {
    const name = isQr ? `QR code of level ${errorLevel}` : 'Data Matrix';
    const other = isQr && errorLevel !== 'L' ? ', or choose a lower level' : '';
    return { fault: `This is too long for a ${name}. Shorten it${other}.` };
  }
}

/**
 * A Data Matrix holds Latin letters by itself. Other ones are UTF-8, which a number in front of them says (ECI 26). In
 * a QR code all scanners expect UTF-8 without it.
 */
function dataMatrixText(data: string): { text: string; parsefnc?: boolean } {
  const isPlain = [...data].every((letter) => letter.codePointAt(0)! < 128);
  return isPlain ? { text: data } : { text: `^ECI000026${data.replaceAll('^', '^^')}`, parsefnc: true };
}

function encodeCode128(data: string): Encoding {
  const strange = [...data].find((letter) => letter < ' ' || letter > '~');
  if (strange !== undefined) {
    const name = strange < ' ' ? 'line breaks' : `“${strange}”`;
    return { fault: `Code 128 holds plain letters, digits and signs, and not ${name}. A QR code does.` };
  }
  if (data.length > MAX_CODE128_LENGTH) {
    return { fault: `Code 128 takes ${MAX_CODE128_LENGTH} characters, and these are ${data.length}. Take a QR code.` };
  }
  return { ...draw(code128, { text: data, scale: 1, height: 1 }, readBars()), letters: data };
}

function encodeEan13(data: string): Encoding {
  const digits = data.replace(/[\s-]/g, '');
  if (!/^\d*$/.test(digits)) return { fault: 'EAN-13 holds digits alone.' };
  if (digits.length < 12 || digits.length > 13) {
    const are = digits.length === 1 ? 'this is 1' : `these are ${digits.length}`;
    return { fault: `EAN-13 has 13 digits, or 12 without the check digit, and ${are}.` };
  }
  const check = checkDigit(digits);
  if (digits.length === 13 && digits[12] !== check) {
    return { fault: `The last digit does not fit the others: it would be ${check}. Check all of them.` };
  }
  const letters = digits.slice(0, 12) + check;
  return { ...draw(ean13, { text: letters, scale: 1, height: 1 }, readBars()), letters };
}

/** Returns the check digit of the first twelve digits: they count once and three times in turn (GS1). */
export function checkDigit(digits: string): string {
  const sum = [...digits.slice(0, 12)].reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 1 : 3), 0);
  return String((10 - (sum % 10)) % 10);
}

/** Draws a code. The types of bwip-js know the options of no symbology, and a name that the function says already. */
function draw(
  symbology: (options: RenderOptions, drawing: Reader) => unknown,
  options: { readonly text: string; readonly scale: number; readonly [name: string]: unknown },
  reader: Reader,
): Omit<Modules, 'letters'> {
  return symbology(options as unknown as RenderOptions, reader) as Omit<Modules, 'letters'>;
}

type Reader = DrawingContext<Omit<Modules, 'letters'>>;

/** What bwip-js calls and a code without letters does not need. */
const noDrawing = {
  scale: (x: number, y: number): [number, number] => [x, y],
  measure: () => ({ width: 0, ascent: 0, descent: 0 }),
  hexagon: () => undefined,
  ellipse: () => undefined,
  fill: () => undefined,
  text: () => undefined,
};

/** Returns a drawing of bwip-js that reads bars: each is a line around whose middle its width lies. */
function readBars(): Reader {
  const bars: { readonly from: number; readonly width: number }[] = [];
  return {
    ...noDrawing,
    init: () => undefined,
    polygon: () => undefined,
    line: (x, _y, _x, _y1, width) => void bars.push({ from: x - Math.ceil(width / 2), width }),
    end() {
      const columns = Math.max(...bars.map(({ from, width }) => from + width));
      const dark = new Uint8Array(columns);
      for (const { from, width } of bars) dark.fill(1, from, from + width);
      return { columns, rows: 1, dark };
    },
  };
}

/** Pixels of a module of a square at a scale of 1. bwip-js draws squares as polygons around dark modules. */
const PIXELS = 2;

/** Returns a drawing of bwip-js that reads the modules of a square: those to the right of an odd number of edges. */
function readSquare(): Reader {
  let side = 0;
  let edges = new Uint8Array(0);
  return {
    ...noDrawing,
    line: () => undefined,
    init(width) {
      side = width / PIXELS;
      edges = new Uint8Array(side * (side + 1));
    },
    polygon(points) {
      points.forEach(([x, y], i) => {
        const [nextX, nextY] = points[(i + 1) % points.length]!;
        if (x !== nextX) return;
        for (let row = Math.min(y, nextY) / PIXELS; row < Math.max(y, nextY) / PIXELS; row++) {
          edges[row * (side + 1) + x / PIXELS]! ^= 1;
        }
      });
    },
    end() {
      const dark = new Uint8Array(side * side);
      for (let row = 0; row < side; row++) {
        let isDark = 0;
        for (let column = 0; column < side; column++) {
          isDark ^= edges[row * (side + 1) + column]!;
          dark[row * side + column] = isDark;
        }
      }
      return { columns: side, rows: side, dark };
    },
  };
}
