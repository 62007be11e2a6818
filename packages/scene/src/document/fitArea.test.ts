import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boxOf, fitArea, kindOfOutline } from './fitArea.ts';
import { clipsOf, isAreaPath } from './printArea.ts';

const mm = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const at = fc.record({ x: mm(-50, 200), y: mm(-50, 200) });

/** Points along a shape, as far apart as a picture's pixels, each off by what a camera adds. */
function tracePoints(place: { x: number; y: number }, edge: (t: number) => readonly [number, number], seed: number) {
  const count = 900;
  let state = seed;
  const noise = () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return (state / 2147483648 - 0.5) * 0.2;
  };
  return Array.from({ length: count }, (_, i) => edge(i / count)).flatMap(([x, y]) => [
    place.x + x + noise(),
    place.y + y + noise(),
  ]);
}

/** The edge of a rectangle with round corners by its share of the way round. */
function roundedEdge(width: number, height: number, radius: number) {
  const quarter = (Math.PI * radius) / 2;
  const [w, h] = [width - 2 * radius, height - 2 * radius];
  const whole = 2 * (w + h) + 4 * quarter;
  const arc = (cx: number, cy: number, from: number, share: number): [number, number] => {
    const angle = from + (share * Math.PI) / 2;
    return [cx + radius * Math.cos(angle), cy + radius * Math.sin(angle)];
  };
  return (t: number): readonly [number, number] => {
    let s = t * whole;
    if (s < w) return [radius + s, 0];
    s -= w;
    if (s < quarter) return arc(width - radius, radius, -Math.PI / 2, s / quarter);
    s -= quarter;
    if (s < h) return [width, radius + s];
    s -= h;
    if (s < quarter) return arc(width - radius, height - radius, 0, s / quarter);
    s -= quarter;
    if (s < w) return [width - radius - s, height];
    s -= w;
    if (s < quarter) return arc(radius, height - radius, Math.PI / 2, s / quarter);
    s -= quarter;
    if (s < h) return [0, height - radius - s];
    return arc(radius, radius, Math.PI, (s - h) / quarter);
  };
}

const ovalEdge = (width: number, height: number) => (t: number) =>
  [(width / 2) * (1 + Math.cos(2 * Math.PI * t)), (height / 2) * (1 + Math.sin(2 * Math.PI * t))] as const;

const seed = fc.integer({ min: 1, max: 1e6 });

describe('the shape of an outline', () => {
  it('is a rectangle, and the area lies a margin inside of it', () => {
    fc.assert(
      fc.property(mm(40, 300), mm(40, 300), at, mm(1, 8), seed, (width, height, place, margin, seed) => {
        const points = tracePoints(place, roundedEdge(width, height, 0), seed);
        const { box, shape } = fitArea(points, margin)!;
        expect(shape).toEqual({ kind: 'rectangle' });
        expect(box.x).toBeCloseTo(place.x + margin, 0);
        expect(Math.abs(box.width - (width - 2 * margin))).toBeLessThan(0.5);
        expect(Math.abs(box.height - (height - 2 * margin))).toBeLessThan(0.5);
      }),
    );
  });

  it('has its rounded corners', () => {
    fc.assert(
      fc.property(mm(60, 300), mm(60, 300), mm(0.1, 0.35), at, seed, (width, height, share, place, seed) => {
        const radius = share * Math.min(width, height);
        const margin = radius / 4;
        const { shape } = fitArea(tracePoints(place, roundedEdge(width, height, radius), seed), margin)!;
        expect(shape.kind).toBe('rounded');
        const radiusMm = shape.kind === 'rounded' ? shape.radiusMm : 0;
        expect(Math.abs(radiusMm - (radius - margin))).toBeLessThan(Math.max(1, 0.06 * radius));
      }),
    );
  });

  it('is a circle or an ellipse, and the margin is kept all the way round', () => {
    fc.assert(
      fc.property(mm(40, 250), mm(1, 2.5), at, mm(1, 6), seed, (width, ratio, place, margin, seed) => {
        const long = ratio < 1.03 ? width : width * ratio;
        const points = tracePoints(place, ovalEdge(width, long), seed);
        const { box, shape } = fitArea(points, margin)!;
        expect(shape.kind).toBe(long === width ? 'circle' : 'ellipse');
        const [edge] = clipsOf({ x: 0, y: 0, width: 1, height: 1, shape }, box)[0]!.contours;
        const inner = edge!.points;
        for (let i = 0; i < inner.length; i += 6) {
          let nearest = Infinity;
          for (let k = 0; k < points.length; k += 2) {
            nearest = Math.min(nearest, Math.hypot(points[k]! - inner[i]!, points[k + 1]! - inner[i + 1]!));
          }
          expect(nearest).toBeGreaterThan(margin - 0.4);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('is an outline where it is nothing simpler, with a path that a product takes', () => {
    fc.assert(
      fc.property(mm(60, 200), fc.integer({ min: 3, max: 6 }), at, seed, (size, lobes, place, seed) => {
        const edge = (t: number) => {
          const angle = 2 * Math.PI * t;
          const r = (size / 2) * (0.75 + 0.25 * Math.cos(lobes * angle));
          return [size / 2 + r * Math.cos(angle), size / 2 + r * Math.sin(angle)] as const;
        };
        const points = tracePoints(place, edge, seed);
        const { box, shape } = fitArea(points, 3)!;
        if (shape.kind !== 'outline') return expect(shape.kind).toBe('outline');
        expect(isAreaPath(shape.d)).toBe(true);
        expect(shape.d.length).toBeLessThan(20_000);
        const whole = boxOf(points);
        expect(box.x).toBeGreaterThan(whole.x + 2.5);
        expect(box.y + box.height).toBeLessThan(whole.y + whole.height - 2.5);
        expect(box.width).toBeGreaterThan(whole.width - 12);
      }),
      { numRuns: 20 },
    );
  });
});

it('keeps the kind that somebody wishes, and has no area where the margin leaves none', () => {
  const points = tracePoints({ x: 0, y: 0 }, roundedEdge(30, 20, 0), 1);
  expect(fitArea(points, 2, { kind: 'ellipse' })!.shape.kind).toBe('ellipse');
  expect(fitArea(points, 2, { kind: 'rounded', radiusMm: 3 })!.shape).toEqual({ kind: 'rounded', radiusMm: 3 });
  expect(fitArea(points, 12)).toBeUndefined();
  expect(kindOfOutline(points).kind).toBe('rectangle');
});
