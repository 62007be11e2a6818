import type { LibraryEntry } from '@markwright/contract/schemas';
import { expect, test } from 'vitest';
import { addRow, findTwice, listEntries, takeLibrary, toEntries, toRows, withPower } from './laserDraft.ts';

const settings = { speed: 200, maxPower: 40 };
const entry = (material: string, description: string, changes: Partial<LibraryEntry> = {}): LibraryEntry => ({
  ...{ material, description, thicknessMm: null, operation: 'line', settings },
  ...changes,
});

test('takes the entries of a library by their words, and leaves the rest for the person', () => {
  const entries = [
    entry('Walnut', 'Clean cut', { thicknessMm: 3 }),
    entry('Walnut', 'Clean cut', { thicknessMm: 6 }),
    entry('Walnut', 'Score line'),
    entry('SS tumbler 20oz', 'Logo', { operation: 'engrave' }),
    entry('304 Stainless', 'Deep', { operation: 'engrave' }),
    entry('Birch ply', 'Cut'),
    entry('Slate', 'Photo', { operation: 'picture' }),
    entry('Slate', 'No power', { operation: 'engrave', settings: { speed: 100 } }),
  ];
  const own = toRows([
    { material: 'walnut', operation: 'cut', source: '', settings: { speed: 1, maxPower: 1 } },
    { material: 'brass', operation: 'engrave', source: '', settings },
  ]);
  const { rows, takenCount } = takeLibrary(own, entries);
  expect(takenCount).toBe(4);
  expect(toEntries(rows).map(({ material, operation, source }) => [material, operation, source])).toEqual([
    ['brass', 'engrave', ''],
    ['walnut', 'cut', 'Walnut, 3 mm: Clean cut'],
    ['walnut', 'score', 'Walnut: Score line'],
    ['powder-coat', 'engrave', 'SS tumbler 20oz: Logo'],
    ['stainless', 'engrave', '304 Stainless: Deep'],
  ]);
  expect(listEntries(entries).map(({ label }) => label)).toEqual(
    entries.slice(0, 7).map(({ material, thicknessMm, description }) => {
      return `${material}${thicknessMm === null ? '' : `, ${thicknessMm} mm`}: ${description}`;
    }),
  );
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
});

test('a new row is for the first operation that its material lacks, and is weak', () => {
  const rows = addRow(addRow(addRow([])));
  expect(rows.map(({ material, operation }) => `${material} ${operation}`)).toEqual([
    'stainless engrave',
    'stainless score',
    'stainless cut',
  ]);
  for (const { settings } of rows) expect(settings.maxPower).toBe(1);
  expect(findTwice(rows)).toBeUndefined();
  expect(findTwice(addRow(rows))?.operation).toBe('engrave');
});

test('the least power follows the power, unless it is lower on purpose', () => {
  expect(withPower({ maxPower: 40, speed: 1 }, 50)).toMatchObject({ maxPower: 50, minPower: 50 });
  expect(withPower({ maxPower: 40, minPower: 40, speed: 1 }, 50)).toMatchObject({ maxPower: 50, minPower: 50 });
  expect(withPower({ maxPower: 40, minPower: 10, speed: 1 }, 50)).toMatchObject({ maxPower: 50, minPower: 10 });
  expect(withPower({ maxPower: 40, minPower: 10, speed: 1 }, 5)).toMatchObject({ maxPower: 5, minPower: 5 });
});
