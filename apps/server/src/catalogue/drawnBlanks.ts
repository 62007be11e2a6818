/**
 * The pictures that ship with the base products, as pixels. They are SVGs with filters that cost seconds of processor
 * time to draw. Each is drawn once, when its first mockup is made, and stored for all later ones and all servers.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { MOCKUP_PX, readSvg } from '@markwright/scene';
import type { Context } from '../platform/context.ts';
import type { StoredPicture } from '../platform/ports/mediaJobs.ts';
import { findSiteFolders } from '../platform/site.ts';
import { SITE } from '../platform/storage.ts';

/** Raise it when the renderer draws other pixels: old pictures are then not found. */
const RENDER_VERSION = 1;

/** Returns the path of the drawing that ships with a base product. */
export const drawnPicturePath = (productId: string): string => `${findSiteFolders().productPictures}/${productId}.svg`;

const rendersOfContext = new WeakMap<Context, Map<string, Promise<StoredPicture>>>();

/** Returns the drawn picture of a base product at the size of a mockup. Simultaneous callers wait for one drawing. */
export async function readDrawnBlank(context: Context, productId: string): Promise<StoredPicture> {
  const svg = await readFile(drawnPicturePath(productId), 'utf8');
  const hash = createHash('sha256')
    .update(JSON.stringify([RENDER_VERSION, MOCKUP_PX, svg]))
    .digest('hex');
  const key = `blanks/${productId}/${hash.slice(0, 32)}.png`;
  const renders = rendersOfContext.get(context) ?? new Map<string, Promise<StoredPicture>>();
  rendersOfContext.set(context, renders);
  const render = renders.get(key) ?? readOrRender(context, productId, key, svg).finally(() => renders.delete(key));
  renders.set(key, render);
  return render;
}

async function readOrRender(context: Context, productId: string, key: string, svg: string): Promise<StoredPicture> {
  const file = await context.files.get(key);
  if (file) return file;
  const { width, height } = readSvg(svg);
  const widthPx = Math.round(MOCKUP_PX * Math.min(1, width / height));
  // The operator's work: the caller whose mockup is the first one does not pay for it.
  const caller = { name: `blank:${productId}`, lane: 'account', payers: [] } as const;
  const { png } = await context.media.run('rasterize', { svg, widthPx }, { caller });
  const picture = { bytes: png, mediaType: 'image/png' };
  await store(context, productId, key, picture).catch((error: unknown) =>
    context.log.warn({ err: error }, 'the picture of a blank could not be stored and will be drawn again'),
  );
  return picture;
}

/** Stores a picture, and deletes those of earlier versions of the same product. */
async function store(context: Context, productId: string, key: string, picture: StoredPicture): Promise<void> {
  await context.files.put(key, picture.bytes, picture.mediaType, SITE);
  const others: string[] = [];
  for await (const other of context.files.list(`blanks/${productId}/`)) if (other.key !== key) others.push(other.key);
  await context.files.deleteMany(others);
}
