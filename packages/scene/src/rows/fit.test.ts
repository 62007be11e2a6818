import { readFileSync } from 'node:fs';
import { fontCategories } from '@markwright/fonts';
import { findFontPath } from '@markwright/fonts/files';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CodeElement, Composition, TextElement } from '../document/composition.ts';
import { textsOf } from '../document/elements.ts';
import { emptyComposition, newCode, newText } from '../document/initial.ts';
import { createFigures } from '../figures/figures.ts';
import { machineLimits } from '../preflight/machineLimits.ts';
import { findCircleRoom, MM_PER_INCH, resolveScene, toTextLines } from '../resolve/resolve.ts';
import { createFontBook, type FontBook } from '../text/text.ts';
import { createFitter, type FitOptions, findDoubles, isWrong, sampleWidths } from './fit.ts';
import { toColumnKey } from './keys.ts';
import {
  bindRow,
  pickColors,
  pickColumn,
  placeholders,
  type Row,
  readCellColor,
  templatesOf,
  toRow,
} from './template.ts';

const isStress = process.env.TEST_TIER === 'stress';
/** One of each category, or all. */
const families = fontCategories.flatMap(({ fonts }) => (isStress ? fonts : [fonts[1]!]).map(({ family }) => family));
const RUNS = isStress ? 10_000 : 150;
let fonts: FontBook;

function load(composition: Composition): void {
  for (const line of textsOf(composition).flatMap(toTextLines)) {
    for (const file of fonts.missing(line))
      fonts.add(file.name, new Uint8Array(readFileSync(findFontPath(file.name)!)));
  }
}

beforeAll(() => {
  fonts = createFontBook();
  for (const fontFamily of [...families, 'Open Sans']) load(withText('Ąb', { fontFamily }));
});

const text = (words: string, look: Partial<TextElement> = {}): TextElement => ({
  ...newText('name'),
  text: words,
  heightInches: 0.3,
  ...look,
});

const withText = (words: string, look: Partial<TextElement> = {}): Composition => ({
  ...emptyComposition,
  elements: [text(words, look)],
});

const row = (cells: Record<string, string>): Row => toRow(Object.keys(cells), Object.values(cells));
const assets = () => ({ product: undefined, fonts: fonts.unjoined });
/** The outlines that are made. */
const fileAssets = () => ({ product: undefined, fonts, artworks: new Map() });

function fit(composition: Composition, cells: Record<string, string>, options?: FitOptions) {
  return createFitter(composition, assets(), options)(row(cells));
}

/** The box of a composition's only text, along its own line and from its own place, in mm. */
function measure(composition: Composition, at: Pick<TextElement, 'x' | 'y' | 'angleDeg'>) {
  const { groups, widthMm, heightMm } = resolveScene(composition, fileAssets());
  const [group] = groups;
  const [a, , c] = group!.corners;
  const angle = (at.angleDeg * Math.PI) / 180;
  const x = (a.x + c.x) / 2 - widthMm * (0.5 + at.x / 100);
  const y = (a.y + c.y) / 2 - heightMm * (0.5 + at.y / 100);
  const middle = x * Math.cos(angle) + y * Math.sin(angle);
  const half = group!.sizeMm.width / 2;
  return { left: middle - half, right: middle + half, width: 2 * half };
}

describe('placeholders', () => {
  it('are found in visible texts, by name, each once', () => {
    const composition = withText('{First name} {last} {first_name}');
    expect(placeholders(composition)).toEqual([{ elementId: 'text:name', columns: ['First name', 'last'] }]);
    expect(placeholders(withText('{{no}} { } {}'))).toEqual([]);
    expect(placeholders(withText('{a}', { isHidden: true }))).toEqual([]);
  });

  it('are filled without regard to case and spaces; braces are doubled to stay', () => {
    const bind = (words: string) => textsOf(bindRow(withText(words), row({ 'First Name': 'Ada', nr: '7' })))[0]!.text;
    expect(bind('{first name} no. {NR}')).toBe('Ada no. 7');
    expect(bind('{{{nr}}} {{x}}')).toBe('{7} {x}');
    expect(bind('{firstname}{unknown}!')).toBe('Ada!');
    expect(bind('{nr')).toBe('{nr');
  });

  it('leaves what has none as it is', () => {
    const composition = withText('{{plain}}');
    expect(bindRow(composition, row({ plain: 'x' })).elements[0]).toBe(composition.elements[0]);
  });

  it('can be template for a text, whatever the column is called', () => {
    for (const column of ['Name', 'a {b} c', 'Spalte 1']) {
      const template = pickColumn(withText('Sample'), 'text:name', column);
      expect(textsOf(bindRow(template, row({ [column]: 'Ada' })))[0]!.text).toBe('Ada');
      expect(toColumnKey(placeholders(template)[0]!.columns[0]!)).toBe(toColumnKey(column));
    }
  });
});

