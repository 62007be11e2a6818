/**
 * Draws a composition for a target in a worker process, because cutting shapes and rendering mockups is heavy.
 */
import { findFont } from '@markwright/fonts';
import {
  type Artwork,
  type Assets,
  type Composition,
  DRAWN_SIDE_PX,
  elementIdOf,
  figuresOf,
  fittingSidePx,
  lengthScale,
  linesOf,
  MOCKUP_PX,
  readArtwork,
  readSvg,
  renderScene,
  resolveScene,
  type Scene,
  type SceneGroup,
  SPIN,
  type SvgNode,
  sceneView,
  textsOf,
  type ViewTarget,
  writeSvg,
} from '@markwright/scene';
import { markPainter } from '@markwright/scene/markPainter';
import sharp from 'sharp';
import { AppError } from '../platform/errors.ts';
import { createFonts } from '../platform/fonts.ts';
import type { DrawInput, DrawnPicture, LimitStep, MediaJobs, StoredPicture } from '../platform/ports/mediaJobs.ts';
import { brushedNickel } from './brushedNickel.ts';
import { withoutLimit } from './drawingLimit.ts';
import { drawUpload } from './drawUpload.ts';
import { type EngravableArtwork, engraveArtworks, openEngravable } from './engraveArtworks.ts';
import { loadFigures } from './loadFigures.ts';
import { rasterize, rasterizePixels } from './rasterize.ts';
import { standIn } from './surroundings.ts';
import { readLight, wrapMockup } from './wrapMockup.ts';

const fonts = createFonts();
const PAPER = '#ffffff';

/** Throws what `resolveInput` throws. */
export async function draw(
  input: DrawInput,
  limitStep: LimitStep = withoutLimit,
): Promise<MediaJobs['draw']['output']> {
  const { target, sidePx, surroundings } = input;
  const scene = await resolveInput(input, limitStep);
  if (target.kind !== 'mockup') {
    if (scene.groups.some(({ children }) => children.some(({ kind }) => kind === 'raster'))) refuseSvg();
    return { svg: writeSvg(renderScene(scene, target)) };
  }
  const mockupSidePx = sidePx ?? (target.isSpin ? SPIN.sidePx : MOCKUP_PX);
  const drawnScene = await drawUploads(scene, mockupSidePx, limitStep);
  if (target.isSpin) return { webp: await drawSpin(drawnScene, target, mockupSidePx) };
  const wrap = { turnDeg: target.turnDeg, pxPerMm: pxPerMmOf(drawnScene, mockupSidePx) };
  // A watermark covers the surroundings too.
  const root = renderScene(await wrapMockup(drawnScene, wrap), surroundings ? { kind: 'mockup' } : target);
  const svg = writeSvg(isPixelForPixel(drawnScene, mockupSidePx) ? copyBackdrop(root, drawnScene) : root);
  const [width, height] = [Number(root.attrs.width), Number(root.attrs.height)];
  if (surroundings) {
    return { png: await standIn(rasterizePixels(svg, width), surroundings, target.watermark ?? false) };
  }
  const scale = sidePx === undefined ? 1 : sidePx / Math.max(width, height);
  const { png } = await rasterize({ svg, widthPx: Math.round(width * scale), background: PAPER });
  return { png };
}

/** Draws a round blank once around as a WebP that moves. Cost: that of a small mockup for each frame. */
async function drawSpin(wholeScene: Scene, target: ViewTarget, sidePx: number): Promise<Uint8Array> {
  const wrap = { pxPerMm: pxPerMmOf(wholeScene, sidePx), light: await readLight(wholeScene) };
  const scene = await shrinkBackdrop(wholeScene, sidePx);
  const isCopied = isPixelForPixel(scene, sidePx);
  const frames: Uint8Array[] = [];
  for (let frame = 0; frame < SPIN.frames; frame++) {
    const turnDeg = (360 * frame) / SPIN.frames;
    const root = renderScene(await wrapMockup(scene, { ...wrap, turnDeg }), target);
    const scale = sidePx / Math.max(Number(root.attrs.width), Number(root.attrs.height));
    const widthPx = Math.round(Number(root.attrs.width) * scale);
    const svg = writeSvg(isCopied ? copyBackdrop(root, scene) : root);
    frames.push((await rasterize({ svg, widthPx, background: PAPER })).png);
  }
  const delay = frames.map(() => SPIN.frameMs);
  return sharp(frames, { join: { animated: true } })
    .webp({ quality: 82, loop: 0, delay })
    .toBuffer();
}

function refuseSvg(): never {
  throw new AppError(
    'unprocessable',
    'SVG files hold outlines, and this design has a photograph in dots. Choose LightBurn, PNG or the job package, or ' +
      'engrave the photograph as tones.',
  );
}

