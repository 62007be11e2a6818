import { describe, expect, it } from 'vitest';
import { seededRandom } from '../svg/seededRandom.ts';
import { createProjection, isFacing, normalAt, projectPoint, type SurfaceView, unprojectPoint } from './projection.ts';
import {
  arcInFocusMm,
  bendForSheet,
  type ConeSurface,
  circumferenceMm,
  developCone,
  type Lay,
  layPoint,
  rotaryScale,
  SAG_MM,
  type Surface,
  sagMm,
  unrollPoint,
  wallOf,
} from './surface.ts';
import { modelOf, pointAt, see, testSurfaces, type Vec } from './testSurfaces.ts';

const lays: readonly Lay[] = ['meridian', 'parallel', 'sheet'];
const views: readonly SurfaceView[] = [{}, { turnDeg: 37 }, { turnDeg: -160, cameraMm: 900 }, { cameraMm: 250 }];
const COUNT = 1000;

/** Returns random flat points: all round the blank, and as high as a print. */
function randomPoints(surface: Surface, seed: number) {
  const random = seededRandom(seed);
  const wall = wallOf(surface);
  const halfTurn = wall ? Math.PI * wall.radiusMm : 100;
  return Array.from({ length: COUNT }, () => ({
    x: (random() * 2 - 1) * halfTurn * 0.98,
    y: (random() * 2 - 1) * 50,
  }));
}

type RoundSurface = Exclude<Surface, { kind: 'flat' }>;

/** The point in space where a flat point lies, by the textbook's formulas for each way of laying it. */
function placeInSpace(surface: RoundSurface, lay: Lay, { x, y }: { x: number; y: number }, turnRad: number): Vec {
  const { top, bottom, heightMm, middle, radiusAtLevel, levelPerMm } = modelOf(surface);
  const front = radiusAtLevel(0);
  if (lay !== 'sheet' || top === bottom) {
    const level = y * levelPerMm;
    const angle = x / (lay === 'parallel' ? radiusAtLevel(level) : front);
    return pointAt(radiusAtLevel(level), angle + turnRad, level);
  }
  // The sector of the sheet: its outer arc is as long as the larger circumference.
  const [wide, narrow] = [Math.max(top, bottom), Math.min(top, bottom)];
  const slant = Math.sqrt(heightMm ** 2 + ((wide - narrow) / 2) ** 2);
  const outer = (slant * wide) / (wide - narrow);
  const fromWide = ((top > bottom ? middle : heightMm - middle) / heightMm) * slant;
  const toOrigin = outer - fromWide;
  // The apex lies below the origin of a tumbler, and above that of a flask.
  const away = top > bottom ? toOrigin - y : toOrigin + y;
  const distance = Math.sqrt(x * x + away * away);
  const angle = (Math.atan2(x, away) * outer) / (wide / 2);
  const level = ((top > bottom ? toOrigin - distance : distance - toOrigin) * heightMm) / slant;
  return pointAt((distance / outer) * (wide / 2), angle + turnRad, level);
}

