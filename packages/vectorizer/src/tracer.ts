/**
 * The pipeline from pixels to a drawing: the stages as pure functions of their inputs, the cache of their last results,
 * and the runs that call them in order. It is one file of more than 500 lines because a change of a stage's inputs
 * changes its declaration and the run that calls it.
 */

import { cutMargin } from './assemble/cutMargin.ts';
import { drawEdges } from './assemble/edges.ts';
import { enlarge } from './assemble/enlarge.ts';
import { cutChainLoops, cutRingLoops } from './assemble/loops.ts';
import { dissolve, joinLabels, repaint } from './assemble/repaint.ts';
import { assemble } from './assemble/stack.ts';
import { strokeOutlines, thinLines } from './assemble/stroke.ts';
import type { BoundaryMap } from './boundary/boundary.ts';
import { traceBoundary } from './boundary/boundary.ts';
import { traceCenterlines } from './centerline/centerline.ts';
import { applyInks } from './color/inks.ts';
import type { LabelMap } from './color/labels.ts';
import { quantize } from './color/labels.ts';
import type { Palette } from './color/palette.ts';
import { findPaints, findPalette } from './color/palette.ts';
import { addSmallAreas } from './color/smallAreas.ts';
import type { Grays, TwoTones } from './color/twoTones.ts';
import { drawTwoTones, findGrays, findTwoTones, labelGrays } from './color/twoTones.ts';
import type { Votes } from './color/votes.ts';
import { classifyPixels, gatherVotes } from './color/votes.ts';
import type { Drawing } from './drawing.ts';
import type { CurveMap, CurveSettings } from './fit/curves.ts';
import { fitChains } from './fit/curves.ts';
import { smoothJoints } from './fit/joints.ts';
import { mergeChains, mergeTolerance } from './fit/merge.ts';
import { giveBack, lendMemory, withOwnMemory } from './geometry/memory.ts';
import type { Curve } from './geometry/segment.ts';
import type { CameraPicture } from './light/light.ts';
import { drawFlat, drawInks, readCamera } from './light/light.ts';
import type { Ink, ListOption, Repaint, Settings, VectorizeOptions } from './options.ts';
import { isListOption, readOptions } from './options.ts';
import { paintOver } from './photo/overpaint.ts';
import { isPhotograph } from './photo/photograph.ts';
import type { Tones } from './photo/tones.ts';
import { findTones, scaleOfPhotograph } from './photo/tones.ts';
import type { Bitmap, Pixels } from './pixels/bitmap.ts';
import { readPixels, reduce } from './pixels/bitmap.ts';
import { cutAt } from './pixels/cut.ts';
import { denoise, estimateNoise } from './pixels/noise.ts';
import { NOISY_SCALE, reduceNoisy } from './pixels/reduceNoisy.ts';
import { refineCurves } from './refine/refine.ts';
import { snapDistance, snapShapes } from './refine/shapes.ts';
import { despeckle } from './regions/despeckle.ts';
import { isLineArt } from './regions/lineart.ts';
import { addMargin } from './regions/margin.ts';
import { findPage } from './regions/page.ts';
import type { Regions } from './regions/regions.ts';
import { findRegions } from './regions/regions.ts';
import { regularize } from './regular/regular.ts';
import type { ShadedPicture } from './shading/gradients.ts';
import { findGradients } from './shading/gradients.ts';

/** Noise below this many byte levels is not removed. */
const QUIET = 0.5;
/** Share of the noise that is left after denoising. */
const REMAINING_NOISE = 0.5;

/** A sketch of a larger bitmap is traced from a copy of at most this many pixels, so it is quick at any size. */
const SKETCH_PIXELS = 300_000;
/** The same limit for a photograph, whose regions cost more. */
const SKETCH_PHOTOGRAPH_PIXELS = 120_000;

/** Byte levels by which texture disturbs the edges of a photograph. */
const PHOTOGRAPH_NOISE = 6;

/** Pixels by which a curve may miss the edges in a camera's picture, which waver by as much. */
const CAMERA_TOLERANCE = 0.5;
/** Pixels by which an exact shape may miss them: it follows their waver less than a curve does. */
const CAMERA_WAVER = 0.2;
/** Square pixels of a speck in such a picture. */
const CAMERA_SPECK = 5;

/**
 * A stage of the pipeline. `run` is a pure function of its inputs: the stages below are declared outside the tracer, so
 * they cannot read its bitmap or its settings. The cache compares every input, so a cached result is never stale.
 */
interface Stage<Inputs extends object, Result> {
  name: string;
  run(inputs: Inputs): Result;
  /**
   * Compares a new result with the last one. When they are equal, the cache returns the last one, so the stages after
   * it need not run again. It is called only when the input `source` is the same object: results from different sources
   * may be equal by chance and mean different things.
   */
  reuse?: { source: keyof Inputs; isEqual(last: Result, next: Result): boolean };
}

function stage<Inputs extends object, Result>(
  name: string,
  run: (inputs: Inputs) => Result,
  reuse?: Stage<Inputs, Result>['reuse'],
): Stage<Inputs, Result> {
  return { name, run, reuse };
}

