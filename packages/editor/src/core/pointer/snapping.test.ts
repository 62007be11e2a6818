import { type Axis, type Bounds, boxAround, extent, type Point, type Scene, type SceneGroup } from '@markwright/scene';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSnapTargets, findGuides, type Guides, scaleBox, shiftBox, snapMove, snapResize } from './snapping.ts';

const AREA = { widthMm: 100, heightMm: 80 };

function groupOf(id: string, x: number, y: number, width: number, height: number, angleDeg = 0): SceneGroup {
  const angle = (angleDeg * Math.PI) / 180;
  const corner = (dx: number, dy: number): Point => ({
    x: x + (dx * width * Math.cos(angle) - dy * height * Math.sin(angle)) / 2,
    y: y + (dx * width * Math.sin(angle) + dy * height * Math.cos(angle)) / 2,
  });
  return {
    kind: 'group',
    elementId: `text:${id}`,
    label: id,
    opacity: 1,
    matrix: { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 },
    children: [],
    corners: [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)],
    sizeMm: { width, height },
  };
}

const sceneOf = (groups: readonly SceneGroup[]): Scene => ({
  machine: 'laser',
  ...AREA,
  groups,
  backdrop: undefined,
});

const createBounds = (left: number, top: number, right: number, bottom: number): Bounds => ({
  left,
  top,
  right,
  bottom,
});

const number = (from: number, to: number) => fc.integer({ min: from * 997, max: to * 997 }).map((n) => n / 997);
const length = number(1, 40);
const place = fc.record({
  x: number(0, 100),
  y: number(0, 80),
  width: length,
  height: length,
  angleDeg: fc.integer({ min: 0, max: 359 }),
});
const groups = fc
  .array(place, { maxLength: 12 })
  .map((places) => places.map((at, index) => groupOf(`${index}`, at.x, at.y, at.width, at.height, at.angleDeg)));
const movedBoxes = place.map((at) => boxAround([groupOf('moved', at.x, at.y, at.width, at.height, at.angleDeg)])!);
const snapMm = number(0, 6);

/** Expects every guide to hold for the box, computed from the elements themselves. */
function expectTrue(guides: Guides, box: Bounds, others: readonly SceneGroup[]): void {
  const boxes = [createBounds(0, 0, AREA.widthMm, AREA.heightMm), ...others.map((group) => boxAround([group])!)];
  const lines = (axis: Axis, each: Bounds) => {
    const [from, to] = extent(each, axis);
    return [from, (from + to) / 2, to];
  };
  const isOn = (at: number, all: number[]) => all.some((line) => Math.abs(line - at) <= 1e-6);
  for (const { axis, at } of guides.lines) {
    expect(isOn(at, lines(axis, box))).toBe(true);
    expect(
      isOn(
        at,
        boxes.flatMap((each) => lines(axis, each)),
      ),
    ).toBe(true);
  }
  for (const axis of ['x', 'y'] as const) {
    const gaps = guides.gaps.filter((gap) => gap.axis === axis);
    const ends = [box, ...boxes.slice(1)].map((each) => extent(each, axis));
    for (const { from, to } of gaps) {
      expect(
        isOn(
          from,
          ends.map(([, end]) => end),
        ),
      ).toBe(true);
      expect(
        isOn(
          to,
          ends.map(([start]) => start),
        ),
      ).toBe(true);
      expect(
        gaps.some(
          (other) => Math.abs(other.from - from) > 1e-6 && Math.abs(other.to - other.from - (to - from)) <= 2e-6,
        ),
      ).toBe(true);
    }
  }
}

