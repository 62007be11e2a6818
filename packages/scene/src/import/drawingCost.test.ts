import { expect, test } from 'vitest';
import { DRAWN_SIDE_PX, fittingSidePx, limitDrawing } from './drawingCost.ts';
import { readSvg, SvgRefused } from './svgSafe.ts';

const read = (content: string) =>
  readSvg(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">${content}</svg>`);
const withFilter = (primitives: string) =>
  `<filter id="f">${primitives}</filter><rect width="100" height="100" fill="red" filter="url(#f)"/>`;
const hasFilter = ({ node }: ReturnType<typeof read>) => JSON.stringify(node).includes('"filter":"url(#f)"');

test('leaves a cheap drawing as it is, with its filter', () => {
  const drawing = read(withFilter('<feOffset dx="2"/>'));
  expect(limitDrawing(drawing)).toBe(drawing);
  expect(hasFilter(drawing)).toBe(true);
  expect(fittingSidePx(drawing)).toBe(DRAWN_SIDE_PX);
});

test('leaves out filters that cost too much, and names them', () => {
  const drawable = limitDrawing(read(`<text/>${withFilter('<feGaussianBlur stdDeviation="3"/>'.repeat(200))}`));
  expect(drawable.droppedTags).toEqual(['filter', 'text']);
  expect(hasFilter(drawable)).toBe(false);
  expect(fittingSidePx(drawable)).toBe(DRAWN_SIDE_PX);
});

test('draws a costly drawing smaller, and refuses one that would be too small', () => {
  const squares = (count: number) => read('<rect width="100" height="100" fill="red"/>'.repeat(count));
  const side = fittingSidePx(limitDrawing(squares(1_000)));
  expect(side).toBeLessThan(DRAWN_SIDE_PX);
  expect(side).toBeGreaterThanOrEqual(512);
  expect(() => limitDrawing(squares(4_000))).toThrow(SvgRefused);
});

test('reads no number that a renderer would loop over for long', () => {
  const attrsOf = (primitive: string) =>
    read(`<filter id="f">${primitive}</filter>`).node.children[0]?.children[0]?.attrs;
  expect(attrsOf('<feTurbulence numOctaves="1e9" seed="1e308" baseFrequency=".1"/>')).toEqual({ baseFrequency: '.1' });
  expect(attrsOf('<feTurbulence numOctaves="10" seed="7"/>')).toEqual({ numOctaves: '10', seed: '7' });
  expect(attrsOf('<feConvolveMatrix order="100" kernelMatrix="1"/>')).toEqual({ kernelMatrix: '1' });
  expect(attrsOf('<feMorphology radius="1000000000"/>')).toEqual({});
});
