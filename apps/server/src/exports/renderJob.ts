/** A composition with the designs and the product it names, among those that the actor may use, ready to be drawn. */
import { createHash } from 'node:crypto';
import type { FileNames, MockupScene, OrderedThing, PartialVectorizeSettings } from '@markwright/contract';
import {
  exportFilename,
  messages,
  parseDimensions,
  toHalftoneTrace,
  toPartSize,
  toPictureChanges,
  toVectorizerOptions,
  VectorizeSettings,
} from '@markwright/contract';
import { MAX_ENGRAVING_PIXELS } from '@markwright/engraving';
import { isBundled, ownFamily, ownFontId } from '@markwright/fonts';
import {
  type ArtworkElement,
  areaAspect,
  artworksOf,
  type Composition,
  type CompositionElement,
  elementIdOf,
  type FigureElement,
  type Framing,
  figuresOf,
  isEngraved,
  isShape,
  parseComposition,
  placeOfFrame,
  type Target,
  type TextElement,
  textsOf,
  toTextLines,
  withoutHidden,
} from '@markwright/scene';
import { productArea } from '@markwright/scene/productArea';
import { core } from 'zod';
import { version } from '../../package.json';
import { keeperOf } from '../allowances/storageShare.ts';
import { readProductPicture } from '../catalogue/products.ts';
import type { DrawnProduct } from '../catalogue/tables.ts';
import { inVariant } from '../catalogue/variants.ts';
import { findOwnFonts, type OwnFontRow, readOwnFonts } from '../companies/ownFonts.ts';
import { findProduct } from '../companies/products.ts';
import { findToneCurve } from '../companies/toneCurves.ts';
import { getDesigns } from '../designs/ownDesigns.ts';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import type { Actor } from '../platform/mount.ts';
import { callerOf, ownerOf } from '../platform/ownership.ts';
import type { DrawInput, DrawnPicture, MediaJobs } from '../platform/ports/mediaJobs.ts';
import { engravingLimitFactor, type RunOptions } from '../platform/ports/mediaPool.ts';
import { recordUse } from '../platform/storage.ts';
import { readPicture } from '../tracing/pictures.ts';
import type { DrawnDesign, TraceProgress } from '../tracing/tracing.ts';
import { readTracePicture, screenSettings, shownSettings, type Trace, traceDesign } from '../tracing/tracing.ts';
import { readSurroundings } from './surroundings.ts';
import { traceLimits, trueWidthMm } from './traceLimits.ts';

/** A composition with the designs and the product it names, ready to be drawn. */
export interface RenderJob {
  /** The visible elements of the composition. */
  readonly composition: Composition;
  /** By the ids of the artworks that show them. */
  readonly designs: ReadonlyMap<string, DrawnDesign>;
  readonly product: DrawnProduct | undefined;
  /** The account's own fonts that texts are set in. */
  readonly ownFonts: readonly OwnFontRow[];
  /** The shop's tone curve of the product's material, where a picture is engraved; absent: the typical one. */
  readonly curve?: readonly number[] | undefined;
}

/**
 * Reads a saved composition, and finds the designs and the product of its visible part. The product is one that the
 * actor may use, or the result of `findProductById`, in the color and size of the composition. Throws invalid, also for
 * a color or size that the product does not have, notFound for somebody else's, and unprocessable for a text in a font
 * that was deleted or is somebody else's.
 */
export async function readRenderJob(
  context: Context,
  actor: Actor,
  savedComposition: unknown,
  findProductById = (productId: string): Promise<DrawnProduct | undefined> => findProduct(context, actor, productId),
): Promise<RenderJob> {
  const composition = withoutHidden(readComposition(savedComposition));
  const { productId } = composition;
  const artworks = artworksOf(composition);
  const ownDesigns = await getDesigns(context, actor, [...new Set(artworks.map(({ designId }) => designId))]);
  const designs = new Map(artworks.map(({ id, designId }) => [id, ownDesigns.get(designId)!]));
  const foundProduct = productId === undefined ? undefined : await findProductById(productId);
  if (productId !== undefined && !foundProduct) throw new AppError('notFound', 'This product is not in the catalogue.');
  const product = foundProduct && inVariant(foundProduct, composition);
  if (designs.size === 0 && !textsOf(composition).some(hasText) && !figuresOf(composition).some(hasOutlines)) {
    throw new AppError('invalid', messages.noDesignToExport.description);
  }
  const ownFonts = await findOwnFonts(context, actor, ownFontIds(composition));
  const isAnyEngraved = artworks.some((artwork) => isEngraved(artwork, composition.machine));
  const curve = isAnyEngraved ? await findToneCurve(context, actor, product?.material) : undefined;
  return { composition, designs, product, ownFonts, ...(curve && { curve }) };
}

