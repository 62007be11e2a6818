import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatNumber, svgNode, writeSvg } from './svg.ts';

describe('formatNumber', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [-0.0004, '0'],
    [1, '1'],
    [1.5, '1.5'],
    [0.0005, '0.001'],
    [12.34567, '12.346'],
    [-12.3, '-12.3'],
    [123456789.5, '123456789.5'],
  ])('writes %d as %s', (value, text) => {
    expect(formatNumber(value)).toBe(text);
  });

  it('writes the smallest decimal without an exponent', () => {
    expect(formatNumber(1e-8, 8)).toBe('0.00000001');
  });

  it('is within half a unit of the last decimal, in plain digits', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1e6, max: 1e6, noNaN: true }),
        fc.integer({ min: 0, max: 6 }),
        (value, decimals) => {
          const text = formatNumber(value, decimals);
          expect(text).toMatch(/^-?\d+(\.\d*[1-9])?$/);
          expect(Math.abs(Number(text) - value)).toBeLessThanOrEqual(0.5 * 10 ** -decimals + 1e-9);
        },
      ),
    );
  });

  it.each([Number.NaN, Infinity, -Infinity, 1e15])('throws for %d', (value) => {
    expect(() => formatNumber(value)).toThrow(RangeError);
  });
});

describe('writeSvg', () => {
  it('writes nodes without undefined attributes, and the namespace once', () => {
    const node = svgNode('svg', { width: 10, height: undefined }, [svgNode('g', {}, [svgNode('path', { d: 'M0 0' })])]);
    expect(writeSvg(node)).toBe('<svg xmlns="http://www.w3.org/2000/svg" width="10"><g><path d="M0 0"/></g></svg>');
  });

  it('escapes every character that an attribute may hold', () => {
    expect(writeSvg(svgNode('g', { id: `"><script>&'\n` }))).toBe(`<g id="&quot;&gt;&lt;script&gt;&amp;'&#10;"/>`);
  });
});
