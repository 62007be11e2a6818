import { drawEdges } from './assemble/edges.ts';
import { enlarge } from './assemble/enlarge.ts';
import { dissolve, joinLabels, repaint } from './assemble/repaint.ts';
import { assemble } from './assemble/stack.ts';
import { strokeOutlines, thinLines } from './assemble/stroke.ts';
import { traceBoundary } from './boundary/boundary.ts';
import type { Centerlines } from './centerline/centerline.ts';
import { traceCenterlines } from './centerline/centerline.ts';
import { applyInks } from './color/inks.ts';
import { quantize } from './color/labels.ts';
import type { Palette } from './color/palette.ts';
import { findPalette } from './color/palette.ts';
import { classifyPixels, gatherVotes } from './color/votes.ts';
import type { Drawing } from './drawing.ts';
import { fitChains } from './fit/curves.ts';
import type { Settings, VectorizeOptions } from './options.ts';
import { readOptions } from './options.ts';
import { paintOver } from './photo/overpaint.ts';
import { isPhotograph } from './photo/photograph.ts';
import { findTones } from './photo/tones.ts';
import type { Bitmap, Pixels } from './pixels/bitmap.ts';
import { readPixels, reduce } from './pixels/bitmap.ts';
import { cutAt } from './pixels/cut.ts';
import { denoise, estimateNoise } from './pixels/noise.ts';
import { refineCurves } from './refine/refine.ts';
import { snapShapes } from './refine/shapes.ts';
import { despeckle } from './regions/despeckle.ts';
import { isLineArt } from './regions/lineart.ts';
import { findPage } from './regions/page.ts';
import type { Regions } from './regions/regions.ts';
import { findRegions } from './regions/regions.ts';
import { findGradients } from './shading/gradients.ts';

/** Noise below this many byte levels is left alone. */
const QUIET = 0.5;
/** Share of the noise that denoising leaves. */
const LEFT_OVER = 0.5;

/** Sketches of larger bitmaps are made from a copy reduced to at most this many pixels, which keeps them quick whatever the size. */
const SKETCH_PIXELS = 300_000;
/** The same for a photograph, whose regions cost more. */
const SKETCH_PHOTOGRAPH_PIXELS = 120_000;

/** What texture does to the edges of a photograph, in byte levels. */
const PHOTOGRAPH_NOISE = 6;

interface Held {
  inputs: readonly unknown[];
  value: unknown;
}

/** What the stages made the last time. */
class Kept {
  private readonly held: Map<string, Held> | undefined;

  constructor(keep: boolean) {
    this.held = keep ? new Map() : undefined;
  }

  /**
   * What `make` made of these inputs the last time, or makes now. Where `isSame` finds the new as it was, the old stays, so that
   * nothing after it is made anew.
   */
  stage<T>(name: string, inputs: readonly unknown[], make: () => T, isSame?: (old: T, made: T) => boolean): T {
    if (!this.held) return make();
    const held = this.held.get(name);
    if (held && held.inputs.length === inputs.length && held.inputs.every((input, k) => input === inputs[k])) {
      return held.value as T;
    }
    if (!isSame) this.held.delete(name); // let go of the old before the new is made
    let value = make();
    // What was made from another picture or other colours may be equal by chance, and yet not the same.
    if (held && isSame && held.inputs[0] === inputs[0] && isSame(held.value as T, value)) value = held.value as T;
    this.held.set(name, { inputs, value });
    return value;
  }
}

/**
 * Traces one bitmap again and again with other options, as a person moves a slider. What a stage made is kept, and made anew only when
 * something it was made from has changed; so the result is the one `vectorize` gives, to the byte.
 *
 * Holds about as much memory as one trace needs at its peak. The bitmap must not change while the tracer lives.
 */
export class Tracer {
  private readonly bitmap: Bitmap;
  private readonly kept: Kept;
  /** Of sketches, as far as they go their own way. */
  private readonly keptSketch: Kept;

  /** With `keep` false nothing is remembered between traces. */
  constructor(bitmap: Bitmap, keep = true) {
    this.bitmap = bitmap;
    this.kept = new Kept(keep);
    this.keptSketch = new Kept(keep);
  }

