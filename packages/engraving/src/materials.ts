/** How each material of the catalogue takes an engraving. */
import { luminanceOf, type MarkColors, modelToneCurve, type ToneCurve } from './toneCurve.ts';

export interface EngravingMaterial {
  /** Colors of a common blank. */
  readonly colors: MarkColors;
  /** The mark is lighter than the surface: what is burnt is the light of the picture. */
  readonly marksLight: boolean;
  /** Where to start with the pitch of the lines, in millimeters. */
  readonly intervalMm: number;
  readonly curve: ToneCurve;
  /** The growth of its dots, as a share of the area where half is burnt. */
  readonly dotGain: number;
  /** True while the curve is a model of a common blank, and not what a shop measured on its own. */
  readonly isTypical: boolean;
}

/**
 * Returns a material whose curve is computed from its colors and the growth of its dots. None of these figures was
 * measured on a machine: they are where a shop starts before it burns a test card.
 */
function typical(bare: string, mark: string, dotGain: number, intervalMm: number): EngravingMaterial {
  const colors = { bare, mark };
  return {
    colors,
    marksLight: isLighter(colors),
    intervalMm,
    curve: modelToneCurve(colors, dotGain),
    dotGain,
    isTypical: true,
  };
}

/** Char spreads in wood, leather and cloth; metal and glaze hold a dot better. */
export const ENGRAVING_MATERIALS: Readonly<Record<string, EngravingMaterial>> = {
  stainless: typical('#c8cacc', '#3d3e41', 0.05, 0.08),
  'powder-coat': typical('#2a2c2e', '#c0c0c0', 0.06, 0.1),
  brass: typical('#c9a54e', '#4a3510', 0.06, 0.08),
  // Anodized: a blank in the metal's own color, which takes a dark mark, is told apart by its colors.
  aluminium: typical('#232426', '#c8cacc', 0.04, 0.08),
  walnut: typical('#7a5233', '#24130a', 0.12, 0.1),
  maple: typical('#ddbf94', '#5a3417', 0.12, 0.1),
  slate: typical('#3b3f42', '#c9cdce', 0.06, 0.1),
  leather: typical('#a8683a', '#4a2410', 0.12, 0.12),
  ceramic: typical('#f4f3ef', '#2b2a29', 0.06, 0.1),
  // Frosted parts of clear acrylic catch the light.
  acrylic: typical('#8f9aa0', '#f4fafc', 0.08, 0.1),
  cotton: typical('#f1eee6', '#3b3b3b', 0.15, 0.15),
  other: typical('#ffffff', '#000000', 0.06, 0.1),
};

/** Returns how a material takes an engraving. One that is not in the list is taken for white with black marks. */
export function engravingMaterial(material: string): EngravingMaterial {
  return Object.hasOwn(ENGRAVING_MATERIALS, material) ? ENGRAVING_MATERIALS[material] : ENGRAVING_MATERIALS.other;
}

/**
 * Decides whether a picture is engraved as its negative. `'auto'`: where marks are lighter than the surface. Colors of
 * the very blank decide before the material, as powder coat and anodized aluminum come in light colors, too.
 */
export function resolveInvert(choice: boolean | 'auto', material: string, colors?: MarkColors): boolean {
  if (choice !== 'auto') return choice;
  return colors ? isLighter(colors) : engravingMaterial(material).marksLight;
}

function isLighter({ bare, mark }: MarkColors): boolean {
  return luminanceOf(mark) > luminanceOf(bare);
}
