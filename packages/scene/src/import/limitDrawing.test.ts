import { expect, test } from 'vitest';
import { DRAWN_SIDE_PX } from './drawingCost.ts';
import { fittingSidePx, limitDrawing } from './limitDrawing.ts';
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

const sideOf = (content: string) => fittingSidePx(limitDrawing(read(content)));

test('counts what a layer holds outside the picture, where the renderer draws it, too', () => {
  const layer = (side: number) =>
    sideOf(`<g opacity=".5"><rect x="-${side}" y="-${side}" width="${2 * side}" height="${2 * side}"/></g>`.repeat(6));
  expect(layer(100)).toBe(DRAWN_SIDE_PX);
  expect(layer(200)).toBeLessThan(DRAWN_SIDE_PX);
  // A layer ends at twice the picture's size in each direction.
  expect(layer(9_000)).toBe(layer(200));
  // Without a layer nothing is drawn there.
  expect(sideOf('<rect x="-200" y="-200" width="400" height="400"/>'.repeat(6))).toBe(DRAWN_SIDE_PX);
});

test('counts the edges of wide strokes, and the window of a morphology by its area', () => {
  const zigzag = `<path d="M0 0${'l9 9l-9-9'.repeat(6_000)}" stroke-width="`;
  expect(sideOf(`<g fill="none" stroke="red">${zigzag}1"/></g>`)).toBe(DRAWN_SIDE_PX);
  expect(sideOf(`<g fill="none" stroke="red">${zigzag}40"/></g>`)).toBeLessThan(DRAWN_SIDE_PX);
  const morphology = (radius: number) => limitDrawing(read(withFilter(`<feMorphology radius="${radius}"/>`)));
  expect(fittingSidePx(morphology(0.2))).toBeGreaterThan(1_000);
  expect(hasFilter(morphology(1))).toBe(true);
  expect(hasFilter(morphology(50))).toBe(false);
});

test('counts a filter on an empty group, which paints its own region', () => {
  const drawing = (units: string) =>
    read(
      `<filter id="f" ${units}>${'<feTurbulence numOctaves="9"/>'.repeat(9)}</filter>${'<g filter="url(#f)"/>'.repeat(9)}`,
    );
  expect(limitDrawing(drawing('filterUnits="userSpaceOnUse" width="100" height="100"')).droppedTags).toEqual([
    'filter',
  ]);
  expect(limitDrawing(drawing('')).droppedTags).toEqual([]);
});

test('counts the whole region of a filter for what paints all of it', () => {
  const drawing = (primitive: string) =>
    read(
      `<filter id="f" x="0" y="0" width="36" height="1">${primitive}</filter><rect width="500" height="100" filter="url(#f)"/>`,
    );
  expect(limitDrawing(drawing('<feTurbulence baseFrequency=".1"/>')).droppedTags).toEqual(['filter']);
  expect(limitDrawing(drawing('<feColorMatrix type="hueRotate"/>')).droppedTags).toEqual([]);
});

test('counts the tile of a pattern as large as it is', () => {
  const tile = (width: number, look = '') =>
    `<pattern id="p" width="${width}" height="${width}" patternUnits="userSpaceOnUse"><rect width="${width}" height="${width}"${look}/></pattern><rect width="9" height="9" fill="url(#p)"/>`;
  expect(sideOf(tile(100))).toBe(DRAWN_SIDE_PX);
  expect(sideOf(tile(700))).toBeLessThan(DRAWN_SIDE_PX);
});

test('counts the trial, which takes longer for many corners', () => {
  const stars = (count: number, look: string) =>
    read(`<path d="M0 0${'l1 1l-1-1'.repeat(count / 2)}" fill="none" stroke="red" ${look}/>`);
  expect(() => limitDrawing(stars(200_000, 'opacity=".5"'))).toThrow(SvgRefused);
  // Plain outlines are not tried.
  expect(fittingSidePx(limitDrawing(stars(200_000, '')))).toBeGreaterThanOrEqual(512);
});

test('leaves out what nobody can see, and keeps what a stroke, a marker or a filter brings into the picture', () => {
  const hasPath = (content: string) => JSON.stringify(limitDrawing(read(content)).node).includes('"path"');
  expect(hasPath('<path d="M-250 0V9"/>')).toBe(false);
  expect(hasPath('<path d="M-250 0V9" stroke="red" stroke-width="600"/>')).toBe(true);
  expect(
    hasPath(
      '<marker id="m" markerWidth="600"><rect width="9" height="9"/></marker><path d="M-250 0V9L0-250" marker-mid="url(#m)"/>',
    ),
  ).toBe(true);
  const shift =
    '<filter id="f" filterUnits="userSpaceOnUse" x="-200" width="400" height="100"><feOffset dx="190"/></filter>';
  expect(hasPath(`${shift}<g filter="url(#f)"><path d="M-190 0V9h9z"/></g>`)).toBe(true);
  expect(hasPath('<path d="M-190 0V9h9z"/>')).toBe(false);
});

test('reads no number that a renderer would loop over for long', () => {
  const attrsOf = (primitive: string) =>
    read(`<filter id="f">${primitive}</filter>`).node.children[0]?.children[0]?.attrs;
  expect(attrsOf('<feTurbulence numOctaves="1e9" seed="1e308" baseFrequency=".1"/>')).toEqual({ baseFrequency: '.1' });
  expect(attrsOf('<feTurbulence numOctaves="10" seed="7"/>')).toEqual({ numOctaves: '10', seed: '7' });
  expect(attrsOf('<feConvolveMatrix order="100" kernelMatrix="1"/>')).toEqual({ kernelMatrix: '1' });
  expect(attrsOf('<feMorphology radius="1000000000"/>')).toEqual({});
});
