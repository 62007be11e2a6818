/**
 * The state machine of autosave: which composition is open, what of it is stored where, and what happens next.
 *
 * It is a pure reducer. `transition` takes the state, an event and what the world looks like at that moment, and
 * returns the next state with a list of effects as data; `autosave.ts` carries the effects out. Nobody's version is
 * written over: a save names the revision it goes on from, and a tab compares the device's copy with the one it read
 * before it writes it. Where another tab or device was first, this tab stops saving and asks.
 *
 * The file is over 500 lines because it is one story: every transition may store, save, open or ask, and the rules of
 * each are only right together.
 */
import { isSameExceptInk } from '@markwright/editor';
import { emptyComposition } from '@markwright/scene';
import type {
  AutosaveEvent,
  AutosaveModel,
  Effect,
  SavedRef,
  SaveStatus,
  ServerCopy,
  Timer,
  Transition,
  World,
  WritePurpose,
} from './autosaveTypes.ts';
import { blankCopy, type DeviceComposition } from './blankCopy.ts';
import { fingerprint, isDue, isSame } from './compare.ts';
import { byLastChange, MAX_DEVICE_COMPOSITIONS } from './deviceCompositionList.ts';
import { blankForMachine, copyName, copyOfServer, newerOnDevice } from './openPlan.ts';

const STORE_DELAY_MS = 300;
const SAVE_DELAY_MS = 700;
const RETRY_MS = { first: 2_000, most: 60_000 } as const;
/** The status of a server that keeps no more for this account. */
const INSUFFICIENT_STORAGE = 507;
/** Saves in a row whose answer was lost. */
const PENDING_LIMIT = 10;

export function initialModel(first: DeviceComposition, world: World): AutosaveModel {
  const model: AutosaveModel = {
    open: first,
    owner: undefined,
    status: 'blank',
    failure: undefined,
    isSending: false,
    isSavePlanned: false,
    isConnected: false,
    failures: 0,
    openings: 0,
  };
  return { ...model, status: restingStatus(createTurn(model, world)) };
}

/** Returns the state after an event and what is to be done. Throws nothing; costs a few reads of the device. */
export function transition(model: AutosaveModel, event: AutosaveEvent, world: World): Transition {
  const turn = createTurn(model, world);
  handle(turn, event);
  return { model: turn.model, effects: turn.effects };
}

/**
 * True when the event puts another composition on the stage or ends the page's visit: a gesture is committed before it.
 */
export function endsGesture({ open }: AutosaveModel, event: AutosaveEvent): boolean {
  if (event.type === 'left' || event.type === 'disconnected') return true;
  return event.type === 'ownerChanged' && event.owner !== null && isForeign(open, event.owner);
}

const isForeign = (copy: DeviceComposition, owner: number): boolean => copy.owner !== null && copy.owner !== owner;

/** One transition under way: the state so far, the effects so far, and the device as it will be after them. */
interface Turn {
  model: AutosaveModel;
  readonly effects: Effect[];
  readonly world: World;
  stage: World['stage'];
  /** Copies this turn writes; undefined for those it removes. */
  readonly pendingCopies: Map<string, DeviceComposition | undefined>;
}

function createTurn(model: AutosaveModel, world: World): Turn {
  return { model, effects: [], world, stage: world.stage, pendingCopies: new Map() };
}

function set(turn: Turn, changes: Partial<AutosaveModel>): void {
  turn.model = { ...turn.model, ...changes };
}

function show(turn: Turn, status: SaveStatus, failure?: string): void {
  set(turn, { status, failure });
}

function read(turn: Turn, id: string): DeviceComposition | undefined {
  return turn.pendingCopies.has(id) ? turn.pendingCopies.get(id) : turn.world.readCopy(id);
}

function list(turn: Turn): DeviceComposition[] {
  const otherCopies = turn.world.listCopies().filter(({ id }) => !turn.pendingCopies.has(id));
  const newCopies = [...turn.pendingCopies.values()].filter((copy) => copy !== undefined);
  return [...otherCopies, ...newCopies].sort(byLastChange);
}

function write(turn: Turn, copy: DeviceComposition, purpose: WritePurpose): void {
  turn.pendingCopies.set(copy.id, copy);
  turn.effects.push({ type: 'write', copy, purpose });
}

