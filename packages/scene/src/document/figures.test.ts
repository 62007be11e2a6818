/** Codes and shapes as elements of a composition: what commands, limits and old compositions make of them. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { applyCommand, type Command } from './commands.ts';
import { CodeElement, type Composition, type FigureElement, parseComposition, ShapeElement } from './composition.ts';
import { elementIdOf, sizeOf, toElementName } from './elements.ts';
import { emptyComposition, newCode, newShape, saveComposition } from './initial.ts';
import { MAX_CODES, MAX_SHAPES, SHAPE_FORMS, SYMBOLOGIES } from './limits.ts';
import { placeCommand } from './placeCommand.ts';

const withFigures = (...elements: FigureElement[]): Composition => ({ ...emptyComposition, elements });

/** Numbers within and beyond the limits, and none. */
const anyNumber = fc.oneof(
  fc.double({ min: -2000, max: 2000, noNaN: true }),
  fc.constantFrom(0, 3, 12, 0.1, Number.NaN, Number.POSITIVE_INFINITY),
);
const anyChanges = fc.record(
  {
    widthMm: anyNumber,
    heightMm: anyNumber,
    strokeMm: fc.option(anyNumber),
    cornerMm: anyNumber,
    sides: anyNumber,
    points: anyNumber,
    innerPercent: anyNumber,
    sweepDeg: anyNumber,
    x: anyNumber,
    y: anyNumber,
    angleDeg: anyNumber,
    color: fc.constantFrom('#C8102E', '#c0c0c0', 'red', ''),
    data: fc.string({ maxLength: 2000 }),
    hasText: fc.boolean(),
    isInverted: fc.boolean(),
    errorLevel: fc.constantFrom('L' as const, 'H' as const),
    symbology: fc.constantFrom(...SYMBOLOGIES),
    form: fc.constantFrom(...SHAPE_FORMS),
  },
  { requiredKeys: [] },
);

it('no command leaves a code or a shape that the schema refuses', () => {
  fc.assert(
    fc.property(fc.array(anyChanges, { maxLength: 4 }), (list) => {
      let composition = withFigures(newCode('c'), newShape('s'));
      for (const { strokeMm, cornerMm, sides, points, innerPercent, sweepDeg, form, ...common } of list) {
        const { data, hasText, isInverted, errorLevel, symbology, ...place } = common;
        const ofCode = { data, hasText, isInverted, errorLevel, symbology };
        const ofShape = { strokeMm, cornerMm, sides, points, innerPercent, sweepDeg, form };
        const withoutUndefined = <T extends object>(changes: T) =>
          Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
        composition = applyCommand(composition, {
          type: 'updateCode',
          id: 'c',
          changes: withoutUndefined({ ...place, ...ofCode }),
        });
        composition = applyCommand(composition, {
          type: 'updateShape',
          id: 's',
          changes: withoutUndefined({ ...place, ...ofShape }),
        });
        composition = applyCommand(composition, placeCommand('code:c', { size: place.widthMm ?? 10 }));
      }
      const [code, shape] = composition.elements;
      expect(CodeElement.parse(code)).toEqual(code);
      expect(ShapeElement.parse(shape)).toEqual(shape);
      expect(parseComposition(JSON.parse(JSON.stringify(saveComposition(composition))))).toEqual(composition);
    }),
    { numRuns: 300 },
  );
});

it('another width takes the height along; the fields set both', () => {
  const start = withFigures({ ...newShape('s'), widthMm: 40, heightMm: 10 });
  const larger = applyCommand(start, placeCommand('shape:s', { size: 60, x: 5 }));
  expect(larger.elements[0]).toMatchObject({ widthMm: 60, heightMm: 15, x: 5 });
  // Both sides stay within their limits, in proportion.
  const least = applyCommand(start, placeCommand('shape:s', { size: 0.5 }));
  expect(least.elements[0]).toMatchObject({ widthMm: 2, heightMm: 0.5 });
  const wider = applyCommand(start, { type: 'updateShape', id: 's', changes: { widthMm: 60 } });
  expect(wider.elements[0]).toMatchObject({ widthMm: 60, heightMm: 10 });
});

it('an outline becomes filled, and a filled shape an outline', () => {
  const outline: Command = { type: 'updateShape', id: 's', changes: { strokeMm: 2 } };
  const fill: Command = { type: 'updateShape', id: 's', changes: { strokeMm: null } };
  const start = withFigures(newShape('s'));
  expect(applyCommand(start, outline).elements[0]).toMatchObject({ strokeMm: 2 });
  expect(applyCommand(applyCommand(start, outline), fill)).toEqual(start);
  expect(applyCommand(start, fill)).toBe(start);
});

it.each([newCode('a'), newShape('a')])('a $kind is turned, flipped, copied, grouped, locked and removed', (figure) => {
  const id = elementIdOf(figure);
  const start = withFigures(figure);
  const turn = applyCommand(start, { type: 'rotate90', elementId: id });
  expect(turn.elements[0]!.angleDeg).toBe(90);
  expect(applyCommand(start, { type: 'flip', elementId: id }).elements[0]!.isFlipped).toBe(true);
  const pair = applyCommand(start, { type: 'duplicate', copies: [{ elementId: id, newId: 'b' }] });
  expect(pair.elements.map(elementIdOf)).toEqual([id, `${figure.kind}:b`]);
  const group = applyCommand(pair, { type: 'group', elementIds: pair.elements.map(elementIdOf), groupId: 'g' });
  expect(group.elements.map(({ groupId }) => groupId)).toEqual(['g', 'g']);
  const lock = applyCommand(start, { type: 'setLocked', elementId: id, isLocked: true });
  expect(applyCommand(lock, placeCommand(id, { x: 9, size: 9 }))).toBe(lock);
  expect(applyCommand(start, { type: 'remove', elementId: id }).elements).toEqual([]);
  expect(sizeOf(figure).value).toBe(figure.widthMm);
});

it('takes the two tones of a laser in place of a color', () => {
  const start = { ...withFigures({ ...newShape('s'), color: '#C8102E' }), machine: 'uv' as const };
  const onLaser = applyCommand(start, { type: 'setMachine', machine: 'laser' });
  expect(onLaser.elements[0]).toMatchObject({ color: '#000000' });
});

it('a composition holds so many codes and shapes, and the schema no more', () => {
  const codes = Array.from({ length: MAX_CODES + 1 }, (_, i) => newCode(`c${i}`));
  const shapes = Array.from({ length: MAX_SHAPES + 1 }, (_, i) => newShape(`s${i}`));
  const full = applyCommand(emptyComposition, { type: 'addElements', elements: [...codes, ...shapes] });
  expect(full.elements).toHaveLength(MAX_CODES + MAX_SHAPES);
  expect(() => parseComposition(saveComposition(withFigures(...codes)))).toThrow();
  expect(() => parseComposition(saveComposition(withFigures(...shapes)))).toThrow();
});

it('is called by what it is, and by its data', () => {
  expect(toElementName({ ...newCode('c'), data: ' a\n b ' })).toBe('QR code a b');
  expect(toElementName({ ...newShape('s'), form: 'star' })).toBe('Star');
  expect(toElementName({ ...newShape('s'), name: 'Ring' })).toBe('Ring');
});
