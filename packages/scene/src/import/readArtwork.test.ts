import { describe, expect, it } from 'vitest';
import type { Artwork } from '../artwork/artwork.ts';
import { identity } from '../geometry/matrix.ts';
import { looseBounds, readContours } from '../geometry/pathData.ts';
import { seededRandom } from '../svg/seededRandom.ts';
import { svgNode } from '../svg/svg.ts';
import { parseColor } from './color.ts';
import { parseTransform, readArtwork, readPathData, readPlainContours, readShape } from './readArtwork.ts';
import { readSvg } from './svgSafe.ts';

const read = (content: string, attrs = 'viewBox="0 0 100 100"'): Artwork | undefined =>
  readArtwork(readSvg(`<svg xmlns="http://www.w3.org/2000/svg" ${attrs}>${content}</svg>`));
const shapes = (content: string, attrs?: string) => read(content, attrs)!.shapes;
const bounds = (d: string) => Object.values(looseBounds(readContours(d))).map((value) => Math.round(value * 100) / 100);

describe('readArtwork', () => {
  it('returns absolute lines and cubics with transforms applied', () => {
    expect(shapes('<g transform="translate(10 20)"><path transform="scale(2)" d="m1 1h2v2l-2 0z"/></g>')).toEqual([
      { d: 'M12 22L16 22L16 26L12 26Z', fill: '#000000', stroke: undefined, strokeWidth: 0, opacity: 1 },
    ]);
    const [curve] = shapes('<path d="M0 0Q30 30 60 0T90 0A5 5 0 0 1 80 0"/>', 'viewBox="0 -50 100 100"');
    expect(curve!.d).toMatch(/^[MLCZ\d\s.-]+$/);
    expect(curve!.d.startsWith('M0 50C20 70 40 70 60 50')).toBe(true);
  });

  it.each([
    ['<rect x="1" y="2" width="30" height="20"/>', [1, 2, 31, 22]],
    ['<rect x="1" y="2" width="30" height="20" rx="5"/>', [1, 2, 31, 22]],
    ['<circle cx="50" cy="50" r="20"/>', [30, 30, 70, 70]],
    ['<ellipse cx="50" cy="50" rx="20" ry="10"/>', [30, 40, 70, 60]],
    ['<polygon points="1,1 20,1 20,30"/>', [1, 1, 20, 30]],
    ['<polyline points="1 1 20 1 20 30 x"/>', [1, 1, 20, 30]],
    ['<rect width="5mm" height="10"/>', [0, 0, 18.9, 10]],
    ['<g id="a"><path d="M0 0h9v9z"/></g><use href="#a" x="10"/>', [0, 0, 19, 9]],
  ])('reads %s', (content, expected) => {
    const all = shapes(content).map(({ d }) => d);
    expect(bounds(all.join(''))).toEqual(expected);
  });

  it('inherits paint and leaves out shapes without paint', () => {
    const list = shapes(`
      <g fill="tan" opacity=".5"><path d="M0 0h9v9z"/></g>
      <g color="rgb(0,0,255)" fill="currentColor" visibility="hidden"><path visibility="visible" d="M0 0h9v9z"/><path d="M0 0h1v1z"/></g>
      <path d="M0 0h9v9z" fill="none"/><path d="M0 0h9v9z" display="none"/><path d="M0 0h9v9z" fill="#0f08"/>`);
    expect(list.map(({ fill, opacity }) => [fill, Math.round(opacity * 100)])).toEqual([
      ['#d2b48c', 50],
      ['#0000ff', 100],
      ['#00ff00', 53],
    ]);
  });

  it('maps the view box into the picture', () => {
    const attrs = 'width="200" height="100" viewBox="10 10 50 50"';
    expect(bounds(shapes('<rect x="10" y="10" width="50" height="50"/>', attrs)[0]!.d)).toEqual([50, 0, 150, 100]);
    const stretchedAttrs = `${attrs} preserveAspectRatio="none"`;
    expect(bounds(shapes('<rect x="10" y="10" width="50" height="50"/>', stretchedAttrs)[0]!.d)).toEqual([
      0, 0, 200, 100,
    ]);
  });

  it('cuts off what lies outside the view box', () => {
    expect(bounds(shapes('<rect x="-50" y="20" width="100" height="10"/>')[0]!.d)).toEqual([0, 20, 50, 30]);
    expect(shapes('<rect x="-50" y="20" width="10" height="10"/>')).toEqual([]);
  });

  it('converts the non-zero rule to even-odd', () => {
    const star = 'M50 0L80 90L0 35L100 35L20 90Z';
    const area = (d: string) => readContours(d).length;
    expect(area(shapes(`<path d="${star}"/>`)[0]!.d)).toBe(1);
    expect(readContours(shapes(`<path d="${star}"/>`)[0]!.d)[0]!.points.length / 2).toBe(10);
    expect(shapes(`<path fill-rule="evenodd" d="${star}"/>`)[0]!.d).toBe('M50 0L80 90L0 35L100 35L20 90Z');
    const ring = 'M0 0L90 0L90 90L0 90ZM10 10L10 80L80 80L80 10Z';
    expect(shapes(`<path d="${ring}"/>`)[0]!.d).toBe(ring);
  });

  it('keeps thin lines and cutting lines, and outlines thick ones', () => {
    const line = (look: string) => shapes(`<path d="M10 50H90" fill="none" ${look}/>`)[0]!;
    expect(line('stroke="#000" stroke-width=".3"')).toMatchObject({
      stroke: '#000000',
      strokeWidth: 0.3,
      fill: undefined,
    });
    expect(line('stroke="red" stroke-width="5"')).toMatchObject({ stroke: '#ff0000', strokeWidth: 5 });
    const thick = line('stroke="#000" stroke-width="4"');
    expect(thick).toMatchObject({ stroke: undefined, fill: '#000000' });
    expect(bounds(thick.d)).toEqual([10, 48, 90, 52]);
    expect(bounds(line('stroke="#000" stroke-width="4" stroke-linecap="square"').d)).toEqual([8, 48, 92, 52]);
    expect(
      readContours(shapes('<circle cx="50" cy="50" r="20" fill="none" stroke="#000" stroke-width="4"/>')[0]!.d),
    ).toHaveLength(2);
  });

  it('keeps plain gradients, transformed with their shapes, with their mean color as fill', () => {
    const stops =
      '<stop offset="0" stop-color="#000"/><stop offset="50%" stop-color="#fff"/><stop offset="1" stop-color="#fff"/>';
    const units = 'gradientUnits="userSpaceOnUse"';
    const linear = shapes(
      `<linearGradient id="a" ${units} x1="0" y1="0" x2="10" y2="0">${stops}</linearGradient>` +
        '<rect width="10" height="10" fill="url(#a)" transform="translate(20 30) rotate(90) scale(2)"/>',
    )[0]!;
    expect(linear.fill).toBe('#bfbfbf');
    expect(linear.gradient).toMatchObject({ kind: 'linear', stops: [{ offset: 0 }, { offset: 0.5 }, { offset: 1 }] });
    const { x1, y1, x2, y2 } = linear.gradient!;
    [x1, y1, x2, y2].forEach((value, k) => {
      expect(value).toBeCloseTo([20, 30, 20, 50][k]!, 6);
    });
    const radial = shapes(
      `<radialGradient id="a" ${units} cx="5" cy="6" r="4" gradientTransform="scale(3)">${stops}</radialGradient>` +
        '<rect width="40" height="40" fill="url(#a)"/>',
    )[0]!;
    expect(radial.gradient).toMatchObject({ kind: 'radial', x1: 15, y1: 18, x2: 27, y2: 18 });
    const ellipse = shapes(
      `<radialGradient id="a" ${units} cx="0" cy="0" r="1" gradientTransform="matrix(4 0 0 2 10 20)">` +
        '<stop stop-color="#000" stop-opacity=".5"/><stop offset="1" stop-color="#fff"/></radialGradient>' +
        '<rect width="40" height="40" fill="url(#a)"/>',
    )[0]!;
    expect(ellipse.gradient).toMatchObject({
      x1: 10,
      y1: 20,
      x2: 14,
      y2: 20,
      x3: 10,
      y3: 22,
      stops: [{ opacity: 0.5 }, {}],
    });
  });

  const paint = (attrs: string, stops = '<stop stop-color="#000"/><stop offset="1" stop-color="#fff"/>') =>
    `<linearGradient id="a" ${attrs}>${stops}</linearGradient><rect width="9" height="9" fill="url(#a)"/>`;
  const line = 'gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="9" y2="0"';
  it.each([
    paint('x1="0" y1="0" x2="1" y2="0"'),
    paint(`${line} spreadMethod="reflect"`),
    paint(`${line} gradientTransform="rotate(20) scale(1 2)"`),
    paint('gradientUnits="userSpaceOnUse" x1="3" y1="3" x2="3" y2="3"'),
    paint(line, '<stop stop-color="#000"/>'),
    '<linearGradient id="a"/><rect width="9" height="9" fill="url(#a)"/>',
    '<clipPath id="a"><rect width="1" height="1"/></clipPath><g clip-path="url(#a)"><rect width="9" height="9"/></g>',
    '<mask id="a"/><rect width="9" height="9" mask="url(#a)"/>',
    '<filter id="a"/><rect width="9" height="9" filter="url(#a)"/>',
    '<image href="data:image/png;base64,iVBORw0KGgoAAA==" width="1" height="1"/>',
    '<path d="M0 0H9" stroke="#000" stroke-dasharray="1 2"/>',
    '<g opacity=".5"><rect width="9" height="9"/><rect width="9" height="9"/></g>',
    '<symbol id="a"><rect width="9" height="9"/></symbol><use href="#a"/>',
    '<svg><rect width="9" height="9"/></svg>',
    '<rect width="50%" height="9"/>',
    '<g style="mix-blend-mode:multiply"><rect width="9" height="9"/></g>',
    '<path d="M0 0H9" stroke="#000" transform="scale(1 5)"/>',
  ])('returns undefined, for the tracer, for %s', (content) => {
    expect(read(content)).toBeUndefined();
  });

  it('keeps a pile of too many overlaps as it is, and leaves a line with too many points to the tracer', {
    tags: ['detail'],
  }, () => {
    const heap = read('<rect width="90" height="90" fill-rule="evenodd"/>'.repeat(3000))!;
    expect(heap.shapes).toHaveLength(3000);
    expect(heap.cutouts).toBeUndefined();
    const zigzag = Array.from({ length: 30_000 }, (_, i) => `${(i * 37) % 100} ${i % 2 ? 100 : 0}`).join('L');
    expect(read(`<path d="M${zigzag}Z"/>`)).toBeUndefined();
  });

  it('ends at circular references', () => {
    expect(shapes('<g id="a"><rect width="9" height="9"/><use href="#a"/></g>')).not.toHaveLength(0);
  });
});

