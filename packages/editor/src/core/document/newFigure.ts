/** What the gallery of codes and shapes has, and how one comes onto the product. */
import {
  type CodeElement,
  type Command,
  type FigureElement,
  formNames,
  hasLightMarks,
  newCode,
  newShape,
  readContours,
  regularAspect,
  type Scene,
  SHAPE_SIZE_MM,
  type ShapeElement,
  symbologyNames,
  tightBounds,
} from '@markwright/scene';
import { newId } from './ids.ts';
import { placeNew } from './newText.ts';

/** An entry of the gallery. */
export interface FigurePreset {
  readonly name: string;
  /** What is added, in its usual size. */
  readonly figure: FigureElement;
}

const code = (symbology: CodeElement['symbology'], changes: Partial<CodeElement>): FigurePreset => ({
  name: symbologyNames[symbology],
  figure: { ...newCode('preset'), symbology, ...changes },
});

const shape = (form: ShapeElement['form'], changes: Partial<ShapeElement> = {}, name?: string): FigurePreset => ({
  name: name ?? formNames[form],
  // A name of its own, where the form alone would not say what it is.
  figure: { ...newShape('preset'), form, ...changes, ...(name && { name }) },
});

/** Returns the height of a shape whose sides or points are all alike. */
export const regular = (form: 'polygon' | 'star', widthMm: number) => ({
  widthMm,
  heightMm: Number((widthMm / regularAspect({ ...newShape('preset'), form })).toFixed(3)),
});

/** The data of a new code stand in for what is typed over them. The number of the EAN-13 is for use inside a shop. */
export const codePresets: readonly FigurePreset[] = [
  code('qr', { data: 'https://example.com' }),
  code('dataMatrix', { data: 'SN-0001', widthMm: 12, heightMm: 12 }),
  code('code128', { data: 'ABC-1234', widthMm: 40, heightMm: 12 }),
  code('ean13', { data: '2012345678903', widthMm: 31.4, heightMm: 20 }),
];

export const shapePresets: readonly FigurePreset[] = [
  shape('rectangle', { heightMm: 20 }),
  shape('rectangle', { heightMm: 20, cornerMm: 4 }, 'Rounded'),
  shape('ellipse'),
  shape('ellipse', { strokeMm: 2 }, 'Ring'),
  shape('rectangle', { widthMm: 40, strokeMm: 1, cornerMm: 2 }, 'Frame'),
  shape('polygon', regular('polygon', 26)),
  shape('star', regular('star', 30)),
  shape('line', { widthMm: 40 }),
  shape('arrow', { widthMm: 40, heightMm: 12, strokeMm: 4 }),
  shape('arc', { strokeMm: 2 }),
  shape('seal'),
  shape('shield', { heightMm: 34 }),
  shape('plaque', { widthMm: 40, heightMm: 24 }),
  shape('banner', { widthMm: 40, heightMm: 12 }),
];

export const framePresets: readonly FigurePreset[] = [
  shape('doubleFrame', { widthMm: 50, heightMm: 30, cornerMm: 3 }),
  shape('ticketFrame', { widthMm: 50, heightMm: 30, cornerMm: 4 }),
  shape('cornerFrame', { widthMm: 50, heightMm: 30 }),
  shape('stitchFrame', { widthMm: 50, heightMm: 30, cornerMm: 4 }),
  shape('dotFrame', { widthMm: 50, heightMm: 30, cornerMm: 4 }),
  shape('ropeFrame', { widthMm: 50, heightMm: 30, cornerMm: 6 }),
  shape('scallopFrame', { widthMm: 50, heightMm: 30, strokeMm: 0.6 }),
  shape('wreath', { widthMm: 40, heightMm: 40 }),
  shape('doubleRing', { widthMm: 40, heightMm: 40 }),
  shape('stitchRing', { widthMm: 40, heightMm: 40 }),
  shape('dotRing', { widthMm: 40, heightMm: 40 }),
  shape('ropeRing', { widthMm: 40, heightMm: 40 }),
];

/** The longer side of a new icon, mm. */
const ICON_MM = 25;

/** Returns an icon, or any other outline in M, L, C and Z, as a shape in its own proportions. */
export function iconFigure(name: string, outline: string): ShapeElement {
  const { minX, minY, maxX, maxY } = tightBounds(readContours(outline));
  const [width, height] = [maxX - minX, maxY - minY];
  const toMm = (side: number) =>
    Math.max(SHAPE_SIZE_MM.min, Number(((ICON_MM * side) / Math.max(width, height)).toFixed(3)));
  return { ...newShape('preset'), form: 'outline', outline, name, widthMm: toMm(width), heightMm: toMm(height) };
}

/** The most of a side of the machine area that a new one takes. */
const MOST_OF_AREA = 0.6;

/**
 * Returns the command that adds a figure where there is room, smaller on a small machine area, and its own id. A code
 * is inverted where marks are light.
 */
export function addFigure(
  scene: Scene,
  preset: FigureElement,
): { readonly command: Command; readonly elementId: FigureElement['id'] } {
  const id = newId();
  const fit = Math.min(
    1,
    (scene.widthMm * MOST_OF_AREA) / preset.widthMm,
    (scene.heightMm * MOST_OF_AREA) / preset.heightMm,
  );
  const toSize = (mm: number) => (fit === 1 ? mm : Math.max(1, Number((mm * fit).toFixed(1))));
  const size = { widthMm: toSize(preset.widthMm), heightMm: toSize(preset.heightMm) };
  const heightMm = preset.kind === 'shape' && preset.form === 'line' ? 2 : size.heightMm;
  // The free space around a code is at most a fifth of it, and there are letters below bars.
  const gapMm = preset.kind === 'code' ? heightMm / 4 : 2;
  const place = placeNew(scene, { elementId: `${preset.kind}:${id}`, heightMm, gapMm });
  const figure = preset.kind === 'code' ? { ...preset, isInverted: hasLightMarks(scene) } : preset;
  return { command: { type: 'addElements', elements: [{ ...figure, id, ...size, ...place }] }, elementId: id };
}