describe('snapping of a move', () => {
  test('moves no further than the snap distance, and lands exactly on its target', () => {
    let snaps = 0;
    fc.assert(
      fc.property(groups, movedBoxes, snapMm, (others, box, distance) => {
        const targets = createSnapTargets(sceneOf(others), []);
        const by = snapMove(targets, box, distance);
        expect(Math.abs(by.x)).toBeLessThanOrEqual(distance);
        expect(Math.abs(by.y)).toBeLessThanOrEqual(distance);
        const after = shiftBox(box, by);
        const guides = findGuides(targets, after);
        expectTrue(guides, after, others);
        for (const axis of ['x', 'y'] as const) {
          if (by[axis] === 0) continue;
          snaps += 1;
          expect([...guides.lines, ...guides.gaps].some((guide) => guide.axis === axis)).toBe(true);
        }
      }),
      { numRuns: 400 },
    );
    expect(snaps).toBeGreaterThan(200);
  });

  test('is stable: a snapped place does not snap again', () => {
    fc.assert(
      fc.property(groups, movedBoxes, snapMm, (others, box, distance) => {
        const targets = createSnapTargets(sceneOf(others), []);
        const after = shiftBox(box, snapMove(targets, box, distance));
        const again = snapMove(targets, after, Math.min(distance, 1e-7));
        expect(Math.hypot(again.x, again.y)).toBeLessThan(1e-6);
      }),
    );
  });

  test('chooses the nearest edge or center line', () => {
    const targets = createSnapTargets(sceneOf([groupOf('a', 20, 20, 20, 10)]), []);
    // Its left edge is 0.6 from the left edge of a, its right edge 0.4 from the middle of the area.
    expect(snapMove(targets, createBounds(10.6, 60, 50.4, 70.2), 1).x).toBeCloseTo(-0.4, 9);
    expect(snapMove(targets, createBounds(10.3, 60, 50.4, 70.2), 1).x).toBeCloseTo(-0.3, 9);
    expect(snapMove(targets, createBounds(10.3, 60, 50.4, 70.2), 0.2).x).toBe(0);
    expect(snapMove(targets, createBounds(10.3, 60, 50.4, 79.5), 1, ['y'])).toEqual({
      x: 0,
      y: expect.closeTo(0.5, 9),
    });
  });

  test('keeps the first of two equally near targets, so that it does not flicker', () => {
    const targets = createSnapTargets(sceneOf([groupOf('a', 15, 20, 10, 10), groupOf('b', 16, 20, 10, 10)]), []);
    for (const rounding of [-1e-12, 0, 1e-12]) {
      expect(snapMove(targets, createBounds(10.5 + rounding, 60, 42.1, 67), 1).x).toBeCloseTo(-0.5, 9);
    }
  });

  test('ignores moving and hidden elements', () => {
    const scene = sceneOf([groupOf('a', 20, 20, 20, 10), groupOf('b', 61, 33, 7, 7)]);
    expect(createSnapTargets(scene, ['text:a']).x.spans).toHaveLength(1);
  });

  test('repeats the width of another gap, and centers between two elements', () => {
    const row = [groupOf('a', 10, 40, 10, 10), groupOf('b', 33, 41, 10, 12)];
    const targets = createSnapTargets(sceneOf(row), []);
    // a and b are 13 apart: c goes 13 beyond b.
    const beside = createBounds(51.5, 37, 58.2, 44);
    const by = snapMove(targets, beside, 1);
    expect(beside.left + by.x).toBeCloseTo(51, 9);
    const after = shiftBox(beside, { x: by.x, y: 0 });
    expect(findGuides(targets, after).gaps).toEqual([
      { axis: 'x', from: 38, to: expect.closeTo(51, 9), across: 40.5, past: 47 },
      { axis: 'x', from: 15, to: 28, across: 40, past: 47 },
    ]);
    const between = createBounds(18.9, 37, 23.4, 44.3);
    const middle = between.left + snapMove(targets, between, 1).x + 2.25;
    expect(middle).toBeCloseTo(21.5, 9);
  });

  test('ignores gaps to elements that do not lie in the same row or column', () => {
    const row = [groupOf('a', 10, 10, 10, 10), groupOf('b', 33, 10, 10, 10)];
    const targets = createSnapTargets(sceneOf(row), []);
    expect(snapMove(targets, createBounds(51.5, 60, 58.2, 66.3), 0.6).x).toBe(0);
  });
});

describe('snapping of a resize', () => {
  const pull = fc
    .record({ box: movedBoxes, factor: number(1, 3).map((n) => n / 1.5), corner: fc.nat({ max: 3 }) })
    .map(({ box, factor, corner }) => {
      const at = (index: number): Point => ({
        x: index === 0 || index === 3 ? box.left : box.right,
        y: index < 2 ? box.top : box.bottom,
      });
      return { box, factor, corner: at(corner), anchor: at((corner + 2) % 4) };
    });

  test('moves the corner no further than the snap distance, onto a line or to an equal gap', () => {
    let snaps = 0;
    fc.assert(
      fc.property(groups, pull, snapMm, (others, pullPoint, distance) => {
        const targets = createSnapTargets(sceneOf(others), []);
        const factor = snapResize(targets, pullPoint, distance);
        if (factor === undefined) return;
        snaps += 1;
        const { box, anchor, corner } = pullPoint;
        const reach = Math.hypot(corner.x - anchor.x, corner.y - anchor.y);
        expect(Math.abs(factor - pullPoint.factor) * reach).toBeLessThanOrEqual(distance + 1e-9);
        const after = scaleBox(box, anchor, factor);
        const guides = findGuides(targets, after);
        expect(guides.lines.length + guides.gaps.length).toBeGreaterThan(0);
        expectTrue(guides, after, others);
      }),
      { numRuns: 600 }, // of which some 260 snap
    );
    expect(snaps).toBeGreaterThan(100);
  });
});

test('does at most fifteen times the work for ten times the elements, at the start and at every step', () => {
  const work = (count: number) => {
    let reads = 0;
    const countingGroups = Array.from({ length: count }, (_, index) => {
      const group = groupOf(`${index}`, (index * 37.7) % 100, (index * 17.3) % 80, 3, 3);
      return Object.defineProperty({ ...group }, 'corners', {
        get() {
          reads += 1;
          return group.corners;
        },
      });
    });
    const targets = createSnapTargets(sceneOf(countingGroups), []);
    const start = reads;
    const watch = <T>(list: readonly T[]): readonly T[] =>
      new Proxy(list, {
        get(target, name, receiver) {
          if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1;
          return Reflect.get(target, name, receiver);
        },
      });
    const watchedTargets = {
      x: { ...targets.x, lines: watch(targets.x.lines), spans: watch(targets.x.spans) },
      y: { ...targets.y, lines: watch(targets.y.lines), spans: watch(targets.y.spans) },
    };
    reads = 0;
    const box = createBounds(40.3, 30.2, 52.9, 41.7);
    const by = snapMove(watchedTargets, box, 1);
    findGuides(watchedTargets, shiftBox(box, by));
    return { start, step: reads };
  };
  const few = work(200);
  const many = work(2000);
  expect(many.start).toBeLessThanOrEqual(few.start * 15);
  expect(many.step).toBeLessThanOrEqual(few.step * 15);
});
