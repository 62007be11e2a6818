import { describe, expect, it } from 'vitest';
import type { Artwork } from '../artwork/artwork.ts';
import { applyCommand } from '../document/commands.ts';
import type { Composition } from '../document/composition.ts';
import { artworkElementId } from '../document/elements.ts';
import { emptyComposition, newArtwork } from '../document/initial.ts';
import type { PathData } from '../geometry/pathData.ts';
import { renderView } from '../render/view.ts';
import { resolveScene } from '../resolve/resolve.ts';
import { buildJob } from './buildJob.ts';

/** Squares side by side, the last one half over the first. */
const colors = ['#111111', '#c81e1e', '#1e7d3c', '#f2d024', '#1f4fa3', '#8a8a8a', '#e0559a', '#6b2c91'];
const square = (x: number, y: number): PathData =>
  `M${x} ${y}L${x + 10} ${y}L${x + 10} ${y + 10}L${x} ${y + 10}Z` as PathData;
const paint = { stroke: undefined, strokeWidth: 0, opacity: 1 };
const artwork: Artwork = {
  width: 100,
  height: 30,
  shapes: [
    ...colors.map((fill, i) => ({ d: square(12 * i, 0), fill, ...paint })),
    { d: square(5, 5), fill: '#ffffff', ...paint },
  ],
};
const base: Composition = { ...emptyComposition, elements: [{ ...newArtwork('d'), id: 'a' }] };
const withTones = (tones: readonly string[] | undefined, composition = base) =>
  applyCommand(composition, { type: 'setTones', id: 'a', tones });
const resolve = (composition: Composition) =>
  resolveScene(composition, {
    product: undefined,
    artworks: new Map([['a', artwork]]),
    fonts: { outline: () => undefined },
  });
const platesOf = (composition: Composition) => buildJob(resolve(composition)).plates;

describe('the tones of an artwork', () => {
  it('are three grays by lightness until somebody sets them', () => {
    expect(platesOf(base).map(({ id }) => id)).toEqual(['engrave-c00', 'engrave-c16', 'engrave-c08']);
  });

  it('are a layer for each color in the order that was set, in exact colors of the palette', () => {
    for (const order of [colors, [...colors].reverse()]) {
      const plates = platesOf(withTones(order));
      expect(plates.map(({ id }) => id)).toEqual(
        ['00', '16', '08', '09', '10', '11', '12', '13'].map((slot) => `engrave-c${slot}`),
      );
      const leftOf = (plate: (typeof plates)[number]) =>
        plate.kind === 'color' ? Number.NaN : plate.outlines[0]!.contours[0]!.points[0]!;
      const lefts = plates.map(leftOf);
      expect(lefts).toEqual([...lefts].sort((a, b) => (order === colors ? a - b : b - a)));
    }
  });

  it('give a color that is not among them the tone nearest in lightness', () => {
    const plates = platesOf(withTones(['#111111', '#f2d024']));
    expect(plates.map(({ id }) => id)).toEqual(['engrave-c00', 'engrave-c16']);
  });

  it('leave white bare', () => {
    const area = (composition: Composition) =>
      platesOf(composition).flatMap((plate) => (plate.kind === 'color' ? [] : plate.outlines[0]!.contours));
    // The first square has lost its corner to the white one, as without tones.
    expect(area(withTones(colors))[0]!.points.length).toBe(area(base)[0]!.points.length);
    expect(withTones(['#ffffff', '#111111', '#1f4fa3']).elements[0]).toMatchObject({ tones: ['#111111', '#1f4fa3'] });
  });

  it('are evenly apart on the stage', () => {
    const text = JSON.stringify(renderView(resolve(withTones(colors.slice(0, 4))), { kind: 'preview' }));
    const opacities = new Set([...text.matchAll(/"fill-opacity":"([\d.]+)"/g)].map(([, value]) => Number(value)));
    expect([...opacities].sort()).toEqual([0.25, 0.5, 0.75]);
  });

  it('are set by a command that leaves out doubles and what is too much, and can be taken away', () => {
    expect(withTones([...colors, '#010203', '#111111']).elements[0]).toMatchObject({ tones: colors });
    expect(withTones(['#111111', '#111111'])).toBe(base);
    expect(withTones(undefined, withTones(colors))).toEqual(base);
    const elementId = artworkElementId('a');
    const lockedComposition = applyCommand(base, { type: 'setLocked', elementId, isLocked: true });
    expect(lockedComposition.elements[0]!.isLocked).toBe(true);
    expect(withTones(colors, lockedComposition)).toBe(lockedComposition);
  });
});
