/**
 * Keeps what a person arranges: on this device a moment after each change, and on the server a second after it when
 * somebody is signed in.
 *
 * The device's copy always comes first, so that no connection is needed to go on and nothing is lost without one. Nobody's
 * work is written over: a save says which revision it goes on from, and a tab looks at the device's copy before it writes
 * it. Where somebody else was first, this tab stops saving and asks.
 */
import type { CompositionSummary } from '@markwright/contract';
import type { Editor } from '@markwright/editor';
import {
  Composition,
  emptyComposition,
  MAX_NAME_LENGTH,
  type SavedComposition,
  saveComposition,
} from '@markwright/scene';
import { blankWork, type DeviceWork, newWorkId, readWork, writeCurrent, writeWork } from './deviceComposition.ts';
import { DEVICE_WORKS, listWorks, readPicture, removeWork, writePicture } from './deviceCompositionList.ts';

/** The account's works on the server. Rejections carry `status` when there was an answer, and a sentence. */
export interface RemoteWorks {
  create(work: { key: string; name: string; composition: SavedComposition }): Promise<CompositionSummary>;
  save(id: string, work: { revision: number; composition: SavedComposition }): Promise<CompositionSummary>;
  rename(id: string, name: string): Promise<CompositionSummary>;
  get(id: string): Promise<CompositionSummary & { composition: Composition }>;
}

export type WorkStatus =
  /** Nothing was arranged yet. */
  | 'blank'
  /** A visitor's: this device has it. */
  | 'device'
  | 'full'
  | 'saving'
  | 'saved'
  | 'offline'
  /** The server said no, or nothing; it is asked again, or on Retry. */
  | 'failed'
  /** Somebody else saved it after it was opened here. */
  | 'changed'
  /** An account's, and nobody is signed in any more. */
  | 'signedOut';

interface WorksState {
  readonly id: string;
  /** Blank: it is called by its product. */
  readonly name: string;
  readonly status: WorkStatus;
  /** Why it is not saved. */
  readonly failure: string | undefined;
  /** On the server. */
  readonly savedId: string | undefined;
}

export interface WorksHost {
  readonly remote: RemoteWorks;
  isOnline(): boolean;
  now(): Date;
  /** Another version of the work took the place of the one on the stage, or works of this device went to the account. */
  notify(notice: { title: string; description: string }): void;
}

export interface Works {
  getState(): WorksState;
  subscribe(listener: () => void): () => void;
  /** Follows the editor and the page. Gives the way out, which keeps and saves once more. */
  connect(): () => void;
  /** The account that is here, or nobody. What was made without one becomes the account's. */
  setOwner(owner: number | null): void;
  rename(name: string): void;
  /** Throws an Error with a sentence when it cannot be opened; what was open stays then. */
  open(target: { readonly id: string } | { readonly savedId: string }): Promise<void>;
  /** Begins a blank one for the same machine. Throws an Error with a sentence when this device keeps no more. */
  startNew(): void;
  /** The open work is gone (deleted): a blank one takes its place, and nothing more of it is kept. */
  leaveDeleted(): void;
  /** Writes and sends what waits. Resolves when it was sent, or could not be. */
  flush(): Promise<void>;
  keepMine(): void;
  loadTheirs(): Promise<void>;
  retry(): void;
}

const KEEP_MS = 300;
const SAVE_MS = 700;
const RETRY_MS = { first: 2_000, most: 60_000 } as const;
/** The account keeps no more. */
const FULL = 507;
/** Saves in a row whose answer was lost. */
const PENDING_LIMIT = 10;

/** `Wedding (copy)`, within what a name may be. */
export function copyName(name: string): string {
  const ending = ' (copy)';
  return name && name.slice(0, MAX_NAME_LENGTH - ending.length).trimEnd() + ending;
}

