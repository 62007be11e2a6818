import type { Bitmap, Pixels } from './bitmap.ts';
import { readPixels } from './bitmap.ts';
import { traceBoundary } from './boundary.ts';
import type { Centerlines } from './centerline.ts';
import { traceCenterlines } from './centerline.ts';
import { fitChains } from './curves.ts';
import { despeckle } from './despeckle.ts';
import type { Drawing } from './drawing.ts';
import { drawEdges } from './edges.ts';
import { enlarge } from './enlarge.ts';
import { findGradients } from './gradients.ts';
import { applyInks } from './inks.ts';
import { quantize } from './labels.ts';
import { isLineArt } from './lineart.ts';
import { denoise, estimateNoise } from './noise.ts';
import type { Settings, VectorizeOptions } from './options.ts';
import { readOptions } from './options.ts';
import { paintOver } from './overpaint.ts';
import { findPage } from './page.ts';
import { findPalette } from './palette.ts';
import { isPhotograph } from './photograph.ts';
import { refineCurves } from './refine.ts';
import { findRegions } from './regions.ts';
import { snapShapes } from './shapes.ts';
import { assemble } from './stack.ts';
import { strokeOutlines, thinLines } from './stroke.ts';
import { findTones } from './tones.ts';
import { gatherVotes } from './votes.ts';

/** Noise below this many byte levels is left alone. */
const QUIET = 0.5;
/** Share of the noise that denoising leaves. */
const LEFT_OVER = 0.5;

/** What texture does to the edges of a photograph, in byte levels. */
const PHOTOGRAPH_NOISE = 6;

interface Held {
  inputs: readonly unknown[];
  value: unknown;
}

/**
 * Traces one bitmap again and again with other options, as a person moves a slider. What a stage made is kept, and made anew only when
 * something it was made from has changed; so the result is the one `vectorize` gives, to the byte.
 *
 * Holds about as much memory as one trace needs at its peak. The bitmap must not change while the tracer lives.
 */
export class Tracer {
  private readonly bitmap: Bitmap;
  private readonly held: Map<string, Held> | undefined;

  /** With `keep` false nothing is remembered between traces. */
  constructor(bitmap: Bitmap, keep = true) {
    this.bitmap = bitmap;
    this.held = keep ? new Map() : undefined;
  }

  /** Throws as `vectorize` does. */
  trace(options: VectorizeOptions = {}): Drawing {
    const stages = this.run(options);
    for (;;) {
      const step = stages.next();
      if (step.done) return step.value;
    }
  }

  /**
   * The same, giving way between stages: `pause` is awaited there, for instance until the next task of an event loop, so that
   * an abort can arrive in time.
   */
  async traceInSteps(options: VectorizeOptions, pause: () => Promise<void>): Promise<Drawing> {
    const stages = this.run(options);
    for (;;) {
      const step = stages.next();
      if (step.done) return step.value;
      await pause();
    }
  }

