/** The picture of a design without its background: a file beside the original, from which every later trace is made. */
import { createHash } from 'node:crypto';
import type { BackgroundOptions, ModelUsed } from '@markwright/contract';
import { countTry, type Throttle } from '../accounts/throttle.ts';
import { withAllowance } from '../billing/allowances.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../platform/errors.ts';
import type { Actor } from '../platform/mount.ts';
import { networkOf } from '../platform/network.ts';
import { finish, showPicture } from './finishing.ts';
import { type DesignRow, type Guest, getDesign } from './ownership.ts';
import { callerOf, readPicture } from './tracing.ts';

/** Raise it when the same picture is cut out otherwise than before: the files of before are then not found. */
const CUTOUT_VERSION = 2;

/** What is refused is not charged, and costs the server as much. */
const guestCutouts = ({ address }: Guest): Throttle => ({
  key: `cutout ${networkOf(address)}`,
  limit: 300,
  windowMs: 60 * 60 * 1000,
});

/**
 * Takes a design's background away. The original is kept, and so is how the design was last shown. A guest is charged once for
 * each design, for this and its traces together; finishing a cut-out costs nothing further. Throws notFound, unprocessable with the reason, and tooMany.
 */
export async function removeBackground(
  deps: Deps,
  actor: Actor,
  designId: string,
  options: BackgroundOptions,
  signal: AbortSignal,
): Promise<{ backgroundRemovedUrl: string; modelUsed: ModelUsed }> {
  const design = await getDesign(deps, actor, designId);
  const make = () => cutOut(deps, actor, design, options, signal);
  const cutout =
    actor.kind === 'guest' ? await withAllowance(deps, actor, 'guestMockup', design.id, make) : await make();
  if (options.isTrial) return { backgroundRemovedUrl: deps.urls.sign(cutout), modelUsed: 'classical' };
  const key = await finish(deps, actor, design, cutout, options, signal);
  await showPicture(deps, design, key);
  return { backgroundRemovedUrl: deps.urls.sign(key), modelUsed: 'classical' };
}

/** Gives the key of the file. What was cut out before costs nothing. */
async function cutOut(
  deps: Deps,
  actor: Actor,
  design: DesignRow,
  { clearEnclosed }: BackgroundOptions,
  signal: AbortSignal,
): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([CUTOUT_VERSION, design.originalKey, { clearEnclosed }]));
  const key = `designs/${design.id}/cutout-${hash.digest('hex').slice(0, 32)}.png`;
  if (await deps.files.get(key)) return key;
  const picture = await readPicture(deps, design.originalKey);
  if (!('png' in picture)) throw new AppError('unprocessable', 'An SVG has no background to remove.');
  if (actor.kind === 'guest') await countTry(deps, [guestCutouts(actor)]);
  const made = await deps.media.run('cutOut', { ...picture, clearEnclosed }, { caller: callerOf(actor), signal });
  await deps.files.put(key, made.png, 'image/png');
  return key;
}