describe.each(testSurfaces)('$name', ({ surface }) => {
  it.each(lays)(`${COUNT} points are within 0.02 mm of where a camera sees them (%s)`, (lay) => {
    for (const view of views) {
      const projection = createProjection(surface, { ...view, lay });
      let worst = 0;
      for (const point of randomPoints(surface, 3)) {
        const at = projectPoint(projection, point);
        const turnRad = ((view.turnDeg ?? 0) * Math.PI) / 180;
        const expected =
          surface.kind === 'flat'
            ? point
            : see(placeInSpace(surface, lay, point, turnRad), modelOf(surface).radiusAtLevel(0), view.cameraMm);
        worst = Math.max(worst, Math.hypot(at.x - expected.x, at.y - expected.y));
      }
      expect(worst).toBeLessThan(1e-6);
    }
  });

  it.each(lays)('unrolled, laid on and unrolled again, a point is where it was (%s)', (lay) => {
    const wall = wallOf(surface);
    let worst = 0;
    let visibleCount = 0;
    for (const point of randomPoints(surface, 5)) {
      if (wall) {
        const back = unrollPoint(wall, lay, layPoint(wall, lay, point));
        worst = Math.max(worst, Math.hypot(back.x - point.x, back.y - point.y));
      }
      for (const view of views) {
        const projection = createProjection(surface, { ...view, lay });
        // Beyond half a turn a point shows as the one on the other side of the seam.
        if (!isFacing(projection, point) || (wall && Math.abs(layPoint(wall, lay, point).angleRad) >= Math.PI))
          continue;
        const back = unprojectPoint(projection, projectPoint(projection, point))!;
        worst = Math.max(worst, Math.hypot(back.x - point.x, back.y - point.y));
        visibleCount++;
      }
    }
    expect(visibleCount).toBeGreaterThan(COUNT);
    // A parallel camera sees the last thousandth of an angle at the outline in a millionth of the radius.
    expect(worst).toBeLessThan(1e-5);
  });

  it('faces the camera where its normal does', () => {
    if (surface.kind === 'flat') return expect(isFacing(createProjection(surface), { x: 1, y: 1 })).toBe(true);
    let wrong = 0;
    for (const view of views) {
      const projection = createProjection(surface, view);
      for (const point of randomPoints(surface, 7)) {
        const turnRad = ((view.turnDeg ?? 0) * Math.PI) / 180;
        const place = (dx: number, dy: number) =>
          placeInSpace(surface, 'meridian', { x: point.x + dx, y: point.y + dy }, turnRad);
        const [at, right, below] = [place(0, 0), place(1e-4, 0), place(0, 1e-4)];
        const u = right.map((value, i) => value - at[i]!);
        const v = below.map((value, i) => value - at[i]!);
        // y points down, so right x below points into the picture: away from the camera.
        const cross = [u[1]! * v[2]! - u[2]! * v[1]!, u[2]! * v[0]! - u[0]! * v[2]!, u[0]! * v[1]! - u[1]! * v[0]!];
        const length = Math.hypot(...cross);
        const normal = normalAt(projection, point);
        const isEqual = [normal.x, normal.y, normal.z].every((value, i) => Math.abs(value - cross[i]! / length) < 1e-4);
        const toCamera = view.cameraMm === undefined ? [0, 0, 1] : [-at[0], -at[1], view.cameraMm - at[2]];
        const facing = cross.reduce((sum, value, i) => sum + (value / length) * toCamera[i]!, 0);
        if (!isEqual || (Math.abs(facing) > 1e-3 && facing > 0 !== isFacing(projection, point))) wrong++;
      }
    }
    expect(wrong).toBe(0);
  });
});