function remove(turn: Turn, id: string): void {
  turn.pendingCopies.set(id, undefined);
  turn.effects.push({ type: 'remove', id });
}

function setTimer(turn: Turn, timer: Timer, delayMs: number): void {
  if (timer === 'save') set(turn, { isSavePlanned: true });
  turn.effects.push({ type: 'setTimer', timer, delayMs });
}

function clearTimer(turn: Turn, timer: Timer): void {
  if (timer === 'save') set(turn, { isSavePlanned: false });
  turn.effects.push({ type: 'clearTimer', timer });
}

const isDirty = ({ model, stage }: Turn): boolean => !isSameExceptInk(stage.composition, model.open.composition);

/** True when the open composition must not be replaced by a newer version without a question. */
const isBusy = (turn: Turn): boolean =>
  turn.model.isSending || isDue(turn.model.open) || isDirty(turn) || turn.stage.isGesturing;

/** Returns the status while nothing is under way. */
function restingStatus(turn: Turn): SaveStatus {
  const { open, owner } = turn.model;
  if (!read(turn, open.id)) return 'blank';
  if (open.owner === null) return 'device';
  if (owner === null) return 'signedOut';
  if (!isDue(open)) return 'saved';
  return turn.world.isOnline ? 'saving' : 'offline';
}

function handle(turn: Turn, event: AutosaveEvent): void {
  switch (event.type) {
    case 'connected':
      set(turn, { isConnected: true });
      // Edited while this code was on its way.
      if (isDirty(turn)) setTimer(turn, 'store', STORE_DELAY_MS);
      return;
    case 'disconnected':
      set(turn, { isConnected: false });
      leave(turn);
      clearTimer(turn, 'save');
      return;
    case 'edited':
      if (isDirty(turn)) setTimer(turn, 'store', STORE_DELAY_MS);
      return;
    case 'storeDue':
      store(turn);
      return;
    case 'saveDue':
      save(turn);
      return;
    case 'flushed':
      store(turn);
      save(turn);
      return;
    case 'left':
      leave(turn);
      return;
    case 'shown':
      onShown(turn);
      return;
    case 'online':
      if (turn.model.status === 'changed') return;
      set(turn, { failures: 0 });
      planSave(turn, 0);
      turn.effects.push({ type: 'sync' });
      refresh(turn);
      return;
    case 'offline':
      if (turn.model.status === 'saving') planSave(turn, 0);
      return;
    case 'deviceFull':
      onDeviceFull(turn, event.id, event.purpose);
      return;
    case 'ownerChanged':
      changeOwner(turn, event.owner);
      return;
    case 'renamed':
      rename(turn, event.name);
      return;
    case 'openingBegan':
      set(turn, { openings: turn.model.openings + 1 });
      return;
    case 'opened':
      enter(turn, event.copy, event.isStored);
      return;
    case 'deletedByUser':
      clearTimer(turn, 'store');
      enter(turn, blankForMachine(turn.model, turn.world), false);
      return;
    case 'mineKept':
      moveTo(turn, copyName(turn.model.open.name), false);
      return;
    case 'retried':
      set(turn, { failures: 0 });
      if (turn.model.status === 'full') put(turn, turn.model.open);
      planSave(turn, 0);
      return;
    case 'pushBegan':
      if (event.copy.isUnsaved) markPending(turn, event.copy);
      return;
    case 'pushed':
      settle(turn, event.copy, event.ref);
      return;
    case 'refused':
      refuse(turn, event.copy, event.status, event.message);
      return;
    case 'saveEnded':
      endSave(turn, event.isOk);
      return;
    case 'refreshed':
      takeOver(turn, event.id, event.theirs);
  }
}

/**
 * Writes what is on the stage to this device. Returns false when another tab has written this composition meanwhile.
 */
function store(turn: Turn): boolean {
  clearTimer(turn, 'store');
  const { open, status } = turn.model;
  if (status === 'changed') return false;
  if (!isDirty(turn)) return true;
  if (isStoredByOther(turn)) {
    show(turn, 'changed');
    return false;
  }
  const { stage, world } = turn;
  // Another tab may have saved or renamed the version that is the same here.
  const base = read(turn, open.id) ?? open;
  put(turn, { ...base, composition: stage.composition, updatedAt: world.now.toISOString(), isUnsaved: true });
  return true;
}

