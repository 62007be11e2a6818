import { expect, test } from 'vitest';
import { MM_PER_INCH } from '../document/measure.ts';
import { openEditor } from '../testHost.ts';
import { rulerTicks, straightScale, surfaceScale } from './rulers.ts';
import { createStageView } from './stageView.ts';
import { createSurfaceMap } from './surfaceMap.ts';

test.each(['mm', 'in'] as const)('ruler labels in %s are round, evenly spaced and readable at any scale', (unit) => {
  for (const pxPerMm of [0.2, 0.7, 2, 5, 20]) {
    const ticks = rulerTicks(800, straightScale(130, pxPerMm), unit);
    const labelTicks = ticks.filter(({ label }) => label !== undefined);
    expect(labelTicks.length).toBeGreaterThan(0);
    for (const { px, label } of labelTicks) {
      const mm = Number(label) * (unit === 'in' ? MM_PER_INCH : 1);
      expect(px).toBeCloseTo(130 + mm * pxPerMm, 4);
    }
    const gaps = labelTicks.slice(1).map(({ px }, index) => px - labelTicks[index]!.px);
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(44 - 1e-6);
  }
});

test.each([0, 90, 180])('a ruler round a blank turned by %i° has true lengths, closer toward its sides', (angleDeg) => {
  const editor = openEditor({ productAngleDeg: angleDeg });
  const { product } = editor.getState().assets;
  editor.setAssets({ product: { ...product!, surface: { kind: 'cylinder', diameterMm: 120 } } });
  const { scene } = editor.getState();
  const surface = createSurfaceMap(scene);
  const view = createStageView({ width: 800, height: 600 }, scene, 1, { x: 0, y: 0 }, undefined, surface);
  const axis = angleDeg === 90 ? 'y' : 'x';
  const ticks = rulerTicks(axis === 'x' ? 800 : 600, surfaceScale(view, scene, axis, 0), 'mm');
  const labels = ticks.flatMap(({ px, label }) => (label === undefined ? [] : [{ px, mm: Number(label) }]));
  expect(labels.length).toBeGreaterThan(4);
  const middle = axis === 'x' ? 400 : 300;
  for (const { px, mm } of labels) {
    // Each length is that of the arc from the middle of the front.
    const angle = (mm - scene.widthMm / 2) / 60;
    expect(px).toBeCloseTo(middle + 60 * Math.sin(angle) * view.pxPerMm, 3);
  }
  const gaps = ticks.slice(1).map(({ px }, i) => px - ticks[i]!.px);
  expect(Math.min(...gaps)).toBeGreaterThan(1);
  // It ends at the outline of the blank.
  const half = 60 * view.pxPerMm;
  expect(ticks.every(({ px }) => Math.abs(px - middle) <= half)).toBe(true);
});