describe('a column of colors', () => {
  const template = pickColors({ ...withText('{name}'), machine: 'uv' }, { 'text:name': 'Color' });
  const colorOf = (composition: Composition, cell: string) =>
    textsOf(bindRow(composition, row({ name: 'Ada', color: cell })))[0]!.color;

  it('gives an element its color, by name or number; without one it keeps its own', () => {
    expect(['Red', 'light blue', '#C8102E', '#abc', 'rgb(1, 2, 3)', ''].map((cell) => colorOf(template, cell))).toEqual(
      ['#ff0000', '#add8e6', '#c8102e', '#aabbcc', '#010203', '#000000'],
    );
    const [piece] = textsOf(bindRow(template, row({ name: 'Ada', color: 'red' })));
    expect(piece).not.toHaveProperty('colorColumn');
    // A laser has black and gray alone.
    expect(['white', 'navy'].map((cell) => colorOf({ ...template, machine: 'laser' }, cell))).toEqual([
      '#C0C0C0',
      '#000000',
    ]);
  });

  it('reads what is written of every color, and takes nothing else for one', () => {
    const channel = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(channel, channel, channel, (r, g, b) => {
        const hex = `#${[r, g, b].map((value) => value.toString(16).padStart(2, '0')).join('')}`;
        expect(readCellColor(` ${hex.toUpperCase()} `)).toBe(hex);
        expect(readCellColor(`rgb(${r} ${g} ${b})`)).toBe(hex);
      }),
    );
    for (const cell of ['', 'reddish', '#12', '#12345', 'transparent', '#ff000080', 'url(#a)', '7']) {
      expect([cell, readCellColor(cell)]).toEqual([cell, undefined]);
    }
  });

  it('names a cell that is no color, and no empty one; pieces of two colors are no doubles', () => {
    expect(fit(template, { name: 'Ada', color: '' }).findings).toEqual([]);
    const { findings } = fit(template, { name: 'Ada', color: 'reddish' });
    expect(findings).toEqual([{ kind: 'badColor', column: 'Color', cell: 'reddish' }]);
    expect(findings.every(isWrong)).toBe(true);
    const rows = ['red', 'blue', 'red'].map((color) => row({ name: 'Ada', color }));
    expect(findDoubles(templatesOf(template), rows)).toEqual([undefined, undefined, 1]);
  });
});

