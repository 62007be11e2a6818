/**
 * Badges of the gallery: shapes with live texts around them and in their middle. All measures are in mm from the middle
 * of the badge, y down; each text keeps to its circle, whatever its words become.
 */
import {
  type Command,
  type CompositionElement,
  newShape,
  newText,
  type Scene,
  type ShapeElement,
  TEXT_HEIGHT_INCHES,
  type TextElement,
} from '@markwright/scene';
import type { ElementId } from './editor.ts';
import { newId } from './ids.ts';
import { MM_PER_INCH } from './measure.ts';
import { regular } from './newFigure.ts';
import { placeNew } from './newText.ts';

interface Place {
  readonly x?: number;
  readonly y?: number;
}
/** An element of a badge, with its place in mm. */
type BadgePart = (Omit<ShapeElement, 'id'> | Omit<TextElement, 'id'>) & {
  readonly x: number;
  readonly y: number;
};

export interface BadgePreset {
  readonly name: string;
  /** Its box. */
  readonly widthMm: number;
  readonly heightMm: number;
  /** The lowest first: what lies in the middle is above the words around it. */
  readonly parts: readonly BadgePart[];
}

function shape(form: ShapeElement['form'], measures: Partial<ShapeElement>, place: Place = {}): BadgePart {
  const { id: _id, ...rest } = newShape('preset');
  return { ...rest, form, ...measures, x: place.x ?? 0, y: place.y ?? 0 };
}

/** A shape as wide as high, with a line. */
const round = (form: ShapeElement['form'], mm: number, strokeMm: number): BadgePart =>
  shape(form, { widthMm: mm, heightMm: mm, strokeMm });

const star = (mm: number, place?: Place): BadgePart => shape('star', regular('star', mm), place);

const line = (mm: number, strokeMm: number, place: Place): BadgePart =>
  shape('line', { widthMm: mm, heightMm: 2, strokeMm }, place);

/** An arc of a circle around the middle, symmetric about the vertical. A shape is placed by the middle of its ink. */
function arc(radiusMm: number, sweepDeg: number, strokeMm: number, side: 'top' | 'bottom'): BadgePart {
  const half = (sweepDeg * Math.PI) / 360;
  const reach = (radiusMm + (radiusMm - strokeMm) * Math.cos(half)) / 2;
  const measures = { widthMm: 2 * radiusMm, heightMm: 2 * radiusMm, strokeMm, sweepDeg };
  return shape('arc', { ...measures, angleDeg: side === 'top' ? 0 : 180 }, { y: side === 'top' ? -reach : reach });
}

interface Face {
  readonly fontFamily: string;
  readonly isBold?: boolean;
  /** Percent of the em. */
  readonly spacing?: number;
}

function words(text: string, emMm: number, { fontFamily, isBold, spacing = 0 }: Face, place: Place = {}): BadgePart {
  const { id: _id, ...rest } = newText('preset');
  return {
    ...rest,
    ...{ text, fontFamily, letterSpacing: spacing },
    ...(isBold && { fontWeight: 'bold' as const }),
    heightInches: emMm / MM_PER_INCH,
    x: place.x ?? 0,
    y: place.y ?? 0,
  };
}

/** Words along a circle around the middle, which goes through the middle of their capitals. */
function around(
  text: string,
  emMm: number,
  face: Face,
  circle: { readonly radiusMm: number; readonly side: 'top' | 'bottom'; readonly sweepDeg: number },
  place?: Place,
): BadgePart {
  return { ...words(text, emMm, face, place), circle: { ...circle, edge: 'middle' } } as BadgePart;
}

const oswald: Face = { fontFamily: 'Oswald', spacing: 8 };
const playfair: Face = { fontFamily: 'Playfair Display', isBold: true };
const rye: Face = { fontFamily: 'Rye', spacing: 4 };
const montserrat: Face = { fontFamily: 'Montserrat', isBold: true, spacing: 6 };
const bebas: Face = { fontFamily: 'Bebas Neue', spacing: 8 };
const cinzel: Face = { fontFamily: 'Cinzel', isBold: true, spacing: 4 };

