/**
 * The light of a product's picture, for the marks on it: shadow where the blank is darker than in the middle of its
 * print area, and gloss where it is brighter. Measured in the picture, because the picture is what marks must match.
 */
import { applyMatrix, type Point } from '../geometry/matrix.ts';
import type { Scene, SceneLight } from '../resolve/scene.ts';
import { openBlankView } from '../surface/blankView.ts';
import type { Pixels } from '../surface/remapPicture.ts';

/** The longest side of the picture that light is measured in, px: fine enough for a window, too coarse for a grain. */
const LIGHT_PX = 240;
/** Around the middle of the print area, in fractions of the picture: the base that light and shadow differ from. */
const BASE_SIDE = 0.04;

/** Shadows keep this much of a mark's own color. */
const DEEPEST = 0.72;
/** A white blank shows little of its own gloss, and a mark on it must not show more than there is. */
const LEAST_RANGE = 70;
/** Light of a room that falls into every shadow, of 255. */
const AMBIENT = 10;

/** Where the light of a round blank is measured, and where it lies. */
export interface LightFrame {
  /** Of the product's whole picture, as `measureLight` takes it, px. */
  readonly sizePx: { readonly width: number; readonly height: number };
  /** The middle of the print area, in fractions of the picture. */
  readonly middle: Point;
  /** The part of the picture with the machine area, at any turn of the blank: px of it. */
  readonly part: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };
  /** That part in scene mm. */
  readonly box: Omit<SceneLight, 'href'>;
}

/** Returns where the light of a scene on a round blank is measured. */
export function lightFrame(scene: Scene): LightFrame {
  const { pictureWidthMm, pictureHeightMm, originMm, surface } = scene.backdrop!;
  const pxPerMm = LIGHT_PX / Math.max(pictureWidthMm, pictureHeightMm);
  const sizePx = {
    width: Math.max(1, Math.round(pictureWidthMm * pxPerMm)),
    height: Math.max(1, Math.round(pictureHeightMm * pxPerMm)),
  };
  const { x, y } = surface!.middleMm;
  const { toScene, turnBounds } = openBlankView(surface!, scene);
  const corners = turnBounds.map((corner) => applyMatrix(toScene, corner));
  const place = (mm: number, size: number, round: (px: number) => number) =>
    Math.min(size, Math.max(0, round(mm * pxPerMm)));
  const xs = corners.map((corner) => corner.x + originMm.x);
  const ys = corners.map((corner) => corner.y + originMm.y);
  const part = {
    left: place(Math.min(...xs), sizePx.width - 1, Math.floor),
    top: place(Math.min(...ys), sizePx.height - 1, Math.floor),
    right: place(Math.max(...xs), sizePx.width, Math.ceil),
    bottom: place(Math.max(...ys), sizePx.height, Math.ceil),
  };
  return {
    sizePx,
    middle: { x: (originMm.x + x) / pictureWidthMm, y: (originMm.y + y) / pictureHeightMm },
    part,
    box: {
      x: part.left / pxPerMm - originMm.x,
      y: part.top / pxPerMm - originMm.y,
      width: (part.right - part.left) / pxPerMm,
      height: (part.bottom - part.top) / pxPerMm,
    },
  };
}

/** Around the marks, px of the light: a picture that is enlarged is blurred by its neighbors. */
const MARGIN_PX = 3;

/**
 * Returns the frame with no more than the part around what is drawn: a renderer of pictures pays for every pixel of
 * the light. `corners` are those of all marks, in scene mm.
 */
export function narrowFrame(frame: LightFrame, corners: readonly Point[]): LightFrame {
  const { part, box } = frame;
  if (corners.length === 0) return frame;
  const pxPerMm = (part.right - part.left) / box.width;
  const xs = corners.map(({ x }) => part.left + (x - box.x) * pxPerMm);
  const ys = corners.map(({ y }) => part.top + (y - box.y) * pxPerMm);
  const left = Math.max(part.left, Math.floor(Math.min(...xs)) - MARGIN_PX);
  const top = Math.max(part.top, Math.floor(Math.min(...ys)) - MARGIN_PX);
  const right = Math.min(part.right, Math.ceil(Math.max(...xs)) + MARGIN_PX);
  const bottom = Math.min(part.bottom, Math.ceil(Math.max(...ys)) + MARGIN_PX);
  // Marks that lie outside have no light.
  if (right <= left || bottom <= top) return frame;
  return {
    ...frame,
    part: { left, top, right, bottom },
    box: {
      x: box.x + (left - part.left) / pxPerMm,
      y: box.y + (top - part.top) / pxPerMm,
      width: (right - left) / pxPerMm,
      height: (bottom - top) / pxPerMm,
    },
  };
}

/**
 * Returns black and white over the marks in the part of the frame. `picture` is the product's picture over white, in
 * the size of the frame; `gloss` is 0…1. Cost: linear in the pixels.
 */
export function measureLight({ width, data }: Pixels, { middle, part, sizePx }: LightFrame, gloss: number): Pixels {
  const lightAt = (x: number, y: number) => {
    const at = 4 * (y * width + x);
    return 0.2126 * data[at]! + 0.7152 * data[at + 1]! + 0.0722 * data[at + 2]!;
  };
  const base = medianOf(lightAt, {
    left: Math.floor((middle.x - BASE_SIDE / 2) * sizePx.width),
    right: Math.ceil((middle.x + BASE_SIDE / 2) * sizePx.width),
    top: Math.floor((middle.y - BASE_SIDE / 2) * sizePx.height),
    bottom: Math.ceil((middle.y + BASE_SIDE / 2) * sizePx.height),
  });
  const size = { width: part.right - part.left, height: part.bottom - part.top };
  const out = new Uint8ClampedArray(4 * size.width * size.height);
  for (let i = 0; i < size.width * size.height; i++) {
    const light = lightAt(part.left + (i % size.width), part.top + Math.floor(i / size.width));
    const share = (light + AMBIENT) / (base + AMBIENT);
    if (share < 1) out[4 * i + 3] = 255 * Math.min(DEEPEST, 1 - share);
    else {
      out.fill(255, 4 * i, 4 * i + 3);
      out[4 * i + 3] = (255 * gloss * (light - base)) / Math.max(255 - base, LEAST_RANGE);
    }
  }
  return { ...size, data: out };
}

function medianOf(lightAt: (x: number, y: number) => number, { left, right, top, bottom }: LightFrame['part']): number {
  const values: number[] = [];
  for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) values.push(lightAt(x, y));
  values.sort((a, b) => a - b);
  return values[values.length >> 1] ?? 255;
}

/**
 * Returns how much of a blank's own gloss lies on its marks, 0…1: dye is below the coating, cured ink is nearly as
 * glossy, a film is matte, and so is what a laser leaves, but for metal that it lays bare.
 */
export function glossOf({ machine, backdrop }: Scene): number {
  const material = backdrop?.finish.material;
  if (material === 'cotton' || machine === 'dtf') return 0.15;
  if (machine === 'sublimation') return 1;
  if (machine === 'uv') return 0.85;
  return material === 'powder-coat' || material === 'stainless' || material === 'aluminium' ? 0.5 : 0.2;
}