describe('fitting', () => {
  it('shrinks no more than it must, and says what cannot be done', () => {
    const composition = withText('{name}');
    const widthsMm = { 'text:name': 30 };
    expect(fit(composition, { name: 'Ava' }, { widthsMm })).toMatchObject({ texts: [{ percent: 100 }], findings: [] });
    const smaller = fit(composition, { name: 'Maximilian' }, { widthsMm });
    expect(smaller.findings).toEqual([]);
    expect(smaller.texts[0]!.percent).toBeLessThan(100);
    expect(measure(smaller.composition, text('')).width).toBeGreaterThan(29.9);
    const [finding] = fit(composition, { name: 'Bartholomew-Montgomery Featherstone' }, { widthsMm }).findings;
    expect(finding).toMatchObject({ kind: 'doesNotFit', hasMm: 30 });
    expect(finding?.kind === 'doesNotFit' && finding.needsMm).toBeGreaterThan(30);
  });

  it('breaks at a gap between words when it may', () => {
    const options = { widthsMm: { 'text:name': 30 }, overflow: 'break' } as const;
    const broken = fit(withText('{name}'), { name: 'Bartholomew Montgomery' }, options);
    expect(broken.texts[0]).toMatchObject({ isBroken: true, text: 'Bartholomew\nMontgomery' });
    expect(broken.findings).toEqual([]);
    expect(fit(withText('{name}'), { name: 'Bartholomew-Montgomery-Jones' }, options).findings[0]).toMatchObject({
      kind: 'doesNotFit',
    });
    // Two lines would leave the machine area.
    const atEdge = fit(withText('{name}', { y: -47 }), { name: 'Bartholomew Montgomery' }, options);
    expect(atEdge.findings[0]).toMatchObject({ kind: 'doesNotFit' });
  });

  it('names empty cells, missing letters, low capitals and texts that are too long', () => {
    const kinds = (cells: Record<string, string>, look: Partial<TextElement> = {}) =>
      fit(withText('{name}', look), cells, { widthsMm: { 'text:name': 80 } }).findings;
    expect(kinds({ name: ' ' })).toEqual([{ kind: 'empty', column: 'name' }]);
    expect(kinds({ name: 'Ada 😀' })).toEqual([{ kind: 'missingGlyphs', letters: ['😀'] }]);
    expect(kinds({ name: 'Ada' }, { heightInches: 0.11 })).toMatchObject([{ kind: 'lowCaps', leastMm: 2 }]);
    expect(kinds({ name: 'x'.repeat(201) })).toEqual([{ kind: 'tooLong', length: 201, most: 200 }]);
    expect(kinds({ name: 'Ada' }).filter(isWrong)).toEqual([]);
  });

  it('finds doubles in the columns that the design uses', () => {
    const rows = [row({ name: 'Ada', nr: '1' }), row({ name: 'Ben', nr: '2' }), row({ name: 'Ada', nr: '3' })];
    expect(findDoubles(placeholders(withText('{name}')), rows)).toEqual([undefined, undefined, 1]);
    expect(findDoubles(placeholders(withText('{name} {nr}')), rows)).toEqual([undefined, undefined, undefined]);
  });

  it('lets no name leave its box or go below the minimum without saying so', () => {
    const words = fc.array(
      fc.oneof(
        fc.constantFrom(
          'Ava',
          'Peggy',
          'Łucja',
          'Bartholomew',
          'ILIILI',
          'Wilhelmina',
          "O'Neill",
          'Æthelstan',
          'fjord',
        ),
        fc.stringMatching(/^[A-Za-zÀ-öø-ž]{1,14}$/),
      ),
      { minLength: 1, maxLength: 3 },
    );
    const look = fc.record({
      fontFamily: fc.constantFrom(...families),
      heightInches: fc.double({ min: 0.11, max: 0.5, noNaN: true }),
      angleDeg: fc.constantFrom(0, 0, 30, 90, 215),
      textAlign: fc.constantFrom('left', 'center', 'right'),
      bend: fc.constantFrom(0, 0, 0, 25, -40),
      isFlipped: fc.boolean(),
      letterSpacing: fc.constantFrom(0, 0, 10),
      x: fc.integer({ min: -20, max: 20 }),
      y: fc.integer({ min: -20, max: 20 }),
    });
    const options = fc.record({
      minimumPercent: fc.integer({ min: 30, max: 100 }),
      overflow: fc.constantFrom('break', 'ask'),
      width: fc.option(fc.double({ min: 5, max: 60, noNaN: true })),
    });
    const counts = { shrunk: 0, broken: 0, tooWide: 0, low: 0 };
    fc.assert(
      fc.property(words, look, options, (names, look, { width, ...options }) => {
        const machine = 'laser';
        const composition = { ...withText('{sample}', look as Partial<TextElement>), machine } as Composition;
        const boxMm = width ?? sampleWidths(composition, assets())['text:name']!;
        const widthsMm = width === null ? {} : { 'text:name': width };
        const done = fit(composition, { sample: names.join(' ') }, { ...options, widthsMm } as FitOptions);
        const [element] = textsOf(done.composition);
        const kinds = done.findings.map(({ kind }) => kind);
        const box = measure(done.composition, text('', look as Partial<TextElement>));
        const isIn = box.left >= -boxMm / 2 - 0.01 && box.right <= boxMm / 2 + 0.01;
        expect(isIn || kinds.includes('doesNotFit')).toBe(true);
        const { percent, isBroken } = done.texts[0]!;
        expect(percent).toBeGreaterThanOrEqual(options.minimumPercent);
        expect(element!.heightInches).toBeCloseTo((look.heightInches * percent) / 100, 9);
        // The smallest capitals of these fonts are half an em high.
        const isSafe = element!.heightInches * MM_PER_INCH * 0.5 >= machineLimits[machine].capMm;
        expect(isSafe || kinds.includes('lowCaps') || capsOf(element!) >= machineLimits[machine].capMm - 0.01).toBe(
          true,
        );
        if (percent < 100) counts.shrunk++;
        if (isBroken) counts.broken++;
        if (kinds.includes('doesNotFit')) counts.tooWide++;
        if (kinds.includes('lowCaps')) counts.low++;
      }),
      { numRuns: RUNS },
    );
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(2);
  }, 1_200_000);
});