const SIDE_MM = 60;
const square = { widthMm: SIDE_MM, heightMm: SIDE_MM } as const;

export const badgePresets: readonly BadgePreset[] = [
  {
    name: 'Seal',
    ...square,
    parts: [
      round('seal', 60, 0.8),
      round('ellipse', 51.6, 0.5),
      round('ellipse', 34, 0.5),
      around('PREMIUM QUALITY', 6, oswald, { radiusMm: 21.1, side: 'top', sweepDeg: 156 }),
      around('MADE BY HAND', 6, oswald, { radiusMm: 21.1, side: 'bottom', sweepDeg: 156 }),
      star(3.6, { x: -21.1 }),
      star(3.6, { x: 21.1 }),
      star(21),
    ],
  },
  {
    name: 'Double ring',
    ...square,
    parts: [
      round('doubleRing', 60, 1.2),
      round('doubleRing', 36, 0.8),
      around('SMITH & SONS', 6.6, cinzel, { radiusMm: 22.4, side: 'top', sweepDeg: 165 }),
      around('FINE WOODWORK', 5.6, cinzel, { radiusMm: 22.4, side: 'bottom', sweepDeg: 150 }),
      words('S', 22, cinzel),
    ],
  },
  {
    name: 'Established',
    ...square,
    parts: [
      round('ellipse', 60, 1.2),
      round('dotRing', 56, 0.7),
      around('THE OLD MILL', 6.4, rye, { radiusMm: 22.2, side: 'top', sweepDeg: 170 }),
      around('BREWING CO.', 6.4, rye, { radiusMm: 22.2, side: 'bottom', sweepDeg: 140 }),
      line(30, 0.5, { y: -5 }),
      line(30, 0.5, { y: 5 }),
      star(5, { y: -10.4 }),
      star(5, { y: 10.4 }),
      words('EST. 1974', 5.6, rye),
    ],
  },
  {
    name: 'Rope',
    ...square,
    parts: [
      round('ropeRing', 60, 1.5),
      round('ellipse', 34, 0.7),
      around('OLD HARBOR', 6.4, montserrat, { radiusMm: 21.6, side: 'top', sweepDeg: 165 }),
      around('SAILING CLUB', 6.4, montserrat, { radiusMm: 21.6, side: 'bottom', sweepDeg: 150 }),
      words('No.', 7, { fontFamily: 'Playfair Display' }, { y: -6.4 }),
      words('27', 16, playfair, { y: 3.6 }),
    ],
  },
  {
    name: 'Stitched',
    ...square,
    parts: [
      round('ellipse', 60, 1),
      round('stitchRing', 56.4, 0.7),
      around('TRAIL & TIMBER', 7.4, bebas, { radiusMm: 21.4, side: 'top', sweepDeg: 170 }),
      around('LEATHER GOODS', 7.4, bebas, { radiusMm: 21.4, side: 'bottom', sweepDeg: 150 }),
      star(5, { x: -9, y: 0.4 }),
      star(8),
      star(5, { x: 9, y: 0.4 }),
      words('SINCE', 4.6, bebas, { y: -9.2 }),
      words('1998', 6.4, bebas, { y: 9.4 }),
    ],
  },
  {
    name: 'Banner',
    widthMm: 72,
    heightMm: SIDE_MM,
    parts: [
      arc(30, 136, 1, 'top'),
      arc(30, 136, 1, 'bottom'),
      arc(27.8, 132, 0.4, 'top'),
      arc(27.8, 132, 0.4, 'bottom'),
      shape('banner', { widthMm: 72, heightMm: 16, strokeMm: 0.8 }),
      around('GRAND OPENING', 5.4, oswald, { radiusMm: 22.6, side: 'top', sweepDeg: 116 }),
      around('FAMILY OWNED', 5.4, oswald, { radiusMm: 22.6, side: 'bottom', sweepDeg: 116 }),
      star(5, { y: -13.2 }),
      star(5, { y: 13.2 }),
      words('MILLER’S', 12, oswald),
    ],
  },
  {
    name: 'Shield',
    widthMm: 52,
    heightMm: SIDE_MM,
    parts: [
      shape('shield', { widthMm: 52, heightMm: SIDE_MM, strokeMm: 1.2 }),
      shape('shield', { widthMm: 47.6, heightMm: 55.2, strokeMm: 0.4 }),
      around('NORTH RIDGE', 6, oswald, { radiusMm: 40, side: 'top', sweepDeg: 58 }, { y: 24 }),
      line(36, 0.5, { y: -8.2 }),
      words('27', 17, { fontFamily: 'Oswald', isBold: true }, { y: 1.4 }),
      words('FIRE DEPT.', 5, oswald, { y: 13 }),
      star(4.4, { y: 20.4 }),
    ],
  },
  {
    name: 'Wreath',
    ...square,
    parts: [
      round('wreath', 60, 0.7),
      around('EMPLOYEE OF', 4.8, cinzel, { radiusMm: 17, side: 'top', sweepDeg: 150 }, { y: 2 }),
      words('THE YEAR', 5.4, cinzel, { y: -1 }),
      line(18, 0.4, { y: 3.6 }),
      words('2026', 5.4, cinzel, { y: 8 }),
      star(4.6, { y: 17 }),
    ],
  },
];