  /** The pipeline from top to bottom. Yields before each stage. */
  private *run(options: VectorizeOptions): Generator<void, Drawing, void> {
    const { bitmap } = this;
    const settings = readOptions(options, bitmap.width, bitmap.height);
    const enter = (stage: string, fraction: number): void => {
      if (options.signal?.aborted) throw Object.assign(new Error('Vectorizing was aborted.'), { name: 'AbortError' });
      options.onProgress?.(stage, fraction);
    };

    enter('read', 0);
    yield;
    const pixels = this.stage('read', [settings.colorMode], () => readPixels(bitmap, settings.colorMode));
    const { inks, minWidthPx } = settings;
    const isPainted = settings.colorMode !== 'monochrome' && (settings.draw === 'fill' || settings.draw === 'stroke');
    const isLimited = inks !== undefined || minWidthPx > 0; // what is made on a machine is flat art
    if (isPainted && !isLimited && this.stage('kind', [pixels], () => isPhotograph(pixels))) {
      return yield* this.runPhotograph(pixels, settings, enter);
    }
    enter('noise', 0.05);
    yield;
    const noise = this.stage('noise', [pixels], () => estimateNoise(pixels));
    const isNoisy = noise > QUIET;
    const calm = isNoisy ? this.stage('denoise', [pixels, noise], () => denoise(pixels, noise)) : pixels;
    const rest = isNoisy ? noise * LEFT_OVER : 0;
    enter('colors', 0.15);
    yield;
    const votes = this.stage('votes', [calm, rest, settings.colorMode], () =>
      gatherVotes(calm, rest, settings.colorMode),
    );
    const palette = this.stage('palette', [votes, settings.maxColors], () => findPalette(calm, votes, rest, settings));
    const found = this.stage('labels', [palette], () => quantize(calm, votes.kinds, palette, rest));
    const quantized = inks ? this.stage('inks', [found, settings.inksKey], () => applyInks(found, inks)) : found;
    enter('regions', 0.4);
    yield;
    const connected = this.stage('regions', [quantized], () =>
      findRegions(quantized.labels, pixels.width, pixels.height),
    );
    const clean = this.stage('despeckle', [connected, settings.minAreaPx, minWidthPx, rest], () =>
      despeckle(connected, quantized.palette, settings.minAreaPx, minWidthPx, rest),
    );
    const { regions, painted } = this.stage(
      'gradients',
      [clean, quantized, settings.gradients, settings.minAreaPx],
      () =>
        settings.gradients
          ? findGradients(calm, clean, quantized, rest, settings.minAreaPx)
          : { regions: clean, painted: quantized },
    );
    enter('boundary', 0.55);
    yield;
    const map = this.stage('boundary', [regions], () => traceBoundary(regions));
    enter('curves', 0.65);
    yield;
    const curves = this.stage('curves', [map, painted, noise, settings.tolerancePx, settings.toleranceScale], () =>
      fitChains(map, regions, painted, { ...settings, noise }),
    );
    let refined = curves;
    if (settings.refine) {
      enter('refine', 0.8);
      yield;
      refined = this.stage('refine', [map, curves, painted], () => refineCurves(map, curves, regions, painted, rest));
    }
    const regular = this.stage('shapes', [refined, settings.shapes], () =>
      settings.shapes ? snapShapes(map, refined, regions, painted, rest) : refined,
    );
    enter('stack', 0.9);
    yield;
    const page = findPage(regions, painted, settings);
    const isInk = (region: number): boolean => {
      const label = regions.labelOf[region];
      return label !== page.label && label !== painted.clear;
    };
    const lineArt = this.stage('line art', [regions, page.label], () => isLineArt(regions, isInk));
    const draw = settings.draw === 'outline' ? (lineArt ? 'centerline' : 'edges') : settings.draw;
    let lines: Centerlines | undefined;
    if (draw === 'centerline') {
      const { tolerancePx, toleranceScale } = settings;
      lines = this.stage('centerline', [regular, painted, noise, page.label, tolerancePx, toleranceScale], () =>
        traceCenterlines(regions, painted, isInk, map, regular, { tolerancePx, toleranceScale, noise: rest }),
      );
    }
    if (draw === 'edges') {
      enter('done', 1);
      return { width: map.width, height: map.height, lineArt, layers: drawEdges(map, regular, settings) };
    }
    const drawing: Drawing = { ...assemble(map, regular, regions, painted, settings, page, lines), lineArt };
    enter('done', 1);
    if (settings.draw === 'outline') return thinLines(drawing);
    return draw === 'stroke' ? strokeOutlines(drawing) : drawing;
  }

  /** A photograph has no palette and no edges to fit to a hundredth of a pixel: it is cut into regions that say the most for their bytes. */
  private *runPhotograph(
    pixels: Pixels,
    settings: Settings,
    enter: (stage: string, fraction: number) => void,
  ): Generator<void, Drawing, void> {
    enter('colors', 0.05);
    yield;
    const tones = this.stage('tones', [pixels, settings.maxTones, settings.minAreaPx], () =>
      findTones(pixels, settings),
    );
    const { width, height } = tones.measured;
    enter('regions', 0.6);
    yield;
    const regions = this.stage('regions', [tones], () => findRegions(tones.labels, width, height));
    enter('stack', 0.65);
    yield;
    let drawing: Drawing;
    if (settings.stacking === 'stacked' && settings.draw === 'fill') {
      drawing = paintOver(regions, tones, settings, pixels.width, pixels.height);
    } else {
      const map = this.stage('boundary', [regions], () => traceBoundary(regions));
      const curves = this.stage('curves', [map, tones, settings.tolerancePx, settings.toleranceScale], () =>
        fitChains(map, regions, tones, { ...settings, noise: PHOTOGRAPH_NOISE }),
      );
      const page = findPage(regions, tones, settings);
      drawing = assemble(map, curves, regions, tones, settings, page, undefined);
      drawing = enlarge(drawing, tones.scale, pixels.width, pixels.height);
    }
    enter('done', 1);
    return settings.draw === 'fill' || settings.draw === 'centerline' ? drawing : strokeOutlines(drawing);
  }

  /** What `make` made of these inputs the last time, or makes now. */
  private stage<T>(name: string, inputs: readonly unknown[], make: () => T): T {
    if (!this.held) return make();
    const held = this.held.get(name);
    if (held && held.inputs.length === inputs.length && held.inputs.every((input, k) => input === inputs[k])) {
      return held.value as T;
    }
    this.held.delete(name); // let go of the old before the new is made
    const value = make();
    this.held.set(name, { inputs, value });
    return value;
  }
}

/**
 * Turns a bitmap into a drawing of closed shapes. The same bitmap and options give the same drawing on every machine.
 *
 * Time and memory are linear in the pixels. Throws a RangeError for options or sizes out of range, and an error named
 * `AbortError` when `options.signal` is aborted between stages.
 */
export function vectorize(bitmap: Bitmap, options: VectorizeOptions = {}): Drawing {
  return new Tracer(bitmap, false).trace(options);
}
