import { describe, expect, it } from 'vitest';
import type { Artwork } from '../artwork/artwork.ts';
import { applyCommand } from '../document/commands.ts';
import type { Composition } from '../document/composition.ts';
import { artworkElementId, type ElementId } from '../document/elements.ts';
import { emptyComposition, newArtwork } from '../document/initial.ts';
import { laserLayerOf } from '../document/machine.ts';
import { scale } from '../geometry/matrix.ts';
import { type Contour, flatten, type PathData, writeContours } from '../geometry/pathData.ts';
import { circle } from '../geometry/testShapes.ts';
import { renderView } from '../render/view.ts';
import { resolveScene } from '../resolve/resolve.ts';
import type { Scene, SceneGroup, ScenePath } from '../resolve/scene.ts';
import { seededRandom } from '../svg/seededRandom.ts';
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

describe('half clear shapes', () => {
  interface Disc {
    readonly x: number;
    readonly y: number;
    readonly r: number;
    readonly gray: number;
    readonly opacity: number;
  }
  const hex = (gray: number) => `#${gray.toString(16).padStart(2, '0').repeat(3)}`;

  /** A laser's scene of discs, with a line to score across it above the first `below` of them. */
  function sceneOf(discs: readonly Disc[], below: number): Scene {
    const look = { kind: 'path', stroke: undefined, strokeWidth: 0 } as const;
    const fills = discs.map(({ x, y, r, gray, opacity }): ScenePath => {
      const d = writeContours(circle(x, y, r), 6);
      return { ...look, d, operation: 'engrave', fill: hex(gray), opacity };
    });
    const d = 'M0 50.3L100 50.3' as PathData;
    const line: ScenePath = { ...look, d, operation: 'score', fill: undefined, stroke: '#0000ff', opacity: 1 };
    const corner = { x: 0, y: 0 };
    const group: SceneGroup = {
      kind: 'group',
      elementId: 'a' as ElementId,
      label: '',
      opacity: 1,
      matrix: scale(1),
      corners: [corner, corner, corner, corner],
      sizeMm: { width: 100, height: 100 },
      children: [...fills.slice(0, below), line, ...fills.slice(below)],
    };
    return { machine: 'laser', widthMm: 100, heightMm: 100, groups: [group], backdrop: undefined };
  }

  /** Returns the gray that discs show at a place, 255 for bare material; undefined next to an edge. */
  function grayAt(discs: readonly Disc[], x: number, y: number): number | undefined {
    let gray = 255;
    for (const disc of discs) {
      const inside = disc.r - Math.hypot(x - disc.x, y - disc.y);
      if (Math.abs(inside) < 0.1) return undefined;
      if (inside > 0) gray = gray * (1 - disc.opacity) + disc.gray * disc.opacity;
    }
    return gray;
  }

  const random = seededRandom(5);
  const randomDiscs = (count: number): Disc[] =>
    Array.from({ length: count }, () => ({
      x: 15 + 70 * random(),
      y: 15 + 70 * random(),
      r: 3 + 12 * random(),
      gray: Math.floor(200 * random()),
      opacity: random() < 0.3 ? 1 : 0.3 + 0.5 * random(),
    }));

  // Few are laid over each other pair by pair, many in one go.
  it.each([8, 220])('are engraved in the tone that %i of them make together at each place', (count) => {
    const discs = randomDiscs(count);
    const { plates } = buildJob(sceneOf(discs, 0));
    const tones = plates.flatMap((plate) => (plate.kind === 'engrave' ? [plate] : []));
    let faults = 0;
    let places = 0;
    for (let i = 0; i < 3000; i++) {
      const [x, y] = [100 * random(), 100 * random()];
      const gray = grayAt(discs, x, y);
      const layer = gray !== undefined && laserLayerOf('engrave', hex(Math.round(gray)), 1)?.id;
      // Each mixture is rounded to whole numbers.
      const isNearBorder = gray !== undefined && [gray - 3, gray + 3].some((other) => layer !== layerAt(other));
      if (layer === false || isNearBorder) continue;
      places++;
      const hits = tones.filter(({ outlines }) => outlines.some(({ contours }) => isFilledAt(contours, x, y)));
      if (hits.map(({ id }) => id).join() !== (layer ?? '')) faults++;
    }
    expect(places).toBeGreaterThan(1000);
    expect(faults).toBe(0);
  });

  const layerAt = (gray: number) => laserLayerOf('engrave', hex(Math.round(Math.min(255, Math.max(0, gray)))), 1)?.id;

  it.each([8, 220])('hide a line that lies below them, and none above, when they are %i', (count) => {
    const discs = randomDiscs(count);
    for (const below of [0, Math.floor(count / 2), count]) {
      const { plates } = buildJob(sceneOf(discs, below));
      const outlines = plates.flatMap((plate) => (plate.kind === 'score' ? plate.outlines : []));
      const spans = outlines.flatMap(({ contours }) => contours.map(({ points }) => [points[0]!, points.at(-2)!]));
      const faults = Array.from({ length: 999 }, (_, i) => (i + 1) / 10).filter((x) => {
        const depths = discs.slice(below).map((disc) => disc.r - Math.hypot(x - disc.x, 50.3 - disc.y));
        if (depths.some((depth) => Math.abs(depth) < 0.1)) return false;
        const isShown = spans.some(([from, to]) => (from! - x) * (to! - x) <= 0);
        return isShown === depths.some((depth) => depth > 0);
      });
      expect(faults).toEqual([]);
    }
  });
});

function isFilledAt(contours: readonly Contour[], x: number, y: number): boolean {
  let isIn = false;
  for (const contour of contours) {
    const line = flatten(contour, 0.005);
    for (let i = 0, j = line.length - 2; i < line.length; j = i, i += 2) {
      const [ax, ay, bx, by] = [line[i]!, line[i + 1]!, line[j]!, line[j + 1]!];
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isIn = !isIn;
    }
  }
  return isIn;
}