/** Makes `next` the open composition's copy on this device, and plans its save. */
function put(turn: Turn, next: DeviceComposition): void {
  set(turn, { open: next });
  write(turn, next, 'edit');
  planAfterPut(turn);
}

function planAfterPut(turn: Turn): void {
  const { open, owner } = turn.model;
  if (open.owner === null || owner === undefined) show(turn, restingStatus(turn));
  else planSave(turn, SAVE_DELAY_MS);
}

function onDeviceFull(turn: Turn, id: string, purpose: 'edit' | 'load'): void {
  const { open, owner } = turn.model;
  if (open.id !== id) return;
  if (purpose === 'edit') {
    if (open.owner === null || owner === undefined) show(turn, 'full');
  } else if (!isDue(open)) show(turn, restingStatus(turn));
}

function planSave(turn: Turn, delayMs: number): void {
  clearTimer(turn, 'save');
  const { open, owner, status } = turn.model;
  if (!isDue(open)) show(turn, restingStatus(turn));
  else if (open.owner === null || owner === undefined) return;
  else if (owner !== open.owner) show(turn, 'signedOut');
  else if (!turn.world.isOnline) show(turn, 'offline');
  else {
    if (status !== 'changed') show(turn, 'saving');
    setTimer(turn, 'save', delayMs);
  }
}

/** Sends the open composition. One save is under way at a time; changes that come meanwhile are sent after it. */
function save(turn: Turn): void {
  clearTimer(turn, 'save');
  const { open, owner, status, isSending } = turn.model;
  const mayGo = open.owner !== null && open.owner === owner && status !== 'changed' && turn.world.isOnline;
  if (!isDue(open) || !mayGo || isSending) return;
  if (isStoredByOther(turn)) {
    takeOtherTabs(turn);
    return;
  }
  set(turn, { isSending: true });
  show(turn, 'saving');
  turn.effects.push({ type: 'save', copy: open });
}

/**
 * Opens the version that another tab has saved on the device. When this tab has changes too, the person is asked
 * instead.
 */
function takeOtherTabs(turn: Turn): void {
  const deviceCopy = read(turn, turn.model.open.id);
  if (!deviceCopy || isDirty(turn) || turn.stage.isGesturing) {
    show(turn, 'changed');
    return;
  }
  enter(turn, deviceCopy, false);
  turn.effects.push(newerVersion);
}

function endSave(turn: Turn, isOk: boolean): void {
  set(turn, { isSending: false, ...(isOk && { failures: 0 }) });
  // Another composition was opened meanwhile, and its own save had to wait.
  const { open, status, isConnected, isSavePlanned } = turn.model;
  if (isConnected && isDue(open) && status === 'saving' && !isSavePlanned) planSave(turn, 0);
}

/**
 * Changes what is known of a composition, on the device and in the open one, and leaves both compositions as they are:
 * another tab's version on the device stays there.
 */
function note(turn: Turn, id: string, change: (copy: DeviceComposition) => DeviceComposition): void {
  const { open } = turn.model;
  const deviceCopy = read(turn, id) ?? (open.id === id ? open : undefined);
  if (deviceCopy) write(turn, change(deviceCopy), 'note');
  if (open.id === id) set(turn, { open: change(open) });
}

/** Stores the fingerprint of what is about to be sent, so that this device knows its own version if no answer comes. */
function markPending(turn: Turn, copyToSend: DeviceComposition): void {
  const pending = [...copyToSend.pending, fingerprint(copyToSend.composition)].slice(-PENDING_LIMIT);
  note(turn, copyToSend.id, (copy) => ({ ...copy, pending }));
}

/** Notes what the server has stored. The copy may have been changed since, or another one opened. */
function settle(turn: Turn, sentCopy: DeviceComposition, ref: SavedRef): void {
  const isOpen = turn.model.open.id === sentCopy.id;
  if (!isOpen && !read(turn, sentCopy.id)) return;
  note(turn, sentCopy.id, (copy) => ({
    ...copy,
    saved: ref,
    isUnsaved: !isSame(copy.composition, sentCopy.composition),
    isRenamed: copy.name !== sentCopy.name,
    pending: [],
  }));
  forgetOldCopies(turn);
  if (!isOpen || turn.model.status === 'changed') return;
  if (isDue(turn.model.open)) planSave(turn, 0);
  else show(turn, 'saved');
}