const ownFontIds = (composition: Composition): string[] => [
  ...new Set(textsOf(composition).flatMap((text) => (hasText(text) ? (ownFontId(text.fontFamily) ?? []) : []))),
];

/** Parses a composition of any version of the studio. Throws invalid. */
export function readComposition(savedComposition: unknown): Composition {
  try {
    return parseComposition(savedComposition);
  } catch (error) {
    if (error instanceof core.$ZodError) throw new AppError('invalid', 'This arrangement could not be read.');
    throw error;
  }
}

const hasText = (text: TextElement) => toTextLines(text).length > 0;
/** False for a code without data, of which nothing is made. */
const hasOutlines = (figure: FigureElement) => isShape(figure) || figure.data !== '';

/**
 * Returns the key of a composition's charge: the same composition has the same key, whatever its labels and locks. The
 * rotation of the product in the view belongs to a mockup and to no file. Features that came after the first keys (the
 * z-order of elements, spacing, bent lines, several artworks, codes and shapes) are part of a key only where they
 * differ from their default, so that a paid file stays paid.
 */
export function compositionKey(job: RenderJob, purpose: 'file' | 'mockup'): string {
  const { elements, productAngleDeg, variant, ...others } = job.composition;
  // A file is the same in all colors of the blank.
  const { color, ...size } = variant ?? {};
  const part = purpose === 'mockup' ? variant : size.size === undefined ? undefined : size;
  const rest = { ...others, ...(part && { variant: part }) };
  const words = textsOf(job.composition).filter(hasText).map(toWords);
  /** The artworks, each with the number of texts under it. */
  const artworks = artworksOf(job.composition).map((artwork) => {
    const below = elements.slice(0, elements.indexOf(artwork));
    const under = textsOf({ elements: below }).filter(hasText).length;
    return { placement: toFramePlacement(job, artwork), ...(under > 0 && { under }) };
  });
  const turn = purpose === 'mockup' ? productAngleDeg : 0;
  const [first, ...more] = artworks;
  const allFigures = figuresOf(job.composition).filter(hasOutlines);
  /** The codes and shapes, each with the number of other elements under it. */
  const figures = allFigures.map((figure) => ({ ...withoutLabels(figure), under: elements.indexOf(figure) }));
  const withFigures = { ...rest, ...(figures.length > 0 && { figures }) };
  const canonical =
    more.length > 0
      ? { ...withFigures, words, turn, artworks }
      : { ...withFigures, placement: {}, words, turn, ...first };
  return createHash('sha256').update(JSON.stringify(canonical)).digest('hex');
}

/**
 * Returns the placement of an artwork's frame without labels. Each trace has other ink, and a file with another trace
 * of the same composition is paid. Numbers that follow from the ink are rounded: to 0.001 % of the machine area.
 */
function toFramePlacement({ composition, product, designs }: RenderJob, artwork: ArtworkElement) {
  const { filename: _file, aspect, ink: _ink, trueWidthMm: _trueWidth, ...visible } = withoutLabels(artwork);
  const size = artworkSize(designs.get(artwork.id), artwork);
  const place = placeOfFrame(artwork, size ? size.width / size.height : aspect, areaAspect(composition, product));
  if (place.x === artwork.x && place.y === artwork.y && place.size === artwork.size) return visible;
  const round = (value: number) => Number(value.toFixed(3)) + 0;
  return { ...visible, x: round(place.x), y: round(place.y), size: round(place.size) };
}

/** Returns the size of an artwork in pixels of its trace. */
function artworkSize(design: DrawnDesign | undefined, framing: Framing) {
  const size = design && { width: design.width, height: design.height };
  return size && (framing.crop || framing.straighten) ? toPartSize(size, framing) : size;
}

/** Returns the sizes of the artworks by their ids, in pixels of their traces. */
export const artworkSizes = ({ composition, designs }: Pick<RenderJob, 'composition' | 'designs'>) =>
  artworksOf(composition).flatMap((artwork) => {
    const size = artworkSize(designs.get(artwork.id), artwork);
    return size ? [{ id: artwork.id, ...size }] : [];
  });

function toWords({ letterSpacing, lineSpacing, bend, ...text }: TextElement) {
  const words = text.text.trim();
  return {
    ...withoutLabels(text),
    text: words,
    ...(letterSpacing !== 0 && { letterSpacing }),
    ...(lineSpacing !== 100 && words.includes('\n') && { lineSpacing }),
    ...(bend !== 0 && { bend }),
  };
}

