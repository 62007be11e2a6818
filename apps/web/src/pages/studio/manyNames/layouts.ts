/** The layout of sheets that was used last on this device: a shop has one bed and one film. */
import { GANG_SHEET } from '@markwright/contract/words';
import { fillBed, type GangSheet, type Jig, PACK_BY, RIGHT_ANGLES, type SizeMm } from '@markwright/scene/sheets';

export type LayoutKind = 'pieces' | 'jig' | 'gang';

/** A bed that many lasers have. */
const BED = { widthMm: 600, heightMm: 400 } as const;
const CLEARANCE_MM = 0.3;

/** Shapes never take more film than boxes. */
const firstGang = { ...GANG_SHEET, canRotate: true, packBy: 'shapes' } as const satisfies GangSheet;

const firstJig = (piece: SizeMm): Jig => ({ ...fillBed(BED, piece, CLEARANCE_MM), hasMarks: false });

/** A jig belongs to one size of piece. */
const jigKey = ({ widthMm, heightMm }: SizeMm) => `markwright-jig-${widthMm.toFixed(1)}x${heightMm.toFixed(1)}`;
const GANG_KEY = 'markwright-gang-sheet';

function read(key: string): Record<string, unknown> {
  try {
    const entry: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    return typeof entry === 'object' && entry !== null ? (entry as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function remember(key: string, entry: object): void {
  try {
    localStorage.setItem(key, JSON.stringify(entry));
  } catch {
    // The storage is full or refused: the layout holds until the page is closed.
  }
}

/** Takes those values of a record whose type is that of the first layout. */
function merge<T extends object>(first: T, entry: Record<string, unknown>): T {
  const entries = Object.entries(first).map(([name, value]) => [
    name,
    typeof entry[name] === typeof value && !Array.isArray(value) ? entry[name] : value,
  ]);
  return Object.fromEntries(entries) as T;
}

export function readJig(piece: SizeMm): Jig {
  const entry = read(jigKey(piece));
  const jig = merge(firstJig(piece), entry);
  const { brokenSlots, blank } = entry as { brokenSlots?: unknown; blank?: Partial<SizeMm> };
  const isSize = typeof blank?.widthMm === 'number' && typeof blank.heightMm === 'number';
  return {
    ...jig,
    rotationDeg: RIGHT_ANGLES.includes(jig.rotationDeg) ? jig.rotationDeg : 0,
    brokenSlots: Array.isArray(brokenSlots) ? brokenSlots.filter((place) => Number.isInteger(place)) : [],
    ...(isSize && { blank: { widthMm: blank.widthMm!, heightMm: blank.heightMm! } }),
  };
}

export const rememberJig = (piece: SizeMm, jig: Jig): void => remember(jigKey(piece), jig);

export function readGang(): GangSheet {
  const gang = merge<GangSheet & { packBy: string }>(firstGang, read(GANG_KEY));
  return { ...gang, packBy: PACK_BY.find((way) => way === gang.packBy) ?? firstGang.packBy };
}

export const rememberGang = (gang: GangSheet): void => remember(GANG_KEY, gang);
