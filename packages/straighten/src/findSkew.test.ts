import { expect, test } from 'vitest';
import { lookAt, straightView, takePicture, type View } from '../test/camera.ts';
import { blankPage, gridPage, paint, ringsPage, stripesPage } from '../test/pages.ts';
import { findSkew } from './index.ts';

const view = (change: Partial<View>): View => ({
  ...straightView,
  width: 480,
  height: 360,
  blur: 0.7,
  noise: 3,
  lightLoss: 0.3,
  paper: [245, 245, 240],
  ...change,
});
const table = { fill: 0.75, ground: () => [110, 85, 60] as const };

test.each([-11, -4, 1.5, 7.5])('finds the turn of a grid by %d°', (roll) => {
  const skew = findSkew(takePicture(gridPage(), view({ roll })))!;
  expect(skew.angleDeg).toBeGreaterThan(roll - 0.3);
  expect(skew.angleDeg).toBeLessThan(roll + 0.3);
  expect(skew.confidence).toBeGreaterThan(0.7);
  expect(skew.corners).toBeUndefined();
});

test.each([
  { roll: 6, pitch: 9, yaw: -8 },
  { roll: -10, pitch: -12, yaw: 5 },
])('finds the corners of a page on a table, turned by $roll°, $pitch° and $yaw°', (turns) => {
  const page = paint(blankPage(400, 300), (x, y) => Math.hypot(x - 200, y - 140) < 60);
  const camera = view({ ...turns, ...table });
  const { corners, cornersConfidence } = findSkew(takePicture(page, camera))!;
  const { toPicture } = lookAt(page, camera);
  const places = [toPicture({ x: 0, y: 0 }), toPicture({ x: 400, y: 0 })];
  places.push(toPicture({ x: 400, y: 300 }), toPicture({ x: 0, y: 300 }));
  places.forEach((place, i) => {
    expect(Math.hypot(corners![i].x - place.x, corners![i].y - place.y)).toBeLessThan(1);
  });
  expect(cornersConfidence).toBeGreaterThan(0.8);
});

test('finds the perspective of a grid without a page around it', () => {
  const page = gridPage();
  const camera = view({ roll: 4, pitch: -10, yaw: 8, focal: 0.9, fill: 0.95, noise: 1 });
  const { corners } = findSkew(takePicture(page, camera))!;
  // The corners, seen on the page, form a rectangle to within one percent.
  const { toPage } = lookAt(page, camera);
  const [a, b, c, d] = corners!.map(toPage);
  expect(Math.abs(Math.hypot(b.x - a.x, b.y - a.y) / Math.hypot(c.x - d.x, c.y - d.y) - 1)).toBeLessThan(0.01);
  expect(Math.abs(Math.hypot(d.x - a.x, d.y - a.y) / Math.hypot(c.x - b.x, c.y - b.y) - 1)).toBeLessThan(0.01);
  expect(Math.abs((b.y - a.y) / (b.x - a.x))).toBeLessThan(0.005);
});

test('sees dark and light marks on transparent pictures', () => {
  for (const [ink, roll] of [
    [20, 5],
    [250, -5],
  ] as const) {
    const picture = takePicture(
      paint(blankPage(800, 600, [255, 255, 255]), () => false),
      view({ noise: 0, lightLoss: 0 }),
    );
    const grid = takePicture(gridPage(), view({ roll, noise: 0, lightLoss: 0 }));
    for (let i = 0; i < picture.data.length; i += 4) {
      picture.data.set([ink, ink, ink, Math.min(255, Math.max(0, Math.round((242 - grid.data[i]) * 1.2)))], i);
    }
    expect(Math.abs(findSkew(picture)!.angleDeg - roll)).toBeLessThan(0.3);
  }
});

test.each([
  ['rings', ringsPage()],
  ['slanted stripes', stripesPage(8)],
  ['nothing', blankPage(800, 600)],
  ['a straight grid', gridPage()],
])('offers nothing for %s', (_, page) => {
  expect(findSkew(takePicture(page, view({})))).toBeUndefined();
});

test('offers nothing for a page that lies straight', () => {
  expect(findSkew(takePicture(blankPage(400, 300), view({ roll: 0.1, ...table })))).toBeUndefined();
});

test('offers nothing for a picture of a few pixels', () => {
  for (const side of [1, 2, 5, 40]) expect(findSkew(blankPage(side, side))).toBeUndefined();
});
