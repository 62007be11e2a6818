/** How far the picture of a file is from the mockup that the studio shows. */
import { renderScene, type Scene, writeSvg } from '@markwright/scene';
import sharp from 'sharp';
import { rasterize } from '../apps/server/src/media/rasterize.ts';

/** Of 255, as all differences here. */
const FAR = 40;

/** Compares a picture with the mockup of a scene: the mean difference of its pixels, and the share of large ones. */
export async function compareWithMockup(path: string, scene: Scene): Promise<{ mean: number; farShare: number }> {
  const file = await pixelsOf(path);
  const svg = writeSvg(renderScene(scene, { kind: 'mockup' }));
  const { png } = await rasterize({ svg, widthPx: file.info.width, background: '#ffffff' });
  const mockup = await pixelsOf(png);
  let [sum, far] = [0, 0];
  const length = Math.min(file.data.length, mockup.data.length);
  for (let p = 0; p < length; p++) {
    const difference = Math.abs(file.data[p]! - mockup.data[p]!);
    sum += difference;
    if (difference > FAR) far++;
  }
  return { mean: sum / length, farShare: far / length };
}

/** Reads a picture on white. */
const pixelsOf = (input: string | Uint8Array) =>
  sharp(input).flatten({ background: '#ffffff' }).removeAlpha().raw().toBuffer({ resolveWithObject: true });
