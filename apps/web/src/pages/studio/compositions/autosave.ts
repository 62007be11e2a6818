/**
 * Autosave: stores what a person arranges on this device a moment after each change (a debounce), and on the server a
 * second after it when somebody is signed in. The device's copy comes first, so that nobody needs a connection to go
 * on.
 *
 * The rules are in `autosaveMachine.ts`. This file runs them: it tells the machine what happens and carries its effects
 * out.
 */
import type { CompositionSummary } from '@markwright/contract/schemas';
import { type Editor, isSameExceptInk } from '@markwright/editor';
import { type SavedComposition, saveComposition } from '@markwright/scene';
import { endsGesture, initialModel, transition } from './autosaveMachine.ts';
import type { AutosaveEvent, AutosaveModel, Effect, SaveStatus, ServerCopy, Timer, World } from './autosaveTypes.ts';
import { type DeviceComposition, newCompositionId } from './blankCopy.ts';
import { fingerprint, isDue } from './compare.ts';
import { readDeviceComposition, writeCurrent, writeDeviceComposition } from './deviceComposition.ts';
import {
  listDeviceCompositions,
  readThumbnail,
  removeDeviceComposition,
  writeThumbnail,
} from './deviceCompositionList.ts';
import {
  blankForMachine,
  copyOfServer,
  newerOnDevice,
  type OpenTarget,
  otherTabsCopy,
  planOpen,
  refuseNew,
} from './openPlan.ts';

/** The account's compositions on the server. Rejections carry a sentence, and `status` when the server answered. */
export interface ServerCompositions {
  create(body: { key: string; name: string; composition: SavedComposition }): Promise<CompositionSummary>;
  save(id: string, body: { revision: number; composition: SavedComposition }): Promise<CompositionSummary>;
  rename(id: string, name: string): Promise<CompositionSummary>;
  get(id: string): Promise<ServerCopy>;
}

export interface AutosaveHost {
  readonly server: ServerCompositions;
  isOnline(): boolean;
  now(): Date;
  /**
   * Shows a notice: another version replaced the one on the stage, or the account took over compositions of this
   * device.
   */
  notify(notice: { title: string; description: string }): void;
}

interface AutosaveState {
  readonly id: string;
  /** Blank: it is called by its product. */
  readonly name: string;
  readonly status: SaveStatus;
  /** A sentence that says why it is not saved. */
  readonly failure: string | undefined;
  /** Its id on the server. */
  readonly savedId: string | undefined;
}

export interface Autosave {
  getState(): AutosaveState;
  /** Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
  /** Follows the editor and the page. Returns a function that stores and saves once more, and disconnects. */
  connect(): () => void;
  /** Says which account is here; null for nobody. What was made without an account becomes the account's. */
  setOwner(owner: number | null): void;
  rename(name: string): void;
  /** Throws an Error with a sentence when it cannot be opened; what was open stays then. */
  open(target: OpenTarget): Promise<void>;
  /** Begins a blank one for the same machine. Throws an Error with a sentence when this device keeps no more. */
  startNew(): void;
  /** Opens a blank one in place of the open one, which was deleted. */
  leaveDeleted(): void;
  /** Stores and sends what waits. Resolves when it was sent, or could not be. */
  flush(): Promise<void>;
  /** Answers a conflict: goes on with a copy of this tab's version. */
  keepMine(): void;
  /** Answers a conflict: opens the version of the other tab or device. */
  loadTheirs(): Promise<void>;
  retry(): void;
}

