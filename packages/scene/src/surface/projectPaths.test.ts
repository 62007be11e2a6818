import { Resvg } from '@resvg/resvg-js';
import { describe, expect, it } from 'vitest';
import { identity, rotateDeg } from '../geometry/matrix.ts';
import { readContours } from '../geometry/pathData.ts';
import { seededRandom } from '../svg/seededRandom.ts';
import { createProjection, isFacing, type Projection, projectPoint, type SurfaceView } from './projection.ts';
import { type Polylines, projectPolylines, toPolylines, writePolylines } from './projectPaths.ts';
import type { Lay, Surface } from './surface.ts';
import { modelOf, testSurfaces } from './testSurfaces.ts';

const tumbler: Surface = { kind: 'cylinder', diameterMm: 73 };
const steep: Surface = { kind: 'cone', topDiameterMm: 95, bottomDiameterMm: 60, heightMm: 110 };
const fillOptions = { toleranceMm: 0.02, isFilled: true };
const lines = (d: string, tolerance = 1e-3) => toPolylines(readContours(d), tolerance);
const project = (d: string, projection: Projection, options = fillOptions) =>
  projectPolylines(lines(d), identity, projection, options);

/** Returns each polyline as its points. */
function split({ points, ends }: Polylines) {
  return [...ends].map((end, i) => {
    const start = i === 0 ? 0 : ends[i - 1]!;
    return Array.from({ length: end - start }, (_, n) => ({
      x: points[2 * (start + n)]!,
      y: points[2 * (start + n) + 1]!,
    }));
  });
}

function distanceTo(line: readonly { x: number; y: number }[], { x, y }: { x: number; y: number }): number {
  let least = Infinity;
  for (let i = 1; i < line.length; i++) {
    const [p, q] = [line[i - 1]!, line[i]!];
    const [dx, dy] = [q.x - p.x, q.y - p.y];
    const t = Math.min(1, Math.max(0, ((x - p.x) * dx + (y - p.y) * dy) / (dx * dx + dy * dy || 1)));
    least = Math.min(least, Math.hypot(x - p.x - t * dx, y - p.y - t * dy));
  }
  return least;
}

const areaOf = (line: readonly { x: number; y: number }[]) =>
  Math.abs(
    line.reduce((sum, { x, y }, i) => {
      const next = line[(i + 1) % line.length]!;
      return sum + (x * next.y - next.x * y) / 2;
    }, 0),
  );

describe.each(testSurfaces)('a path on $name', ({ surface }) => {
  const half = surface.kind === 'flat' ? 30 : modelOf(surface).radiusAtLevel(0) * 1.4;
  it.each(['meridian', 'parallel', 'sheet'] as const)(
    'is within the tolerance of its exact picture (%s)',
    (lay: Lay) => {
      for (const view of [{ lay }, { lay, cameraMm: 300 }]) {
        const projection = createProjection(surface, view);
        let worst = 0;
        for (const [x0, y0, x1, y1] of [
          [-half, -30, half, 30],
          [-half, 20, half, 20],
          [half, -40, half * 0.9, 40],
          [0, -40, 0, 40],
        ] as const) {
          const [line] = split(project(`M${x0} ${y0}L${x1} ${y1}`, projection, { toleranceMm: 0.02, isFilled: false }));
          for (let i = 0; i <= 500; i++) {
            const point = { x: x0 + ((x1 - x0) * i) / 500, y: y0 + ((y1 - y0) * i) / 500 };
            if (isFacing(projection, point))
              worst = Math.max(worst, distanceTo(line!, projectPoint(projection, point)));
          }
        }
        expect(worst).toBeLessThan(0.0201);
      }
    },
  );
});