describe('cutouts', () => {
  it('exist only when shapes overlap', () => {
    expect(read('<rect width="9" height="9"/><rect x="20" width="9" height="9"/>')!.cutouts).toBeUndefined();
    const stack = read('<rect width="90" height="90"/><rect x="20" y="20" width="30" height="30" fill="#fff"/>')!;
    expect(stack.shapes).toHaveLength(2);
    const [below, above] = stack.cutouts!;
    expect(readContours(below!.d)).toHaveLength(2);
    expect(above).toBe(above);
    expect(above!.d).toBe(stack.shapes[1]!.d);
  });

  it('join equal colors, and cut nothing below translucent shapes', () => {
    const cutouts = read('<rect width="50" height="50"/><rect x="30" y="30" width="50" height="50"/>')!.cutouts!;
    expect(cutouts.map(({ d }) => bounds(d))).toEqual([[0, 0, 80, 80]]);
    expect(
      read('<rect width="50" height="50"/><rect width="30" height="30" fill="red" opacity=".5"/>')!.cutouts,
    ).toBeUndefined();
  });
});

describe('parseTransform', () => {
  it.each([
    ['translate(1,2) scale(2)', { a: 2, b: 0, c: 0, d: 2, e: 1, f: 2 }],
    ['rotate(90 10 0)', { a: 0, b: 1, c: -1, d: 0, e: 10, f: -10 }],
    ['matrix(1-2 3.5.5 1e1 6)', { a: 1, b: -2, c: 3.5, d: 0.5, e: 10, f: 6 }],
    ['skewX(45)', { a: 1, b: 0, c: expect.closeTo(1, 9), d: 1, e: 0, f: 0 }],
    ['nonsense(1)', { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 }],
    ['', { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 }],
  ])('%s', (text, expected) => {
    expect(parseTransform(text)).toEqual(expected);
  });
});