/**
 * Resolves the scene of a drawing, with the engravings of its pictures. Throws unprocessable when a part of the
 * composition would be missing from it: a laser cannot be given a picture, and a text that cannot be set must not
 * vanish from a file somebody pays for.
 */
export async function resolveInput(
  { composition, ...input }: Omit<DrawInput, 'sidePx'>,
  limitStep: LimitStep = withoutLimit,
): Promise<Scene> {
  const resolve = await openInput(input, limitStep);
  return resolve(composition);
}

/**
 * Opens the pictures of a drawing, for several compositions with the same artworks. The function that it returns
 * resolves one of them, and throws as `resolveInput` does.
 */
export async function openInput(
  { product, artworks, ownFonts, target }: Omit<DrawInput, 'composition' | 'sidePx'>,
  limitStep: LimitStep = withoutLimit,
): Promise<(composition: Composition) => Promise<Scene>> {
  const engravables = new Map<string, EngravableArtwork>();
  const shownArtworks = new Map<string, Artwork>();
  for (const artwork of artworks) {
    const open = artwork.engraved && (await openEngravable(artwork, limitStep));
    if (open) engravables.set(artwork.id, open);
    shownArtworks.set(artwork.id, open?.artwork ?? (await toArtwork(artwork.picture, target)));
  }
  const shownProduct = product && {
    ...product,
    pictureHref: product.picture ? toDataUrl(product.picture) : '',
    finish: { ...product.finish, brushedHref: toDataUrl({ bytes: await brushedNickel(), mediaType: 'image/png' }) },
  };
  return async (composition) => {
    const assets: Assets = {
      product: shownProduct,
      artworks: shownArtworks,
      fonts: await fonts.bookFor(linesOf(composition), ownFonts),
      ...(figuresOf(composition).length > 0 && { figures: await loadFigures() }),
      markPainter,
    };
    const scene = resolveWithEngravings({ composition, product, artworks, target }, assets, engravables);
    refuseIncomplete(composition, scene, target);
    return scene;
  };
}

function resolveWithEngravings(
  input: Omit<DrawInput, 'sidePx'>,
  assets: Assets,
  engravables: ReadonlyMap<string, EngravableArtwork>,
): Scene {
  const { composition } = input;
  const plainScene = resolveScene(composition, assets);
  if (engravables.size === 0) return plainScene;
  return resolveScene(composition, { ...assets, engravings: engraveArtworks(input, plainScene, engravables) });
}

/** Throws unprocessable for a scene that lacks a part of its composition. */
function refuseIncomplete(composition: Composition, scene: Scene, target: DrawInput['target']): void {
  const isFile = target.kind !== 'mockup' && target.kind !== 'preview';
  if (isFile && scene.groups.some(({ children }) => children.some(({ kind }) => kind === 'image'))) {
    throw new AppError('unprocessable', 'This design has not been vectorized yet. Vectorize it first.');
  }
  const [fault] = scene.codeFaults ?? [];
  if (fault) throw new AppError('unprocessable', `A code cannot be made. ${fault.sentence}`);
  const drawnIds = new Set(scene.groups.map(({ elementId }) => elementId));
  const missingText = textsOf(composition).find((text) => text.text.trim() !== '' && !drawnIds.has(elementIdOf(text)));
  if (missingText)
    throw new AppError(
      'unprocessable',
      `The text “${missingText.text.trim()}” cannot be set in ${findFont(missingText.fontFamily).name}.`,
    );
}

function pxPerMmOf(scene: Scene, mockupSidePx: number): number {
  const { width, height } = sceneView(scene);
  return mockupSidePx / Math.max(width, height);
}

/**
 * Replaces uploaded SVGs in a scene by their pixels, as large as the mockup shows them, at most `DRAWN_SIDE_PX`. The
 * renderer would draw an embedded SVG in full, whatever that costs.
 */
async function drawUploads(scene: Scene, mockupSidePx: number, limitStep: LimitStep): Promise<Scene> {
  const pxPerMm = pxPerMmOf(scene, mockupSidePx);
  const toPixels = async (href: string, sideMm: number): Promise<string> => {
    if (!href.startsWith(SVG_HREF)) return href;
    const svg = Buffer.from(href.slice(SVG_HREF.length), 'base64').toString();
    const sidePx = Math.max(1, Math.min(DRAWN_SIDE_PX, Math.ceil(sideMm * pxPerMm - EXACT_PX)));
    return toDataUrl({ bytes: await drawUpload(svg, limitStep, sidePx), mediaType: 'image/png' });
  };
  const { backdrop } = scene;
  const drawnBackdrop = backdrop && {
    ...backdrop,
    pictureHref: await toPixels(backdrop.pictureHref, Math.max(backdrop.pictureWidthMm, backdrop.pictureHeightMm)),
  };
  const groups: SceneGroup[] = [];
  for (const group of scene.groups) {
    const [image] = group.children;
    if (image?.kind !== 'image') {
      groups.push(group);
      continue;
    }
    // Of the picture itself: the size of its group is that of the ink.
    const sideMm = Math.max(image.width, image.height) * lengthScale(group.matrix);
    groups.push({ ...group, children: [{ ...image, href: await toPixels(image.href, sideMm) }] });
  }
  return { ...scene, groups, backdrop: drawnBackdrop };
}

