import type { LabelMap } from '../color/labels.ts';
import type { Settings } from '../options.ts';
import type { Pixels } from '../pixels/bitmap.ts';
import { findOpenBorder } from './page.ts';
import type { Regions } from './regions.ts';
import { findRegions } from './regions.ts';

/** Width of the margin, in px: outlines are located by pixels within three of them. */
const MARGIN = 4;
/** A larger picture has no margin, because a copy of its pixels would take too much memory. */
const MOST_PIXELS = 8_000_000;
/**
 * In noise, the margin also keeps a gradient that touches the border from the page there, and the largest pictures are
 * reduced before: see `reduceNoisy.ts`.
 */
const MOST_NOISY_PIXELS = 24_000_000;
/** Where most of the page's pixels along the border differ by more than this, in byte levels, it is no flat color. */
const MOST_SHADE = 1.5;

interface LabeledRegions {
  pixels: Pixels;
  regions: Regions;
  labelMap: LabelMap;
}

/**
 * Puts a margin of the page's color around a picture whose art touches its border. An outline that touches the border
 * is then located like any other: without the margin it would end there, follow the border, and leave it with a corner
 * at each end. Other pictures stay as they are, with a margin of 0 px. `noise` is in byte levels. Linear in pixels.
 */
export function addMargin(
  picture: LabeledRegions,
  noise: number,
  colorMode: Settings['colorMode'],
): LabeledRegions & { margin: number } {
  const { pixels, regions, labelMap } = picture;
  const { width, height, labels } = regions;
  const most = noise > 0 ? MOST_NOISY_PIXELS : MOST_PIXELS;
  const label = width * height > most ? -1 : findOpenBorder(regions, labelMap, colorMode);
  if (label < 0 || !touchesBorder(regions, label)) return { ...picture, margin: 0 };
  const color = colorOfBorder(pixels, regions, label);
  if (!isFlat(picture, label, color, MOST_SHADE + noise)) return { ...picture, margin: 0 };
  const wide = width + 2 * MARGIN;
  const high = height + 2 * MARGIN;
  const wideLabels = new Uint16Array(wide * high).fill(label);
  for (let y = 0; y < height; y++) {
    wideLabels.set(labels.subarray(y * width, (y + 1) * width), (y + MARGIN) * wide + MARGIN);
  }
  const { mixPixels } = labelMap;
  const widePixels = widen(pixels, color);
  const wideMixPixels = mixPixels === pixels ? widePixels : widen(mixPixels, colorOfBorder(mixPixels, regions, label));
  return {
    pixels: widePixels,
    regions: findRegions(wideLabels, wide, high),
    labelMap: { ...labelMap, labels: wideLabels, mixPixels: wideMixPixels },
    margin: MARGIN,
  };
}

/** Returns the pixels within a margin of a color. */
function widen(pixels: Pixels, color: Uint8Array): Pixels {
  const { width, height } = pixels;
  const wide = width + 2 * MARGIN;
  const high = height + 2 * MARGIN;
  const data = new Uint8ClampedArray(4 * wide * high);
  data.set(color);
  const words = new Uint32Array(data.buffer);
  words.fill(words[0]);
  for (let y = 0; y < height; y++) {
    const row = pixels.data.subarray(4 * y * width, 4 * (y + 1) * width);
    data.set(row, 4 * ((y + MARGIN) * wide + MARGIN));
  }
  return { ...pixels, width: wide, height: high, data };
}

function touchesBorder(regions: Regions, label: number): boolean {
  let isTouching = false;
  forEachBorderPixel(regions, (p) => {
    if (regions.labels[p] !== label) isTouching = true;
  });
  return isTouching;
}

/**
 * Returns the median color of a label's pixels along the border, RGBA. In one ink, the label's own color is the mean of
 * all that is light, and may be far from it.
 */
function colorOfBorder({ data }: Pixels, regions: Regions, label: number): Uint8Array {
  const counts = new Uint32Array(4 * 256);
  let total = 0;
  forEachBorderPixel(regions, (p) => {
    if (regions.labels[p] !== label) return;
    for (let c = 0; c < 4; c++) counts[256 * c + data[4 * p + c]]++;
    total++;
  });
  return Uint8Array.from({ length: 4 }, (_, c) => {
    let value = 0;
    for (let below = counts[256 * c]; 2 * below < total; below += counts[256 * c + value]) value++;
    return value;
  });
}

/** Returns true when most of a label's pixels along the border have this color, within so many byte levels. */
function isFlat({ pixels: { data }, regions }: LabeledRegions, label: number, color: Uint8Array, most: number) {
  let surplus = 0;
  forEachBorderPixel(regions, (p) => {
    if (regions.labels[p] !== label) return;
    let isNear = true;
    for (let c = 0; c < 4; c++) if (Math.abs(data[4 * p + c] - color[c]) > most) isNear = false;
    surplus += isNear ? 1 : -1;
  });
  return surplus > 0;
}

function forEachBorderPixel({ width, height }: Regions, visit: (pixel: number) => void): void {
  for (let x = 0; x < width; x++) {
    visit(x);
    visit((height - 1) * width + x);
  }
  for (let y = 1; y + 1 < height; y++) {
    visit(y * width);
    visit(y * width + width - 1);
  }
}
