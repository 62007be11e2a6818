import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyCommand } from '../document/commands.ts';
import {
  type Composition,
  type CompositionElement,
  parseComposition,
  type TextElement,
} from '../document/composition.ts';
import { elementIdOf } from '../document/elements.ts';
import {
  emptyComposition,
  isArtwork,
  isText,
  newArtwork,
  newCode,
  newShape,
  newText,
  saveComposition,
} from '../document/initial.ts';
import {
  type CustomerPart,
  countOpenParts,
  customerPartsOf,
  fillTemplate,
  findClosedPlaceholders,
  findEmptyFields,
  findFixedChanges,
  readWords,
  sayFixedChange,
  type WordsField,
  wordsFieldsOf,
  writeWords,
} from './customerParts.ts';

const base: Composition = {
  ...emptyComposition,
  productId: 'board',
  elements: [
    { ...newArtwork('d1'), name: 'Logo', ink: { x: 0, y: 0, width: 1, height: 1 } },
    { ...newText('a'), name: 'Line', text: 'Best dad {Name}' },
    { ...newCode('c'), name: 'Link', data: 'https://oak.example' },
    { ...newShape('s'), name: 'Frame' },
  ],
};

/** One value for each part of an element, other than that of `base`. */
const changes: Readonly<Record<CustomerPart | 'look', (element: CompositionElement) => object>> = {
  words: (element) => (isText(element) ? { text: 'Best dad Finn' } : { data: 'https://elm.example' }),
  color: () => ({ color: '#c0c0c0' }),
  picture: () => ({ designId: 'd2', filename: 'own.png' }),
  place: () => ({ x: 7, angleDeg: 12 }),
  look: (element) => (isArtwork(element) ? { opacity: 40 } : isText(element) ? { bend: 20 } : { operation: 'cut' }),
};

const parts: readonly CustomerPart[] = ['words', 'color', 'picture', 'place'];
const customer = fc.record(Object.fromEntries(parts.map((part) => [part, fc.constant(true as const)])), {
  requiredKeys: [],
});
/** A template with random open parts, and a change of one part of one element. */
const cases = fc
  .record({ open: fc.array(customer, { minLength: 4, maxLength: 4 }), at: fc.nat(3), pick: fc.nat(9) })
  .map(({ open, at, pick }) => {
    const template = {
      ...base,
      elements: base.elements.map((element, index) => ({ ...element, customer: open[index]! })),
    } as Composition;
    const element = template.elements[at]!;
    const choices = [...customerPartsOf(element), 'look' as const];
    return { template, at, part: choices[pick % choices.length]! };
  });

const withChange = (template: Composition, at: number, part: CustomerPart | 'look'): Composition => ({
  ...template,
  elements: template.elements.map((element, index) =>
    index === at ? ({ ...element, ...changes[part](element) } as CompositionElement) : element,
  ),
});
const read = (composition: Composition) => parseComposition(JSON.parse(JSON.stringify(saveComposition(composition))));

describe('a template', () => {
  it('takes every change of an open part, and names every change of a fixed one', () => {
    fc.assert(
      fc.property(cases, ({ template, at, part }) => {
        const composition = read(withChange(template, at, part));
        const isOpen = part !== 'look' && template.elements[at]!.customer?.[part] === true;
        const list = findFixedChanges(read(template), composition);
        if (isOpen) {
          expect(list).toEqual([]);
          expect(fillTemplate(read(template), composition)).toBe(composition);
        } else {
          expect(list).toEqual([{ name: template.elements[at]!.name, part }]);
          expect(fillTemplate(read(template), composition)).toEqual(read(template));
        }
      }),
    );
  });

  it('is what it says no changes of', () => {
    fc.assert(
      fc.property(cases, cases, ({ template }, { at, part }) => {
        const composition = withChange(template, at, part);
        expect(findFixedChanges(template, fillTemplate(template, composition))).toEqual([]);
      }),
    );
  });

  it('lets a text be resized with its circle where its place is open, and keeps the rest of the circle', () => {
    const circle = { radiusMm: 20, side: 'top', edge: 'middle', sweepDeg: 120 } as const;
    const withCircle = (look: object, customer = {}): Composition => ({
      ...base,
      elements: [{ ...newText('a'), name: 'Ring', text: 'OAK', circle, customer, ...look }],
    });
    const double = { heightInches: 0.44, circle: { ...circle, radiusMm: 40 } };
    const open = withCircle({}, { place: true });
    const larger = withCircle(double, { place: true });
    expect(findFixedChanges(open, larger)).toEqual([]);
    expect(fillTemplate(open, larger)).toBe(larger);
    expect(findFixedChanges(withCircle({}), withCircle(double)).map(({ part }) => part)).toEqual(['place', 'look']);
    for (const change of [{ side: 'bottom' }, { edge: 'inside' }, { sweepDeg: 300 }]) {
      const other = withCircle({ circle: { ...circle, ...change } }, { place: true });
      expect(findFixedChanges(open, other)).toEqual([{ name: 'Ring', part: 'look' }]);
      expect(fillTemplate(open, other)).toEqual(open);
    }
    const { circle: _circle, ...straight } = open.elements[0] as TextElement;
    expect(findFixedChanges(open, { ...open, elements: [straight] })).toEqual([{ name: 'Ring', part: 'look' }]);
    const words = withCircle({ text: 'A MUCH LONGER NAME' }, { words: true });
    expect(findFixedChanges(withCircle({}, { words: true }), words)).toEqual([]);
  });

  it('names what is missing, added, turned over, made by another machine or in another area', () => {
    const without = { ...base, elements: base.elements.slice(1) };
    expect(findFixedChanges(base, without)).toEqual([{ name: 'Logo', part: 'missing' }]);
    const more = { ...base, elements: [...base.elements, { ...newText('z'), text: 'Me too' }] };
    expect(findFixedChanges(base, more)).toEqual([{ name: 'Me too', part: 'extra' }]);
    expect(findFixedChanges(base, { ...base, elements: base.elements.toReversed() })).toEqual([{ part: 'order' }]);
    const twice = { ...base, elements: [base.elements[1]!, ...base.elements] };
    expect(findFixedChanges(base, twice)).toContainEqual({ part: 'order' });
    expect(findFixedChanges(base, { ...base, machine: 'uv' })).toEqual([{ part: 'machine' }]);
    const machineArea = { x: 0, y: 0, width: 0.5, height: 0.5 };
    expect(findFixedChanges(base, { ...base, machineArea })).toEqual([{ part: 'area' }]);
    for (const composition of [without, more, twice, { ...base, machineArea }]) {
      expect(fillTemplate(base, composition)).toEqual(base);
    }
    expect(sayFixedChange({ name: 'Logo', part: 'place' })).toBe('“Logo” stays in its place.');
  });

  it('leaves product, color, size and the turn of the view to the customer', () => {
    const variant = { color: 'Oak' };
    const composition = { ...base, productId: 'oak-board', variant, productAngleDeg: 30 };
    expect(findFixedChanges(base, composition)).toEqual([]);
    expect(fillTemplate(base, composition)).toBe(composition);
  });

  it('counts what is open', () => {
    expect(countOpenParts(base)).toBe(0);
    const open = (customer: object) => ({ ...base, elements: base.elements.map((e) => ({ ...e, customer })) });
    expect(countOpenParts(open({ words: true }) as Composition)).toBe(2);
    expect(countOpenParts(open({ words: true, place: true, picture: true }) as Composition)).toBe(7);
  });
});

