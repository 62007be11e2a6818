/** This package and other open tracers behind one signature. The others are dev dependencies of the bench alone. */
import { createRequire } from 'node:module';
import type { Bitmap } from '../src/index.ts';
import { vectorize, writeSvg } from '../src/index.ts';

export type Trace = (bitmap: Bitmap) => string | Promise<string>;

const require = createRequire(import.meta.url);

export const OURS = 'this package';
export const POTRACE_MONO = 'Potrace, one color';
export const OTSU_POTRACE = 'Otsu + Potrace';

/** Each tracer with its default settings, and more decimals where it rounds coarsely. */
const LOADERS: Record<string, () => Promise<Trace>> = {
  [OURS]: async () => (bitmap) => writeSvg(vectorize(bitmap)),
  VTracer: async () => {
    const engine = await import('@neplex/vectorizer');
    const settings = {
      colorMode: 0,
      hierarchical: 0,
      filterSpeckle: 4,
      colorPrecision: 6,
      layerDifference: 16,
      mode: 2,
      cornerThreshold: 60,
      lengthThreshold: 4,
      maxIterations: 10,
      spliceThreshold: 45,
      pathPrecision: 3,
    };
    return ({ width, height, data }) => engine.vectorizeRaw(Buffer.from(data), { width, height }, settings);
  },
  ImageTracerJS: async () => {
    const engine = require('imagetracerjs');
    return (bitmap) => engine.imagedataToSVG(bitmap, { viewbox: true, roundcoords: 2 });
  },
  'Potrace, color layers': () => loadPotrace({ extractcolors: true, posterizelevel: 8, posterizationalgorithm: 0 }),
  [POTRACE_MONO]: () => loadPotrace({ extractcolors: false, posterizelevel: 2, posterizationalgorithm: 0 }),
  [OTSU_POTRACE]: loadOtsu,
};

/** Those that draw colors as they are given, or one of them. */
export const TRACERS = Object.keys(LOADERS).filter((name) => name !== OTSU_POTRACE);

/** Loads a tracer. Returns undefined, with a line on the console, when it is not installed. */
export async function loadTracer(name: string): Promise<Trace | undefined> {
  try {
    return await LOADERS[name]();
  } catch {
    console.error(`${name} is not installed and is left out.`);
    return undefined;
  }
}

/** Loads Potrace, compiled to WebAssembly. It expects the globals of a page. */
async function loadPotrace(colors: Record<string, unknown>): Promise<Trace> {
  const host = globalThis as Record<string, unknown>;
  host.ImageData ??= class {
    data: unknown;
    width: number;
    height: number;
    constructor(data: unknown, width: number, height: number) {
      this.data = data;
      this.width = width;
      this.height = height;
    }
  };
  host.__dirname ??= '.';
  host.require ??= require;
  const engine = await import('esm-potrace-wasm');
  await engine.init();
  const Picture = host.ImageData as new (...args: unknown[]) => never;
  const settings = { turdsize: 2, turnpolicy: 4, alphamax: 1, opticurve: 1, opttolerance: 0.2, pathonly: false };
  return async ({ width, height, data }) => {
    const picture = new Picture(new Uint8ClampedArray(data), width, height);
    const svg: unknown = await engine.potrace(picture, { ...settings, ...colors } as never);
    return svg as string; // a list of paths only with `pathonly`
  };
}

/** Cuts at the level of Otsu (1979), which spreads the two sides most, and hands the result to Potrace. */
async function loadOtsu(): Promise<Trace> {
  const { default: sharp } = await import('sharp');
  const potrace = await LOADERS[POTRACE_MONO]();
  return async ({ width, height, data }) => {
    const raw = { raw: { width, height, channels: 4 as const } };
    const gray = await sharp(data, raw).removeAlpha().grayscale().raw().toBuffer();
    const counts = new Float64Array(256);
    for (const level of gray) counts[level]++;
    let total = 0;
    for (let v = 0; v < 256; v++) total += v * counts[v];
    let [below, sum, best, cut] = [0, 0, -1, 128];
    for (let v = 0; v < 256; v++) {
      below += counts[v];
      sum += v * counts[v];
      const above = gray.length - below;
      if (below === 0 || above === 0) continue;
      const spread = below * above * (sum / below - (total - sum) / above) ** 2;
      if (spread <= best) continue;
      best = spread;
      cut = v;
    }
    const cutData = new Uint8ClampedArray(data.length).fill(255);
    for (let p = 0; p < gray.length; p++) cutData.fill(gray[p] <= cut ? 0 : 255, p * 4, p * 4 + 3);
    return potrace({ width, height, data: cutData });
  };
}