describe('a path on a round blank', () => {
  it('of curves keeps to their picture, with few points', () => {
    const projection = createProjection(tumbler);
    const circle =
      'M20 0C20 11.046 11.046 20 0 20C-11.046 20 -20 11.046 -20 0C-20 -11.046 -11.046 -20 0 -20C11.046 -20 20 -11.046 20 0Z';
    const picture = projectPolylines(lines(circle, 0.01), identity, projection, { toleranceMm: 0.01, isFilled: true });
    const [line] = split(picture);
    let worst = 0;
    for (let i = 0; i < 720; i++) {
      const angle = (i / 360) * Math.PI;
      // The four curves are within 0.006 mm of the circle.
      const point = projectPoint(projection, { x: 20 * Math.cos(angle), y: 20 * Math.sin(angle) });
      worst = Math.max(worst, distanceTo([...line!, line![0]!], point));
    }
    expect(worst).toBeLessThan(0.026);
    expect(line!.length).toBeLessThan(130);
  });

  it('ends at the outline of the blank', () => {
    const picture = project('M-200 -5L200 -5L200 5L-200 5Z', createProjection(tumbler));
    // 400 mm go round 229 mm once and three quarters: to the front, and to it again from both sides.
    const areas = split(picture).map(areaOf);
    const widths = split(picture).map(
      (line) => Math.max(...line.map(({ x }) => x)) - Math.min(...line.map(({ x }) => x)),
    );
    expect(Math.max(...picture.points.filter((_, i) => i % 2 === 0))).toBeCloseTo(36.5, 9);
    expect(widths).toHaveLength(3);
    expect(Math.max(...widths)).toBeCloseTo(73, 9);
    expect(Math.max(...areas)).toBeCloseTo(730, 1);
  });

  it('is parted where it goes behind it, and not at its own start', () => {
    const follow = { toleranceMm: 0.02, isFilled: false };
    const ring = project('M-60 0L200 0', createProjection(tumbler), follow);
    expect(split(ring).map((line) => [line[0]!.x, line.at(-1)!.x].map((x) => Number(x.toFixed(6))))).toEqual([
      [expect.closeTo(-36.5, 5), expect.closeTo(36.5, 5)],
      [expect.closeTo(-36.5, 5), expect.closeTo(36.5 * Math.sin(200 / 36.5), 5)],
    ]);
    // A box that starts in front and goes behind the right outline: one line, open at that outline.
    const box = project('M0 0L80 0L80 10L0 10Z', createProjection(tumbler), follow);
    expect(box.ends).toHaveLength(1);
    expect([...box.isClosed]).toEqual([0]);
    const [line] = split(box);
    expect([line![0]!, line!.at(-1)!].map(({ x }) => x)).toEqual([expect.closeTo(36.5, 9), expect.closeTo(36.5, 9)]);
    // One that is all in front stays closed.
    expect([...project('M0 0L8 0L8 10Z', createProjection(tumbler), follow).isClosed]).toEqual([1]);
  });

  it('behind the blank shows nothing, and comes to the front when it is turned', () => {
    const behind = 'M90 0L110 0L110 10L90 10Z';
    expect(project(behind, createProjection(tumbler)).ends).toHaveLength(0);
    const front = project(behind, createProjection(tumbler, { turnDeg: 180 }));
    expect(front.ends).toHaveLength(1);
  });

  it('takes a matrix before it is laid on', () => {
    const projection = createProjection(steep, { lay: 'sheet' });
    const turn = rotateDeg(30, { x: 3, y: 4 });
    const [line] = split(projectPolylines(lines('M10 5L12 5L12 9Z'), turn, projection, fillOptions));
    const corner = { x: turn.a * 10 + turn.c * 5 + turn.e, y: turn.b * 10 + turn.d * 5 + turn.f };
    expect(line![0]).toEqual({
      x: expect.closeTo(projectPoint(projection, corner).x, 9),
      y: expect.closeTo(projectPoint(projection, corner).y, 9),
    });
  });

  it('is written in whole units, without drift', () => {
    const picture = project('M-20 0C-10 30 10 -30 20 0L20 9Z', createProjection(tumbler));
    const d = writePolylines(picture, 0.01);
    expect(d).toMatch(/^M-?\d+ -?\d+l(-?\d+ -?\d+ )+0 0z$/);
    const numbers = d.match(/-?\d+/g)!.map(Number);
    let [x, y] = [0, 0];
    let worst = 0;
    for (let p = 0; p < picture.points.length / 2 - 1; p++) {
      x += numbers[2 * p]!;
      y += numbers[2 * p + 1]!;
      const [px, py] = [picture.points[2 * p]!, picture.points[2 * p + 1]!];
      worst = Math.max(worst, Math.abs(x / 100 - px), Math.abs(y / 100 - py));
    }
    expect(worst).toBeLessThan(0.00501);
    expect(() => writePolylines(lines('M0 0L1 1'), 0)).toThrow(RangeError);
  });

  it('grows with its points alone', () => {
    const random = seededRandom(11);
    const nodes = (count: number) =>
      Array.from({ length: count }, (_, i) => {
        const x = (random() - 0.5) * 100;
        const y = (random() - 0.5) * 100;
        return i % 4 === 0 ? `M${x} ${y}` : `L${x + random()} ${y + random()}`;
      }).join('');
    const [few, many] = [1000, 20_000].map((count) => project(nodes(count), createProjection(steep)).points.length);
    expect(many! / few!).toBeLessThan(23);
  });
});

