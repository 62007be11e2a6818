/**
 * Makes the font files of single strokes in `packages/fonts/singleLine` from SVG fonts, whose polylines it smooths:
 *
 *   npm pack hersheytext@2.0.0 && tar xzf hersheytext-2.0.0.tgz && npx tsx scripts/singleLineFonts.ts package/svg_fonts
 *
 * Each stroke runs out and back in its file, so that it is a stroke in a browser too, where a contour always closes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import svgpath from 'svgpath';
import { createGlyphWriter } from '../packages/scene/src/text/writeFont.ts';

const folder = process.argv[2];
if (!folder) throw new Error('Name the folder of the SVG fonts.');

type Point = readonly [x: number, y: number];

interface SourceFace {
  readonly source: string;
  readonly file: string;
  /** True where bevels are meant. */
  readonly isAngular?: boolean;
  readonly italicAngle?: number;
  /** Where all but the letters come from, slanted by so much: its own have double strokes. */
  readonly figures?: { readonly source: string; readonly slant: number };
}

const faces: readonly SourceFace[] = [
  { source: 'EMSReadability', file: 'ems-readability-400-normal' },
  { source: 'EMSReadabilityItalic', file: 'ems-readability-400-italic', italicAngle: -11 },
  { source: 'EMSTech', file: 'ems-tech-400-normal' },
  { source: 'EMSOsmotron', file: 'ems-osmotron-400-normal', isAngular: true },
  { source: 'EMSNixish', file: 'ems-nixish-400-normal' },
  { source: 'EMSNixishItalic', file: 'ems-nixish-400-italic', italicAngle: -11 },
  { source: 'EMSAllure', file: 'ems-allure-400-normal' },
  { source: 'EMSFelix', file: 'ems-felix-400-normal' },
  { source: 'HersheySans1', file: 'hershey-sans-400-normal' },
  { source: 'HersheySerifMed', file: 'hershey-serif-400-normal' },
  { source: 'HersheySerifMedItalic', file: 'hershey-serif-400-italic', italicAngle: -13 },
  {
    source: 'HersheyScript1',
    file: 'hershey-script-400-normal',
    figures: { source: 'HersheySans1', slant: 0.28 },
  },
  { source: 'HersheyGothEnglish', file: 'hershey-gothic-400-normal' },
];

/** Letters that stand for others that keyboards write by themselves. */
const aliases: ReadonlyMap<string, readonly string[]> = new Map([
  ["'", ['\u2018', '\u2019']],
  ['-', ['\u2010', '\u2011']],
]);

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function readText(text: string): string {
  return text.replace(/&(#x[\da-f]+|#\d+|\w+);/gi, (_, name: string) => {
    if (!name.startsWith('#')) return entities[name]!;
    return String.fromCodePoint(name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)));
  });
}

interface SourceGlyph {
  readonly letter: string;
  readonly advance: number;
  readonly d: string;
}

const readSource = (name: string): SourceGlyph[] => readGlyphs(readFileSync(`${folder}/${name}.svg`, 'utf8'));

