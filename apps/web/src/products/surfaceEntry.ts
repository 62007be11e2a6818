/** The surface of a blank as a form changes it. Lengths are in mm. */
import type { BlankSurface } from '@markwright/contract/schemas';
import { BLANK_LIMITS } from '@markwright/contract/words';
import { circumferenceMm, wallOf } from '@markwright/scene/surface';

/** A print area is about this much of a blank’s width and height, for the sizes that a form begins with. */
const SHARE = { across: 0.7, along: 0.8 } as const;
/** A cup tapers about so. */
const TAPER = 0.85;
/** How much of the way round a handle leaves. */
const BESIDE_HANDLE = 0.83;

const round = (mm: number, { min, max }: { readonly min: number; readonly max: number }) =>
  Math.min(max, Math.max(min, Number(mm.toFixed(1))));

/** Returns a surface of another kind that fits a print area of this size. Keeps the measures that both kinds have. */
export function withSurfaceKind(
  surface: BlankSurface,
  kind: BlankSurface['kind'],
  area: { readonly width: number; readonly height: number },
): BlankSurface {
  if (surface.kind === kind) return surface;
  if (kind === 'flat') return { kind };
  const { diameterMm, heightMm } = BLANK_LIMITS;
  if (surface.kind === 'flat') {
    const diameter = round(area.width / SHARE.across, diameterMm);
    if (kind === 'cylinder') return { kind, diameterMm: diameter };
    const bottomDiameterMm = round(diameter * TAPER, diameterMm);
    return { kind, topDiameterMm: diameter, bottomDiameterMm, heightMm: round(area.height / SHARE.along, heightMm) };
  }
  const { axis, axisMm, arcMm, focusMm } = surface;
  const place = { axis, axisMm, arcMm, focusMm };
  if (surface.kind === 'cone') return { kind: 'cylinder', diameterMm: surface.topDiameterMm, ...place };
  return {
    kind: 'cone',
    topDiameterMm: surface.diameterMm,
    bottomDiameterMm: round(surface.diameterMm * TAPER, diameterMm),
    heightMm: round((axis === 'level' ? area.width : area.height) / SHARE.along, heightMm),
    ...place,
  };
}

/** Returns how far it is round the blank at the middle of its print area; undefined where nothing is round. */
export function wayRoundMm(surface: BlankSurface): number | undefined {
  try {
    const wall = wallOf(surface);
    return wall && circumferenceMm(wall);
  } catch {
    return undefined;
  }
}

/** The arc that a form begins with where not all of the circumference can be marked. */
export const arcBesideHandle = (roundMm: number): number => round(BESIDE_HANDLE * roundMm, BLANK_LIMITS.arcMm);
