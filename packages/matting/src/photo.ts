/** Pictures on any background: a network's mask, drawn to the picture's own edges. */
import { type Mask, type Picture, resizeMask } from './picture.ts';

/** The mask at the picture's size with the colors of the picture. */
export function refineMask({ width, height, data }: Picture, mask: Mask): Picture {
  const out = data.slice();
  const alpha = resizeMask(mask, width, height);
  for (let i = 0; i < alpha.length; i++) out[4 * i + 3] = alpha[i];
  return { width, height, data: out };
}
