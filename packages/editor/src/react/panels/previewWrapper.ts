/** Lays the scene of the Live Preview round its blank, with the pictures and the light that this takes. */
import { type Scene, type SceneImage, type SceneLight, type SceneRaster, sceneView } from '@markwright/scene';
import type { Pixels, WrappedPicture } from '@markwright/scene/wrap';
import { readPixels } from '../dialogs/readPixels.ts';

type Wrapping = typeof import('@markwright/scene/wrap');

/** Sharp enough for the expanded preview on a dense screen. */
const PREVIEW_PX = 800;
/** Pictures of this size are as sharp as the preview can show them. */
const PICTURE_PX = 1000;

export interface PreviewWrapper {
  /** Returns a scene on its blank. What is not loaded yet is left out, and `onReady` is called when it is. */
  wrap(scene: Scene, turnDeg: number): Scene;
}

export function createPreviewWrapper(onReady: () => void): PreviewWrapper {
  let wrapping: Wrapping | undefined;
  let isLoading = false;
  /** Pixels by address and size; undefined while they load, and where they cannot be loaded. */
  const pixelsAt = new Map<string, Pixels | undefined>();
  const lights = new Map<string, SceneLight>();
  let former: { readonly key: string; readonly picture: WrappedPicture | undefined }[] = [];

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

  function picturesOf({ picturesToWrap, wrapPixels }: Wrapping, scene: Scene, turnDeg: number) {
    const { width, height } = sceneView(scene);
    const pxPerMm = PREVIEW_PX / Math.max(width, height);
    const pictures = new Map<SceneImage | SceneRaster, WrappedPicture>();
    const next: typeof former = [];
    for (const picture of picturesToWrap(scene)) {
      const { child, href, matrix } = picture;
      const scale = Math.min(1, PICTURE_PX / Math.max(child.width, child.height));
      const pixels = pixelsOf(href, Math.ceil(child.width * scale), Math.ceil(child.height * scale));
      if (!pixels) continue;
      const key = `${turnDeg} ${pxPerMm} ${JSON.stringify([matrix, scene.backdrop!.surface])} ${href}`;
      let entry = former.find((each) => each.key === key);
      if (!entry) {
        const result = wrapPixels(scene, picture, pixels, { turnDeg, pxPerMm });
        const wrappedPicture = result && {
          href: toHref(result.pixels),
          width: result.pixels.width,
          height: result.pixels.height,
          matrix: result.matrix,
        };
        entry = { key, picture: wrappedPicture };
      }
      next.push(entry);
      if (entry.picture) pictures.set(child, entry.picture);
    }
    former = next;
    return pictures;
  }

  return {
    wrap(scene, turnDeg) {
      if (!scene.backdrop?.surface) return scene;
      if (!wrapping) {
        void loadWrapping();
        return scene;
      }
      return wrapping.wrapScene(scene, {
        turnDeg,
        pictures: picturesOf(wrapping, scene, turnDeg),
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