/** Removes the labels that no file shows, and where the colors and pictures of other pieces stand. */
function withoutLabels<T extends object>(element: T) {
  const {
    kind: _kind,
    id: _id,
    groupId: _group,
    groupName: _groupName,
    name: _name,
    colorColumn: _colors,
    pictureColumn: _pictures,
    isLocked: _lock,
    isHidden: _hidden,
    customer: _customer,
    ...visible
  } = element as T & Partial<TextElement & Pick<ArtworkElement, 'pictureColumn'>>;
  return visible;
}

/**
 * Draws a render job for a target and returns the key of the stored file, which is kept for some days. The same job of
 * the same account is one file: making it again returns the stored one. Throws what `drawRenderJob` throws.
 */
export async function makeRenderFile(
  context: Context,
  actor: Actor,
  job: RenderJob,
  options: DrawOptions,
): Promise<Trace> {
  const traces = await traceRenderJob(context, actor, job, options);
  const isFallback = hasFallback(traces);
  const key = exportKey(actor, job, options, traces);
  if (await context.files.has(key)) {
    await recordUse(context.db, key, context.now());
    return { key, isFallback };
  }
  const drawing = await drawTraced(context, actor, job, options, traces);
  const keeper = await keeperOf(context, actor);
  if ('png' in drawing) await context.files.put(key, drawing.png, 'image/png', keeper);
  else if ('webp' in drawing) await context.files.put(key, drawing.webp, 'image/webp', keeper);
  else await context.files.put(key, new TextEncoder().encode(drawing.svg), 'image/svg+xml', keeper);
  return { key, isFallback };
}

function exportKey(
  actor: Actor,
  job: RenderJob,
  { target, sidePx, surroundings }: DrawOptions,
  traces: Traces,
): string {
  const ending = target.kind !== 'mockup' ? 'svg' : target.isSpin ? 'webp' : 'png';
  return `${hashRender(actor, job, [target, sidePx, ...(surroundings ? [surroundings] : [])], traces)}.${ending}`;
}

/**
 * Names a file by all that goes into it: a key without its extension. Another version of the program may draw the same
 * job differently.
 */
export function hashRender(actor: Actor, job: RenderJob, options: readonly unknown[], traces: Traces): string {
  const pictures = [...job.designs].map(([id, design]) => traces.get(id)?.key ?? pictureKeyOf(design));
  const curve = job.curve ? [job.curve] : [];
  const parts = [version, ownerOf(actor), job.composition, job.product, pictures, ...options, ...curve];
  return `exports/${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)}`;
}

/** The traces of a job by the ids of their artworks. An artwork that is shown as it is has none. */
export type Traces = ReadonlyMap<string, Trace>;

export const hasFallback = (traces: Traces) => [...traces.values()].some(({ isFallback }) => isFallback);

const pictureKeyOf = ({ backgroundRemovedKey, originalKey }: DrawnDesign) => backgroundRemovedKey ?? originalKey;

/** The target of a drawing, and its accuracy. */
export interface DrawOptions extends TraceProgress {
  readonly target: Target;
  /** Limits a mockup to this size, with curves for the screen. */
  readonly sidePx?: number;
  /** The surroundings of a mockup. Absent: a white ground. */
  readonly surroundings?: MockupScene | undefined;
  /** The settings of the trace that the caller has chosen. The others are those of the trace last shown. */
  readonly settings?: PartialVectorizeSettings | undefined;
  /** The design that the settings are for; absent: every one. */
  readonly settingsFor?: string | undefined;
}

/**
 * Draws a render job for a target. `isFallback` is true when the built-in engine traced instead of the service.
 *
 * Each design is traced as it was last shown (see `shownSettings`), for a mockup as for a file, apart from the settings
 * that the caller has chosen. The composition decides the part of the picture and its place. A design that was never
 * traced is traced where the caller has settings for it; otherwise a mockup shows the picture itself, as the screen
 * does. Throws unprocessable for a file of a design that was never vectorized, or of a text in a font that is not here.
 */
export async function drawRenderJob(
  context: Context,
  actor: Actor,
  job: RenderJob,
  options: DrawOptions,
): Promise<{ drawing: MediaJobs['draw']['output']; isFallback: boolean }> {
  const traces = await traceRenderJob(context, actor, job, options);
  const drawing = await drawTraced(context, actor, job, options, traces);
  return { drawing, isFallback: hasFallback(traces) };
}

