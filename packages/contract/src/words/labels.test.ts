import { describe, expect, test } from 'vitest';
import { ProductFields } from '../schemas/catalogue.ts';
import { isVisible, MAX_NAME, toCategoryName, toLabel, toPlace } from './labels.ts';
import { bulkSummary } from './messages.ts';
import { initialPrintArea } from './products.ts';

test.each([
  ['Kitchen', 'Cutting Boards/ Serving Trays'],
  ['Knives', 'Foldable Rescue Knives'],
  ['Pie Pans', 'Pie Pan Toppers'],
  ['Brass Keychains', 'Keychains - Brass'],
  ['  Wall   Signs ', 'Wall Signs'],
  ['constructor', 'constructor'],
])('the category %s is stored as %s', (name, storedName) => {
  expect(toCategoryName(name)).toBe(storedName);
});

describe('toPlace', () => {
  test.each([
    ['mug.png', ['', 'Custom', '', 'mug']],
    ['Mugs/White 11 oz.v2.png', ['', 'Mugs', '', 'White 11 oz.v2']],
    ['Acme/Mugs/white.png', ['Acme', 'Mugs', '', 'white']],
    ['Acme/Kitchen/Boards/walnut.svg', ['Acme', 'Cutting Boards/ Serving Trays', 'Boards', 'walnut']],
    ['Acme/Mugs/Ceramic/Small/Blue/cup.jpg', ['Acme', 'Mugs', 'Ceramic / Small / Blue', 'cup']],
    ['./Mugs//white.png', ['', 'Mugs', '', 'white']],
    ['/Mugs/white.png', ['', 'Mugs', '', 'white']],
    ['C:\\Mugs\\white.png', ['', 'Mugs', '', 'white']],
    ['\\\\server\\share\\white.png', ['server', 'share', '', 'white']],
    ['Mugs/CON.png', ['', 'Mugs', '', 'CON']],
    ['Mugs/nul', ['', 'Mugs', '', 'nul']],
    ['Mugs/%2e%2e%2fetc%00.png', ['', 'Mugs', '', '%2e%2e%2fetc%00']],
    ['Mugs/a\0b\u202egnp.png', ['', 'Mugs', '', 'abgnp']],
    ['Cafe\u0301/Tasse\u0301.png', ['', 'Café', '', 'Tassé']],
    [' Mugs \t Blue / white .png', ['', 'Mugs Blue', '', 'white']],
    [`${'n'.repeat(MAX_NAME)}.png`, ['', 'Custom', '', 'n'.repeat(MAX_NAME)]],
  ])('%j', (path, [business, category, subCategory, name]) => {
    expect(toPlace(path)).toEqual({ business, category, subCategory, name });
  });

  test.each([
    ['../mug.png', /leaves/],
    ['Mugs/../../etc/passwd.png', /leaves/],
    ['Mugs\\..\\boot.png', /leaves/],
    ['Mugs/.\0./mug.png', /leaves/],
    ['a/b/c/d/e/f/g/h/i/mug.png', /deeper than 8/],
    [`${'n'.repeat(MAX_NAME + 1)}.png`, /longer than 120/],
    [`Mugs/${'n/'.repeat(150)}x.png`, /longer than 255/],
    ['Mugs/.DS_Store', /hidden/],
    ['Mugs/.png', /hidden/],
    ['', /no name/],
    ['/', /no name/],
    ['\u200b.png', /no name/],
  ])('%j makes no product', (path, sentence) => {
    expect(toPlace(path)).toEqual({ refusal: expect.stringMatching(sentence) });
  });

  test('random paths: labels are normalized and idempotent, and a refusal is a sentence', () => {
    for (const line of randomPaths(500)) {
      expect(toLabel(toLabel(line))).toBe(toLabel(line));
      for (const path of [line, `Mugs/${line}`, `Mugs/${line}.png`, `${line}/mug.png`, `a/b/c/${line}/mug.png`]) {
        const place = toPlace(path);
        if ('refusal' in place) {
          expect(place.refusal).toMatch(/^[A-Z].*\.$/);
          continue;
        }
        for (const label of Object.values(place)) {
          expect(label).toBe(toLabel(label));
          expect(label.length).toBeLessThanOrEqual(MAX_NAME);
          expect(label).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Surrogate}]/u);
        }
        for (const label of [place.name, place.category]) expect(isVisible(label) && label !== '..').toBe(true);
        expect(place.category).toBe(toCategoryName(place.category));
      }
    }
  });
});