function readGlyphs(svg: string): SourceGlyph[] {
  const usual = Number(/<font\s[^>]*horiz-adv-x="([\d.]+)"/.exec(svg)![1]);
  return [...svg.matchAll(/<glyph\s([^>]*?)\/?>/gs)].map(([, text]) => {
    const attributes = new Map([...text!.matchAll(/([\w-]+)="([^"]*)"/g)].map((match) => [match[1]!, match[2]!]));
    return {
      letter: readText(attributes.get('unicode') ?? ''),
      advance: Number(attributes.get('horiz-adv-x') ?? usual),
      d: attributes.get('d') ?? '',
    };
  });
}

/** Steps of a curve of a source: few, as they are short. */
const CURVE_STEPS = 6;

/** Returns the strokes of a glyph as polylines without points on each other. */
function readStrokes(d: string): Point[][] {
  const strokes: Point[][] = [];
  let at: Point = [0, 0];
  const add = (point: Point) => {
    const last = strokes.at(-1)!;
    if (Math.hypot(point[0] - last.at(-1)![0], point[1] - last.at(-1)![1]) > 0.5) last.push(point);
    at = point;
  };
  svgpath(d)
    .abs()
    .unshort()
    .iterate(([command, ...args]) => {
      const n = args as number[];
      if (command === 'M') {
        at = [n[0]!, n[1]!];
        strokes.push([at]);
      } else if (command === 'L') add([n[0]!, n[1]!]);
      else if (command === 'H') add([n[0]!, at[1]]);
      else if (command === 'V') add([at[0], n[0]!]);
      else if (command === 'Z' || command === 'z') add(strokes.at(-1)![0]!);
      else if (command === 'C') {
        const from = at;
        for (let i = 1; i <= CURVE_STEPS; i++) {
          const t = i / CURVE_STEPS;
          const u = 1 - t;
          const value = (axis: 0 | 1) =>
            u ** 3 * from[axis] + 3 * u * u * t * n[axis]! + 3 * u * t * t * n[2 + axis]! + t ** 3 * n[4 + axis]!;
          add([value(0), value(1)]);
        }
      } else throw new Error(`No stroke has the command ${command}.`);
    });
  return strokes.filter(({ length }) => length > 1).flatMap(withoutRetraced);
}

const direction = (a: Point, b: Point): Point => {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
  return [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
};
const dot = (a: Point, b: Point) => a[0] * b[0] + a[1] * b[1];
const distance = (a: Point, b: Point) => Math.hypot(b[0] - a[0], b[1] - a[1]);

/** Cosine of the turn from which a stroke goes back along itself. */
const RETRACED = -0.9995;

/** Splits a stroke where it goes back along itself: a laser would burn that stretch twice. */
function withoutRetraced(stroke: readonly Point[]): Point[][] {
  const parts: Point[][] = [[stroke[0]!]];
  for (let i = 1; i < stroke.length; i++) {
    const last = parts.at(-1)!;
    const point = stroke[i]!;
    const [before, turn] = [last.at(-2), last.at(-1)!];
    if (!before || dot(direction(before, turn), direction(turn, point)) > RETRACED) {
      last.push(point);
    } else if (distance(turn, point) <= distance(before, turn)) {
      parts.push([point]);
    } else parts.push([before, point]);
  }
  return parts.filter(({ length }) => length > 1);
}

/** Cosine of the turn from which a point of a polyline is a corner. */
const CORNER = Math.cos((58 * Math.PI) / 180);
/** A line so many times as long as the next one is straight, and the next one leaves it along it. */
const STRAIGHT = 2.2;

/** Returns the direction in which a curve passes a point between two others; undefined at a corner. */
function tangentAt(a: Point, b: Point, c: Point): Point | undefined {
  const [inward, outward] = [direction(a, b), direction(b, c)];
  if (dot(inward, outward) < CORNER) return undefined;
  const [before, after] = [distance(a, b), distance(b, c)];
  if (before > STRAIGHT * after) return inward;
  if (after > STRAIGHT * before) return outward;
  // The circle through the three points: a direction weighs by the length of the other one.
  return direction([0, 0], [inward[0] * after + outward[0] * before, inward[1] * after + outward[1] * before]);
}

interface Curve {
  readonly from: Point;
  readonly handles: readonly [Point, Point];
  readonly to: Point;
}

/** Returns a polyline as smooth curves through its points, with its corners. Lines of an `isAngular` face stay. */
function smooth(stroke: readonly Point[], isAngular: boolean): Curve[] {
  const isLoop = stroke.length > 3 && distance(stroke[0]!, stroke.at(-1)!) < 1;
  const last = stroke.length - 1;
  const tangents = stroke.map((point, i) => {
    const before = stroke[i - 1] ?? (isLoop ? stroke[last - 1] : undefined);
    const after = stroke[i + 1] ?? (isLoop ? stroke[1] : undefined);
    return before && after && !isAngular ? tangentAt(before, point, after) : undefined;
  });
  return stroke.slice(1).map((to, i) => {
    const from = stroke[i]!;
    const along = direction(from, to);
    const length = distance(from, to);
    // Where only one end has a tangent the other is its mirror image: an arc.
    const mirrorOf = (tangent: Point | undefined): Point | undefined =>
      tangent && [2 * dot(tangent, along) * along[0] - tangent[0], 2 * dot(tangent, along) * along[1] - tangent[1]];
    const leave = tangents[i] ?? mirrorOf(tangents[i + 1]) ?? along;
    const arrive = tangents[i + 1] ?? mirrorOf(tangents[i]) ?? along;
    const handle = (tangent: Point) => {
      const half = Math.acos(Math.min(1, Math.max(-1, dot(tangent, along)))) / 2;
      return length / 3 / Math.cos(half) ** 2;
    };
    return {
      from,
      handles: [
        [from[0] + leave[0] * handle(leave), from[1] + leave[1] * handle(leave)],
        [to[0] - arrive[0] * handle(arrive), to[1] - arrive[1] * handle(arrive)],
      ],
      to,
    };
  });
}

const isStraight = ({ from, handles, to }: Curve): boolean => {
  const along = direction(from, to);
  return handles.every(([x, y]) => Math.abs((x - from[0]) * along[1] - (y - from[1]) * along[0]) < 0.3);
};

/** Units of a file for each one of a source: whole numbers are short, and this fine. */
const FINER = 2;

/** Returns the commands of a stroke: out, and back. */
function toCommands(curves: readonly Curve[]) {
  const draw = (curve: Curve) =>
    isStraight(curve)
      ? { command: 'lineTo' as const, args: toUnits(curve.to) }
      : { command: 'bezierCurveTo' as const, args: toUnits(...curve.handles, curve.to) };
  const back = curves
    .toReversed()
    .map(({ from, handles, to }): Curve => ({ from: to, handles: [handles[1], handles[0]], to: from }));
  return [{ command: 'moveTo' as const, args: toUnits(curves[0]!.from) }, ...[...curves, ...back].map(draw)];
}

const toUnits = (...points: readonly Point[]): number[] => points.flat().map((value) => Math.round(value * FINER));

const isLetter = ({ letter }: SourceGlyph) => /\p{L}/u.test(letter);

function readFace({ source, figures }: SourceFace): SourceGlyph[] {
  const own = readSource(source);
  if (!figures) return own;
  const slant = ({ d }: SourceGlyph) => svgpath(d).matrix([1, 0, figures.slant, 1, 0, 0]).toString();
  const others = readSource(figures.source).filter((glyph) => !isLetter(glyph));
  return [...own.filter(isLetter), ...others.map((glyph) => ({ ...glyph, d: slant(glyph) }))];
}

for (const face of faces) {
  const { file, isAngular = false, italicAngle = 0 } = face;
  const byCode = new Map<number, SourceGlyph>();
  for (const glyph of readFace(face)) {
    for (const letter of [glyph.letter, ...(aliases.get(glyph.letter) ?? [])]) {
      const code = letter.codePointAt(0);
      if ([...letter].length === 1 && code !== undefined && !byCode.has(code)) byCode.set(code, glyph);
    }
  }
  const writer = createGlyphWriter();
  writer.add([], 378 * FINER); // the first glyph of a font stands for what it lacks
  const codes = [...byCode.keys()].sort((a, b) => a - b);
  let capHeight = 0;
  for (const code of codes) {
    const { d, advance } = byCode.get(code)!;
    const strokes = d === '' ? [] : readStrokes(d);
    if (code === 72) capHeight = Math.max(...strokes.flat().map(([, y]) => y));
    writer.add(
      strokes.flatMap((stroke) => toCommands(smooth(stroke, isAngular))),
      advance * FINER,
    );
  }
  const bytes = writer.finish({
    ...{ unitsPerEm: 1000 * FINER, ascent: 800 * FINER, descent: -200 * FINER, lineGap: 0 },
    ...{ underlinePosition: -100 * FINER, underlineThickness: 40 * FINER },
    ...{ italicAngle, weight: 400, capHeight: capHeight * FINER, xHeight: 450 * FINER },
    letters: codes.map((code, i) => [code, i + 1] as const),
    copiedTables: new Map(),
  });
  writeFileSync(new URL(`../packages/fonts/singleLine/${file}.otf`, import.meta.url), bytes);
  console.info(file, codes.length, 'letters', bytes.length, 'bytes', 'capitals', capHeight);
}
