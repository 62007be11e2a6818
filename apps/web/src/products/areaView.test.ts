import { readContours } from '@markwright/scene';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addKeepOut,
  dropCorner,
  keepOutsOf,
  MOST_CORNERS,
  placeKeepOut,
  readCorners,
  splitSide,
  withKind,
  writeCorners,
} from './areaShape.ts';
import { PICTURE_UNITS, viewArea } from './areaView.ts';
import { withSurfaceKind } from './surfaceEntry.ts';

/** 60 x 90 mm on a picture of 200 x 200 mm. */
const area = {
  printArea: { x: 0.35, y: 0.3, width: 0.3, height: 0.45 },
  dimensions: `${60 / 25.4}x${90 / 25.4}`,
  pictureAspect: 1,
};
const surfaces = {
  flat: { kind: 'flat' },
  cylinder: { kind: 'cylinder', diameterMm: 80 },
  cone: { kind: 'cone', topDiameterMm: 90, bottomDiameterMm: 70, heightMm: 110, axisMm: 2 },
  pen: { kind: 'cylinder', diameterMm: 100, axis: 'level', axisMm: -1 },
} as const;
const share = fc.double({ min: 0, max: 1, noNaN: true });

describe('a print area on its picture', () => {
  test.each(Object.entries(surfaces))(
    '%s: a point of the picture is the point of the area that shows there',
    (_, surface) => {
      const view = viewArea({ ...area, surface });
      fc.assert(
        fc.property(share, share, (x, y) => {
          const back = view.toArea(view.toPicture({ x, y }))!;
          expect(back.x).toBeCloseTo(x, 6);
          expect(back.y).toBeCloseTo(y, 6);
        }),
        { numRuns: 50 },
      );
    },
  );

  test('the middle of an area lies where the picture has it, whatever the surface', () => {
    for (const surface of Object.values(surfaces)) {
      const { x, y } = viewArea({ ...area, surface }).toPicture({ x: 0.5, y: 0.5 });
      expect(x).toBeCloseTo(0.5, 6);
      expect(y).toBeCloseTo(0.525, 6);
    }
  });

  test('a circle on a cylinder shows as wide as the wall does, and as high as it is', () => {
    const { edge, sides } = viewArea({ ...area, surface: surfaces.cylinder, shape: { kind: 'circle' } });
    const points = readContours(edge).flatMap((contour) => contour.points);
    const lengthOf = (axis: 0 | 1) => {
      const values = points.filter((_, i) => i % 2 === axis);
      return ((Math.max(...values) - Math.min(...values)) * 200) / PICTURE_UNITS;
    };
    expect(lengthOf(1)).toBeCloseTo(60, 0);
    expect(lengthOf(0)).toBeCloseTo(2 * 40 * Math.sin(30 / 40), 0);
    const left = readContours(sides)[0]!.points[0]!;
    expect((left * 200) / PICTURE_UNITS).toBeCloseTo(100 - 40, 1);
  });

  test('beside a round blank there is no point of its area', () => {
    expect(viewArea({ ...area, surface: surfaces.cylinder }).toArea({ x: 0.05, y: 0.5 })).toBeUndefined();
  });
});

describe('the shape of a print area', () => {
  test('a drawn outline is read back, and grows and shrinks by its corners', () => {
    const start = withKind(undefined, 'outline');
    const corners = readCorners(start.kind === 'outline' ? start.d : '')!;
    expect(corners).toHaveLength(8);
    const more = splitSide(corners, 7, { x: 0.1, y: 0.05 });
    expect(readCorners(writeCorners(more))).toEqual(more);
    expect(dropCorner(more, 8)).toEqual(corners);
    expect(dropCorner(corners.slice(0, 3), 0)).toHaveLength(3);
    expect(
      writeCorners([
        { x: -1, y: 2 },
        { x: 0.5, y: 0 },
        { x: 1, y: 1 },
      ]),
    ).toBe('M0 1L0.5 0L1 1Z');
    const many = Array.from({ length: MOST_CORNERS }, (_, i) => ({ x: i / MOST_CORNERS, y: i % 2 }));
    expect(splitSide(many, 0, { x: 0, y: 0 })).toBe(many);
    expect(readCorners('M0 0C1 0 1 1 0 1L0 0.5Z')).toBeUndefined();
  });

  test('what is kept free stays when the shape changes, and within the area', () => {
    const shape = withKind(addKeepOut(undefined, 2), 'rounded');
    const [part] = keepOutsOf(shape);
    expect(shape).toMatchObject({ kind: 'rounded', radiusMm: 5 });
    // As wide as high in mm, on an area twice as wide as high.
    expect(part!.width * 2).toBeCloseTo(part!.height);
    expect(placeKeepOut(part!, { x: 2, y: -1, width: 0 })).toMatchObject({ x: 0.99, y: 0, width: 0.01 });
  });
});

test('a surface keeps what another kind has too', () => {
  const size = { width: 56, height: 80 };
  const cylinder = withSurfaceKind({ kind: 'flat' }, 'cylinder', size);
  expect(cylinder).toEqual({ kind: 'cylinder', diameterMm: 80 });
  const cone = withSurfaceKind({ ...surfaces.pen, arcMm: 120 }, 'cone', size);
  expect(cone).toMatchObject({ kind: 'cone', topDiameterMm: 100, heightMm: 70, axis: 'level', arcMm: 120 });
  expect(withSurfaceKind(cone, 'flat', size)).toEqual({ kind: 'flat' });
});