/** Traces the artworks of a render job one after the other, except those that are shown as they are. */
export async function traceRenderJob(
  context: Context,
  actor: Actor,
  job: RenderJob,
  options: DrawOptions,
): Promise<Traces> {
  if (options.target.kind !== 'mockup') refuseUnknownFonts(job);
  const traces = new Map<string, Trace>();
  for (const artwork of artworksOf(job.composition)) {
    if (isEngraved(artwork, job.composition.machine)) continue;
    const { id, designId, straighten, crop } = artwork;
    const design = job.designs.get(id)!;
    const isChosen = options.settingsFor === undefined || options.settingsFor === designId;
    const settings = toTraceSettings(design, isChosen ? options : { sidePx: options.sidePx });
    if (!settings) continue;
    const part = toTrueSize(job, id, { ...settings, straighten, crop });
    const limits = options.target.kind === 'production' ? limitsOf(job, id, part) : undefined;
    traces.set(id, await traceDesign(context, actor, design, part, options, limits));
  }
  return traces;
}

/** Returns settings whose halftone has its pitch at the size of the composition. */
function toTrueSize({ composition, designs, product }: RenderJob, id: string, settings: VectorizeSettings) {
  if (!toHalftoneTrace(settings)) return settings;
  const widthMm = trueWidthMm(composition, product, id, toPartSize(designs.get(id)!, settings));
  return { ...settings, ...(widthMm && { widthMm }) };
}

/** Returns what the machine can make of a picture at its size; undefined for halftones and outlines without a trace. */
function limitsOf({ composition, designs, product }: RenderJob, id: string, settings: VectorizeSettings) {
  const design = designs.get(id)!;
  if (design.mediaType !== 'image/png' || toHalftoneTrace(settings)) return undefined;
  const { despeckle } = toVectorizerOptions(settings);
  return traceLimits(composition, product, id, { ...toPartSize(design, settings), despeckle });
}

async function drawTraced(
  context: Context,
  actor: Actor,
  job: RenderJob,
  options: DrawOptions,
  traces: Traces,
): Promise<MediaJobs['draw']['output']> {
  const { surroundings: scene } = options;
  const surroundings = scene && job.product && (await readSurroundings(scene, job.product));
  const input = { ...(await toDrawInput(context, actor, job, options, traces)), ...(surroundings && { surroundings }) };
  const limitFactor = limitFactorOf(job) * (options.target.kind === 'mockup' && options.target.isSpin ? SPIN_LIMIT : 1);
  return context.media.run('draw', input, { caller: callerOf(actor), signal: options.signal, limitFactor });
}

/** The processor time that a blank may take to turn, as a multiple of what a still one may: it is many pictures. */
const SPIN_LIMIT = 4;

/** Returns the factor for the limit of a media job that engraves the pictures of a render job. */
export function limitFactorOf({ composition, designs, product }: RenderJob): number {
  let pixels = 0;
  for (const artwork of artworksOf(composition)) {
    const { id, engraving } = artwork;
    const size = artworkSize(designs.get(id), artwork);
    if (!size || !engraving || !isEngraved(artwork, composition.machine)) continue;
    const widthMm = trueWidthMm(composition, product, id, size) ?? 0;
    pixels += ((widthMm / engraving.intervalMm) ** 2 * size.height) / size.width;
  }
  return engravingLimitFactor(Math.min(MAX_ENGRAVING_PIXELS, pixels));
}

/** Reads all that the drawing of a render job needs: pictures, traces, and the product's picture of a mockup. */
export async function toDrawInput(
  context: Context,
  actor: Actor,
  job: RenderJob,
  { target, sidePx, signal }: DrawOptions,
  traces: Traces,
): Promise<DrawInput> {
  const run = { caller: callerOf(actor), signal };
  const artworks: DrawInput['artworks'][number][] = [];
  for (const artwork of artworksOf(job.composition)) {
    const { id } = artwork;
    if (isEngraved(artwork, job.composition.machine)) {
      artworks.push(await readEngravable(context, job, artwork, run));
      continue;
    }
    const trace = traces.get(id);
    const picture = trace
      ? await readPicture(context, trace.key, run)
      : await readUntraced(context, job.designs.get(id)!, { target, framing: artwork }, run);
    artworks.push({ id, picture });
  }
  const product = job.product && (await toProductAsset(context, job.product, target));
  const ownFonts = await readOwnFonts(context, job.ownFonts);
  return { composition: job.composition, product, artworks, ownFonts, target, sidePx };
}

