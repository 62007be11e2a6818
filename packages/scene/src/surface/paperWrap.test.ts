import { expect, test } from 'vitest';
import type { Contour } from '../geometry/pathData.ts';
import { layOnPaper } from './paperWrap.ts';
import { developCone, type RoundSurface } from './surface.ts';

const box = (x: number, y: number, width: number, height: number): Contour => ({
  commands: ['L', 'L', 'L'],
  points: [x, y, x + width, y, x + width, y + height, x, y + height],
  isClosed: true,
});
const lay = (form: RoundSurface, artwork: readonly Contour[] = []) =>
  layOnPaper({
    ...{ blank: { form, middleMm: { x: 28, y: 50 } }, widthMm: 56, heightMm: 100, artwork },
    area: [box(0, 0, 56, 100)],
  });
const widthOf = (line: readonly { x: number }[]) =>
  Math.max(...line.map(({ x }) => x)) - Math.min(...line.map(({ x }) => x));

test('the paper of a cylinder is a strip as long as the way round and an overlap, with the artwork as it is drawn', () => {
  const { isBent, cut, seam, widthMm, heightMm, artwork, area, roundMm } = lay({ kind: 'cylinder', diameterMm: 73 }, [
    box(10, 20, 30, 5),
  ]);
  expect(isBent).toBe(false);
  expect(roundMm).toBeCloseTo(Math.PI * 73, 6);
  expect(widthMm).toBeCloseTo(Math.PI * 73 + 8, 6);
  expect(heightMm).toBe(108);
  expect(cut).toHaveLength(5);
  expect(seam[0]!.x - cut[0]!.x).toBeCloseTo(Math.PI * 73, 6);
  expect(widthOf(artwork[0]!)).toBeCloseTo(30, 6);
  // In the middle of the strip, 10 mm from the left of the area.
  const left = Math.min(...area[0]!.map(({ x }) => x));
  expect(left).toBeCloseTo(Math.PI * 36.5 - 28, 6);
  expect(Math.min(...artwork[0]!.map(({ x }) => x)) - left).toBeCloseTo(10, 6);
});

test('the paper of a cone is the sector of its development', () => {
  const form = { kind: 'cone', topDiameterMm: 90, bottomDiameterMm: 70, heightMm: 120 } as const;
  const { isBent, cut, seam, diametersMm } = lay(form);
  expect(isBent).toBe(true);
  // Every point of the upper edge is as far from the apex, and the ends meet in the seam.
  const { angleRad, outerRadiusMm } = developCone(form);
  expect(seam.length).toBeGreaterThan(10);
  const [first, last] = [seam[0]!, seam.at(-1)!];
  const lean = Math.atan2(first.x - last.x, last.y - first.y);
  expect(lean).toBeCloseTo(angleRad / 2, 6);
  expect(diametersMm[0]).toBeLessThan(90);
  expect(diametersMm[1]).toBeGreaterThan(70);
  const slant = Math.hypot(first.x - last.x, first.y - last.y);
  expect(slant).toBeCloseTo(108, 6);
  expect(outerRadiusMm).toBeGreaterThan(slant);
  expect(widthOf(cut)).toBeLessThan(Math.PI * 90 + 10);
});

test('a cone that hardly leans is printed straight, and paper ends beside a handle', () => {
  const straight = { kind: 'cone', topDiameterMm: 73.05, bottomDiameterMm: 73, heightMm: 140 } as const;
  expect(lay(straight).isBent).toBe(false);
  const mug = lay({ kind: 'cylinder', diameterMm: 82, arcMm: 210 });
  expect([mug.goesRound, mug.seam, mug.widthMm]).toEqual([false, [], 210]);
});

test('artwork beyond the paper is cut off at its ends', () => {
  const { artwork, widthMm } = lay({ kind: 'cylinder', diameterMm: 20 }, [box(-100, 10, 300, 5)]);
  expect(widthOf(artwork[0]!)).toBeCloseTo(widthMm - 8, 6);
});
