/** What somebody enters about a blank of their own, and the product that follows from it. No page, no storage. */
import type { BlankSurface, ProductFields } from '@markwright/contract/schemas';
import { findMisfit, type MATERIALS } from '@markwright/contract/words';
import type { MachineMode } from '@markwright/scene';
import { type AreaKind, type FittedArea, fitArea, kindOfOutline } from '@markwright/scene/fitArea';
import { materialNames } from '../../../products/names.ts';
import type { BlankPicture } from '../../../studioHost/blank/messages.ts';
import type { PixelBox } from '../../../studioHost/blank/readBlank.ts';

type Material = (typeof MATERIALS)[number];
export type SurfaceKind = BlankSurface['kind'];

/** In fractions of the picture. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Lengths are texts, as somebody typed them; empty where nobody has. */
export interface BlankDraft {
  readonly name: string;
  readonly material: Material;
  readonly machines: readonly MachineMode[];
  readonly surface: SurfaceKind;
  /** Of a flat blank; the diameter of a round one, at the top of a tapered one. */
  readonly width: string;
  /** The diameter at the bottom of a tapered blank. */
  readonly bottom: string;
  readonly height: string;
  /** Two places, and how far apart they are. */
  readonly places: readonly Place[];
  readonly distance: string;
  /** Which of both gives the scale: what was entered last. */
  readonly measuredBy: 'size' | 'places';
  /** Whether the edges of the blank are found, or set by hand: being pulled there, or cut out there. */
  readonly edges: 'found' | 'pulled' | 'cut';
  /** The corners set by hand, from the top left clockwise. */
  readonly corners: readonly Place[];
  /** Absent: what the outline suggests. */
  readonly areaKind?: AreaKind | undefined;
  readonly margin: string;
  readonly keepsBackground: boolean;
  readonly ignoresGauge: boolean;
}

export const emptyDraft = (machine: MachineMode): BlankDraft => ({
  name: '',
  material: 'other',
  machines: [machine],
  surface: 'flat',
  width: '',
  bottom: '',
  height: '',
  places: [],
  distance: '',
  measuredBy: 'size',
  edges: 'found',
  corners: [
    { x: 0.15, y: 0.15 },
    { x: 0.85, y: 0.15 },
    { x: 0.85, y: 0.85 },
    { x: 0.15, y: 0.85 },
  ],
  margin: '',
  keepsBackground: false,
  ignoresGauge: false,
});

/** The color of a laser's mark, as on the blanks of the catalogue. */
const markColors: Readonly<Record<Material, string>> = {
  stainless: '#3d3e41',
  'powder-coat': '#d8d5d2',
  brass: '#4a3510',
  aluminium: '#2b2a29',
  walnut: '#24130a',
  maple: '#5a3417',
  slate: '#c9cdce',
  leather: '#3d1b0a',
  ceramic: '#2b2a29',
  acrylic: '#f4fafc',
  cotton: '#3b3b3b',
  other: '#2b2a29',
};

/** The size of a blank, mm. */
const BLANK_MM = { min: 3, max: 2000 } as const;
const MM_PER_INCH = 25.4;
/** How much of a cup's width its front shows without being too slanted, and of its height without rim and foot. */
const FRONT = 0.7;
const UPRIGHT = 0.8;
/** A handle takes this much of the way round. */
const BESIDE_HANDLE = 0.83;

const units: Readonly<Record<string, number>> = {
  mm: 1,
  cm: 10,
  in: 25.4,
  inch: 25.4,
  inches: 25.4,
  '"': 25.4,
  '″': 25.4,
};