function refuse(turn: Turn, sentCopy: DeviceComposition, status: number | undefined, message: string): void {
  const { open } = turn.model;
  const isOpen = open.id === sentCopy.id;
  if (status === 409 || status === 404) {
    if (!isOpen) forkOnDevice(turn, sentCopy.id);
    else if (status === 409 && sentCopy.saved) show(turn, 'changed');
    // It was deleted elsewhere while it is worked on here: it becomes a composition of its own again.
    else moveTo(turn, sentCopy.name, true);
    return;
  }
  if (!isOpen || turn.model.status === 'changed') return;
  if (status === 401) {
    show(turn, 'signedOut');
    return;
  }
  if (turn.world.isOnline) show(turn, 'failed', message);
  else show(turn, 'offline');
  const isFinal = status !== undefined && status !== 429 && (status < 500 || status === INSUFFICIENT_STORAGE);
  if (isFinal || !turn.model.isConnected) return;
  const { failures, isSavePlanned } = turn.model;
  set(turn, { failures: failures + 1 });
  // A change that came meanwhile has planned an earlier save.
  if (!isSavePlanned) setTimer(turn, 'save', Math.min(RETRY_MS.first * 2 ** failures, RETRY_MS.most));
}

/** Goes on with what is on the stage as a composition of its own. */
function moveTo(turn: Turn, name: string, isGone: boolean): void {
  const { open } = turn.model;
  const deviceCopy = read(turn, open.id);
  // The server has another version of it, or none: the device's copy is the one that goes on.
  const isMine = isGone || (open.saved !== null && deviceCopy && isSame(deviceCopy.composition, open.composition));
  const { world, stage } = turn;
  const copy = {
    ...blankCopy(world.newId(), open.owner, world.now, stage.composition),
    name,
    isUnsaved: true,
  };
  if (isMine) turn.pendingCopies.set(open.id, undefined);
  turn.pendingCopies.set(copy.id, copy);
  turn.effects.push({ type: 'moveCopy', from: open.id, copy, removesOld: Boolean(isMine) });
  set(turn, { open: copy, status: 'saving' });
  planAfterPut(turn);
}

/** Keeps both versions of a composition that is not open and that the server has in another version. */
function forkOnDevice(turn: Turn, id: string): void {
  const mine = read(turn, id);
  if (!mine) return;
  const { world } = turn;
  const copy = {
    ...blankCopy(world.newId(), mine.owner, world.now, mine.composition),
    name: copyName(mine.name),
    isUnsaved: true,
  };
  turn.effects.push({ type: 'replaceCopy', from: id, copy });
}

/** Removes the oldest copies that the server has. */
function forgetOldCopies(turn: Turn): void {
  const { owner, open } = turn.model;
  if (owner == null) return;
  const old = list(turn)
    .filter((copy) => copy.owner === owner)
    .slice(MAX_DEVICE_COMPOSITIONS);
  for (const copy of old) if (copy.id !== open.id && !isDue(copy)) remove(turn, copy.id);
}

/** Puts another composition on the stage. `isStored`: this device has or gets a copy of it. */
function enter(turn: Turn, next: DeviceComposition, isStored: boolean): void {
  clearTimer(turn, 'save');
  const { open, openings } = turn.model;
  turn.effects.push({ type: 'load', composition: next.composition, resetsView: next.id !== open.id });
  turn.stage = { composition: next.composition, isGesturing: false };
  set(turn, { open: next, openings: openings + 1, failures: 0 });
  if (isStored) {
    write(turn, next, 'load');
    turn.effects.push({ type: 'setCurrent', id: next.id });
  }
  show(turn, restingStatus(turn));
  planSave(turn, 0);
}

/** Stores and sends the open composition. What must not go over another version is kept beside it. */
function leave(turn: Turn): void {
  if (!store(turn) && isDirty(turn)) moveTo(turn, copyName(turn.model.open.name), false);
  save(turn);
}

