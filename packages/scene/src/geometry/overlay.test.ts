import { Clipper, FillRule, type Paths64 } from 'clipper2-ts';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../svg/seededRandom.ts';
import { splitAtCrossings } from './noding.ts';
import { overlayRegions } from './overlay.ts';
import { perimeterOf } from './planar.ts';

/** Random polygons, some of them with edges in common, with coordinates up to `span`. */
function drawRegions(seed: number, span: number): Paths64[] {
  const random = seededRandom(seed);
  const place = () => Math.round(random() * span);
  const list = (least: number, more: number) => Array.from({ length: least + Math.floor(random() * more) });
  const regions: Paths64[] = list(1, 8).map(() =>
    list(1, 2).map(() => list(3, 12).map(() => ({ x: place(), y: place(), z: 0 }))),
  );
  const [first] = regions as [Paths64];
  if (random() < 0.3) regions.push(first.map((path) => [...path].reverse()));
  if (random() < 0.3) regions.push(first.map((path) => path.map((p) => ({ ...p, x: p.x + Math.round(span / 3) }))));
  return regions;
}

/** Returns the visible part of each of two groups of regions, by one boolean operation after the other. */
function stackByClipper(regions: readonly Paths64[], rule: FillRule): [Paths64, Paths64] {
  let [even, odd]: [Paths64, Paths64] = [[], []];
  for (const [i, region] of regions.entries()) {
    const clean = Clipper.union(region, rule);
    const [own, other] = i % 2 === 0 ? [even, odd] : [odd, even];
    const [sum, rest] = [
      Clipper.union([...own, ...clean], FillRule.NonZero),
      Clipper.difference(other, clean, FillRule.NonZero),
    ];
    [even, odd] = i % 2 === 0 ? [sum, rest] : [rest, sum];
  }
  return [even, odd];
}

describe('an overlay', () => {
  test.each([
    ['evenOdd', FillRule.EvenOdd],
    ['nonZero', FillRule.NonZero],
    ['positive', FillRule.Positive],
  ] as const)('by %s shows what boolean operations one by one leave', (fill, rule) => {
    const faults: string[] = [];
    let certain = 0;
    for (let seed = 1; seed <= 30; seed++) {
      const span = [200, 5000, 1e6][seed % 3]!;
      const regions = drawRegions(seed, span);
      const parts = overlayRegions(regions, { fill, groups: regions.map((_, i) => i % 2) });
      if (!parts) continue;
      certain++;
      for (const { members, fullArea, fullPerimeter } of parts) {
        const full = members.map((i) => Clipper.union(regions[i]!, rule));
        const difference = Math.abs(full.reduce((sum, region) => sum + Clipper.areaPaths(region), 0) - fullArea);
        if (difference > fullPerimeter + 4) faults.push(`${seed}, all of ${members}: ${difference}`);
      }
      for (const [group, expected] of stackByClipper(regions, rule).entries()) {
        const visible = parts.filter(({ members }) => members[0]! % 2 === group).flatMap(({ region }) => region);
        const difference = Math.abs(Clipper.areaPaths(Clipper.xor(visible, expected, FillRule.NonZero)));
        // Each rounds crossings to the grid in a way of its own.
        if (difference > perimeterOf(visible) + perimeterOf(expected) + 4)
          faults.push(`${seed}, ${group}: ${difference}`);
      }
    }
    expect(faults).toEqual([]);
    expect(certain).toBe(30);
  });

  test('joins regions of a group only where they border on each other', () => {
    const bar = (x: number, y: number, width: number, height: number) => [
      Clipper.makePath([x, y, x + width, y, x + width, y + height, x, y + height]),
    ];
    const [left, right, aside, cover] = [bar(0, 0, 60, 9), bar(50, 0, 50, 9), bar(120, 0, 50, 9), bar(90, 0, 40, 9)];
    const membersOf = (groups: number[]) =>
      overlayRegions([left, right, aside, cover], { fill: 'evenOdd', groups })!.map(({ members }) => members);
    expect(membersOf([0, 0, 0, 1])).toEqual([[0, 1], [2], [3]]);
    expect(membersOf([0, 0, 0, 0])).toEqual([[0, 1, 2, 3]]);
  });

  test('leaves a region that nothing meets its vertices and their numbers', () => {
    const square = (at: number, size: number, z: number) => [
      [
        { x: at, y: at, z },
        { x: at + size, y: at, z: z + 1 },
        { x: at + size, y: at + size, z: z + 2 },
        { x: at, y: at + size, z: z + 3 },
      ],
    ];
    const parts = overlayRegions([square(0, 100, 1), square(50, 100, 5)], { fill: 'evenOdd', groups: [0, 1] })!;
    const numbers = parts.map(({ region }) => region[0]!.map(({ z }) => z).sort());
    // The lower one loses its corner 3 and gets two crossings and a corner of the upper one.
    expect(numbers).toEqual([
      [0, 0, 1, 2, 4, 5],
      [5, 6, 7, 8],
    ]);
  });
});

describe('split segments', () => {
  test('cross nowhere, also when they are nearly parallel', () => {
    const random = seededRandom(3);
    const segments = new Int32Array(4 * 40);
    for (let i = 0; i < 40; i++) {
      segments.set([Math.round(random() * 90), Math.round(random() * 90), 3000, Math.round(random() * 90)], 4 * i);
    }
    const { count, x0, y0, x1, y1 } = splitAtCrossings(segments)!;
    let crossings = 0;
    for (let i = 0; i < count; i++) {
      for (let j = 0; j < i; j++) {
        const side = (x: number, y: number, k: number) =>
          Math.sign((x1[k]! - x0[k]!) * (y - y0[k]!) - (y1[k]! - y0[k]!) * (x - x0[k]!));
        const isSplit = (k: number, l: number) => side(x0[k]!, y0[k]!, l) * side(x1[k]!, y1[k]!, l) < 0;
        if (isSplit(i, j) && isSplit(j, i)) crossings++;
      }
    }
    expect(crossings).toBe(0);
  });
});