/** Tells a camera's picture of a drawing from all others, for which the result is undefined. */
const lightStage = stage('light', ({ bitmap, isSure }: { bitmap: Bitmap; isSure: boolean }) =>
  readCamera(bitmap, isSure),
);
const withoutLightStage = stage(
  'without light',
  ({ camera, isOneInk, isCut }: { camera: CameraPicture; isOneInk: boolean; isCut: boolean }) =>
    isCut ? drawFlat(camera) : drawInks(camera, isOneInk),
);
const reduceNoisyStage = stage('reduce noisy', ({ bitmap }: { bitmap: Bitmap }) => reduceNoisy(bitmap));
const readStage = stage('read', ({ bitmap, colorMode }: { bitmap: Bitmap; colorMode: Settings['colorMode'] }) =>
  readPixels(bitmap, colorMode),
);
/**
 * The kind of a picture is that of its own colors in every color mode: in grays, a photograph with little contrast
 * passes for art, and its trace as art takes ten times as long.
 */
const kindStage = stage('kind', ({ bitmap }: { bitmap: Bitmap }) => isPhotograph(bitmap));
const noiseStage = stage('noise', ({ pixels }: { pixels: Pixels }) => estimateNoise(pixels));
const denoiseStage = stage('denoise', ({ pixels, noise }: { pixels: Pixels; noise: number }) => denoise(pixels, noise));
const copyStage = stage('copy', ({ pixels, scale }: { pixels: Pixels; scale: number }) => reduce(pixels, scale));
const uncutCopyStage = stage('uncut copy', copyStage.run);
const photographStage = stage('photograph copy', copyStage.run);
const cutStage = stage('cut', ({ pixels, level }: { pixels: Pixels; level: number }) => cutAt(pixels, level));
const votesStage = stage(
  'votes',
  ({ pixels, noise, colorMode }: { pixels: Pixels; noise: number; colorMode: Settings['colorMode'] }) =>
    gatherVotes(pixels, noise, colorMode),
);
/** Votes of a picture that was cut at a level. Those before the cut tell whether it has several grays. */
const cutVotesStage = stage('cut votes', votesStage.run);
interface PaletteInputs {
  pixels: Pixels;
  votes: Votes;
  noise: number;
  maxColors: number;
  /** The colors of a picture that was drawn in known ones. */
  paints: ArrayLike<number> | undefined;
}
const paletteStage = stage(
  'palette',
  ({ pixels, votes, noise, maxColors, paints }: PaletteInputs) =>
    votes.tones
      ? findTwoTones(pixels, votes)
      : ((paints && findPaints(pixels, paints, maxColors)) ?? findPalette(pixels, votes, noise, maxColors)),
  { source: 'votes', isEqual: isEqualPalette },
);
const graysStage = stage('grays', ({ pixels, votes, noise }: { pixels: Pixels; votes: Votes; noise: number }) =>
  findGrays(pixels, votes, noise),
);
interface GrayPicture {
  pixels: Pixels;
  kinds: Uint8Array;
  grays: Grays;
  noise: number;
}
const grayLabelsStage = stage('gray labels', ({ pixels, kinds, grays, noise }: GrayPicture) =>
  labelGrays(pixels, kinds, grays, noise),
);
interface TwoTonesInputs extends GrayPicture {
  labels: Uint16Array;
  threshold: number | undefined;
}
const twoTonesStage = stage('two tones', ({ pixels, kinds, grays, labels, noise, threshold }: TwoTonesInputs) =>
  drawTwoTones(pixels, kinds, grays, labels, noise, threshold),
);
const kindsStage = stage('kinds', ({ pixels, noise }: { pixels: Pixels; noise: number }) =>
  classifyPixels(pixels, noise),
);
const labelsStage = stage(
  'labels',
  ({ pixels, kinds, palette, noise }: { pixels: Pixels; kinds: Uint8Array; palette: Palette; noise: number }) =>
    quantize(pixels, kinds, palette, noise),
);
const smallAreasStage = stage(
  'small areas',
  ({ pixels, labelMap, noise, maxColors }: { pixels: Pixels; labelMap: LabelMap; noise: number; maxColors: number }) =>
    addSmallAreas(pixels, labelMap, noise, maxColors),
  { source: 'labelMap', isEqual: isEqualPalette },
);
const newLabelsStage = stage('new labels', labelsStage.run);
const inksStage = stage('inks', ({ labelMap, inks }: { labelMap: LabelMap; inks: ListOption<Ink> }) =>
  applyInks(labelMap, inks.list),
);
const regionsStage = stage('regions', ({ labelMap }: { labelMap: LabelMap }) =>
  findRegions(labelMap.labels, labelMap.mixPixels.width, labelMap.mixPixels.height),
);

interface DespeckleInputs {
  regions: Regions;
  labelMap: LabelMap;
  minAreaPx: number;
  minWidthPx: number;
  noise: number;
}
const despeckleStage = stage(
  'despeckle',
  ({ regions, labelMap, minAreaPx, minWidthPx, noise }: DespeckleInputs) =>
    despeckle(regions, labelMap, minAreaPx, minWidthPx, noise),
  { source: 'regions', isEqual: areEqualRegions },
);