/** Reads a length such as `120`, `12 cm`, `4.7 in` or `4,7"`, in mm. Undefined for what is none. */
export function parseLength(text: string): number | undefined {
  const match = /^\s*(\d+(?:[.,]\d*)?|[.,]\d+)\s*(mm|cm|in|inch|inches|"|″)?\s*$/i.exec(text);
  if (!match) return undefined;
  const value = Number(match[1]!.replace(',', '.')) * units[(match[2] ?? 'mm').toLowerCase()]!;
  return value > 0 ? value : undefined;
}

export interface BlankPlan {
  /** Of the whole blank, mm. */
  readonly size: { readonly width: number; readonly height: number };
  /** In fractions of the picture, with its shape. */
  readonly fields: ProductFields;
  /** Of the print area, mm. */
  readonly areaSize: { readonly width: number; readonly height: number };
  readonly marginMm: number;
  /** The picture's size that makes its pixels square, px. */
  readonly picture: { readonly width: number; readonly height: number };
}

/** A plan, or a sentence that says what is missing; the size as far as it is known. */
export type PlanResult =
  | { readonly plan: BlankPlan; readonly problem?: undefined }
  | { readonly plan?: undefined; readonly problem: string; readonly field?: keyof BlankDraft };

/** Returns the product that a draft makes of a reading. Cost: some milliseconds for an outline. */
export function planBlank(reading: BlankPicture, draft: BlankDraft): PlanResult {
  const wrong = (['width', 'height', 'bottom', 'distance', 'margin'] as const).find(
    (field) => draft[field].trim() !== '' && parseLength(draft[field]) === undefined && draft[field].trim() !== '0',
  );
  if (wrong) return { problem: 'Type a length like 120, 12 cm or 4.7 in.', field: wrong };
  if (draft.edges === 'pulled') return { problem: 'Pull the corners to those of the blank, then cut it out.' };
  const scale = scaleOf(reading, draft);
  if (!scale) return { problem: sizeMissing[draft.surface], field: 'width' };
  const box = boxOf(reading, draft);
  const size = { width: box.width * scale.x, height: box.height * scale.y };
  const isPossible = [size.width, size.height].every((mm) => mm >= BLANK_MM.min && mm <= BLANK_MM.max);
  if (!isPossible) return { problem: `A blank is from ${BLANK_MM.min} mm to ${BLANK_MM.max} mm long.`, field: 'width' };
  const surface = surfaceOf(reading, draft, size);
  if (!surface) return { problem: sizeMissing.cone, field: 'bottom' };
  const marginMm = parseLength(draft.margin) ?? (draft.margin.trim() === '0' ? 0 : suggestMargin(size, draft.surface));
  const area = areaOf(reading, draft, { scale, size, marginMm });
  if (!area || area.box.width < 2.6 || area.box.height < 2.6) {
    return { problem: 'This margin leaves no print area. Make it smaller.', field: 'margin' };
  }
  const plan = toPlan(reading, draft, { area, scale, size, surface, marginMm });
  const misfit = findMisfit(surface, plan.fields.dimensions);
  return misfit ? { problem: misfit, field: 'width' } : { plan };
}

const sizeMissing: Readonly<Record<SurfaceKind, string>> = {
  flat: 'Type the width or the height, or click two points on the picture and type their distance.',
  cylinder: 'Type the diameter.',
  cone: 'Type both diameters.',
};

interface Scale {
  /** Mm of a pixel. */
  readonly x: number;
  readonly y: number;
}

/** Returns what a pixel measures, as far as something says so: what was entered last, a bank card or a ruler. */
export function scaleOf(reading: BlankPicture, draft: BlankDraft): Scale | undefined {
  const box = boxOf(reading, draft);
  const [width, height, bottom] = [draft.width, draft.height, draft.bottom].map(parseLength);
  const places = placesScale(reading, draft);
  if (draft.measuredBy === 'places' && places) return { x: places, y: places };
  const across = draft.surface === 'cone' && width && bottom ? Math.max(width, bottom) : width;
  if (across || height) {
    const x = across ? across / box.width : height! / box.height;
    return { x, y: height ? height / box.height : x };
  }
  const even = places ?? reading.mmPerPixel;
  return even ? { x: even, y: even } : undefined;
}

function placesScale({ width, height }: BlankPicture, { places: [a, b], distance }: BlankDraft): number | undefined {
  const mm = parseLength(distance);
  if (!a || !b || !mm) return undefined;
  const px = Math.hypot((b.x - a.x) * width, (b.y - a.y) * height);
  return px >= 4 ? mm / px : undefined;
}

/** Returns what width and height are measured on, in px of the picture. */
export const boxOf = (reading: BlankPicture, { surface }: BlankDraft): PixelBox =>
  surface === 'flat' ? reading.box : reading.body;

/** True for corners that a picture can be straightened by: convex, and clockwise. */
export function isConvex(corners: readonly Place[]): boolean {
  return corners.every((p, i) => {
    const [q, r] = [corners[(i + 1) % 4]!, corners[(i + 2) % 4]!];
    return (q.x - p.x) * (r.y - q.y) - (q.y - p.y) * (r.x - q.x) > 1e-4;
  });
}

function surfaceOf(reading: BlankPicture, draft: BlankDraft, size: BlankPlan['size']): BlankSurface | undefined {
  const round = (mm: number) => Number(mm.toFixed(1));
  if (draft.surface === 'flat') return { kind: 'flat' };
  const arc = reading.hasHandle ? { arcMm: round(BESIDE_HANDLE * Math.PI * size.width) } : {};
  if (draft.surface === 'cylinder') return { kind: 'cylinder', diameterMm: round(size.width), ...arc };
  const [top, bottom] = [parseLength(draft.width), parseLength(draft.bottom)];
  if (!top || !bottom) return undefined;
  const diameters = { topDiameterMm: round(top), bottomDiameterMm: round(bottom) };
  return { kind: 'cone', ...diameters, heightMm: round(size.height), ...arc };
}

/** 4 % of the shorter side, in half millimeters from 1 to 10; on a cup what rim and foot take. */
function suggestMargin({ width, height }: BlankPlan['size'], surface: SurfaceKind): number {
  if (surface !== 'flat') return Math.round(height * (1 - UPRIGHT)) / 2;
  return Math.min(10, Math.max(1, Math.round(0.08 * Math.min(width, height)) / 2));
}

interface Facts {
  readonly scale: Scale;
  readonly size: BlankPlan['size'];
  readonly marginMm: number;
}

/** Returns the print area in mm of the picture. */
function areaOf(reading: BlankPicture, draft: BlankDraft, { scale, size, marginMm }: Facts): FittedArea | undefined {
  const box = boxOf(reading, draft);
  const [left, top] = [box.x * scale.x, box.y * scale.y];
  if (draft.surface !== 'flat') {
    const narrow = Math.min(size.width, parseLength(draft.bottom) ?? Infinity, parseLength(draft.width) ?? Infinity);
    const width = FRONT * (draft.surface === 'cone' ? narrow : size.width);
    const front = rectangle(left + (size.width - width) / 2, top + marginMm, width, size.height - 2 * marginMm);
    if (size.height <= 2 * marginMm + 2) return undefined;
    return fitArea(front, 0, { kind: draft.areaKind === 'outline' ? 'rectangle' : (draft.areaKind ?? 'rectangle') });
  }
  const outline = reading.outline
    ? reading.outline.map((value, i) => value * (i % 2 === 0 ? scale.x : scale.y))
    : rectangle(left, top, size.width, size.height);
  return fitArea(outline, marginMm, { kind: draft.areaKind });
}

const rectangle = (x: number, y: number, width: number, height: number) => [
  ...[x, y, x + width, y],
  ...[x + width, y + height, x, y + height],
];

function toPlan(
  reading: BlankPicture,
  draft: BlankDraft,
  { area, scale, size, surface, marginMm }: Facts & { area: FittedArea; surface: BlankSurface },
): BlankPlan {
  const picture = {
    width: reading.width,
    height: Math.max(1, Math.round((reading.height * scale.y) / scale.x)),
  };
  const [wholeWidth, wholeHeight] = [picture.width * scale.x, picture.height * scale.x];
  const inches = (mm: number) => Number((mm / MM_PER_INCH).toFixed(3));
  const [widthInches, heightInches] = [inches(area.box.width), inches(area.box.height)];
  const [width, height] = [widthInches * MM_PER_INCH, heightInches * MM_PER_INCH];
  const { box, shape } = area;
  const place = (middle: number, length: number, whole: number) =>
    Math.min(Math.max(0, middle - length / 2), Math.max(0, whole - length)) / whole;
  const printArea = {
    x: place(box.x + box.width / 2, width, wholeWidth),
    y: place(box.y + box.height / 2, height, wholeHeight),
    width: Math.min(1, width / wholeWidth),
    height: Math.min(1, height / wholeHeight),
    ...(shape.kind !== 'rectangle' && { shape }),
  };
  const fields: ProductFields = {
    name: draft.name.trim() || suggestName(draft, size),
    category: MY_BLANKS,
    subCategory: '',
    dimensions: `${widthInches}x${heightInches}`,
    printArea,
    material: draft.material,
    markColor: markColors[draft.material],
    machines: [...draft.machines],
    surface,
    variants: { colors: [], sizes: [] },
    sizeSource: '',
  };
  return { size, fields, areaSize: { width, height }, marginMm, picture };
}

/** The category of blanks that people made in the studio. */
const MY_BLANKS = 'My blanks';

/** Returns a name such as “Walnut blank 120 × 80 mm”. */
function suggestName({ material, surface }: BlankDraft, { width, height }: BlankPlan['size']): string {
  const what = material === 'other' ? 'My blank' : `${materialNames[material]} blank`;
  const mm = (value: number) => String(Number(value.toFixed(1)));
  return `${what} ${surface === 'flat' ? '' : '⌀ '}${mm(width)} × ${mm(height)} mm`;
}

/** Returns the kind of area that the outline suggests, for the first choice of the list. */
export function suggestKind(reading: BlankPicture, draft: BlankDraft): AreaKind {
  if (draft.surface !== 'flat' || !reading.outline) return 'rectangle';
  const scale = scaleOf(reading, draft) ?? { x: 100 / reading.box.width, y: 100 / reading.box.width };
  return kindOfOutline(reading.outline.map((value, i) => value * (i % 2 === 0 ? scale.x : scale.y))).kind;
}
