/** The scene of a mockup, laid round its blank: pictures are made anew, and light is measured in the product's. */
import type { Point, Scene, SceneImage, SceneLight, SceneRaster } from '@markwright/scene';
import {
  glossOf,
  lightFrame,
  measureLight,
  narrowFrame,
  type Pixels,
  picturesToWrap,
  type WrappedPicture,
  wrapPixels,
  wrapScene,
} from '@markwright/scene/wrap';
import sharp from 'sharp';
import { rasterize } from './rasterize.ts';

interface WrapOptions {
  readonly turnDeg: number | undefined;
  readonly pxPerMm: number;
  /** Of `readLight`, which reads the whole picture: for several angles of one scene. */
  readonly light?: SceneLight | undefined;
}

/**
 * Returns a scene as its round blank shows it, turned by `turnDeg`; a flat one as it is. Its pictures are PNGs already.
 */
export async function wrapMockup(scene: Scene, { turnDeg, pxPerMm, light }: WrapOptions): Promise<Scene> {
  if (!scene.backdrop?.surface) return scene;
  const pictures = new Map<SceneImage | SceneRaster, WrappedPicture>();
  for (const picture of picturesToWrap(scene)) {
    const result = wrapPixels(scene, picture, await readPixels(picture.href), { turnDeg, pxPerMm });
    if (!result) continue;
    const { width, height } = result.pixels;
    pictures.set(picture.child, { href: await toHref(result.pixels), width, height, matrix: result.matrix });
  }
  const roundScene = wrapScene(scene, { turnDeg, pictures, light });
  if (light) return roundScene;
  const corners = roundScene.groups.flatMap((group) => group.corners);
  return { ...roundScene, wrap: { light: await readLight(scene, corners) } };
}

/**
 * Measures the light of the picture of a product on what is marked there: where the blank is marked at any turn, or
 * around `corners`, in scene mm. Returns undefined without a product.
 */
export async function readLight(scene: Scene, corners: readonly Point[] = []): Promise<SceneLight | undefined> {
  if (!scene.backdrop) return undefined;
  const frame = narrowFrame(lightFrame(scene), corners);
  const picture = await readPixels(scene.backdrop.pictureHref, frame.sizePx);
  return { href: await toHref(measureLight(picture, frame, glossOf(scene))), ...frame.box };
}

/** Reads a picture of a scene; over white and in another size where one is given. */
async function readPixels(href: string, size?: { readonly width: number; readonly height: number }): Promise<Pixels> {
  const bytes = Buffer.from(href.slice(href.indexOf(',') + 1), 'base64');
  const isSvg = href.startsWith('data:image/svg+xml');
  const input = isSvg && size ? (await rasterize({ svg: bytes.toString(), widthPx: 2 * size.width })).png : bytes;
  const picture = sharp(input);
  const fitPicture = size
    ? picture.resize(size.width, size.height, { fit: 'fill' }).flatten({ background: '#ffffff' })
    : picture;
  const { data, info } = await fitPicture
    .toColorspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

/** Fast to write: the picture is read once, by the next step. */
async function toHref({ width, height, data }: Pixels): Promise<string> {
  const png = await sharp(data, { raw: { width, height, channels: 4 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
  return `data:image/png;base64,${png.toString('base64')}`;
}