/**
 * A picture of a grid on a blank by rays: for each part of a pixel, the place where its ray comes nearest to the axis
 * is searched, the place where it enters the blank is found by halving, and that is unrolled by measuring along the
 * wall. It shares nothing with the projection.
 */
function traceGrid(surface: Exclude<Surface, { kind: 'flat' }>, view: SurfaceView, picture: GridPicture): Uint8Array {
  const { radiusAtLevel, levelPerMm } = modelOf(surface);
  const front = radiusAtLevel(0);
  const { px, mmPerPx } = picture;
  const { cameraMm, turnDeg = 0 } = view;
  const turnRad = (turnDeg * Math.PI) / 180;
  const start = cameraMm ?? 200;
  const random = seededRandom(17);
  const out = new Uint8Array(px * px);
  const isHit = (sx: number, sy: number): boolean => {
    // How far the ray's point at z is outside of the blank. The screen stands at the front.
    const sizeAt = (z: number) => (cameraMm === undefined ? 1 : (start - z) / (start - front));
    const outside = (z: number) => Math.hypot(sx * sizeAt(z), z) - radiusAtLevel(sy * sizeAt(z));
    let [low, high] = [-front, start];
    for (let i = 0; i < 24; i++) {
      const [third, other] = [low + (high - low) / 3, high - (high - low) / 3];
      if (outside(third) < outside(other)) high = other;
      else low = third;
    }
    if (outside(low) > 0) return false;
    high = start;
    for (let i = 0; i < 26; i++) {
      const middle = (low + high) / 2;
      if (outside(middle) > 0) high = middle;
      else low = middle;
    }
    const [x, level] = [sx * sizeAt(low), sy * sizeAt(low)];
    const angle = Math.atan2(x, low) - turnRad;
    return isInk(picture, angle * (view.lay === 'parallel' ? radiusAtLevel(level) : front), level / levelPerMm);
  };
  for (let pixel = 0; pixel < px * px; pixel++) {
    let hits = 0;
    for (let part = 0; part < PARTS * PARTS; part++) {
      // A ray anywhere in its part: rows of rays along the lines of the grid would all hit or miss.
      const column = (pixel % px) + ((part % PARTS) + random()) / PARTS;
      const row = Math.floor(pixel / px) + (Math.floor(part / PARTS) + random()) / PARTS;
      if (isHit((column - px / 2) * mmPerPx, (row - px / 2) * mmPerPx)) hits++;
    }
    out[pixel] = Math.round(255 * (1 - hits / PARTS ** 2));
  }
  return out;
}

/** Rays along each side of a pixel. */
const PARTS = 9;

interface GridPicture {
  readonly px: number;
  readonly mmPerPx: number;
  readonly pitchMm: number;
  readonly lineMm: number;
  readonly halfWidthMm: number;
  readonly halfHeightMm: number;
}