/** Asks for a version from elsewhere, where nobody has changed anything here. */
function refresh(turn: Turn): void {
  const { open, owner } = turn.model;
  if (open.owner === null || open.owner !== owner || !open.saved || !turn.world.isOnline || isBusy(turn)) return;
  turn.effects.push({ type: 'refresh', id: open.id, savedId: open.saved.id });
}

function takeOver(turn: Turn, id: string, theirs: ServerCopy | null): void {
  const { open } = turn.model;
  if (open.id !== id || isBusy(turn)) return;
  if (theirs === null) {
    // Deleted elsewhere: what is on the stage stays, and the next change makes it a composition of its own.
    remove(turn, id);
    set(turn, { open: { ...open, id: turn.world.newId(), saved: null } });
    show(turn, 'blank');
  } else if (newerOnDevice(id, theirs, turn.world)) {
    if (isStoredByOther(turn)) takeOtherTabs(turn);
  } else if (open.saved && theirs.revision > open.saved.revision) {
    enter(turn, copyOfServer(theirs, id, open.owner), true);
    turn.effects.push(newerVersion);
  }
}

const newerVersion = {
  type: 'notify',
  title: 'Newer version loaded',
  description: 'This design was changed on another tab or device.',
} as const;

function onShown(turn: Turn): void {
  const deviceCopy = read(turn, turn.model.open.id);
  if (deviceCopy && !isBusy(turn) && !isSame(deviceCopy.composition, turn.model.open.composition)) {
    enter(turn, deviceCopy, false);
    turn.effects.push(newerVersion);
  } else refresh(turn);
}

function rename(turn: Turn, name: string): void {
  if (name === turn.model.open.name) return;
  store(turn);
  const withName = (copy: DeviceComposition): DeviceComposition => ({
    ...copy,
    name,
    isRenamed: copy.saved !== null,
    isUnsaved: copy.isUnsaved || copy.saved === null,
  });
  if (isStoredByOther(turn)) note(turn, turn.model.open.id, withName);
  else put(turn, withName(turn.model.open));
}

/** True when the device has another tab's version of the open composition. */
function isStoredByOther(turn: Turn): boolean {
  const { open } = turn.model;
  const deviceCopy = read(turn, open.id);
  return deviceCopy !== undefined && !isSame(deviceCopy.composition, open.composition);
}

function changeOwner(turn: Turn, owner: number | null): void {
  const before = turn.model.owner;
  if (owner === before) return;
  set(turn, { owner });
  if (owner === null) {
    signOut(turn, before);
    return;
  }
  if (isForeign(turn.model.open, owner)) {
    leave(turn);
    enter(turn, blankCopy(turn.world.newId(), owner, turn.world.now, emptyComposition), false);
  }
  store(turn);
  adoptVisitors(turn, owner);
  show(turn, restingStatus(turn));
  planSave(turn, 0);
  turn.effects.push({ type: 'sync' });
  refresh(turn);
}

/** Gives the account what was made on this device without one. */
function adoptVisitors(turn: Turn, owner: number): void {
  const visitors = list(turn).filter((copy) => copy.owner === null);
  for (const copy of visitors) write(turn, { ...copy, owner, isUnsaved: true }, 'note');
  const { open } = turn.model;
  if (open.owner === null) {
    const deviceCopy = isStoredByOther(turn) ? undefined : read(turn, open.id);
    set(turn, { open: { ...(deviceCopy ?? open), composition: open.composition, owner } });
  }
  const count = visitors.length;
  if (count === 0) return;
  const description = count === 1 ? 'Your design is under My designs.' : `Your ${count} designs are under My designs.`;
  turn.effects.push({ type: 'notify', title: 'Kept in your account', description });
}

/** Removes from this device what the server has: whoever uses it next sees nothing of the account. */
function signOut(turn: Turn, before: number | null | undefined): void {
  const { open } = turn.model;
  const isSafe = !isBusy(turn) && open.owner !== null;
  for (const copy of list(turn)) {
    if (copy.owner !== null && !isDue(copy) && (copy.id !== open.id || isSafe)) remove(turn, copy.id);
  }
  // A session that had ended before the page was opened closes nothing a person is looking at.
  if (isSafe && before !== undefined) {
    enter(turn, blankCopy(turn.world.newId(), null, turn.world.now, emptyComposition), false);
  } else show(turn, restingStatus(turn));
}
