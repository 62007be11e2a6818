/** The picture of a design without its background: a file beside the original, from which every later trace is made. */
import { createHash } from 'node:crypto';
import { type BackgroundOptions, CutoutStage, type ModelUsed } from '@markwright/contract';
import type { KindOfBackground } from '@markwright/matting';
import { withAllowance } from '../allowances/allowances.ts';
import type { Deps } from '../openContext.ts';
import { AppError } from '../platform/errors.ts';
import type { Actor } from '../platform/mount.ts';
import { networkOf } from '../platform/network.ts';
import type { Progress } from '../platform/ports/mediaJobs.ts';
import { countTry, type Throttle } from '../platform/rateLimit.ts';
import { callerOf, readPicture } from '../tracing/tracing.ts';
import { finish, showPicture } from './finishing.ts';
import { type DesignRow, type Guest, getDesign } from './ownDesigns.ts';

/** Raise it when the same picture is cut out otherwise than before: the files of before are then not found. */
const CUTOUT_VERSION = 4;
/** The same for what a network saw. */
const MASK_VERSION = 1;

/** What is refused is not charged, and costs the server as much. */
const guestCutouts = ({ address }: Guest): Throttle => ({
  key: `cutout ${networkOf(address)}`,
  limit: 300,
  windowMs: 60 * 60 * 1000,
});

/** How a removal goes on. */
interface Going {
  readonly signal: AbortSignal;
  report(stage: CutoutStage): void;
}

/**
 * Takes a design's background away. The original is kept, and so is how the design was last shown. A guest is charged once for
 * each design, for this and its traces together; finishing a cut-out costs nothing further. Throws notFound, unprocessable with the reason, and tooMany.
 */
export async function removeBackground(
  deps: Deps,
  actor: Actor,
  designId: string,
  options: BackgroundOptions,
  going: Going,
): Promise<{ backgroundRemovedUrl: string; modelUsed: ModelUsed }> {
  const design = await getDesign(deps, actor, designId);
  const make = () => cutOut(deps, actor, design, options, going);
  const { key: cutout, modelUsed } =
    actor.kind === 'guest' ? await withAllowance(deps, actor, 'guestMockup', design.id, make) : await make();
  if (options.isTrial) return { backgroundRemovedUrl: deps.urls.sign(cutout), modelUsed };
  const key = await finish(deps, actor, design, cutout, options, going.signal);
  await showPicture(deps, design, key);
  return { backgroundRemovedUrl: deps.urls.sign(key), modelUsed };
}

interface Cutout {
  readonly key: string;
  readonly modelUsed: ModelUsed;
}

/** Gives the file. What was cut out before costs nothing, and what a network saw before is not asked again. */
async function cutOut(
  deps: Deps,
  actor: Actor,
  design: DesignRow,
  options: BackgroundOptions,
  going: Going,
): Promise<Cutout> {
  const { signal, report } = going;
  const { model, clearEnclosed } = options;
  const network = await deps.networks.find(model);
  const classical = (kind: 'flat' | 'plain') => ({
    key: fileKey(design, 'cutout.png', CUTOUT_VERSION, kind, { clearEnclosed }),
    modelUsed: 'classical' as const,
  });
  const byNetwork = network && {
    key: fileKey(design, 'cutout.png', CUTOUT_VERSION, network.id, { clearEnclosed }),
    modelUsed: network.name,
  };
  // Flat art is cut out without a network even where there is one.
  for (const known of [classical('flat'), byNetwork ?? classical('plain')]) {
    if (await deps.files.has(known.key)) return known;
  }

  const picture = await readPicture(deps, design.originalKey);
  if (!('png' in picture)) throw new AppError('unprocessable', 'An SVG has no background to remove.');
  if (actor.kind === 'guest') await countTry(deps, [guestCutouts(actor)]);
  const run = {
    caller: callerOf(actor),
    signal,
    onProgress: ({ stage }: Progress) => {
      const known = CutoutStage.safeParse(stage);
      if (known.success) report(known.data);
    },
  };
  const kept = network && (await readMasks(deps, design, network.id));
  let cutout: Cutout = byNetwork ?? classical('plain');
  let made = await deps.media.run('cutOut', { ...picture, clearEnclosed, masks: kept, squareSide: network?.side }, run);
  if ('square' in made) {
    const { kind } = made;
    const masks = network && (await deps.networks.segment(network, made, run).catch((error) => goWithout(error, kind)));
    if (!masks) return cutOut(deps, actor, design, options, going); // by another model, or by none
    if (masks.length === 0) cutout = classical('plain');
    await keepMasks(deps, design, network.id, masks);
    made = await deps.media.run('cutOut', { ...picture, clearEnclosed, masks }, run);
  }
  if ('square' in made) throw new Error('A picture with a mask was not cut out.');
  if (made.kind === 'flat') cutout = classical('flat');
  await deps.files.put(cutout.key, made.png, 'image/png');
  return cutout;
}

/** A plain background can be told without a network, when that was too much for the machine. Gives no masks, or throws. */
function goWithout(error: unknown, kind: KindOfBackground): readonly Uint8Array[] {
  if (kind === 'plain' && error instanceof AppError && error.code === 'unprocessable') return [];
  throw error;
}

const maskKeys = (design: DesignRow, networkId: string): readonly string[] =>
  ['near', 'far'].map((look) => fileKey(design, 'mask.bin', MASK_VERSION, networkId, look));

async function readMasks(deps: Deps, design: DesignRow, networkId: string): Promise<Uint8Array[]> {
  const files = await Promise.all(maskKeys(design, networkId).map((key) => deps.files.get(key)));
  return files[0] ? files.flatMap((file) => file?.bytes ?? []) : [];
}

/** The first look last: where it is, all are. */
async function keepMasks(
  deps: Deps,
  design: DesignRow,
  networkId: string,
  masks: readonly Uint8Array[],
): Promise<void> {
  const keys = maskKeys(design, networkId);
  for (const [i, mask] of [...masks.entries()].reverse())
    await deps.files.put(keys[i]!, mask, 'application/octet-stream');
}

/** One file for each way of making it. They lie in the design's folder and go with it. */
function fileKey(design: DesignRow, file: 'cutout.png' | 'mask.bin', ...way: readonly unknown[]): string {
  const hash = createHash('sha256').update(JSON.stringify([...way, design.originalKey]));
  const [name, extension] = file.split('.');
  return `designs/${design.id}/${name}-${hash.digest('hex').slice(0, 32)}.${extension}`;
}