interface MarginInputs {
  pixels: Pixels;
  regions: Regions;
  labelMap: LabelMap;
  noise: number;
  colorMode: Settings['colorMode'];
}
const marginStage = stage('margin', ({ noise, colorMode, ...picture }: MarginInputs) =>
  addMargin(picture, noise, colorMode),
);
const gradientsStage = stage('gradients', (inputs: ShadedPicture) => findGradients(inputs));
const boundaryStage = stage('boundary', ({ regions }: { regions: Regions }) => traceBoundary(regions));

interface MapInputs {
  map: BoundaryMap;
  regions: Regions;
  paintMap: LabelMap;
}
const curvesStage = stage('curves', ({ map, regions, paintMap, ...settings }: MapInputs & CurveSettings) =>
  fitChains(map, regions, paintMap, settings),
);
interface CurveInputs extends MapInputs {
  curves: Curve[];
  noise: number;
}
const refineStage = stage('refine', ({ paintMap, noise, steps, ...curveMap }: CurveInputs & { steps: number }) =>
  refineCurves(curveMap, paintMap, noise, steps),
);
const shapesStage = stage('shapes', ({ paintMap, noise, waver, ...curveMap }: CurveInputs & { waver: number }) =>
  snapShapes(curveMap, paintMap, noise, waver),
);
const mergeStage = stage(
  'merge',
  ({ curves, map, tolerancePx }: { curves: Curve[]; map: BoundaryMap; tolerancePx: number }) =>
    smoothJoints(map, mergeChains(map, curves, tolerancePx), tolerancePx),
);
interface RegularInputs extends CurveInputs {
  waver: number;
  isLossy: boolean;
  /** Whether shapes are exact, and with them level lines. */
  shapes: boolean;
}
const regularStage = stage('regular', ({ paintMap, noise, isLossy, waver, shapes, ...curveMap }: RegularInputs) =>
  regularize(curveMap, paintMap, { noise, isLossy, waver, levelPx: shapes ? snapDistance(noise, waver) : 0 }),
);
const loopsStage = stage('loops', ({ map, curves }: { map: BoundaryMap; curves: Curve[] }) =>
  cutChainLoops(map, curves),
);
const repaintStage = stage('repaint', ({ paintMap, changes }: { paintMap: LabelMap; changes: ListOption<Repaint> }) =>
  repaint(paintMap, changes.list),
);
const dissolveStage = stage('dissolve', ({ outputMap, ...curveMap }: CurveMap & { outputMap: LabelMap }) =>
  dissolve(curveMap, outputMap),
);

interface InkInputs {
  regions: Regions;
  outputMap: LabelMap;
  pageLabel: number;
}
const lineArtStage = stage('line art', (inputs: InkInputs) => isLineArt(inputs.regions, createInkTest(inputs)));

interface CenterlineInputs extends InkInputs, CurveMap {
  paintMap: LabelMap;
  noise: number;
  tolerancePx: number | undefined;
  toleranceScale: number;
}
const centerlineStage = stage('centerline', (inputs: CenterlineInputs) =>
  traceCenterlines(inputs, inputs.paintMap, createInkTest(inputs), inputs),
);

const tonesStage = stage(
  'tones',
  ({ pixels, maxTones, minAreaPx }: { pixels: Pixels; maxTones: number; minAreaPx: number }) =>
    findTones(pixels, maxTones, minAreaPx),
);
const repaintTonesStage = stage('repaint', ({ tones, changes }: { tones: Tones; changes: ListOption<Repaint> }) =>
  repaint(tones, changes.list),
);
/** Finds the regions of a photograph. With `onePaint`, tones of one paint count as one tone. */
const toneRegionsStage = stage('regions', ({ tones, onePaint }: { tones: Tones; onePaint: Tones | undefined }) => {
  const { width, height } = tones.mixPixels;
  return findRegions(onePaint ? joinLabels(tones.labels, onePaint) : tones.labels, width, height);
});

/** Returns a test for ink: true for a region that is not page, not clear and not left out. */
function createInkTest({ regions, outputMap, pageLabel }: InkInputs): (region: number) => boolean {
  return (region) => {
    const label = regions.labelOf[region];
    return label !== pageLabel && label !== outputMap.clear && outputMap.paints?.[label] !== null;
  };
}

interface CacheEntry {
  stage: unknown;
  inputs: object;
  result: unknown;
}

/** The last result of each stage, with the inputs it was made from. */
class StageCache {
  private readonly entries: Map<string, CacheEntry> | undefined;

  constructor(isOn: boolean) {
    this.entries = isOn ? new Map() : undefined;
  }

