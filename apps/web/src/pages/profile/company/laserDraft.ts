/** The settings of a laser while they are edited, and where the entries of a material library go. */
import type { LaserChange, LaserEntry, LibraryEntry } from '@markwright/contract/schemas';

type Material = LaserEntry['material'];
type Operation = LaserEntry['operation'];

/** A row of the table. Its key stays when material and operation change. */
export interface LaserRow extends LaserEntry {
  readonly key: number;
}

/** So weak and fast that a forgotten number spoils nothing. */
const FIRST_SETTINGS = { maxPower: 1, minPower: 1, speed: 100, numPasses: 1 } as const;
const FIRST_INTERVAL_MM = 0.1;

let lastKey = 0;

export const toRows = (entries: readonly LaserEntry[]): LaserRow[] =>
  entries.map((entry) => ({ ...entry, key: ++lastKey }));

export const toEntries = (rows: readonly LaserRow[]): LaserChange['entries'] =>
  rows.map(({ key: _key, ...row }) => row);

export const isEngraving = (operation: Operation): boolean => operation.startsWith('engrave');

/** Adds a row for the first operation that the last row's material does not have yet. */
export function addRow(rows: readonly LaserRow[]): LaserRow[] {
  const material = rows.at(-1)?.material ?? 'stainless';
  const has = (operation: Operation) => rows.some((row) => row.material === material && row.operation === operation);
  const operation = (['engrave', 'score', 'cut'] as const).find((candidate) => !has(candidate)) ?? 'engrave';
  const interval = isEngraving(operation) ? { interval: FIRST_INTERVAL_MM } : {};
  return [...rows, ...toRows([{ material, operation, source: '', settings: { ...FIRST_SETTINGS, ...interval } }])];
}

/** Returns the settings with another power. The least power follows unless it is lower on purpose. */
export function withPower(settings: LaserEntry['settings'], maxPower: number): LaserEntry['settings'] {
  const { minPower } = settings;
  const isFree = minPower !== undefined && minPower < (settings.maxPower ?? 0) && minPower <= maxPower;
  return { ...settings, maxPower, minPower: isFree ? minPower : maxPower };
}

/** Returns the operation of a material that stands in two rows; undefined when none does. */
export const findTwice = (rows: readonly LaserRow[]): LaserRow | undefined =>
  rows.find((row, i) =>
    rows.slice(0, i).some(({ material, operation }) => material === row.material && operation === row.operation),
  );

/** Words by which shops name what we call a material. The first one that fits decides. */
const materialWords: readonly (readonly [RegExp, Material])[] = [
  [/powder|tumbler|yeti|coated (?:steel|metal)/i, 'powder-coat'],
  [/stainless|steel|\bss\b/i, 'stainless'],
  [/brass|bronze|copper/i, 'brass'],
  [/alum/i, 'aluminium'],
  [/walnut/i, 'walnut'],
  [/maple/i, 'maple'],
  [/slate/i, 'slate'],
  [/leather/i, 'leather'],
  [/ceramic|\btiles?\b|\bmugs?\b/i, 'ceramic'],
  [/acryl|plexi|perspex/i, 'acrylic'],
  [/cotton|denim|canvas|fabric|felt/i, 'cotton'],
];

const materialOf = ({ material, description }: LibraryEntry): Material | undefined =>
  [material, description].flatMap((text) => materialWords.find(([words]) => words.test(text))?.[1] ?? []).at(0);

function operationOf({ operation, description }: LibraryEntry): Operation | undefined {
  if (operation === 'picture') return undefined;
  if (operation !== 'line') return /\blight\b/i.test(description) ? 'engraveLight' : 'engrave';
  return /score|mark|line|fold|crease|kiss/i.test(description) ? 'score' : 'cut';
}

const canBurn = ({ settings: { speed, maxPower } }: LibraryEntry) => speed !== undefined && maxPower !== undefined;

/** Returns the label of an entry of a LightBurn library, such as `Walnut, 3 mm: Clean cut`. */
function describeEntry({ material, thicknessMm, description }: LibraryEntry): string {
  const place = thicknessMm === null ? material : `${material}, ${thicknessMm} mm`;
  return description ? `${place}: ${description}` : place;
}

/** Returns a row of an entry. What its words do not say is a guess that the person sees. */
export const toRow = (entry: LibraryEntry): LaserEntry => ({
  material: materialOf(entry) ?? 'other',
  operation: operationOf(entry) ?? 'engrave',
  source: describeEntry(entry).slice(0, 200),
  settings: entry.settings,
});

/**
 * Takes the entries whose words name a material of ours, the first one of each material and operation. They replace the
 * rows of the same material and operation. Settings without a speed or a power stay out.
 */
export function takeLibrary(
  rows: readonly LaserRow[],
  entries: readonly LibraryEntry[],
): { rows: LaserRow[]; takenCount: number } {
  const rowsByPlace = new Map<string, LaserEntry>();
  for (const entry of entries.filter(canBurn)) {
    if (!materialOf(entry) || !operationOf(entry)) continue;
    const row = toRow(entry);
    const place = `${row.material} ${row.operation}`;
    if (!rowsByPlace.has(place)) rowsByPlace.set(place, row);
  }
  const others = rows.filter(({ material, operation }) => !rowsByPlace.has(`${material} ${operation}`));
  return { rows: [...others, ...toRows([...rowsByPlace.values()])], takenCount: rowsByPlace.size };
}

/** Lists the entries that can be added one by one. */
export const listEntries = (entries: readonly LibraryEntry[]) =>
  entries.filter(canBurn).map((entry, i) => ({ value: String(i), label: describeEntry(entry), entry }));