test('product fields are accepted from a form and as JSON', () => {
  expect(ProductFields.parse({ name: ' Mug ', category: 'Kitchen' })).toEqual({
    name: 'Mug',
    category: 'Cutting Boards/ Serving Trays',
    subCategory: '',
    dimensions: '1x1',
    material: 'other',
    markColor: '#2b2b2b',
    machines: ['laser', 'uv', 'sublimation'],
    surface: { kind: 'flat' },
    variants: { colors: [], sizes: [] },
    sizeSource: '',
  });
  const printArea = { x: 0.1, y: 0.2, width: 0.5, height: 0.25 };
  const form = { name: 'Mug', category: 'Mugs', printArea: JSON.stringify(printArea), machines: '["uv","uv"]' };
  expect(ProductFields.parse(form)).toMatchObject({ printArea, machines: ['uv'] });
  expect(ProductFields.parse({ ...form, printArea })).toMatchObject({ printArea });
});

test.each([
  { name: ' \u200b ' },
  { name: 'n'.repeat(MAX_NAME + 1) },
  { category: '' },
  { dimensions: '0x1' },
  { dimensions: '1 x 1' },
  { printArea: '{' },
  { printArea: '{"x":0.6,"y":0,"width":0.6,"height":1}' },
  { printArea: 'null' },
  { markColor: 'red' },
  { material: 'cheese' },
  { machines: '[]' },
  { machines: '["axe"]' },
])('%j is refused', (wrong) => {
  expect(ProductFields.safeParse({ name: 'Mug', category: 'Mugs', ...wrong }).success).toBe(false);
});

test.each([
  ['1x1', 1, { x: 0, y: 0, width: 1, height: 1 }],
  ['1.0x1', 1, { x: 0, y: 0, width: 1, height: 1 }],
  ['1x1', 2, { x: 0.25, y: 0, width: 0.5, height: 1 }],
  ['1x1', 0.5, { x: 0, y: 0.25, width: 1, height: 0.5 }],
])('dimensions of %s are the largest square in a picture of aspect %d', (dimensions, aspect, area) => {
  expect(initialPrintArea(dimensions, aspect)).toEqual(area);
});

test.each([
  ['2x2', 1],
  ['4x2', 2],
  ['11.5x3', 0.3],
  ['3x11', 4],
])('a print area of %s in a picture of aspect %d keeps its shape and is centered', (dimensions, aspect) => {
  const { x, y, width, height } = initialPrintArea(dimensions, aspect);
  const [widthInches, heightInches] = dimensions.split('x').map(Number);
  expect((width * aspect) / height).toBeCloseTo(widthInches! / heightInches!);
  expect([x + width / 2, y + height / 2]).toEqual([expect.closeTo(0.5), expect.closeTo(0.5)]);
  expect(Math.max(width, height)).toBeLessThanOrEqual(0.9001);
});

test('a bulk upload is summarized as specified', () => {
  expect(bulkSummary(12, ['Mugs', 'Trays'], 3)).toBe(
    '12 products uploaded successfully across 2 categories: Mugs, Trays, 3 failed',
  );
  expect(bulkSummary(1, ['Mugs'], 0)).toBe('1 product uploaded successfully across 1 category: Mugs');
  expect(bulkSummary(0, [], 2)).toBe('0 products uploaded successfully, 2 failed');
});

/** Returns random paths of pieces that are special on some system. The same ones every time. */
function randomPaths(count: number): string[] {
  const pieces = [
    '..',
    '.',
    '/',
    '\\',
    'C:',
    '\0',
    '%2e',
    '\u202e',
    '\ud800',
    'e\u0301',
    ' ',
    '\u200d',
    '👩‍🔧',
    'CON',
    'a',
  ];
  let state = 20_261_121;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return Array.from({ length: count }, () =>
    Array.from({ length: next(14) }, () => pieces[next(pieces.length)]).join(''),
  );
}