/** Runs the machine. One story over 120 lines: all that is here reads or changes its state, and nothing else does. */
export function createAutosave(editor: Editor, first: DeviceComposition, host: AutosaveHost): Autosave {
  const { server } = host;
  const listeners = new Set<() => void>();
  const timers: Partial<Record<Timer, ReturnType<typeof setTimeout>>> = {};
  let saving: Promise<void> | undefined;
  let model = initialModel(first, world());
  let state = toState(model);
  const { push, sync, refresh } = createServerCalls(host, () => model, dispatch);

  function world(): World {
    const { composition, isGesturing } = editor.getState();
    return {
      stage: { composition, isGesturing },
      isOnline: host.isOnline(),
      now: host.now(),
      newId: newCompositionId,
      readCopy: readDeviceComposition,
      listCopies: () => listDeviceCompositions(),
    };
  }

  function dispatch(event: AutosaveEvent): void {
    if (endsGesture(model, event)) editor.commitGesture();
    const next = transition(model, event, world());
    model = next.model;
    for (const effect of next.effects) run(effect);
    const nextState = toState(model);
    if (isEqual(nextState, state)) return;
    state = nextState;
    for (const listener of listeners) listener();
  }

  function run(effect: Effect): void {
    switch (effect.type) {
      case 'setTimer':
        clearTimeout(timers[effect.timer]);
        timers[effect.timer] = setTimeout(
          () => dispatch({ type: effect.timer === 'store' ? 'storeDue' : 'saveDue' }),
          effect.delayMs,
        );
        return;
      case 'clearTimer':
        clearTimeout(timers[effect.timer]);
        return;
      case 'load':
        editor.load(effect.composition);
        if (effect.resetsView) editor.resetView();
        return;
      case 'save':
        saving = push(effect.copy).then((isOk) => dispatch({ type: 'saveEnded', isOk }));
        return;
      case 'sync':
        void sync();
        return;
      case 'refresh':
        void refresh(effect.id, effect.savedId);
        return;
      case 'notify':
        host.notify({ title: effect.title, description: effect.description });
        return;
      default: {
        const misfit = applyToDevice(effect);
        if (misfit) dispatch({ type: 'deviceFull', ...misfit });
      }
    }
  }

  /** Fetches the server's version. Resolves with undefined when something else was opened meanwhile. */
  async function fetchToOpen(savedId: string): Promise<ServerCopy | undefined> {
    dispatch({ type: 'openingBegan' });
    const opening = model.openings;
    const theirs = await server.get(savedId);
    return opening === model.openings ? theirs : undefined;
  }

  /** Stores what is open, then opens the composition that `find` returns after that. */
  function leaveFor(find: () => DeviceComposition, isStored: boolean): void {
    dispatch({ type: 'left' });
    dispatch({ type: 'opened', copy: find(), isStored });
  }

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    connect() {
      const unfollowPage = followPage(dispatch);
      const unsubscribe = editor.subscribe(() => {
        if (!isSameExceptInk(editor.getState().composition, model.open.composition)) dispatch({ type: 'edited' });
      });
      dispatch({ type: 'connected' });
      return () => {
        dispatch({ type: 'disconnected' });
        unsubscribe();
        unfollowPage();
      };
    },
    setOwner: (owner) => dispatch({ type: 'ownerChanged', owner }),
    rename: (name) => dispatch({ type: 'renamed', name }),
    async open(target) {
      const plan = planOpen(model, target, world());
      if (plan.from === 'nowhere') throw new Error(plan.sentence);
      if (plan.from === 'device') leaveFor(() => plan.copy, true);
      if (plan.from !== 'server') return;
      const theirs = await fetchToOpen(plan.savedId);
      if (!theirs) return;
      leaveFor(
        () => newerOnDevice(plan.deviceId, theirs, world()) ?? copyOfServer(theirs, plan.deviceId, model.owner ?? null),
        true,
      );
    },
    startNew() {
      const refusal = refuseNew(model, world());
      if (refusal) throw new Error(refusal);
      leaveFor(() => blankForMachine(model, world()), false);
    },
    leaveDeleted: () => dispatch({ type: 'deletedByUser' }),
    async flush() {
      dispatch({ type: 'flushed' });
      await saving;
      await sync();
    },
    keepMine: () => dispatch({ type: 'mineKept' }),
    async loadTheirs() {
      const theirs = otherTabsCopy(model, world());
      if (theirs) {
        dispatch({ type: 'opened', copy: theirs, isStored: false });
        return;
      }
      const { id, owner, saved } = model.open;
      const serverCopy = saved && (await fetchToOpen(saved.id));
      if (serverCopy) dispatch({ type: 'opened', copy: copyOfServer(serverCopy, id, owner), isStored: true });
    },
    retry: () => dispatch({ type: 'retried' }),
  };
}

interface ServerCalls {
  push(copy: DeviceComposition): Promise<boolean>;
  sync(): Promise<void>;
  refresh(id: string, savedId: string): Promise<void>;
}

/** Makes the calls that the effects ask for. Each tells the machine how it ended. */
function createServerCalls(
  host: AutosaveHost,
  getModel: () => AutosaveModel,
  dispatch: (event: AutosaveEvent) => void,
): ServerCalls {
  const { server } = host;

  /** Sends one copy. Resolves with true when the server has it. */
  async function push(copy: DeviceComposition): Promise<boolean> {
    dispatch({ type: 'pushBegan', copy });
    try {
      const ref = await pushCopy(server, copy);
      dispatch({ type: 'pushed', copy, ref });
      return true;
    } catch (error) {
      dispatch({ type: 'refused', copy, status: statusOf(error), message: messageOf(error) });
      return false;
    }
  }

  /**
   * Sends what waits of the compositions that are not open: made without a connection, or before there was an account.
   */
  async function sync(): Promise<void> {
    const { owner } = getModel();
    if (owner == null) return;
    for (const { id } of listDeviceCompositions(owner).filter(isDue)) {
      // Another tab may have changed, sent or removed it while the one before was sent.
      const copy = readDeviceComposition(id);
      if (!copy || id === getModel().open.id || !isDue(copy) || copy.owner !== owner) continue;
      if (!host.isOnline() || getModel().owner !== owner) return;
      await push(copy);
    }
  }

  async function refresh(id: string, savedId: string): Promise<void> {
    try {
      dispatch({ type: 'refreshed', id, theirs: await server.get(savedId) });
    } catch (error) {
      if (statusOf(error) === 404) dispatch({ type: 'refreshed', id, theirs: null });
    }
  }

  return { push, sync, refresh };
}