  /** Throws as `vectorize` does. */
  trace(options: VectorizeOptions = {}): Drawing {
    return complete(this.runTrace(options));
  }

  /**
   * What `trace` will give, roughly and soon, to be looked at while an option is being moved. It has neither gradients nor exact shapes,
   * and its curves are not refined. The colours are found in the whole bitmap; where it has more than 300,000 pixels, a photograph more
   * than 120,000, outlines are found in a copy reduced by the least whole number that makes it no larger, so lines of one or two
   * pixels may be broken. Sizes and coordinates are those of the bitmap. Deterministic like a trace. After the first one,
   * another costs about the same for any size. Throws as `vectorize` does.
   */
  sketch(options: VectorizeOptions = {}): Drawing {
    return complete(this.runSketch(options));
  }

  /**
   * The same, giving way between stages: `pause` is awaited there, for instance until the next task of an event loop, so that
   * an abort can arrive in time.
   */
  traceInSteps(options: VectorizeOptions, pause: () => Promise<void>): Promise<Drawing> {
    return completeInSteps(this.runTrace(options), pause);
  }

  /** `sketch`, giving way in the same way. */
  sketchInSteps(options: VectorizeOptions, pause: () => Promise<void>): Promise<Drawing> {
    return completeInSteps(this.runSketch(options), pause);
  }

  private read(options: VectorizeOptions): Settings {
    return readOptions(options, this.bitmap.width, this.bitmap.height);
  }

  private *runTrace(options: VectorizeOptions): Generator<void, Drawing, void> {
    const settings = this.read(options);
    const drawing = yield* this.run(settings, options, this.kept, 1);
    return settings.lineWidthPx === undefined ? drawing : thinLines(drawing, settings.lineWidthPx);
  }

  private *runSketch(options: VectorizeOptions): Generator<void, Drawing, void> {
    const { width, height } = this.bitmap;
    const settings = this.read(options);
    const most = this.showsPhotograph(settings) ? SKETCH_PHOTOGRAPH_PIXELS : SKETCH_PIXELS;
    const scale = Math.ceil(Math.sqrt((width * height) / most));
    const { tolerancePx } = settings;
    const rough: Settings = {
      ...settings,
      minAreaPx: settings.minAreaPx / (scale * scale),
      minWidthPx: settings.minWidthPx / scale,
      tolerancePx: tolerancePx === undefined ? undefined : tolerancePx / scale,
      gradients: false,
      shapes: false,
      refine: false,
    };
    const drawing = enlarge(yield* this.run(rough, options, this.keptSketch, scale), scale, width, height);
    if (settings.lineWidthPx !== undefined) return thinLines(drawing, settings.lineWidthPx);
    // Lines to follow are a pixel of the bitmap wide; drawn lines have the width they have.
    return settings.draw === 'fill' || settings.draw === 'centerline' ? drawing : thinLines(drawing);
  }

  private pixels({ colorMode }: Settings): Pixels {
    return this.kept.stage('read', [colorMode], () => readPixels(this.bitmap, colorMode));
  }

  /** Whether the bitmap is to be drawn as a photograph is. What is made on a machine is flat art. */
  private showsPhotograph(settings: Settings): boolean {
    const isPainted = settings.colorMode !== 'monochrome' && (settings.draw === 'fill' || settings.draw === 'stroke');
    if (!isPainted || settings.inks || settings.minWidthPx > 0) return false;
    const pixels = this.pixels(settings);
    return this.kept.stage('kind', [pixels], () => isPhotograph(pixels));
  }