export function createWorks(editor: Editor, first: DeviceWork, host: WorksHost): Works {
  const { remote } = host;
  const listeners = new Set<() => void>();
  /** The open work as this device has it. */
  let work = first;
  let owner: number | null | undefined;
  let state: WorksState = { ...describe(first), status: 'blank', failure: undefined };
  let keepTimer: ReturnType<typeof setTimeout> | undefined;
  let saveTimer: ReturnType<typeof setTimeout> | undefined;
  let sending: Promise<void> | undefined;
  let isConnected = false;
  let failures = 0;
  /** Counts what was opened, so that an answer that comes late opens nothing. */
  let opened = 0;
  state = { ...state, status: restingStatus() };

  function describe({ id, name, saved }: DeviceWork): Pick<WorksState, 'id' | 'name' | 'savedId'> {
    return { id, name, savedId: saved?.id };
  }

  function show(status: WorkStatus, failure?: string): void {
    const next = { ...describe(work), status, failure };
    if (JSON.stringify(next) === JSON.stringify(state)) return;
    state = next;
    for (const listener of listeners) listener();
  }

  /** What there is to say while nothing is under way. */
  function restingStatus(): WorkStatus {
    if (!readWork(work.id)) return 'blank';
    if (work.owner === null) return 'device';
    if (owner === null) return 'signedOut';
    if (!work.isUnsaved && !work.isRenamed) return 'saved';
    return host.isOnline() ? 'saving' : 'offline';
  }

  const isDirty = (): boolean => editor.getState().composition !== work.composition;

  /** Writes the open work to this device. False when it is somebody else's by now. */
  function keep(): boolean {
    clearTimeout(keepTimer);
    if (state.status === 'changed') return false;
    if (!isDirty()) return true;
    const there = readWork(work.id);
    if (there && !isSame(there.composition, work.composition)) {
      show('changed');
      return false;
    }
    // Another tab may have saved or renamed what is the same here.
    const { composition } = editor.getState();
    put({ ...(there ?? work), composition, updatedAt: host.now().toISOString(), isUnsaved: true });
    return true;
  }

  function put(next: DeviceWork): void {
    work = next;
    const isKept = writeWork(next);
    if (isKept) writeCurrent(next.id);
    if (next.owner === null || owner === undefined) show(isKept ? restingStatus() : 'full');
    else planSave(SAVE_MS);
  }

  function planSave(delayMs: number): void {
    clearTimeout(saveTimer);
    if (!work.isUnsaved && !work.isRenamed) {
      show(restingStatus());
      return;
    }
    if (work.owner === null || owner === undefined) return;
    if (owner !== work.owner) {
      show('signedOut');
      return;
    }
    if (!host.isOnline()) {
      show('offline');
      return;
    }
    if (state.status !== 'changed') show('saving');
    saveTimer = setTimeout(() => void save(), delayMs);
  }

  /** Sends the open work. One save is under way at a time; what comes meanwhile is sent after it. */
  function save(): Promise<void> {
    clearTimeout(saveTimer);
    const isDue = work.isUnsaved || work.isRenamed;
    if (!isDue || work.owner === null || work.owner !== owner || state.status === 'changed' || !host.isOnline()) {
      return Promise.resolve();
    }
    if (sending) return sending;
    const run = send(work).finally(() => {
      if (sending === run) sending = undefined;
    });
    sending = run;
    return run;
  }

  async function send(sent: DeviceWork): Promise<void> {
    show('saving');
    try {
      const saved = await push(sent);
      failures = 0;
      settle(sent, saved);
    } catch (error) {
      refuse(sent, error);
    }
  }

  async function push(sent: DeviceWork): Promise<NonNullable<DeviceWork['saved']>> {
    const composition = saveComposition(sent.composition);
    if (sent.isUnsaved) markPending(sent);
    let { id, revision } = sent.saved ?? (await remote.create({ key: sent.id, name: sent.name, composition }));
    if (!sent.saved) return { id, revision };
    if (sent.isUnsaved) ({ id, revision } = await saveOn(sent, composition, revision));
    if (sent.isRenamed) await remote.rename(id, sent.name);
    return { id, revision };
  }

  /** Saves over a version that is this device's own: the answer to its save was lost when the page was left. */
  async function saveOn(
    sent: DeviceWork,
    composition: SavedComposition,
    revision: number,
  ): Promise<CompositionSummary> {
    const { id } = sent.saved!;
    try {
      return await remote.save(id, { revision, composition });
    } catch (error) {
      if (statusOf(error) !== 409 || sent.pending.length === 0) throw error;
      const theirs = await remote.get(id);
      if (!sent.pending.includes(markOf(theirs.composition))) throw error;
      return remote.save(id, { revision: theirs.revision, composition });
    }
  }

  /** Notes on the device what is about to be sent, so that it is known again if no answer comes. */
  function markPending(sent: DeviceWork): void {
    const pending = [...sent.pending, markOf(sent.composition)].slice(-PENDING_LIMIT);
    const there = work.id === sent.id ? work : readWork(sent.id);
    if (!there) return;
    const marked = { ...there, pending };
    writeWork(marked);
    if (work.id === sent.id) work = marked;
  }

  /** The server has what was sent. It may have been changed, or left for another, in the meantime. */
  function settle(sent: DeviceWork, saved: NonNullable<DeviceWork['saved']>): void {
    const now = work.id === sent.id ? work : readWork(sent.id);
    if (!now) return;
    const isUnsaved = now.composition !== sent.composition && !isSame(now.composition, sent.composition);
    const settled = { ...now, saved, isUnsaved, isRenamed: now.name !== sent.name, pending: [] };
    writeWork(settled);
    forgetOldCopies();
    if (work.id !== sent.id) return;
    work = settled;
    if (state.status === 'changed') return;
    if (isUnsaved || settled.isRenamed) planSave(0);
    else show('saved');
  }

  function refuse(sent: DeviceWork, error: unknown): void {
    const status = statusOf(error);
    if (status === 409 || status === 404) {
      if (work.id !== sent.id) forkOnDevice(sent.id);
      else if (status === 409 && sent.saved) show('changed');
      // It was deleted somewhere else while it is worked on here: it is a work of its own again.
      else moveTo(sent.name, true);
      return;
    }
    if (work.id !== sent.id || state.status === 'changed') return;
    if (status === 401) {
      show('signedOut');
      return;
    }
    const isFinal = status !== undefined && status !== 429 && (status < 500 || status === FULL);
    if (!host.isOnline()) show('offline');
    else show('failed', sentenceOf(error));
    if (isFinal || !isConnected) return;
    const delayMs = Math.min(RETRY_MS.first * 2 ** failures++, RETRY_MS.most);
    saveTimer = setTimeout(() => void save(), delayMs);
  }

  /** Goes on with what is on the stage as a work of its own. */
  function moveTo(name: string, isGone: boolean): void {
    const before = work;
    const there = readWork(before.id);
    // The server has another version of it, or none: what this device has of it is what goes on.
    const isMine = isGone || (before.saved !== null && there && isSame(there.composition, before.composition));
    const { composition } = editor.getState();
    const picture = readPicture(before.id);
    if (isMine) removeWork(before.id);
    state = { ...state, status: 'saving' };
    put({ ...blankWork(before.owner, host.now(), composition), name, isUnsaved: true });
    if (picture) writePicture(work.id, picture);
  }

  /** A work that is not open any more, and that the server has in another version: both are kept. */
  function forkOnDevice(id: string): void {
    const mine = readWork(id);
    if (!mine) return;
    const copy = { ...blankWork(mine.owner, host.now(), mine.composition), name: copyName(mine.name), isUnsaved: true };
    if (!writeWork(copy)) return;
    const picture = readPicture(id);
    if (picture) writePicture(copy.id, picture);
    removeWork(id);
  }

  /** Sends what waits of the works that are not open: made without a connection, or before there was an account. */
  async function sync(): Promise<void> {
    for (const waiting of owner == null ? [] : listWorks(owner)) {
      if (waiting.id === work.id || !(waiting.isUnsaved || waiting.isRenamed)) continue;
      if (!host.isOnline()) return;
      try {
        settle(waiting, await push(waiting));
      } catch (error) {
        refuse(waiting, error);
      }
    }
  }

  /** The server has them: the oldest copies need not stay here. */
  function forgetOldCopies(): void {
    if (owner == null) return;
    const old = listWorks(owner).slice(DEVICE_WORKS);
    for (const { id, isUnsaved, isRenamed } of old) {
      if (id !== work.id && !isUnsaved && !isRenamed) removeWork(id);
    }
  }

  function enter(next: DeviceWork, isStored: boolean): void {
    clearTimeout(saveTimer);
    opened++;
    failures = 0;
    if (next.id !== work.id) editor.setView({ zoom: 1, pan: { x: 0, y: 0 } });
    work = next;
    editor.load(next.composition);
    if (isStored) {
      writeWork(next);
      writeCurrent(next.id);
    }
    show(restingStatus());
    planSave(0);
  }

  /** What is open is kept before something else is opened; what cannot go over another version is kept beside it. */
  function leave(): void {
    editor.commitGesture();
    if (!keep() && isDirty()) moveTo(copyName(work.name), false);
    void save();
  }

  /** A version from elsewhere takes the place of one nobody changed here. */
  async function refresh(): Promise<void> {
    if (work.owner === null || work.owner !== owner || !work.saved || !host.isOnline()) return;
    if (isBusy()) return;
    const { id } = work;
    try {
      const theirs = await remote.get(work.saved.id);
      if (work.id !== id || isBusy() || !work.saved || theirs.revision <= work.saved.revision) return;
      takeOver(theirs);
    } catch (error) {
      // Deleted somewhere else: what is on the stage stays, and becomes a work of its own with the next change.
      if (statusOf(error) === 404 && work.id === id && !isBusy()) {
        removeWork(id);
        work = { ...work, id: newWorkId(), saved: null };
        show('blank');
      }
    }
  }

  const isBusy = (): boolean =>
    sending !== undefined || work.isUnsaved || work.isRenamed || isDirty() || editor.getState().isGesturing;

  function takeOver(theirs: CompositionSummary & { composition: Composition }): void {
    enter(fromServer(theirs, work.id, work.owner), true);
    host.notify({ title: 'Newer version loaded', description: 'This design was changed on another tab or device.' });
  }

  /** What the server has is left to it: the next one at this device sees nothing of it. */
  function signOut(before: number | null | undefined): void {
    const isSafe = !isBusy() && work.owner !== null;
    for (const { id, owner: whose, isUnsaved, isRenamed } of listWorks()) {
      if (whose !== null && !isUnsaved && !isRenamed && (id !== work.id || isSafe)) removeWork(id);
    }
    // A session that had ended before the page was opened closes nothing a person is looking at.
    if (isSafe && before !== undefined) enter(blankWork(null, host.now(), emptyComposition), false);
    else show(restingStatus());
  }

  /** Back in sight: another tab may have gone on with this work. */
  function onShown(): void {
    if (document.visibilityState !== 'visible') return;
    const there = readWork(work.id);
    if (there && !isBusy() && !isSame(there.composition, work.composition)) {
      enter(there, false);
      host.notify({ title: 'Newer version loaded', description: 'This design was changed on another tab or device.' });
    } else void refresh();
  }

  function onOnline(): void {
    if (state.status === 'changed') return;
    failures = 0;
    planSave(0);
    void sync();
    void refresh();
  }

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    connect() {
      isConnected = true;
      const unsubscribe = editor.subscribe(() => {
        if (!isDirty()) return;
        clearTimeout(keepTimer);
        keepTimer = setTimeout(keep, KEEP_MS);
      });
      const onOffline = () => state.status === 'saving' && planSave(0);
      if (isDirty()) keepTimer = setTimeout(keep, KEEP_MS); // done while this code was on its way
      addEventListener('pagehide', leave);
      addEventListener('online', onOnline);
      addEventListener('offline', onOffline);
      addEventListener('visibilitychange', onShown);
      return () => {
        isConnected = false;
        leave();
        clearTimeout(saveTimer);
        unsubscribe();
        removeEventListener('pagehide', leave);
        removeEventListener('online', onOnline);
        removeEventListener('offline', onOffline);
        removeEventListener('visibilitychange', onShown);
      };
    },

    setOwner(next) {
      if (next === owner) return;
      const before = owner;
      owner = next;
      if (next === null) {
        signOut(before);
        return;
      }
      if (work.owner !== null && work.owner !== next) {
        leave();
        enter(blankWork(next, host.now(), emptyComposition), false);
      }
      keep();
      let adopted = 0;
      for (const visitors of listWorks(null)) {
        writeWork({ ...visitors, owner: next, isUnsaved: true });
        adopted++;
      }
      if (work.owner === null) work = { ...(readWork(work.id) ?? work), owner: next };
      if (adopted > 0) {
        host.notify({
          title: 'Kept in your account',
          description:
            adopted === 1 ? 'Your design is under My designs.' : `Your ${adopted} designs are under My designs.`,
        });
      }
      show(restingStatus());
      planSave(0);
      void sync();
      void refresh();
    },

    rename(name) {
      if (name === work.name) return;
      keep();
      put({ ...work, name, isRenamed: work.saved !== null, isUnsaved: work.isUnsaved || work.saved === null });
    },

    async open(target) {
      const found = findOnDevice(target);
      if (found && (found.isUnsaved || found.isRenamed || found.owner === null || !host.isOnline())) {
        if (found.id === work.id) return;
        leave();
        enter(found, true);
        return;
      }
      const savedId = 'savedId' in target ? target.savedId : found?.saved?.id;
      if (savedId === undefined) throw new Error('This design is not on this device any more.');
      if (savedId === work.saved?.id) return;
      if (!host.isOnline()) throw new Error('You are offline, and this design is not on this device yet.');
      const asked = ++opened;
      const theirs = await remote.get(savedId);
      if (asked !== opened) return;
      leave();
      enter(fromServer(theirs, found?.id ?? savedId, owner ?? null), true);
    },

    startNew() {
      if (owner == null && listWorks(null).length >= DEVICE_WORKS) {
        throw new Error(
          `This device keeps ${DEVICE_WORKS} designs. Delete one, or create an account to keep them all.`,
        );
      }
      leave();
      const { machine } = editor.getState().composition;
      enter(blankWork(owner ?? null, host.now(), { ...emptyComposition, machine }), false);
    },

    leaveDeleted() {
      clearTimeout(keepTimer);
      const { machine } = editor.getState().composition;
      enter(blankWork(owner ?? null, host.now(), { ...emptyComposition, machine }), false);
    },

    async flush() {
      keep();
      await save();
      await sync();
    },

    keepMine() {
      state = { ...state, status: 'saving' };
      moveTo(copyName(work.name), false);
    },

    async loadTheirs() {
      const there = readWork(work.id);
      if (there && !isSame(there.composition, work.composition)) {
        enter(there, false);
        return;
      }
      if (!work.saved) return;
      const asked = ++opened;
      const theirs = await remote.get(work.saved.id);
      if (asked === opened) enter(fromServer(theirs, work.id, work.owner), true);
    },

    retry() {
      failures = 0;
      if (state.status === 'full') put(work);
      planSave(0);
    },
  };

  function findOnDevice(target: { readonly id: string } | { readonly savedId: string }): DeviceWork | undefined {
    if ('id' in target) return readWork(target.id);
    return listWorks(owner ?? null).find(({ saved }) => saved?.id === target.savedId);
  }
}

function fromServer(
  { id, name, revision, updatedAt, composition }: CompositionSummary & { composition: Composition },
  deviceId: string,
  owner: number | null,
): DeviceWork {
  const saved = { id, revision };
  return { id: deviceId, owner, name, composition, updatedAt, saved, isUnsaved: false, isRenamed: false, pending: [] };
}

const isSame = (a: Composition, b: Composition): boolean => a === b || toText(a) === toText(b);

/** With the fields in the schema's order, whatever order commands left them in. */
const toText = (composition: Composition): string => JSON.stringify(Composition.parse(composition));

/** Short, and another one for every composition a person will ever make. */
function markOf(composition: Composition): string {
  let a = 0x811c9dc5;
  let b = 0x01000193;
  for (const character of toText(composition)) {
    const code = character.codePointAt(0)!;
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x5bd1e995) ^ (b >>> 13);
  }
  return `${(a >>> 0).toString(36)}.${(b >>> 0).toString(36)}`;
}

function statusOf(error: unknown): number | undefined {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' ? status : undefined;
}

const sentenceOf = (error: unknown): string =>
  error instanceof Error && error.message ? error.message : 'The server cannot be reached right now.';