/**
 * Shrinks the product's picture to its size in a mockup. To shrink it in each frame of a blank that turns took two
 * thirds of the time.
 */
async function shrinkBackdrop(scene: Scene, mockupSidePx: number): Promise<Scene> {
  const { backdrop } = scene;
  if (!backdrop) return scene;
  const pxPerMm = pxPerMmOf(scene, mockupSidePx);
  const picture = sharp(Buffer.from(backdrop.pictureHref.slice(backdrop.pictureHref.indexOf(',') + 1), 'base64'));
  const [width, height] = [backdrop.pictureWidthMm, backdrop.pictureHeightMm].map((mm) => Math.round(mm * pxPerMm));
  const { width: wholeWidth = 0, height: wholeHeight = 0 } = await picture.metadata();
  if (wholeWidth <= width! || wholeHeight <= height!) return scene;
  const bytes = await picture.resize(width, height, { fit: 'fill' }).png().toBuffer();
  return { ...scene, backdrop: { ...backdrop, pictureHref: toDataUrl({ bytes, mediaType: 'image/png' }) } };
}

/** Sizes and places that differ by less are equal: those of a mockup are written with few decimals. */
const EXACT_PX = 0.01;

/** True when each pixel of the product's picture, a PNG, is one of the mockup. */
function isPixelForPixel(scene: Scene, mockupSidePx: number): boolean {
  const { backdrop } = scene;
  if (!backdrop?.pictureHref.startsWith(PNG_HREF) || backdrop.angleDeg !== 0) return false;
  const header = Buffer.from(backdrop.pictureHref.slice(PNG_HREF.length, PNG_HREF.length + 32), 'base64');
  const view = sceneView(scene);
  const pxPerMm = mockupSidePx / Math.max(view.width, view.height);
  const isExact = (px: number, wholePx = Math.round(px)) => Math.abs(px - wholePx) < EXACT_PX;
  return (
    isExact(backdrop.pictureWidthMm * pxPerMm, header.readUInt32BE(16)) &&
    isExact(backdrop.pictureHeightMm * pxPerMm, header.readUInt32BE(20)) &&
    isExact((backdrop.originMm.x + view.x) * pxPerMm) &&
    isExact((backdrop.originMm.y + view.y) * pxPerMm)
  );
}

/** Lets the renderer copy the product's pixels. To interpolate four million takes a third of the time of a mockup. */
function copyBackdrop(root: SvgNode, { backdrop }: Scene): SvgNode {
  const children = root.children.map((node) =>
    node.tag === 'image' && node.attrs.href === backdrop?.pictureHref
      ? { ...node, attrs: { ...node.attrs, 'image-rendering': 'optimizeSpeed' } }
      : node,
  );
  return { ...root, children };
}

const PNG_HREF = 'data:image/png;base64,';
const SVG_HREF = 'data:image/svg+xml;base64,';

/**
 * An uploaded drawing of outlines alone is drawn as a picture in a mockup when it would take too long at the mockup's
 * size: shapes of a scene are drawn without the limits of an upload.
 */
async function toArtwork(picture: DrawnPicture, target: DrawInput['target']): Promise<Artwork> {
  if ('png' in picture) {
    const { width, height } = await sharp(picture.png).metadata();
    return { width, height, shapes: [], imageHref: toDataUrl({ bytes: picture.png, mediaType: 'image/png' }) };
  }
  const { svg, isUploaded } = picture;
  const canBeCostly = target.kind === 'mockup' && isUploaded;
  if (!canBeCostly && lastArtwork?.svg === svg) return lastArtwork.artwork;
  const safe = readSvg(svg);
  const { width, height } = safe;
  const isCostly = canBeCostly && fittingSidePx(safe, MOCKUP_PX) < MOCKUP_PX;
  const artwork = (isCostly ? undefined : readArtwork(safe)) ?? {
    width,
    height,
    shapes: [],
    imageHref: toDataUrl({ bytes: new TextEncoder().encode(svg), mediaType: 'image/svg+xml' }),
  };
  if (!isCostly && svg.length <= MOST_KEPT) lastArtwork = { svg, artwork };
  return artwork;
}

/** The pieces of a list have one artwork, and come one after the other: to read it took a sixth of a piece's time. */
let lastArtwork: { readonly svg: string; readonly artwork: Artwork } | undefined;
/** The most characters of a drawing that is kept. */
const MOST_KEPT = 1_000_000;

const toDataUrl = ({ bytes, mediaType }: StoredPicture): string =>
  `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`;