  /** Returns the stage's last result when its inputs are unchanged; runs the stage otherwise. */
  run<Inputs extends object, Result>(stage: Stage<Inputs, Result>, inputs: Inputs): Result {
    if (!this.entries) return stage.run(inputs);
    const last = this.entries.get(stage.name) as (CacheEntry & { inputs: Inputs; result: Result }) | undefined;
    const isLast = last?.stage === stage;
    if (last && isLast && areEqualInputs(last.inputs, inputs)) return last.result;
    const { reuse } = stage;
    if (!reuse) this.entries.delete(stage.name); // frees the old result before the new one is made
    let result = stage.run(inputs);
    if (last && isLast && reuse && last.inputs[reuse.source] === inputs[reuse.source]) {
      if (reuse.isEqual(last.result, result)) result = last.result;
    }
    this.entries.set(stage.name, { stage, inputs, result });
    return result;
  }
}

/** Compares inputs by identity, and list options by their keys. */
function areEqualInputs<Inputs extends object>(a: Inputs, b: Inputs): boolean {
  const keys = Object.keys(b) as (keyof Inputs)[];
  return (
    keys.length === Object.keys(a).length &&
    keys.every((key) => {
      const [p, q]: unknown[] = [a[key], b[key]];
      return p === q || (isListOption(p) && isListOption(q) && p.key === q.key);
    })
  );
}

/** One run of the pipeline. */
interface Run {
  /** Lengths are in pixels of the copy. */
  settings: Settings;
  callbacks: Pick<VectorizeOptions, 'onProgress' | 'signal'>;
  /** Caches the results of the run from the labels on. */
  cache: StageCache;
  /** From the labels on, the run works on a copy reduced by this factor and returns a drawing of that size. */
  scale: number;
  /** The picture is reduced by this factor before all else: more than 1 for a photograph in one ink. */
  photographScale: number;
}

/** The stages of a run as a generator. It yields before each stage, so that the caller may pause. */
type Steps<Result> = Generator<void, Result, void>;

/** Reports a stage to the caller. Throws an `AbortError` when the caller has aborted. */
function report({ callbacks: { signal, onProgress } }: Run, stage: string, fraction: number): void {
  if (signal?.aborted) throw Object.assign(new Error('Vectorizing was aborted.'), { name: 'AbortError' });
  onProgress?.(stage, fraction);
}

function* enter(run: Run, stage: string, fraction: number): Steps<void> {
  report(run, stage, fraction);
  yield;
}

/** The bitmap that is traced: the caller's own, or a copy that is reduced or enlarged. */
interface Source {
  bitmap: Bitmap;
  /** The factor by which it is reduced; below 1 when it is enlarged. */
  scale: number;
}

/** A picture with a color for each pixel. */
interface LabeledPicture {
  pixels: Pixels;
  labelMap: LabelMap;
  /** Byte levels of noise that are left in the pixels. */
  noise: number;
  /** Byte levels of noise before denoising, which disturbs edges. */
  grain: number;
  isLossy: boolean;
}

/**
 * Traces one bitmap repeatedly with changing options, for example while a person moves a slider. The tracer caches the
 * last result of every stage and runs a stage again only when one of its inputs has changed. The result equals that of
 * `vectorize` to the byte.
 *
 * Holds about as much memory as one trace needs at its peak. The bitmap must not change while the tracer lives.
 */
export class Tracer {
  private readonly bitmap: Bitmap;
  private readonly keep: boolean;
  private readonly cache: StageCache;
  /** Caches the stages of a sketch that differ from those of a trace. */
  private readonly sketchCache: StageCache;
  /** Caches what is seen of the bitmap, which several steps of a single trace ask for. */
  private readonly sourceCache = new StageCache(true);

  /** With `keep` false, nothing is cached between traces. */
  constructor(bitmap: Bitmap, keep = true) {
    this.bitmap = bitmap;
    this.keep = keep;
    this.cache = new StageCache(keep);
    this.sketchCache = new StageCache(keep);
  }

  /** Throws as `vectorize` does. */
  trace(options: VectorizeOptions = {}): Drawing {
    return this.complete(this.runTrace(options));
  }

  /**
   * Returns a rough preview of what `trace` will return, for use while an option changes. It has no gradients and no
   * exact shapes, and its curves are not refined. Colors come from the picture that `trace` works on. A bitmap of more
   * than 300,000 pixels, or a photograph of more than 120,000, is reduced by the smallest whole number that brings it
   * within that limit, and outlines come from the reduced copy, so lines of one or two pixels may be broken. Sizes and
   * coordinates are those of the bitmap. A sketch is deterministic like a trace. After the first sketch, the next ones
   * cost about the same at any size. Throws the same errors as `vectorize`.
   */
  sketch(options: VectorizeOptions = {}): Drawing {
    return this.complete(this.runSketch(options));
  }

  /**
   * Traces like `trace` and awaits `pause` between stages, for instance until the next task of the event loop, so that
   * an abort can arrive in time.
   */
  traceInSteps(options: VectorizeOptions, pause: () => Promise<void>): Promise<Drawing> {
    return completeInSteps(this.runTrace(options), pause);
  }

  /** Sketches like `sketch` and awaits `pause` between stages. */
  sketchInSteps(options: VectorizeOptions, pause: () => Promise<void>): Promise<Drawing> {
    return completeInSteps(this.runSketch(options), pause);
  }

