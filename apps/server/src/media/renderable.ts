import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

/** The longer side of the trial, px: small enough to cost next to nothing. */
const TRIAL_SIDE_PX = 64;
/** The parts of an SVG that make the renderer fail. Plain outlines have none of them and need no trial. */
const LAYERED = /<(?:image|marker|mask|pattern|svg|symbol|filter|use)|opacity=|clip-path=|style=/;

let loading: Promise<void> | undefined;

async function load(): Promise<void> {
  const path = createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm');
  await initWasm(await readFile(path));
}

/**
 * Tries a sanitized SVG at a few pixels. The native renderer ends its process over drawings that it takes for
 * impossible; its WebAssembly build, the same code, throws instead, but takes three to six times as long for a whole
 * picture. Returns false for what threw.
 */
export async function isRenderable(svg: string): Promise<boolean> {
  if (!LAYERED.test(svg.slice(4))) return true;
  loading ??= load();
  await loading;
  try {
    const drawing = new Resvg(svg, {
      fitTo: { mode: isTall(svg) ? 'height' : 'width', value: TRIAL_SIDE_PX },
      font: { loadSystemFonts: false },
    });
    drawing.render().free();
    drawing.free();
    return true;
  } catch {
    return false;
  }
}

/** True for a sanitized SVG that is higher than wide. Its root has both sides in px. */
function isTall(svg: string): boolean {
  const root = svg.slice(0, svg.indexOf('>'));
  const sideOf = (pattern: RegExp): number => Number(pattern.exec(root)?.[1]);
  return sideOf(/ height="([^"]*)"/) > sideOf(/ width="([^"]*)"/);
}
