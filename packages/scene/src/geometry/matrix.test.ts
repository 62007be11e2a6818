import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyMatrix,
  determinant,
  identity,
  invert,
  lengthScale,
  type Matrix,
  multiply,
  rotateDeg,
  scale,
  translate,
} from './matrix.ts';

const number = fc.double({ min: -1000, max: 1000, noNaN: true });
const point = fc.record({ x: number, y: number });
const placement = fc
  .tuple(
    number,
    number,
    fc.double({ min: -720, max: 720, noNaN: true }),
    fc.double({ min: 0.01, max: 100, noNaN: true }),
    fc.boolean(),
  )
  .map(([x, y, angle, size, isFlipped]) =>
    multiply(translate(x, y), rotateDeg(angle), scale(isFlipped ? -size : size, size)),
  );

const expectClose = (a: { x: number; y: number }, b: { x: number; y: number }) => {
  expect(a.x).toBeCloseTo(b.x, 6);
  expect(a.y).toBeCloseTo(b.y, 6);
};

describe('matrix', () => {
  it('applies the last factor first', () => {
    expect(applyMatrix(multiply(translate(10, 0), scale(2)), { x: 3, y: 4 })).toEqual({ x: 16, y: 8 });
    expect(multiply()).toEqual(identity);
  });

  it('rotates clockwise on screen, exactly at quarter turns', () => {
    expect(rotateDeg(90)).toEqual({ a: 0, b: 1, c: -1, d: 0, e: 0, f: 0 });
    expect(rotateDeg(-270)).toEqual(rotateDeg(90));
    expect(applyMatrix(rotateDeg(180, { x: 5, y: 5 }), { x: 0, y: 0 })).toEqual({ x: 10, y: 10 });
  });

  it('is undone by its inverse', () => {
    fc.assert(
      fc.property(placement, point, (m: Matrix, p) => expectClose(applyMatrix(invert(m), applyMatrix(m, p)), p)),
    );
  });

  it('multiplies length scale and orientation in products', () => {
    fc.assert(
      fc.property(placement, placement, (m, n) => {
        const product = multiply(m, n);
        expect(lengthScale(product) / (lengthScale(m) * lengthScale(n))).toBeCloseTo(1, 9);
        expect(Math.sign(determinant(product))).toBe(Math.sign(determinant(m)) * Math.sign(determinant(n)));
      }),
    );
  });

  it('throws when a matrix without an area is inverted', () => {
    expect(() => invert(scale(1, 0))).toThrow(RangeError);
  });
});