  /** Runs the steps to the end. What a tracer keeps must not lie in the memory of a trace around it. */
  private complete(steps: Steps<Drawing>): Drawing {
    return this.keep ? withOwnMemory(() => complete(steps)) : complete(steps);
  }

  private read(options: VectorizeOptions): Settings {
    const settings = readOptions(options, this.bitmap.width, this.bitmap.height);
    if (!this.camera(settings)) return settings;
    const tolerancePx = settings.tolerancePx ?? CAMERA_TOLERANCE * settings.toleranceScale;
    const minAreaPx = settings.minAreaPx && Math.max(settings.minAreaPx, CAMERA_SPECK);
    return {
      ...settings,
      tolerancePx,
      waverPx: CAMERA_WAVER,
      minAreaPx,
      gradients: false,
      smoothBands: false,
      isOnPaper: true,
    };
  }

  /** Returns the picture without light, when a camera took it and its light is to be dropped. */
  private camera({ dropLight }: Settings): CameraPicture | undefined {
    if (dropLight === false) return undefined;
    return this.sourceCache.run(lightStage, { bitmap: this.bitmap, isSure: dropLight === true });
  }

  /** True for a picture in one ink that is cut at a level of the caller's. */
  private isCut({ colorMode, threshold }: Settings): boolean {
    return colorMode === 'monochrome' && threshold !== undefined;
  }

  /** Returns the caller's bitmap, or the drawing that a camera took a picture of. */
  private drawn(settings: Settings): Bitmap {
    const camera = this.camera(settings);
    if (!camera) return this.bitmap;
    const isOneInk = settings.colorMode === 'monochrome';
    return this.sourceCache.run(withoutLightStage, { camera, isOneInk, isCut: this.isCut(settings) });
  }

  /** Returns the bitmap that is traced. Photographs are reduced by a rule of their own. */
  private source(settings: Settings): Source {
    const bitmap = this.drawn(settings);
    const camera = this.camera(settings);
    if (camera) return { bitmap, scale: this.isCut(settings) ? 1 : 1 / camera.scale };
    if (this.showsPhotograph(settings) || this.isPhotographInOneInk(settings)) return { bitmap, scale: 1 };
    const copy = this.sourceCache.run(reduceNoisyStage, { bitmap });
    return { bitmap: copy, scale: copy === bitmap ? 1 : NOISY_SCALE };
  }

  private *runTrace(options: VectorizeOptions): Steps<Drawing> {
    const { width, height } = this.bitmap;
    const settings = this.read(options);
    const run = { callbacks: options, cache: this.cache, scale: 1 };
    if (this.isPhotographInOneInk(settings)) {
      const photographScale = scaleOfPhotograph(width, height);
      // A pixel of a photograph has a tone of its own and is no mix of two inks: it does not say where a curve runs.
      const rough: Settings = { ...toScale(settings, photographScale), shapes: false, regular: false, refineSteps: 0 };
      const small = yield* this.run({ ...run, settings: rough, photographScale });
      return setLineWidths(enlarge(small, photographScale, width, height), settings);
    }
    const { scale } = this.source(settings);
    const drawing = yield* this.run({ ...run, settings: toScale(settings, scale), photographScale: 1 });
    return setLineWidths(enlarge(drawing, scale, width, height), settings);
  }

  private *runSketch(options: VectorizeOptions): Steps<Drawing> {
    const { width, height } = this.bitmap;
    const settings = this.read(options);
    const most = this.showsPhotograph(settings) ? SKETCH_PHOTOGRAPH_PIXELS : SKETCH_PIXELS;
    const { scale: sourceScale } = this.source(settings);
    const scale = Math.ceil(Math.sqrt((width * height) / sourceScale ** 2 / most));
    const rough: Settings = {
      ...toScale(settings, scale * sourceScale),
      gradients: false,
      smoothBands: false,
      shapes: false,
      regular: false,
      refineSteps: 0,
    };
    const run = { callbacks: options, cache: this.sketchCache, scale, photographScale: 1 };
    const small = yield* this.run({ ...run, settings: rough });
    return setLineWidths(enlarge(small, scale * sourceScale, width, height), settings);
  }

  private pixels(settings: Settings): Pixels {
    return this.cache.run(readStage, { bitmap: this.source(settings).bitmap, colorMode: settings.colorMode });
  }

  /**
   * Returns true when the bitmap is to be drawn as a photograph. Settings for production machines (inks, least line
   * widths, lines) always treat it as flat art.
   */
  private showsPhotograph(settings: Settings): boolean {
    const isPainted = settings.colorMode !== 'monochrome' && (settings.draw === 'fill' || settings.draw === 'stroke');
    if (!isPainted || settings.inks || settings.minWidthPx > 0) return false;
    return this.isPhotograph(settings);
  }

  /** Returns true for a photograph, whatever the color mode and the settings for production machines. */
  private isPhotograph(settings: Settings): boolean {
    return this.sourceCache.run(kindStage, { bitmap: this.drawn(settings) });
  }

