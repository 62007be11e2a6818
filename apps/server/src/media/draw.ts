/**
 * Draws a composition for a target in a worker process, because cutting shapes and rendering mockups is heavy.
 */
import {
  type Artwork,
  readArtwork,
  readSvg,
  renderScene,
  resolveScene,
  toTextLines,
  writeSvg,
} from '@markwright/scene';
import { markPainter } from '@markwright/scene/markPainter';
import sharp from 'sharp';
import { AppError } from '../platform/errors.ts';
import { createFonts } from '../platform/fonts.ts';
import type { DrawInput, MediaJobs, StoredPicture } from '../platform/ports/mediaJobs.ts';
import { brushedNickel } from './brushedNickel.ts';
import { rasterize } from './rasterize.ts';

const fonts = createFonts();
const PAPER = '#ffffff';

/**
 * Throws unprocessable when a part of the composition would be missing from the drawing: a laser cannot be given a
 * picture, and a text that cannot be set must not vanish from a file somebody pays material for.
 */
export async function draw({
  composition,
  product,
  design,
  target,
  sidePx,
}: DrawInput): Promise<MediaJobs['draw']['output']> {
  const scene = resolveScene(composition, {
    product: product && {
      ...product,
      pictureHref: product.picture ? toDataUrl(product.picture) : '',
      finish: { ...product.finish, brushedHref: toDataUrl({ bytes: await brushedNickel(), mediaType: 'image/png' }) },
    },
    artwork: design && (await toArtwork(design)),
    fonts: await fonts.bookFor(composition.texts.flatMap(toTextLines)),
    markPainter,
  });
  const isFile = target.kind !== 'mockup' && target.kind !== 'preview';
  if (isFile && scene.groups.some(({ children }) => children.some(({ kind }) => kind === 'image'))) {
    throw new AppError('unprocessable', 'This design has not been vectorized yet. Vectorize it first.');
  }
  const drawnIds = new Set(scene.groups.map(({ elementId }) => elementId));
  const missingText = composition.texts.find((text) => text.text.trim() !== '' && !drawnIds.has(`text:${text.id}`));
  if (missingText)
    throw new AppError(
      'unprocessable',
      `The text “${missingText.text.trim()}” cannot be set in ${missingText.fontFamily}.`,
    );

  const root = renderScene(scene, target);
  const svg = writeSvg(root);
  if (target.kind !== 'mockup') return { svg };
  const [width, height] = [Number(root.attrs.width), Number(root.attrs.height)];
  const scale = sidePx === undefined ? 1 : sidePx / Math.max(width, height);
  const { png } = await rasterize({ svg, widthPx: Math.round(width * scale), background: PAPER });
  return { png };
}

async function toArtwork(design: { readonly svg: string } | { readonly png: Uint8Array }): Promise<Artwork> {
  if ('png' in design) {
    const { width, height } = await sharp(design.png).metadata();
    return { width, height, shapes: [], imageHref: toDataUrl({ bytes: design.png, mediaType: 'image/png' }) };
  }
  const safe = readSvg(design.svg);
  const bytes = new TextEncoder().encode(design.svg);
  const { width, height } = safe;
  return (
    readArtwork(safe) ?? { width, height, shapes: [], imageHref: toDataUrl({ bytes, mediaType: 'image/svg+xml' }) }
  );
}

const toDataUrl = ({ bytes, mediaType }: StoredPicture): string =>
  `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`;