describe('the words of a template', () => {
  const withTexts = (...texts: string[]): Composition => ({
    ...emptyComposition,
    elements: texts.map((text, index) => ({ ...newText(`t${index}`), text, customer: { words: true } })),
  });

  it('have a field for each placeholder, and one for a text without any', () => {
    const template = withTexts('{Name} & {Partner}', 'Since 2020', 'For {name}');
    expect(wordsFieldsOf(template)).toEqual([
      { label: 'Name', column: 'Name', elementIds: ['text:t0', 'text:t2'] },
      { label: 'Partner', column: 'Partner', elementIds: ['text:t0'] },
      { label: 'Since 2020', elementIds: ['text:t1'] },
    ]);
    expect(findEmptyFields(template, template)).toEqual(['Name', 'Partner']);
    expect(findClosedPlaceholders(template)).toEqual([]);
    const plain = { ...template, elements: template.elements.map(({ customer: _open, ...element }) => element) };
    expect(wordsFieldsOf(plain as Composition)).toEqual([]);
    expect(findClosedPlaceholders(plain as Composition)).toEqual(['Name', 'Partner', 'name']);
  });

  it('are written into all texts of the field, and read again', () => {
    const word = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => !/[{}&]/.test(text));
    fc.assert(
      fc.property(word, word, (name, partner) => {
        const template = withTexts('{{Dear}} {Name} & {Partner}!', 'For {name}');
        const [first, second] = wordsFieldsOf(template);
        const write = (composition: Composition, field: WordsField, words: string) =>
          applyCommand(composition, writeWords(template, composition, field, words));
        const half = write(template, first!, name);
        expect(readWords(template, half, first!)).toBe(name);
        expect(readWords(template, half, second!)).toBe('');
        const whole = write(half, second!, partner);
        expect(whole.elements.map((element) => isText(element) && element.text)).toEqual([
          `{Dear} ${name} & ${partner}!`,
          `For ${name}`,
        ]);
        expect(findFixedChanges(template, whole)).toEqual([]);
        expect([readWords(template, whole, first!), readWords(template, whole, second!)]).toEqual([name, partner]);
        const blank = write(write(whole, first!, ''), second!, '');
        expect(findEmptyFields(template, blank)).toEqual(['Name', 'Partner']);
      }),
    );
  });
});

describe('the command', () => {
  it('says what a customer may change, and is undone by saying nothing', () => {
    const elementId = elementIdOf(base.elements[1]!);
    const open = applyCommand(base, { type: 'setCustomer', elementId, customer: { words: true } });
    expect(open.elements[1]!.customer).toEqual({ words: true });
    expect(applyCommand(open, { type: 'setCustomer', elementId, customer: { words: true } })).toBe(open);
    expect(applyCommand(open, { type: 'setCustomer', elementId, customer: {} })).toEqual(base);
    expect(applyCommand(base, { type: 'setCustomer', elementId, customer: {} })).toBe(base);
    expect(read(open).elements[1]!.customer).toEqual({ words: true });
  });
});
