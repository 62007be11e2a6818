/** Lays a scene round its blank, for Live Preview and stage, with the pictures and the light that this takes. */
import { type Scene, type SceneImage, type SceneLight, type SceneRaster, sceneView } from '@markwright/scene';
import type { PictureToWrap, Pixels, WrappedPicture } from '@markwright/scene/wrap';
import { readPixels } from '../readPixels.ts';

type Wrapping = typeof import('@markwright/scene/wrap');

/** Sharp enough for the expanded preview on a dense screen. */
const PREVIEW_PX = 800;
/** The sides of pictures that are as sharp as the result can show them, as a share of its longest side. */
const PICTURE_SHARE = 1.25;

export interface BlankWrapper {
  /**
   * Returns a scene on its blank, with pictures as sharp as one of the product of `sidePx` is. What is not loaded yet
   * is left out, and `onReady` is called when it is.
   */
  wrap(scene: Scene, turnDeg: number, sidePx?: number): Scene;
}

interface PictureView {
  readonly turnDeg: number;
  readonly sidePx: number;
}

export function createBlankWrapper(onReady: () => void): BlankWrapper {
  let wrapping: Wrapping | undefined;
  let isLoading = false;
  /** Pixels by address and size; undefined while they load, and where they cannot be loaded. */
  const pixelsAt = new Map<string, Pixels | undefined>();
  const lights = new Map<string, SceneLight>();
  /** By picture, place and turn; undefined for what is behind. */
  const wraps = new Map<string, WrappedPicture | undefined>();

  async function loadWrapping(): Promise<void> {
    if (isLoading) return;
    isLoading = true;
    try {
      wrapping = await import('@markwright/scene/wrap');
      onReady();
    } catch {
      // The flat picture stays, and the next change tries again.
      isLoading = false;
    }
  }

  function pixelsOf(href: string, width: number, height: number): Pixels | undefined {
    const key = `${width} ${height} ${href}`;
    if (!pixelsAt.has(key)) {
      if (pixelsAt.size >= MAX_PICTURES) pixelsAt.clear();
      pixelsAt.set(key, undefined);
      readPixels(href, { width, height }).then(
        (pixels) => {
          pixelsAt.set(key, pixels);
          onReady();
        },
        () => pixelsAt.delete(key),
      );
    }
    return pixelsAt.get(key);
  }

  function lightOf({ glossOf, lightFrame, measureLight }: Wrapping, scene: Scene): SceneLight | undefined {
    const { pictureHref } = scene.backdrop!;
    const frame = lightFrame(scene);
    const { sizePx, middle, box } = frame;
    const pixels = pixelsOf(pictureHref, sizePx.width, sizePx.height);
    if (!pixels) return undefined;
    const gloss = glossOf(scene);
    const key = `${gloss} ${pictureHref} ${JSON.stringify([box, middle])}`;
    let light = lights.get(key);
    if (!light) {
      light = { href: toHref(measureLight(overPaper(pixels), frame, gloss)), ...box };
      if (lights.size >= MAX_PICTURES) lights.clear();
      lights.set(key, light);
    }
    return light;
  }

  function wrapPicture({ wrapPixels }: Wrapping, scene: Scene, picture: PictureToWrap, view: PictureView) {
    const { turnDeg, sidePx } = view;
    const { child, href, matrix } = picture;
    const { width, height } = sceneView(scene);
    const pxPerMm = sidePx / Math.max(width, height);
    const scale = Math.min(1, (PICTURE_SHARE * sidePx) / Math.max(child.width, child.height));
    const pixels = pixelsOf(href, Math.ceil(child.width * scale), Math.ceil(child.height * scale));
    if (!pixels) return undefined;
    const key = `${turnDeg} ${pxPerMm} ${JSON.stringify([matrix, scene.backdrop!.surface])} ${href}`;
    if (!wraps.has(key)) {
      const result = wrapPixels(scene, picture, pixels, { turnDeg, pxPerMm });
      if (wraps.size >= MAX_PICTURES) wraps.delete(wraps.keys().next().value!);
      const wrap = result && {
        href: toHref(result.pixels),
        width: result.pixels.width,
        height: result.pixels.height,
        matrix: result.matrix,
      };
      wraps.set(key, wrap);
    }
    return wraps.get(key);
  }

  function picturesOf(wrapping: Wrapping, scene: Scene, view: PictureView) {
    const pictures = new Map<SceneImage | SceneRaster, WrappedPicture>();
    for (const picture of wrapping.picturesToWrap(scene)) {
      const wrap = wrapPicture(wrapping, scene, picture, view);
      if (wrap) pictures.set(picture.child, wrap);
    }
    return pictures;
  }

  return {
    wrap(scene, turnDeg, sidePx = PREVIEW_PX) {
      if (!scene.backdrop?.surface) return scene;
      if (!wrapping) {
        void loadWrapping();
        return scene;
      }
      return wrapping.wrapScene(scene, {
        turnDeg,
        pictures: picturesOf(wrapping, scene, { turnDeg, sidePx }),
        light: lightOf(wrapping, scene),
      });
    },
  };
}

const MAX_PICTURES = 16;

/** Returns a picture over white, as a mockup has it. */
function overPaper({ width, height, data }: Pixels): Pixels {
  const out = new Uint8ClampedArray(data.length);
  for (let i = 0; i < data.length; i += 4) {
    const share = data[i + 3]! / 255;
    for (let k = 0; k < 3; k++) out[i + k] = 255 + (data[i + k]! - 255) * share;
    out[i + 3] = 255;
  }
  return { width, height, data: out };
}

function toHref({ width, height, data }: Pixels): string {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d');
  context?.putImageData(new ImageData(new Uint8ClampedArray(data), width, height), 0, 0);
  return canvas.toDataURL();
}