  /**
   * The pipeline from top to bottom. Yields before each stage. From the labels on it works on a copy reduced by `scale`, gives a drawing
   * of that size, and `kept` keeps what it makes; `settings` are in pixels of the copy.
   */
  private *run(
    settings: Settings,
    options: Pick<VectorizeOptions, 'onProgress' | 'signal'>,
    kept: Kept,
    scale: number,
  ): Generator<void, Drawing, void> {
    const enter = (stage: string, fraction: number): void => {
      if (options.signal?.aborted) throw Object.assign(new Error('Vectorizing was aborted.'), { name: 'AbortError' });
      options.onProgress?.(stage, fraction);
    };

    enter('read', 0);
    yield;
    const whole = this.pixels(settings);
    const { inks, minWidthPx, threshold } = settings;
    if (this.showsPhotograph(settings)) {
      const pixels = scale > 1 ? kept.stage('copy', [whole, scale], () => reduce(whole, scale)) : whole;
      return yield* this.runPhotograph(pixels, settings, enter, kept);
    }
    enter('noise', 0.05);
    yield;
    const { noise, isLossy } = this.kept.stage('noise', [whole], () => estimateNoise(whole));
    const isNoisy = noise > QUIET;
    const smooth = isNoisy ? this.kept.stage('denoise', [whole, noise], () => denoise(whole, noise)) : whole;
    let calm = smooth;
    if (threshold !== undefined) {
      // Two tones need no votes of the whole picture: a sketch cuts its copy.
      const copy = scale > 1 ? kept.stage('uncut copy', [smooth, scale], () => reduce(smooth, scale)) : smooth;
      calm = kept.stage('cut', [copy, threshold], () => cutAt(copy, threshold));
    }
    const left = isNoisy ? noise * LEFT_OVER : 0;
    enter('colors', 0.15);
    yield;
    const tones = threshold === undefined ? this.kept : kept; // of the picture that the colours are found in
    const votes = tones.stage('votes', [calm, left, settings.colorMode], () =>
      gatherVotes(calm, left, settings.colorMode),
    );
    const palette = tones.stage(
      'palette',
      [votes, settings.maxColors],
      () => findPalette(calm, votes, left, settings),
      isSamePalette,
    );
    const isCopied = scale > 1 && threshold === undefined;
    const pixels = isCopied ? kept.stage('copy', [calm, scale], () => reduce(calm, scale)) : calm;
    const rest = left / scale; // of means of so many pixels
    const grain = noise / scale;
    const kinds = scale > 1 ? kept.stage('kinds', [pixels, rest], () => classifyPixels(pixels, rest)) : votes.kinds;
    const found = kept.stage('labels', [palette, pixels], () => quantize(pixels, kinds, palette, rest));
    const quantized = inks ? kept.stage('inks', [found, settings.inksKey], () => applyInks(found, inks)) : found;
    enter('regions', 0.4);
    yield;
    const connected = kept.stage('regions', [quantized], () =>
      findRegions(quantized.labels, pixels.width, pixels.height),
    );
    const clean = kept.stage(
      'despeckle',
      [connected, settings.minAreaPx, minWidthPx, rest],
      () => despeckle(connected, quantized, settings.minAreaPx, minWidthPx, rest),
      areSameRegions,
    );
    const { regions: cut, painted } = kept.stage(
      'gradients',
      [clean, quantized, settings.gradients, settings.minAreaPx],
      () =>
        settings.gradients
          ? findGradients(pixels, clean, quantized, rest, settings.minAreaPx)
          : { regions: clean, painted: quantized },
    );
    enter('boundary', 0.55);
    yield;
    const traced = kept.stage('boundary', [cut], () => traceBoundary(cut));
    enter('curves', 0.65);
    yield;
    const fitted = kept.stage('curves', [traced, painted, grain, settings.tolerancePx, settings.toleranceScale], () =>
      fitChains(traced, cut, painted, { ...settings, noise: grain, isLossy }),
    );
    let refined = fitted;
    if (settings.refine) {
      enter('refine', 0.8);
      yield;
      refined = kept.stage('refine', [traced, fitted, painted], () => refineCurves(traced, fitted, cut, painted, rest));
    }
    const regular = kept.stage('shapes', [refined, settings.shapes], () =>
      settings.shapes ? snapShapes(traced, refined, cut, painted, rest) : refined,
    );
    enter('stack', 0.9);
    yield;
    const drawn = kept.stage('repaint', [painted, settings.repaintKey], () =>
      settings.repaint ? repaint(painted, settings.repaint) : painted,
    );
    const { map, curves, regions } = kept.stage('dissolve', [traced, regular, drawn], () =>
      drawn.paints ? dissolve(traced, regular, cut, drawn) : { map: traced, curves: regular, regions: cut },
    );
    const page = findPage(regions, drawn, settings);
    const isInk = (region: number): boolean => {
      const label = regions.labelOf[region];
      return label !== page.label && label !== painted.clear && drawn.paints?.[label] !== null;
    };
    const lineArt = kept.stage('line art', [regions, drawn, page.label], () => isLineArt(regions, isInk));
    const draw = settings.draw === 'outline' ? (lineArt ? 'centerline' : 'edges') : settings.draw;
    let lines: Centerlines | undefined;
    if (draw === 'centerline') {
      const { tolerancePx, toleranceScale } = settings;
      lines = kept.stage('centerline', [curves, drawn, rest, page.label, tolerancePx, toleranceScale], () =>
        traceCenterlines(regions, painted, isInk, map, curves, { tolerancePx, toleranceScale, noise: rest }),
      );
    }
    if (draw === 'edges') {
      enter('done', 1);
      return {
        width: map.width,
        height: map.height,
        lineArt,
        layers: drawEdges(map, curves, settings, drawn.paints && page.open),
      };
    }
    const drawing: Drawing = { ...assemble(map, curves, regions, drawn, settings, page, lines), lineArt };
    enter('done', 1);
    if (settings.draw === 'outline') return thinLines(drawing);
    return draw === 'stroke' ? strokeOutlines(drawing) : drawing;
  }