  /**
   * Returns true for a photograph that is filled in one ink. It is reduced as in color, and for the same reason. A
   * machine's least width does not change that, so a file has the shapes of its preview.
   */
  private isPhotographInOneInk(settings: Settings): boolean {
    const { colorMode, draw } = settings;
    const isPainted = colorMode === 'monochrome' && (draw === 'fill' || draw === 'stroke');
    return isPainted && this.isPhotograph(settings);
  }

  /** Runs the whole pipeline. */
  private *run(run: Run): Steps<Drawing> {
    const { settings, cache, scale } = run;
    yield* enter(run, 'read', 0);
    const read = this.pixels(settings);
    const { photographScale } = run;
    const whole = photographScale > 1 ? cache.run(photographStage, { pixels: read, scale: photographScale }) : read;
    if (this.showsPhotograph(settings)) {
      const pixels = scale > 1 ? cache.run(copyStage, { pixels: whole, scale }) : whole;
      return yield* drawPhotograph(run, pixels);
    }
    const picture = yield* this.findLabels(run, whole);
    const shapes = yield* findShapes(run, picture);
    return yield* draw(run, shapes, picture.noise);
  }

  /** Finds the labels: estimates the noise, finds the colors, and gives each pixel a color. */
  private *findLabels(run: Run, whole: Pixels): Steps<LabeledPicture> {
    const { settings, cache, scale } = run;
    const { colorMode, inks, threshold } = settings;
    const camera = this.camera(settings);
    yield* enter(run, 'noise', 0.05);
    const { noise, isLossy } = this.cache.run(noiseStage, { pixels: whole });
    const isNoisy = noise > QUIET;
    const smooth = isNoisy ? this.cache.run(denoiseStage, { pixels: whole, noise }) : whole;
    const remaining = isNoisy ? noise * REMAINING_NOISE : 0;
    yield* enter(run, 'colors', 0.15);
    const clean = { pixels: smooth, noise: remaining };
    const isCut = threshold !== undefined;
    const mayHaveGrays = colorMode === 'monochrome' && !this.isPhotograph(settings) && !(isCut && camera);
    // Colors come from the whole picture.
    const votes = !isCut || mayHaveGrays ? this.cache.run(votesStage, { ...clean, colorMode }) : undefined;
    const { pixels, labelMap: labels } =
      (votes && mayHaveGrays ? this.drawGrays(run, clean, votes) : undefined) ??
      (isCut ? this.cut(run, clean, threshold) : this.labelColors(run, clean, votes!));
    const labelMap = inks ? cache.run(inksStage, { labelMap: labels, inks }) : labels;
    const rest = remaining / scale; // a pixel of a copy is a mean of scale × scale pixels
    if (!camera) return { pixels, labelMap, noise: rest, grain: noise / scale, isLossy };
    return { pixels, labelMap, noise: rest, grain: camera.grain / scale, isLossy: true };
  }

  /** Labels the pixels of a picture, or of the reduced copy of a sketch. */
  private labelColors(
    { settings, cache, scale }: Run,
    { pixels: whole, noise }: CleanPicture,
    votes: Votes,
  ): LabeledPixels {
    const { colorMode, maxColors } = settings;
    const camera = this.camera(settings);
    const paints = colorMode === 'color' ? camera?.paints : undefined;
    const palette = this.cache.run(paletteStage, { pixels: whole, votes, noise, maxColors, paints });
    const { pixels, kinds } = readCopy(cache, { pixels: whole, noise }, scale, votes);
    const rest = noise / scale;
    const labelMap = cache.run(labelsStage, { pixels, kinds, palette, noise: rest });
    // A clean picture shows all its colors, and those of a camera's picture are known.
    const mayLack = noise > 0 && !camera;
    const more = mayLack ? cache.run(smallAreasStage, { pixels, labelMap, noise: rest, maxColors }) : labelMap;
    if (more === labelMap) {
      giveBack(kinds);
      return { pixels, labelMap };
    }
    giveBack(labelMap.labels, labelMap.mixPixels.data);
    const newLabelMap = cache.run(newLabelsStage, { pixels, kinds, palette: more, noise: rest });
    giveBack(kinds);
    return { pixels, labelMap: newLabelMap };
  }

  /**
   * Draws a picture of several grays in ink and paper. Undefined for pictures of two grays, and where the caller's
   * threshold lies in a gradient.
   */
  private drawGrays({ settings, cache, scale }: Run, clean: CleanPicture, votes: Votes): TwoTones | undefined {
    const grays = this.cache.run(graysStage, { ...clean, votes });
    if (!grays) return undefined;
    const { pixels, kinds } = readCopy(cache, clean, scale, votes);
    const picture = { pixels, kinds, grays, noise: clean.noise / scale };
    const labels = cache.run(grayLabelsStage, picture);
    const twoTones = cache.run(twoTonesStage, { ...picture, labels, threshold: settings.threshold });
    giveBack(labels);
    if (twoTones) giveBack(kinds, pixels.data);
    return twoTones;
  }