/** True on a line of the grid, whose lines are centered on multiples of the pitch. */
function isInk({ pitchMm, lineMm, halfWidthMm, halfHeightMm }: GridPicture, u: number, v: number): boolean {
  if (Math.abs(u) > halfWidthMm || Math.abs(v) > halfHeightMm) return false;
  const off = (value: number) => Math.abs(value - Math.round(value / pitchMm) * pitchMm);
  return off(u) <= lineMm / 2 || off(v) <= lineMm / 2;
}

/** Returns the grid as outlines: bars in both ways, fillOptions one by one. */
function gridPaths({ pitchMm, lineMm, halfWidthMm, halfHeightMm }: GridPicture): string[] {
  const bars: string[] = [];
  const bar = (left: number, top: number, right: number, bottom: number) =>
    bars.push(`M${left} ${top}L${right} ${top}L${right} ${bottom}L${left} ${bottom}Z`);
  for (let u = 0; u <= halfWidthMm; u += pitchMm) {
    for (const at of u === 0 ? [0] : [u, -u]) {
      const [left, right] = [Math.max(-halfWidthMm, at - lineMm / 2), Math.min(halfWidthMm, at + lineMm / 2)];
      bar(left, -halfHeightMm, right, halfHeightMm);
    }
  }
  for (let v = 0; v <= halfHeightMm; v += pitchMm) {
    for (const at of v === 0 ? [0] : [v, -v]) {
      const [top, bottom] = [Math.max(-halfHeightMm, at - lineMm / 2), Math.min(halfHeightMm, at + lineMm / 2)];
      bar(-halfWidthMm, top, halfWidthMm, bottom);
    }
  }
  return bars;
}

/** Draws black on white, larger than the picture and averaged, because the renderer knows few shares of a pixel. */
function drawFinely(svg: string, px: number): Float64Array {
  const zoom = 8;
  const { pixels } = new Resvg(svg, { background: '#ffffff', fitTo: { mode: 'zoom', value: zoom } }).render();
  const out = new Float64Array(px * px);
  for (let i = 0; i < pixels.length / 4; i++) {
    const row = Math.floor(i / (px * zoom * zoom));
    out[row * px + Math.floor((i % (px * zoom)) / zoom)]! += pixels[4 * i]! / zoom ** 2;
  }
  return out;
}

describe('the picture of a grid is that of rays', () => {
  const round = testSurfaces.flatMap(({ name, surface }) => (surface.kind === 'flat' ? [] : [{ name, surface }]));
  const views = [{}, { turnDeg: 50, cameraMm: 420 }, { lay: 'parallel', turnDeg: -20 }] as const;
  const cases = round.map((blank, i) => ({ ...blank, view: views[i % 3]! }));
  it.each(cases)('on $name, $view', { tags: ['detail'] }, ({ surface, view }) => {
    const radius = modelOf(surface).radiusAtLevel(0);
    const picture: GridPicture = {
      px: 60,
      mmPerPx: (radius * 3) / 60,
      pitchMm: radius / 3,
      lineMm: radius / 9,
      halfWidthMm: radius * 2.5,
      halfHeightMm: radius,
    };
    const expected = traceGrid(surface, view, picture);
    const projection = createProjection(surface, view);
    const unit = 0.001;
    const side = picture.px * picture.mmPerPx;
    const paths = gridPaths(picture).map((d) => {
      const picturedLines = projectPolylines(lines(d), identity, projection, { toleranceMm: 0.005, isFilled: true });
      return `<path fill-rule="evenodd" d="${writePolylines(picturedLines, unit)}"/>`;
    });
    const svg =
      `<svg xmlns="http://www.w3.org/2000/svg" width="${picture.px}" height="${picture.px}" ` +
      `viewBox="${-side / 2} ${-side / 2} ${side} ${side}"><g transform="scale(${unit})">${paths.join('')}</g></svg>`;
    const actual = drawFinely(svg, picture.px);
    let total = 0;
    let ink = 0;
    for (let i = 0; i < expected.length; i++) {
      total += Math.abs(actual[i]! - expected[i]!);
      ink += 255 - expected[i]!;
    }
    expect(ink / expected.length).toBeGreaterThan(30);
    expect(total / expected.length).toBeLessThan(1);
  });
});