describe('a cone', () => {
  const skinny: ConeSurface = { kind: 'cone', topDiameterMm: 74.9, bottomDiameterMm: 71.1, heightMm: 208 };
  const cup: ConeSurface = { kind: 'cone', topDiameterMm: 88, bottomDiameterMm: 73, heightMm: 150 };
  const steep: ConeSurface = { kind: 'cone', topDiameterMm: 95, bottomDiameterMm: 60, heightMm: 110 };

  it.each([skinny, cup, steep])('is covered by a sheet whose arcs are its circumferences (%o)', (cone) => {
    const { outerRadiusMm, innerRadiusMm, angleRad, slantMm } = developCone(cone);
    expect(outerRadiusMm * angleRad).toBeCloseTo(Math.PI * cone.topDiameterMm, 9);
    expect(innerRadiusMm * angleRad).toBeCloseTo(Math.PI * cone.bottomDiameterMm, 9);
    expect(slantMm ** 2).toBeCloseTo(cone.heightMm ** 2 + ((cone.topDiameterMm - cone.bottomDiameterMm) / 2) ** 2, 6);
  });

  it.each([
    [skinny, 0.11],
    [cup, 0.51],
    [steep, 1.49],
  ])('sags in a sheet by what the trade measures: 60 mm at the rim (%o)', (cone, expected) => {
    const wall = wallOf({ ...cone, middleMm: 0 })!;
    expect(sagMm(wall, 60)).toBeCloseTo(expected, 2);
    expect(sagMm(wall, 60) > SAG_MM).toBe(expected > 0.3);
    // The middle of a level row and its end, laid on: their heights differ by the sag.
    const end = layPoint(wall, 'sheet', unrollPoint(wall, 'sheet', { angleRad: 30 / wall.radiusMm, alongMm: 0 }));
    expect(end.alongMm).toBeCloseTo(0, 9);
    const straight = layPoint(wall, 'sheet', { x: 30, y: 0 });
    expect(Math.abs(straight.alongMm)).toBeCloseTo(sagMm(wall, 60), 1);
  });

  it('has level rows once they are bent for the sheet', () => {
    const wall = wallOf(steep)!;
    for (const x of [-40, 0, 25, 60]) {
      const { angleRad, alongMm } = layPoint(wall, 'sheet', bendForSheet(wall, { x, y: 12 }));
      expect(alongMm).toBeCloseTo(12, 9);
      expect(angleRad).toBeCloseTo(x / wall.radiusMm, 9);
    }
  });

  it('takes marks as wide as they are drawn from a rotary that scales them', () => {
    const wall = wallOf(steep)!;
    // The rotary is set to the middle diameter: 77.5 mm. At the rim the wall is 95 mm wide.
    const rimMm = -Math.hypot(110, 17.5) / 2;
    expect(rotaryScale(wall, rimMm)).toBeCloseTo(77.5 / 95, 9);
    const { angleRad } = layPoint(wall, 'meridian', { x: 20 * rotaryScale(wall, rimMm), y: rimMm });
    expect((angleRad * 95) / 2).toBeCloseTo(20, 9);
    expect(circumferenceMm(wall, rimMm)).toBeCloseTo(Math.PI * 95, 9);
  });

  it('of equal diameters is a cylinder', () => {
    const cone: ConeSurface = { kind: 'cone', topDiameterMm: 73, bottomDiameterMm: 73, heightMm: 100 };
    expect(wallOf(cone)).toEqual(wallOf({ kind: 'cylinder', diameterMm: 73 }));
    expect(() => developCone(cone)).toThrow(RangeError);
    expect(sagMm(wallOf(cone)!, 60)).toBe(0);
  });
});

describe('the print on a 73 mm tumbler', () => {
  it('of 56 mm covers 10 % less of the picture than it is wide', () => {
    const projection = createProjection({ kind: 'cylinder', diameterMm: 73 });
    const width = projectPoint(projection, { x: 28, y: 0 }).x - projectPoint(projection, { x: -28, y: 0 }).x;
    expect(width / 56).toBeGreaterThan(0.895);
    expect(width / 56).toBeLessThan(0.91);
  });

  it('stays in focus as far as the laser reaches below its highest line', () => {
    const tumbler: Surface = { kind: 'cylinder', diameterMm: 73 };
    const arc = arcInFocusMm(tumbler, 2);
    const half = arc / 73;
    expect(36.5 * (1 - Math.cos(half))).toBeCloseTo(2, 9);
    expect(arcInFocusMm(tumbler, 0)).toBe(0);
    expect(arcInFocusMm(tumbler, 500)).toBeCloseTo((Math.PI * 73) / 2, 9);
    expect(arcInFocusMm({ kind: 'flat' }, 2)).toBe(Infinity);
  });
});

it('refuses sizes that are no blank’s, and a camera inside', () => {
  expect(() => wallOf({ kind: 'cylinder', diameterMm: 0 })).toThrow(RangeError);
  expect(() => wallOf({ kind: 'cone', topDiameterMm: 9, bottomDiameterMm: Number.NaN, heightMm: 3 })).toThrow(
    RangeError,
  );
  // The origin lies beyond the apex.
  const beyond = { kind: 'cone', topDiameterMm: 60, bottomDiameterMm: 20, heightMm: 40, middleMm: 70 } as const;
  expect(() => wallOf(beyond)).toThrow(RangeError);
  expect(() => createProjection({ kind: 'cylinder', diameterMm: 73 }, { cameraMm: 30 })).toThrow(RangeError);
});

it('sees nothing beside the blank', () => {
  const surface: Surface = { kind: 'cylinder', diameterMm: 73 };
  for (const cameraMm of [undefined, 400]) {
    const projection = createProjection(surface, { cameraMm });
    expect(unprojectPoint(projection, { x: 40, y: 0 })).toBeUndefined();
    expect(unprojectPoint(projection, { x: 0, y: 20 })).toEqual({ x: 0, y: expect.closeTo(20, 9) });
  }
});