/** The most of a side of the machine area that a new one takes. */
const MOST_OF_AREA = 0.8;

/** Returns the elements of a badge, scaled, around a place in percent of an area of the scene. */
export function badgeElements(
  { name, parts }: BadgePreset,
  scale: number,
  { widthMm, heightMm }: Pick<Scene, 'widthMm' | 'heightMm'>,
  middle: { readonly x: number; readonly y: number },
): CompositionElement[] {
  const groupId = newId();
  const toMm = (mm: number) => Number((mm * scale).toFixed(3));
  return parts.map((part) => {
    const place = {
      ...{ id: newId(), groupId, groupName: `${name} badge` },
      x: middle.x + ((part.x * scale) / widthMm) * 100,
      y: middle.y + ((part.y * scale) / heightMm) * 100,
    };
    if (part.kind === 'shape') {
      const { strokeMm } = part;
      const sides = { widthMm: toMm(part.widthMm), heightMm: toMm(part.heightMm) };
      return { ...part, ...place, ...sides, ...(strokeMm !== undefined && { strokeMm: toMm(strokeMm) }) };
    }
    const { circle } = part;
    return {
      ...part,
      ...place,
      heightInches: Number((part.heightInches * scale).toFixed(4)),
      ...(circle && { circle: { ...circle, radiusMm: toMm(circle.radiusMm) } }),
    };
  });
}

/** Returns the command that adds a badge where there is room, smaller on a small machine area, and one of its ids. */
export function addBadge(
  scene: Scene,
  preset: BadgePreset,
): { readonly command: Command; readonly elementId: ElementId } {
  const fit = Math.min(
    1,
    (scene.widthMm * MOST_OF_AREA) / preset.widthMm,
    (scene.heightMm * MOST_OF_AREA) / preset.heightMm,
  );
  // Smaller letters than a text may have would leave their places.
  const least = TEXT_HEIGHT_INCHES.min / Math.min(...preset.parts.map(emOf));
  const scale = Math.max(least, fit);
  const heightMm = preset.heightMm * scale;
  const middle = placeNew(scene, { elementId: '', heightMm, gapMm: 2 });
  const elements = badgeElements(preset, scale, scene, middle);
  const [first] = elements;
  return { command: { type: 'addElements', elements }, elementId: `shape:${first!.id}` };
}

const emOf = (part: BadgePart) => (part.kind === 'text' ? part.heightInches : TEXT_HEIGHT_INCHES.max);