/** Reads the picture of an artwork that is engraved itself. */
async function readEngravable(
  context: Context,
  { designs, curve }: RenderJob,
  { id, straighten, crop }: ArtworkElement,
  run: RunOptions,
): Promise<DrawInput['artworks'][number]> {
  const picture = await readTracePicture(context, designs.get(id)!, { straighten, crop }, run);
  const changes = toPictureChanges({ straighten, crop, brightness: 0, contrast: 0 });
  return { id, picture, engraved: { changes, curve } };
}

function toTraceSettings(
  design: DrawnDesign,
  { settings, sidePx }: Pick<DrawOptions, 'settings' | 'sidePx'>,
): VectorizeSettings | undefined {
  const stageSettings = sidePx === undefined ? shownSettings(design) : screenSettings(design);
  if (!settings) return stageSettings;
  return stageSettings ? { ...stageSettings, ...settings } : VectorizeSettings.parse({ quality: 'high', ...settings });
}

/** Refuses a file whose text would be cut in another font than the person chose. */
export function refuseUnknownFonts({ composition, ownFonts }: RenderJob): void {
  const ownFamilies = new Set(ownFonts.map(({ id }) => ownFamily(id)));
  const isKnown = ({ fontFamily }: TextElement) => isBundled(fontFamily) || ownFamilies.has(fontFamily);
  const text = textsOf(composition).find((element) => hasText(element) && !isKnown(element));
  if (!text) return;
  const label = text.fontFamily.slice(0, 80);
  throw new AppError('unprocessable', `The font “${label}” is not one of the studio. Please choose another font.`);
}

/** Measures a render job: the area, the picture and each text, before they are rotated. */
export async function measureRenderJob(
  context: Context,
  actor: Actor,
  { composition, designs, product, ownFonts }: RenderJob,
): Promise<Pick<OrderedThing, 'area' | 'design' | 'otherDesigns' | 'texts'>> {
  const input = {
    composition,
    product: product && (await toProductAsset(context, product, { kind: 'production' })),
    artworks: artworkSizes({ composition, designs }),
    ownFonts: await readOwnFonts(context, ownFonts),
  };
  const names = new Map(ownFonts.map(({ id, name }) => [ownFamily(id), name]));
  const { area, elements } = await context.media.run('measure', input, { caller: callerOf(actor) });
  const sizes = new Map(elements.map(({ elementId, ...mm }) => [elementId, mm]));
  const sizeOf = (element: CompositionElement) => sizes.get(elementIdOf(element)) ?? [];
  const [design = null, ...otherDesigns] = artworksOf(composition).flatMap(sizeOf);
  return {
    area,
    design,
    ...(otherDesigns.length > 0 && { otherDesigns }),
    texts: textsOf(composition).flatMap((element) => {
      const mm = sizes.get(elementIdOf(element));
      return mm
        ? [{ text: element.text.trim(), font: names.get(element.fontFamily) ?? element.fontFamily, ...mm }]
        : [];
    }),
  };
}

async function readUntraced(
  context: Context,
  design: DrawnDesign,
  { target, framing }: { target: Target; framing: Framing | undefined },
  run: RunOptions,
): Promise<DrawnPicture> {
  const isPicture = design.mediaType !== 'image/svg+xml';
  if (framing?.crop || framing?.straighten || (isPicture && target.kind !== 'mockup')) {
    throw new AppError('unprocessable', messages.noDesignToExport.description);
  }
  const picture = await readPicture(context, pictureKeyOf(design), run);
  return 'svg' in picture ? { ...picture, isUploaded: true } : picture;
}

/** Returns what a drawing for a target needs of a product. */
export async function toProductAsset(
  context: Context,
  product: DrawnProduct,
  target: Target,
): Promise<DrawInput['product']> {
  const { widthInches, heightInches } = parseDimensions(product.dimensions);
  return {
    area: productArea({ ...product, printWidthInches: widthInches }),
    picture: target.kind === 'mockup' ? await readProductPicture(context, product) : undefined,
    pictureAspect: product.pictureAspect,
    printArea: product.printArea,
    printWidthInches: widthInches,
    printHeightInches: heightInches,
    finish: { material: product.material, markColor: product.markColor },
    surface: product.surface,
  };
}

/** Returns the name of a file of a job, after its product, or else after its first design. */
export const filenameOf = (
  job: Pick<RenderJob, 'designs' | 'product'>,
  kind: Parameters<typeof exportFilename>[1],
): string => exportFilename(namesOf(job), kind);

export function namesOf({ designs, product }: Pick<RenderJob, 'designs' | 'product'>): FileNames {
  const [design] = designs.values();
  return { productName: product?.name, designFilename: design?.filename };
}