describe('parseColor', () => {
  it.each([
    ['#abc', '#aabbcc', 1],
    ['#AABBCC80', '#aabbcc', 128 / 255],
    ['RebeccaPurple', '#663399', 1],
    ['rgb(255, 0, 10%)', '#ff001a', 1],
    ['rgba(0 0 255 / 50%)', '#0000ff', 0.5],
    ['hsl(120, 100%, 25%)', '#008000', 1],
    ['transparent', '#000000', 0],
  ])('%s', (text, hex, alpha) => {
    expect(parseColor(text)).toEqual({ hex, alpha: expect.closeTo(alpha, 6) });
  });

  it.each(['', 'nocolor', '#12', 'rgb(1,2)', 'url(#a)', 'rgb(a,b,c)'])('returns undefined for the color %j', (text) => {
    expect(parseColor(text)).toBeUndefined();
  });
});

describe('plain path data', () => {
  it('is read as svgpath reads it, also where it is odd or breaks off', () => {
    const random = seededRandom(3);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    const number = () => pick(['0', '-.5', '12.25', '1e2', '-3E-1', '+7', '05', '5.', '.5.5', '1-2', '00', '9e', '-']);
    let count = 0;
    for (let i = 0; i < 4000; i++) {
      const isOdd = i % 3 === 0;
      const value = () => (isOdd ? number() : String(Math.round(random() * 1e5 - 5e4) / 100));
      const gap = () => (isOdd ? pick([' ', ',', ' , ', ',,', '']) : pick([' ', ',']));
      const pairs = (n: number) => Array.from({ length: 2 * n }, value).join(gap());
      const d = Array.from({ length: 1 + Math.floor(random() * 6) }, () =>
        pick([
          () => `M${pairs(1)}`,
          () => `L${pairs(2)}`,
          () => `C${pairs(3)}`,
          () => 'Z',
          () => pick(['M', 'L', 'C']),
          () => pairs(1),
        ])(),
      ).join(isOdd ? gap() : '');
      const node = svgNode('path', { d: `M1 2${isOdd ? gap() : ''}${d}` });
      const expected = readPathData(node.attrs.d!);
      if (expected) count++;
      // It leaves to svgpath what breaks off.
      expect(readPlainContours(node.attrs.d!, identity) ?? expected, node.attrs.d).toEqual(expected);
      const actual = readShape(node, identity);
      // A command that is not plain is never read after data that breaks off.
      const prefix = readShape(svgNode('path', { d: `${node.attrs.d} h0` }), identity);
      expect(actual, node.attrs.d).toEqual(expected ?? prefix);
    }
    expect(count).toBeGreaterThan(1000);
  });
});
