/** For tests and benches: photographs of blanks from above, and of rulers beside them. */
import type { Bitmap } from '@markwright/straighten';

/** True for a point of a thing, in mm. */
export type Thing = (x: number, y: number) => boolean;

export interface Photo {
  readonly widthMm: number;
  readonly heightMm: number;
  readonly pxPerMm: number;
  readonly ground?: readonly [number, number, number];
  /** Each with its color, the last on top. */
  readonly things: readonly (readonly [Thing, readonly [number, number, number]])[];
}

export const WALNUT = [96, 64, 44] as const;

/** Takes a photograph from above: 16 samples a pixel at edges, and the noise of a camera. */
export function photograph({ widthMm, heightMm, pxPerMm, ground = [236, 234, 230], things }: Photo): Bitmap {
  const [width, height] = [Math.round(widthMm * pxPerMm), Math.round(heightMm * pxPerMm)];
  const data = new Uint8Array(4 * width * height);
  const colors = [ground, ...things.map(([, color]) => color)];
  const topAt = (x: number, y: number) => {
    let top = things.length;
    while (top > 0 && !things[top - 1]![0](x / pxPerMm, y / pxPerMm)) top--;
    return top;
  };
  // What covers each corner of a pixel: where all four are the same, so is the pixel.
  const corners = Uint8Array.from({ length: (width + 1) * (height + 1) }, (_, i) =>
    topAt(i % (width + 1), Math.floor(i / (width + 1))),
  );
  let state = 7;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * (width + 1) + x;
      const first = corners[at]!;
      const isEven = [corners[at + 1], corners[at + width + 1], corners[at + width + 2]].every((top) => top === first);
      const samples = isEven ? 1 : 16;
      const sum = [0, 0, 0];
      for (let k = 0; k < samples; k++) {
        const top = isEven ? first : topAt(x + ((k % 4) + 0.5) / 4, y + (Math.floor(k / 4) + 0.5) / 4);
        for (let c = 0; c < 3; c++) sum[c]! += colors[top]![c]!;
      }
      for (let c = 0; c < 3; c++) {
        state = (state * 1103515245 + 12345) % 2147483648;
        data[4 * (y * width + x) + c] = Math.round(sum[c]! / samples + (state / 2147483648 - 0.5) * 1.5);
      }
      data[4 * (y * width + x) + 3] = 255;
    }
  }
  return { width, height, data };
}

/** A rectangle with round corners about a point, turned clockwise. */
export function board(cx: number, cy: number, width: number, height: number, radius = 0, turnDeg = 0): Thing {
  const [c, s] = [Math.cos((turnDeg * Math.PI) / 180), Math.sin((turnDeg * Math.PI) / 180)];
  return (x, y) => {
    const [u, v] = [Math.abs(c * (x - cx) + s * (y - cy)), Math.abs(c * (y - cy) - s * (x - cx))];
    const [dx, dy] = [Math.max(0, u - width / 2 + radius), Math.max(0, v - height / 2 + radius)];
    return u <= width / 2 && v <= height / 2 && Math.hypot(dx, dy) <= radius + 1e-9 + (radius === 0 ? 1e9 : 0);
  };
}

export const disk = (cx: number, cy: number, width: number, height = width): Thing => {
  return (x, y) => ((x - cx) / (width / 2)) ** 2 + ((y - cy) / (height / 2)) ** 2 <= 1;
};

/** The lengths of a ruler's ticks, mm. */
const millimeters = (i: number): number => (i % 10 === 0 ? 7 : i % 5 === 0 ? 5.5 : 3.8);

/** A ruler turned about its middle, and its ticks along one long side. Lengths in mm, from the side inward. */
export function ruler(
  {
    x: cx,
    y: cy,
    turnDeg = 0,
    length = 150,
    width = 26,
  }: Readonly<Record<'x' | 'y', number>> & {
    readonly turnDeg?: number;
    readonly length?: number;
    readonly width?: number;
  },
  { pitch = 1, lengthOf = millimeters }: { readonly pitch?: number; readonly lengthOf?: (i: number) => number } = {},
): Photo['things'] {
  const [c, s] = [Math.cos((turnDeg * Math.PI) / 180), Math.sin((turnDeg * Math.PI) / 180)];
  const ticks: Thing = (x, y) => {
    const u = c * (x - cx) + s * (y - cy) + length / 2 - 5;
    const v = c * (y - cy) - s * (x - cx) + width / 2;
    const i = Math.round(u / pitch);
    return u > -0.2 && u < length - 9.8 && Math.abs(u - i * pitch) < 0.14 && v > 0.4 && v < lengthOf(i);
  };
  return [
    [board(cx, cy, length, width, 1, turnDeg), [232, 190, 70]],
    [ticks, [30, 30, 34]],
  ];
}