/** The height of an H, as a caliper would take it. */
function capsOf(element: TextElement): number {
  const composition = { ...emptyComposition, elements: [{ ...element, text: 'H', angleDeg: 0, bend: 0 }] };
  return resolveScene(composition, fileAssets()).groups[0]!.sizeMm.height;
}

describe('a code with a placeholder', () => {
  const code: CodeElement = { ...newCode('serial'), symbology: 'code128', data: 'MW-{serial}' };
  const composition: Composition = { ...emptyComposition, elements: [code] };
  const fitCode = (serial: string) =>
    createFitter(composition, { ...assets(), figures: createFigures() })(row({ serial }));

  it('gets the cells of the row, and what it cannot hold is named', () => {
    expect(placeholders(composition)).toEqual([{ elementId: 'code:serial', columns: ['serial'] }]);
    const { composition: piece, findings } = fitCode('0042');
    expect([piece.elements[0], findings]).toMatchObject([{ data: 'MW-0042' }, []]);
    const [finding] = fitCode('Ø').findings;
    expect(finding).toMatchObject({ kind: 'badCode', sentence: expect.stringMatching(/Code 128/) });
    expect(isWrong(finding!)).toBe(true);
    expect(fitCode('').findings).toMatchObject([{ kind: 'empty', column: 'serial' }]);
  });
});

describe('a text on a circle', () => {
  const circle = { radiusMm: 20, side: 'top', edge: 'middle', sweepDeg: 120 } as const;
  const badge = (words: string, look: Partial<TextElement> = {}) => withText(words, { circle, ...look });

  it('is shrunk to its arc, whatever the words on the stage take and however wide a box is', () => {
    const composition = badge('{Name}');
    const long = fit(
      composition,
      { Name: 'CONSTANTINOPLE & SONS' },
      { widthsMm: { 'text:name': 5 }, minimumPercent: 20 },
    );
    expect(long.findings).toEqual([]);
    const [text] = textsOf(long.composition);
    expect(text).toMatchObject({ text: 'CONSTANTINOPLE & SONS', circle, x: 0, y: 0 });
    expect(long.texts[0]!.percent).toBeLessThan(80);
    const room = findCircleRoom(text!, fonts)!;
    expect(room.lengthMm).toBeLessThanOrEqual(room.arcMm);
    expect(room.lengthMm).toBeGreaterThan(0.99 * room.arcMm);
    const short = fit(composition, { Name: 'BO' });
    expect(textsOf(short.composition)[0]).toMatchObject({ heightInches: 0.3, circle });
  });

  it('that is too long at its minimum is named with the length of its arc, and never broken', () => {
    const { composition, findings } = fit(
      badge('{Name}'),
      { Name: 'CONSTANTINOPLE AND THE GRANDSONS' },
      { overflow: 'break' },
    );
    const [text] = textsOf(composition);
    expect(text).toMatchObject({ text: 'CONSTANTINOPLE AND THE GRANDSONS', circle });
    expect(text!.heightInches).toBeCloseTo(0.18, 9);
    const room = findCircleRoom(text!, fonts)!;
    expect(findings).toEqual([{ kind: 'doesNotFit', needsMm: room.lengthMm, hasMm: room.arcMm }]);
    expect(room.lengthMm).toBeGreaterThan(room.arcMm);
  });
});