  /** A photograph has no palette and no edges to fit to a hundredth of a pixel: it is cut into regions that say the most for their bytes. */
  private *runPhotograph(
    pixels: Pixels,
    settings: Settings,
    enter: (stage: string, fraction: number) => void,
    kept: Kept,
  ): Generator<void, Drawing, void> {
    enter('colors', 0.05);
    yield;
    const tones = kept.stage('tones', [pixels, settings.maxTones, settings.minAreaPx], () =>
      findTones(pixels, settings),
    );
    const { width, height } = tones.measured;
    enter('regions', 0.6);
    yield;
    const drawn = kept.stage('repaint', [tones, settings.repaintKey], () =>
      settings.repaint ? repaint(tones, settings.repaint) : tones,
    );
    const isPainter = settings.stacking === 'stacked' && settings.draw === 'fill';
    // What is painted over is cut by what is seen; what abuts is fitted first.
    const labels = isPainter && settings.repaint ? joinLabels(tones.labels, drawn) : tones.labels;
    const cut = kept.stage('regions', [tones, isPainter && settings.repaintKey], () =>
      findRegions(labels, width, height),
    );
    enter('stack', 0.65);
    yield;
    let drawing: Drawing;
    if (isPainter) {
      drawing = paintOver(cut, drawn, settings, pixels.width, pixels.height);
    } else {
      const traced = kept.stage('boundary', [cut], () => traceBoundary(cut));
      const fitted = kept.stage('curves', [traced, tones, settings.tolerancePx, settings.toleranceScale], () =>
        fitChains(traced, cut, tones, { ...settings, noise: PHOTOGRAPH_NOISE, isLossy: false }),
      );
      const { map, curves, regions } = settings.repaint
        ? dissolve(traced, fitted, cut, drawn)
        : { map: traced, curves: fitted, regions: cut };
      const page = findPage(regions, drawn, settings);
      drawing = assemble(map, curves, regions, drawn, settings, page, undefined);
      drawing = enlarge(drawing, tones.scale, pixels.width, pixels.height);
    }
    enter('done', 1);
    return settings.draw === 'fill' || settings.draw === 'centerline' ? drawing : strokeOutlines(drawing);
  }
}

function isSamePalette(a: Palette, b: Palette): boolean {
  return a.clear === b.clear && a.count === b.count && a.palette.every((value, k) => value === b.palette[k]);
}

/** Of regions cut from the same picture with the same palette: numbered in scan order, so equal labels are enough. */
function areSameRegions({ labels: a }: Regions, { labels: b }: Regions): boolean {
  for (let p = 0; p < a.length; p++) if (a[p] !== b[p]) return false;
  return true;
}

function complete(stages: Generator<void, Drawing, void>): Drawing {
  for (;;) {
    const step = stages.next();
    if (step.done) return step.value;
  }
}

async function completeInSteps(stages: Generator<void, Drawing, void>, pause: () => Promise<void>): Promise<Drawing> {
  for (;;) {
    const step = stages.next();
    if (step.done) return step.value;
    await pause();
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
