/** Straightened pictures on the screen. Loaded with what shows the first one. */
import { type Straightening, straightenedSize } from '@markwright/scene';
import { planWarp } from '@markwright/straighten';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Returns where the points of a picture come to lie when it is straightened. `size` is that of the result. */
function planStraightening({ corners: [a, b, c, d] }: Straightening, picture: Size, size: Size) {
  const toPixels = ({ x, y }: typeof a) => ({ x: x * picture.width, y: y * picture.height });
  return planWarp(picture, { corners: [toPixels(a), toPixels(b), toPixels(c), toPixels(d)] }, size);
}

/**
 * Returns the CSS transform that shows a picture straightened. It takes the picture, laid out in its own pixels from
 * the top left, to the pixels of the straightened one.
 */
export function cssStraighten(straighten: Straightening, picture: Size): string {
  const [a, b, c, d, e, f, g, h, i] = planStraightening(
    straighten,
    picture,
    straightenedSize(straighten, picture),
  ).matrix.map((value, _at, matrix) => value / matrix[8]!);
  return `matrix3d(${[a, d, 0, g, b, e, 0, h, 0, 0, 1, 0, c, f, 0, i].join(', ')})`;
}
