/** This package and other open tracers behind one signature. The others are dev dependencies of the bench alone. */
import { createRequire } from 'node:module';
import type { Bitmap } from '../src/index.ts';
import { vectorize, writeSvg } from '../src/index.ts';

export type Trace = (bitmap: Bitmap) => string | Promise<string>;

const require = createRequire(import.meta.url);

export const OURS = 'this package';
export const POTRACE_MONO = 'Potrace, one color';

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
};

export const TRACERS = Object.keys(LOADERS);

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