/** Reports when the page is left, shown, online and offline. Returns a function that removes the listeners. */
function followPage(dispatch: (event: AutosaveEvent) => void): () => void {
  const page = {
    pagehide: () => dispatch({ type: 'left' }),
    online: () => dispatch({ type: 'online' }),
    offline: () => dispatch({ type: 'offline' }),
    visibilitychange: () => {
      if (document.visibilityState === 'visible') dispatch({ type: 'shown' });
    },
  };
  for (const [name, listener] of Object.entries(page)) addEventListener(name, listener);
  return () => {
    for (const [name, listener] of Object.entries(page)) removeEventListener(name, listener);
  };
}

type DeviceEffect = Extract<Effect, { type: 'write' | 'setCurrent' | 'remove' | 'moveCopy' | 'replaceCopy' }>;

/** Changes what this device stores. Returns the copy that did not fit, unless nobody has to know. */
function applyToDevice(effect: DeviceEffect): { id: string; purpose: 'edit' | 'load' } | undefined {
  switch (effect.type) {
    case 'write':
      return writeCopy(effect.copy, effect.purpose);
    case 'setCurrent':
      writeCurrent(effect.id);
      return undefined;
    case 'remove':
      removeDeviceComposition(effect.id);
      return undefined;
    case 'moveCopy': {
      const thumbnail = readThumbnail(effect.from);
      if (effect.removesOld) removeDeviceComposition(effect.from);
      const misfit = writeCopy(effect.copy, 'edit');
      if (thumbnail) writeThumbnail(effect.copy.id, thumbnail);
      return misfit;
    }
    case 'replaceCopy': {
      if (!writeDeviceComposition(effect.copy)) return undefined;
      const thumbnail = readThumbnail(effect.from);
      if (thumbnail) writeThumbnail(effect.copy.id, thumbnail);
      removeDeviceComposition(effect.from);
      return undefined;
    }
  }
}

function writeCopy(copy: DeviceComposition, purpose: 'edit' | 'load' | 'note') {
  const isStored = writeDeviceComposition(copy);
  if (isStored && purpose === 'edit') writeCurrent(copy.id);
  return isStored || purpose === 'note' ? undefined : { id: copy.id, purpose };
}

/**
 * Sends one copy: creates it, or saves over the revision it goes on from, and renames it.
 *
 * Rejects with status 409 where the server has a version this device has not seen. Its own version is no conflict: the
 * answer to an earlier save was lost when the page was left, so the save goes over it.
 */
async function pushCopy(
  server: ServerCompositions,
  copy: DeviceComposition,
): Promise<{ id: string; revision: number }> {
  const composition = saveComposition(copy.composition);
  if (!copy.saved) {
    const { id, revision } = await server.create({ key: copy.id, name: copy.name, composition });
    return { id, revision };
  }
  const base = copy.saved;
  const { id, revision } = copy.isUnsaved ? await saveOver(server, base, composition, copy.pending) : base;
  if (copy.isRenamed) await server.rename(id, copy.name);
  return { id, revision };
}

async function saveOver(
  server: ServerCompositions,
  { id, revision }: { readonly id: string; readonly revision: number },
  composition: SavedComposition,
  pending: readonly string[],
): Promise<CompositionSummary> {
  try {
    return await server.save(id, { revision, composition });
  } catch (error) {
    if (statusOf(error) !== 409 || pending.length === 0) throw error;
    const theirs = await server.get(id);
    if (!pending.includes(fingerprint(theirs.composition))) throw error;
    return server.save(id, { revision: theirs.revision, composition });
  }
}

function toState({ open, status, failure }: AutosaveModel): AutosaveState {
  return { id: open.id, name: open.name, status, failure, savedId: open.saved?.id };
}

const isEqual = (a: AutosaveState, b: AutosaveState): boolean =>
  (Object.keys(a) as (keyof AutosaveState)[]).every((key) => a[key] === b[key]);

function statusOf(error: unknown): number | undefined {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' ? status : undefined;
}

const messageOf = (error: unknown): string =>
  error instanceof Error && error.message ? error.message : 'The server cannot be reached right now.';