  /** Cuts a picture in one ink at a level of the caller's. A sketch cuts its reduced copy. */
  private cut({ settings, cache, scale }: Run, { pixels: whole, noise }: CleanPicture, level: number): LabeledPixels {
    const copy = scale > 1 ? cache.run(uncutCopyStage, { pixels: whole, scale }) : whole;
    const pixels = cache.run(cutStage, { pixels: copy, level });
    const { colorMode, maxColors } = settings;
    const votes = cache.run(cutVotesStage, { pixels, noise, colorMode });
    const palette = cache.run(paletteStage, { pixels, votes, noise, maxColors, paints: undefined });
    const rest = noise / scale;
    const kinds = scale > 1 ? cache.run(kindsStage, { pixels, noise: rest }) : votes.kinds;
    const labelMap = cache.run(labelsStage, { pixels, kinds, palette, noise: rest });
    giveBack(kinds);
    return { pixels, labelMap };
  }
}

/** The pixels that are traced, and their labels. */
interface LabeledPixels {
  pixels: Pixels;
  labelMap: LabelMap;
}

/** A picture without its noise, and the byte levels of noise that are left. */
interface CleanPicture {
  pixels: Pixels;
  noise: number;
}

/** Returns the copy that a sketch reads and the kinds of its pixels; of a trace, the picture itself. */
function readCopy(
  cache: StageCache,
  { pixels, noise }: CleanPicture,
  scale: number,
  votes: Votes,
): { pixels: Pixels; kinds: Uint8Array } {
  if (scale === 1) return { pixels, kinds: votes.kinds };
  const copy = cache.run(copyStage, { pixels, scale });
  return { pixels: copy, kinds: cache.run(kindsStage, { pixels: copy, noise: noise / scale }) };
}

/** A picture with fitted boundaries, `margin` px larger on each side than the one that was read. */
interface FittedPicture {
  curveMap: CurveMap;
  paintMap: LabelMap;
  margin: number;
}

/** Finds the fitted boundaries from the labels: regions, gradients, chains, curves. */
function* findShapes(run: Run, picture: LabeledPicture): Steps<FittedPicture> {
  const { settings, cache } = run;
  const { pixels, labelMap, noise, grain, isLossy } = picture;
  const { minAreaPx, minWidthPx, tolerancePx, toleranceScale } = settings;
  yield* enter(run, 'regions', 0.4);
  const allRegions = cache.run(regionsStage, { labelMap });
  const large = cache.run(despeckleStage, { regions: allRegions, labelMap, minAreaPx, minWidthPx, noise });
  const { gradients, smoothBands, colorMode } = settings;
  // Where shapes of several colors abut, the page may be one of them, and lines end at the border.
  const hasOpenPage = settings.stacking === 'stacked' || colorMode === 'monochrome';
  const mayTouch = settings.draw === 'fill' && hasOpenPage;
  const flat = { pixels, regions: large, labelMap };
  const { margin, ...wide } = mayTouch ? cache.run(marginStage, { ...flat, noise, colorMode }) : { ...flat, margin: 0 };
  const { regions, paintMap } =
    gradients || (smoothBands && noise > 0)
      ? cache.run(gradientsStage, { ...wide, noise, minAreaPx, gradients })
      : { regions: wide.regions, paintMap: wide.labelMap };
  yield* enter(run, 'boundary', 0.55);
  const map = cache.run(boundaryStage, { regions });
  yield* enter(run, 'curves', 0.65);
  const inputs = { map, regions, paintMap };
  let curves = cache.run(curvesStage, { ...inputs, noise: grain, isLossy, tolerancePx, toleranceScale });
  if (settings.refineSteps > 0) {
    yield* enter(run, 'refine', 0.8);
    curves = cache.run(refineStage, { ...inputs, curves, noise, steps: settings.refineSteps });
  }
  if (settings.shapes) curves = cache.run(shapesStage, { ...inputs, curves, noise, waver: settings.waverPx });
  curves = cache.run(mergeStage, { curves, map, tolerancePx: mergeTolerance(settings) });
  if (settings.regular) {
    yield* enter(run, 'refine', 0.85);
    const { shapes, waverPx: waver } = settings;
    curves = cache.run(regularStage, { ...inputs, curves, noise, isLossy, waver, shapes });
  }
  curves = cache.run(loopsStage, { curves, map });
  return { curveMap: { map, curves, regions }, paintMap, margin };
}

