/** Decides what is opened: where a composition comes from, and which of several versions wins. Pure functions. */
import { emptyComposition, MAX_NAME_LENGTH } from '@markwright/scene';
import type { AutosaveModel, ServerCopy, World } from './autosaveTypes.ts';
import { blankCopy, type DeviceComposition } from './blankCopy.ts';
import { isDue, isSame } from './compare.ts';
import { MAX_DEVICE_COMPOSITIONS } from './deviceCompositionList.ts';

export type OpenTarget = { readonly id: string } | { readonly savedId: string };

export type OpenPlan =
  | { readonly from: 'device'; readonly copy: DeviceComposition }
  | { readonly from: 'server'; readonly savedId: string; readonly deviceId: string }
  /** It is open already. */
  | { readonly from: 'stage' }
  | { readonly from: 'nowhere'; readonly sentence: string };

/** Returns where a composition is opened from: this device when it is newer there or nothing else can be asked. */
export function planOpen({ open, owner }: AutosaveModel, target: OpenTarget, world: World): OpenPlan {
  const copy =
    'id' in target
      ? world.readCopy(target.id)
      : world.listCopies().find((one) => one.owner === (owner ?? null) && one.saved?.id === target.savedId);
  if (copy?.id === open.id) return { from: 'stage' };
  if (copy && (isDue(copy) || copy.owner === null || !world.isOnline)) return { from: 'device', copy };
  const savedId = 'savedId' in target ? target.savedId : copy?.saved?.id;
  if (savedId === undefined) return { from: 'nowhere', sentence: 'This design is not on this device any more.' };
  if (savedId === open.saved?.id) return { from: 'stage' };
  if (!world.isOnline) {
    return { from: 'nowhere', sentence: 'You are offline, and this design is not on this device yet.' };
  }
  return { from: 'server', savedId, deviceId: copy?.id ?? savedId };
}

/**
 * Returns this device's copy when it has more than the server's version: another tab stored it while the answer was on
 * its way.
 */
export function newerOnDevice(
  id: string,
  theirs: ServerCopy,
  world: Pick<World, 'readCopy'>,
): DeviceComposition | undefined {
  const deviceCopy = world.readCopy(id);
  return deviceCopy && (isDue(deviceCopy) || (deviceCopy.saved?.revision ?? 0) > theirs.revision)
    ? deviceCopy
    : undefined;
}

/** Returns why no other composition can be begun, as a sentence; undefined when it can. */
export function refuseNew({ owner }: AutosaveModel, world: World): string | undefined {
  const isFull =
    owner == null && world.listCopies().filter((copy) => copy.owner === null).length >= MAX_DEVICE_COMPOSITIONS;
  return isFull
    ? `This device keeps ${MAX_DEVICE_COMPOSITIONS} designs. Delete one, or create an account to keep them all.`
    : undefined;
}

/** Returns another tab's version of the open composition when this device has one. */
export function otherTabsCopy({ open }: AutosaveModel, world: World): DeviceComposition | undefined {
  const deviceCopy = world.readCopy(open.id);
  return deviceCopy && !isSame(deviceCopy.composition, open.composition) ? deviceCopy : undefined;
}

/** Returns a blank composition for the same machine. */
export function blankForMachine({ owner }: AutosaveModel, world: World): DeviceComposition {
  const { machine } = world.stage.composition;
  return blankCopy(world.newId(), owner ?? null, world.now, { ...emptyComposition, machine });
}

export function copyOfServer(
  { id, name, revision, updatedAt, composition }: ServerCopy,
  deviceId: string,
  owner: number | null,
): DeviceComposition {
  const ref = { id, revision };
  return {
    id: deviceId,
    owner,
    name,
    composition,
    updatedAt,
    saved: ref,
    isUnsaved: false,
    isRenamed: false,
    pending: [],
  };
}

/** Returns `Wedding (copy)`, within the length of a name; blank stays blank. */
export function copyName(name: string): string {
  const ending = ' (copy)';
  return name && name.slice(0, MAX_NAME_LENGTH - ending.length).trimEnd() + ending;
}
