/** Small pages of rectangles and disks, for the tests. */
import type { Raster } from './camera.ts';

type Color = readonly [number, number, number];

/** Creates a page of one color. */
export function blankPage(width: number, height: number, [r, g, b]: Color = [245, 245, 240]): Raster {
  const data = new Uint8Array(4 * width * height);
  for (let i = 0; i < data.length; i += 4) data.set([r, g, b, 255], i);
  return { width, height, data };
}

/** Paints the pixels whose centers `isInside` takes. */
export function paint(
  page: Raster,
  isInside: (x: number, y: number) => boolean,
  [r, g, b]: Color = [30, 30, 40],
): Raster {
  for (let y = 0; y < page.height; y++) {
    for (let x = 0; x < page.width; x++) {
      if (isInside(x + 0.5, y + 0.5)) page.data.set([r, g, b, 255], 4 * (y * page.width + x));
    }
  }
  return page;
}

/** Three rows of four squares. */
export const gridPage = () =>
  paint(blankPage(800, 600), (x, y) => x > 100 && x < 700 && y > 90 && y < 510 && x % 150 > 40 && y % 140 > 40);

/** Seven bars on a disk, turned by an angle: a drawing in which one direction is seen, and no other. */
export const stripesPage = (angleDeg: number) => {
  const [c, s] = [Math.cos((angleDeg * Math.PI) / 180), Math.sin((angleDeg * Math.PI) / 180)];
  const isBar = (x: number, y: number) => (((c * (y - 300) - s * (x - 400)) % 70) + 70) % 70 < 30;
  return paint(blankPage(800, 600), (x, y) => Math.hypot(x - 400, y - 300) < 260 && isBar(x, y));
};

/** Rings round one middle. */
export const ringsPage = () =>
  paint(blankPage(800, 600), (x, y) => Math.hypot(x - 400, y - 300) < 270 && Math.hypot(x - 400, y - 300) % 60 < 25);