/** Assembles the fitted boundaries into layers. */
function* draw(run: Run, { curveMap, paintMap, margin }: FittedPicture, noise: number): Steps<Drawing> {
  const { settings, cache } = run;
  const { repaint: changes, tolerancePx, toleranceScale } = settings;
  yield* enter(run, 'stack', 0.9);
  const outputMap = changes ? cache.run(repaintStage, { paintMap, changes }) : paintMap;
  const finalMap = outputMap.paints ? cache.run(dissolveStage, { ...curveMap, outputMap }) : curveMap;
  const { map, curves, regions } = finalMap;
  const page = findPage(regions, outputMap, settings);
  const ink = { regions, outputMap, pageLabel: page.label };
  const lineArt = cache.run(lineArtStage, ink);
  const style = settings.draw === 'outline' ? (lineArt ? 'centerline' : 'edges') : settings.draw;
  if (style === 'edges') {
    report(run, 'done', 1);
    const layers = drawEdges(map, curves, settings, outputMap.paints && page.open);
    return { width: map.width, height: map.height, lineArt, layers };
  }
  const lines =
    style === 'centerline'
      ? cache.run(centerlineStage, { ...ink, map, curves, paintMap, noise, tolerancePx, toleranceScale })
      : undefined;
  const whole = cutMargin(assemble(finalMap, outputMap, settings, page, lines), margin);
  const drawing: Drawing = { ...(settings.stacking === 'stacked' ? cutRingLoops(whole) : whole), lineArt };
  report(run, 'done', 1);
  if (settings.draw === 'outline') return thinLines(drawing);
  return style === 'stroke' ? strokeOutlines(drawing) : drawing;
}

/**
 * Draws a photograph. It has no palette and no edges to fit to a hundredth of a pixel. It is segmented into the regions
 * that explain the most of it for their bytes.
 */
function* drawPhotograph(run: Run, pixels: Pixels): Steps<Drawing> {
  const { settings, cache } = run;
  const { repaint: changes, maxTones, minAreaPx, tolerancePx, toleranceScale } = settings;
  yield* enter(run, 'colors', 0.05);
  const tones = cache.run(tonesStage, { pixels, maxTones, minAreaPx });
  yield* enter(run, 'regions', 0.6);
  const outputMap = changes ? cache.run(repaintTonesStage, { tones, changes }) : tones;
  const isPaintedOver = settings.stacking === 'stacked' && settings.draw === 'fill';
  // Regions of one paint are joined before painting when shapes are stacked, and after fitting when they abut.
  const regions = cache.run(toneRegionsStage, { tones, onePaint: isPaintedOver && changes ? outputMap : undefined });
  yield* enter(run, 'stack', 0.65);
  let drawing: Drawing;
  if (isPaintedOver) drawing = paintOver(regions, outputMap, settings, pixels.width, pixels.height);
  else {
    const map = cache.run(boundaryStage, { regions });
    const noise = PHOTOGRAPH_NOISE;
    const inputs = { map, regions, paintMap: tones, noise, isLossy: false, tolerancePx, toleranceScale };
    const curveMap = { map, curves: cache.run(curvesStage, inputs), regions };
    const finalMap = changes ? dissolve(curveMap, outputMap) : curveMap;
    const page = findPage(finalMap.regions, outputMap, settings);
    drawing = enlarge(assemble(finalMap, outputMap, settings, page), tones.scale, pixels.width, pixels.height);
  }
  report(run, 'done', 1);
  return settings.draw === 'fill' || settings.draw === 'centerline' ? drawing : strokeOutlines(drawing);
}

/** Sets the widths of lines, in pixels of the caller's bitmap: 1 by default. Drawn lines keep their measured width. */
function setLineWidths(drawing: Drawing, { draw, lineWidthPx }: Settings): Drawing {
  if (lineWidthPx !== undefined) return thinLines(drawing, lineWidthPx);
  return draw === 'fill' || draw === 'centerline' ? drawing : thinLines(drawing);
}

/** Returns the settings for a copy of the picture that is reduced by this factor, or enlarged by one below 1. */
function toScale(settings: Settings, scale: number): Settings {
  if (scale === 1) return settings;
  const { minAreaPx, minWidthPx, tolerancePx, waverPx } = settings;
  return {
    ...settings,
    minAreaPx: minAreaPx / (scale * scale),
    minWidthPx: minWidthPx / scale,
    waverPx: waverPx / scale,
    tolerancePx: tolerancePx === undefined ? undefined : tolerancePx / scale,
  };
}

function isEqualPalette(a: Palette, b: Palette): boolean {
  return a.clear === b.clear && a.count === b.count && a.palette.every((value, k) => value === b.palette[k]);
}

/**
 * Returns true when two sets of regions of the same picture and palette are equal. Regions are numbered in scan order,
 * so comparing labels is enough.
 */
function areEqualRegions({ labels: a }: Regions, { labels: b }: Regions): boolean {
  for (let p = 0; p < a.length; p++) if (a[p] !== b[p]) return false;
  return true;
}

function complete(steps: Steps<Drawing>): Drawing {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

async function completeInSteps(steps: Steps<Drawing>, pause: () => Promise<void>): Promise<Drawing> {
  for (;;) {
    const step = withOwnMemory(() => steps.next());
    if (step.done) return step.value;
    await pause();
  }
}

/**
 * Traces a bitmap into a drawing of closed shapes. The same bitmap and options give the same drawing on every machine.
 *
 * Time and memory are linear in the pixels. Throws a RangeError for options or sizes out of range, and an error named
 * `AbortError` when `options.signal` is aborted between stages.
 */
export function vectorize(bitmap: Bitmap, options: VectorizeOptions = {}): Drawing {
  // A drawing consists of plain numbers, so no array of the trace outlives it.
  return lendMemory(bitmap.width * bitmap.height, () => new Tracer(bitmap, false).trace(options));
}
