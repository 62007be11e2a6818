import type { CompositionSummary } from '@markwright/contract/schemas';
import { createEditor, type Editor } from '@markwright/editor';
import { type Composition, emptyComposition, parseComposition, saveComposition, textsOf } from '@markwright/scene';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeStorage } from '../../../../test/fakeStorage.ts';
import { type Autosave, createAutosave, type ServerCompositions } from './autosave.ts';
import { readCurrent, readFirstComposition } from './deviceComposition.ts';
import { listDeviceCompositions } from './deviceCompositionList.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const ANN = 7;
/** Waits longer than every debounce. */
const calm = () => vi.advanceTimersByTimeAsync(5_000);

let isOnline: boolean;
let page: EventTarget;
let notices: string[];
let server: ReturnType<typeof fakeServer>;

beforeEach(() => {
  vi.useFakeTimers();
  isOnline = true;
  notices = [];
  page = new EventTarget();
  server = fakeServer();
  vi.stubGlobal('localStorage', fakeStorage());
  vi.stubGlobal('sessionStorage', fakeStorage());
  vi.stubGlobal('document', { visibilityState: 'visible' });
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Creates a server with revisions and idempotency keys. A test can make it refuse, lose answers and wait. */
function fakeServer() {
  const rows = new Map<string, { key: string; name: string; revision: number; composition: Composition }>();
  const calls: string[] = [];
  let refusal: { status?: number; message: string } | undefined;
  let losesAnswers = false;
  let gate: Promise<void> | undefined;
  const summary = (id: string): CompositionSummary => {
    const { name, revision, composition } = rows.get(id)!;
    const at = NOW.toISOString();
    const productId = composition.productId ?? null;
    return { id, name, revision, productId, pictureUrl: null, createdAt: at, updatedAt: at };
  };
  const refuse = (status: number, message = 'No.') => Object.assign(new Error(message), { status });
  async function answer<T>(call: string, work: () => T): Promise<T> {
    calls.push(call);
    await gate;
    if (refusal) throw Object.assign(new Error(refusal.message), { status: refusal.status });
    const done = work();
    if (losesAnswers) throw new Error('');
    return done;
  }
  const serverCompositions: ServerCompositions = {
    create: ({ key, name, composition }) =>
      answer(`create ${name}`.trim(), () => {
        const existingId = [...rows].find(([, row]) => row.key === key)?.[0];
        const id = existingId ?? `s${rows.size + 1}`;
        rows.set(id, { key, name, revision: 1, composition: parseComposition(composition) });
        return summary(id);
      }),
    save: (id, { revision, composition }) =>
      answer(`save ${revision}`, () => {
        const row = rows.get(id);
        if (!row) throw refuse(404);
        if (row.revision !== revision) throw refuse(409);
        rows.set(id, { ...row, revision: revision + 1, composition: parseComposition(composition) });
        return summary(id);
      }),
    rename: (id, name) =>
      answer(`rename ${name}`, () => {
        rows.set(id, { ...rows.get(id)!, name });
        return summary(id);
      }),
    async get(id) {
      const row = rows.get(id);
      if (!row) throw refuse(404);
      return { ...summary(id), composition: row.composition };
    },
  };
  return {
    serverCompositions,
    rows,
    calls,
    refuse: (next: typeof refusal) => {
      refusal = next;
    },
    loseAnswers: (next: boolean) => {
      losesAnswers = next;
    },
    hold() {
      let open = () => {};
      gate = new Promise((resolve) => {
        open = resolve;
      });
      return () => {
        gate = undefined;
        open();
      };
    },
  };
}

interface Tab {
  readonly editor: Editor;
  readonly autosave: Autosave;
  leave(): void;
}

/** Does what a studio page does with the browser's storage. */
function openTab(owner: number | null): Tab {
  const first = readFirstComposition(owner !== null, NOW);
  const editor = createEditor({ composition: first.composition });
  const autosave = createAutosave(editor, first, {
    server: server.serverCompositions,
    isOnline: () => isOnline,
    now: () => NOW,
    notify: ({ title, description }) => notices.push(`${title}: ${description}`),
  });
  const leave = autosave.connect();
  autosave.setOwner(owner);
  return { editor, autosave, leave };
}
let texts = 0;
const addText = ({ editor }: Tab, text: string) =>
  editor.dispatch({ type: 'addText', element: { id: `t${++texts}`, text } });
const wordsOf = (composition: Composition | undefined) => composition && textsOf(composition).map(({ text }) => text);
const readStage = (tab: Tab) => wordsOf(tab.editor.getState().composition);
const statusOf = (tab: Tab) => tab.autosave.getState().status;
const readServer = () => [...server.rows.values()].map(({ composition }) => wordsOf(composition));
function goOffline() {
  isOnline = false;
  page.dispatchEvent(new Event('offline'));
}
function goOnline() {
  isOnline = true;
  page.dispatchEvent(new Event('online'));
}

describe('a visitor’s composition', () => {
  it('is open again on the next visit, beside others', async () => {
    const tab = openTab(null);
    expect(statusOf(tab)).toBe('blank');
    addText(tab, 'Ann');
    await calm();
    expect(statusOf(tab)).toBe('device');
    tab.autosave.rename('Wedding');
    tab.autosave.startNew();
    addText(tab, 'Bob');
    page.dispatchEvent(new Event('pagehide'));

    const next = openTab(null);
    expect(readStage(next)).toEqual(['Bob']);
    const autosave = listDeviceCompositions(null);
    expect(autosave.map(({ name }) => name).sort()).toEqual(['', 'Wedding']);
    await next.autosave.open({ id: autosave.find(({ name }) => name === 'Wedding')!.id });
    expect(readStage(next)).toEqual(['Ann']);
    expect(next.editor.getState().canUndo).toBe(false);
    expect(server.calls).toEqual([]);
  });

  it('is written once for many changes (debounce), and at once when the page is left', () => {
    const tab = openTab(null);
    const write = vi.spyOn(localStorage, 'setItem');
    for (let angleDeg = 1; angleDeg < 50; angleDeg++) tab.editor.dispatch({ type: 'rotateProduct', angleDeg });
    expect(write).not.toHaveBeenCalled();
    page.dispatchEvent(new Event('pagehide'));
    expect(readCurrent()?.composition.productAngleDeg).toBe(49);
    write.mockClear();
    page.dispatchEvent(new Event('pagehide'));
    expect(write).not.toHaveBeenCalled();
  });

  it('is not written when only the view changed', async () => {
    const tab = openTab(null);
    tab.editor.setZoom(2);
    await calm();
    expect(localStorage.length).toBe(0);
  });

  it('has the status full when the device is full, and is written when there is room', async () => {
    const tab = openTab(null);
    const full = vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    addText(tab, 'Ann');
    await calm();
    expect(statusOf(tab)).toBe('full');
    full.mockRestore();
    tab.autosave.retry();
    expect(statusOf(tab)).toBe('device');
    expect(wordsOf(readCurrent()?.composition)).toEqual(['Ann']);
  });

  it('is migrated from the storage of one composition only', () => {
    localStorage.setItem('markwright-composition', '{"version":0,"data":{"productAngleDeg":30}}');
    expect(readFirstComposition(false, NOW).composition.productAngleDeg).toBe(30);
    expect(localStorage.getItem('markwright-composition')).toBeNull();
    expect(readFirstComposition(false, NOW).composition.productAngleDeg).toBe(30);
  });

  it.each(['', 'no json', '{"version":0}', '{"version":1,"data":{"texts":7}}', 'null'])(
    'is blank when the stored text is %j',
    (storedText) => {
      vi.spyOn(console, 'warn').mockReturnValue(undefined);
      localStorage.setItem('markwright-composition', storedText);
      expect(readFirstComposition(false, NOW).composition).toEqual(emptyComposition);
      localStorage.setItem('markwright-current-work', 'x');
      localStorage.setItem('markwright-work:x', storedText);
      expect(readFirstComposition(false, NOW).composition).toEqual(emptyComposition);
    },
  );

  it('cannot be begun when there are twenty, and a sentence says so', async () => {
    const tab = openTab(null);
    for (let i = 0; i < 20; i++) {
      addText(tab, `${i}`);
      if (i < 19) tab.autosave.startNew();
    }
    await calm();
    expect(() => tab.autosave.startNew()).toThrow(/^This device keeps 20 designs\./);
    expect(readStage(tab)).toEqual(['19']);
  });

  it('becomes the account’s after signing in, once even from two tabs', async () => {
    const tab = openTab(null);
    addText(tab, 'Ann');
    tab.autosave.startNew();
    addText(tab, 'Bob');
    await calm();
    const other = openTab(null);
    tab.autosave.setOwner(ANN);
    other.autosave.setOwner(ANN);
    await calm();
    expect(notices[0]).toBe('Kept in your account: Your 2 designs are under My designs.');
    expect(readServer().sort()).toEqual([['Ann'], ['Bob']]);
    expect(listDeviceCompositions(null)).toEqual([]);
    expect([statusOf(tab), statusOf(other)]).toEqual(['saved', 'saved']);
  });
});

describe('an account’s composition', () => {
  it('is saved a second after a change, one save at a time and in order', async () => {
    const tab = openTab(ANN);
    addText(tab, 'one');
    await vi.advanceTimersByTimeAsync(900);
    expect([statusOf(tab), server.calls]).toEqual(['saving', []]);
    await vi.advanceTimersByTimeAsync(200);
    expect([statusOf(tab), readServer()]).toEqual(['saved', [['one']]]);

    const open = server.hold();
    addText(tab, 'two');
    await calm();
    addText(tab, 'three');
    await calm();
    expect(server.calls).toEqual(['create', 'save 1']); // one at a time
    open();
    await calm();
    expect(server.calls).toEqual(['create', 'save 1', 'save 2']);
    expect([statusOf(tab), readServer()]).toEqual(['saved', [['one', 'two', 'three']]]);
  });

  it('stays on the device without a connection, and is saved when it is back', async () => {
    const tab = openTab(ANN);
    addText(tab, 'one');
    await calm();
    goOffline();
    addText(tab, 'two');
    await calm();
    expect([statusOf(tab), server.calls.length]).toEqual(['offline', 1]);
    tab.autosave.startNew();
    addText(tab, 'another');
    await calm();
    tab.leave();
    const next = openTab(ANN);
    expect(readStage(next)).toEqual(['another']);
    goOnline();
    await calm();
    expect([statusOf(next), readServer()]).toEqual(['saved', [['one', 'two'], ['another']]]);
  });

  it('is sent again with growing pauses (backoff) when the server does not answer', async () => {
    const tab = openTab(ANN);
    server.refuse({ message: 'The server cannot be reached right now.' });
    addText(tab, 'one');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(tab.autosave.getState()).toMatchObject({
      status: 'failed',
      failure: 'The server cannot be reached right now.',
    });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.calls.length).toBeGreaterThan(3);
    expect(server.calls.length).toBeLessThan(8);
    server.refuse(undefined);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([statusOf(tab), readServer()]).toEqual(['saved', [['one']]]);
  });

  it('is not sent again by itself after a final refusal', async () => {
    const tab = openTab(ANN);
    server.refuse({ status: 507, message: 'You keep 1000 designs. Delete one to keep another.' });
    addText(tab, 'one');
    await vi.advanceTimersByTimeAsync(120_000);
    expect(server.calls).toHaveLength(1);
    expect(tab.autosave.getState()).toMatchObject({ status: 'failed', failure: expect.stringContaining('1000') });
    server.refuse(undefined);
    tab.autosave.retry();
    await calm();
    expect(statusOf(tab)).toBe('saved');
  });

  it('does not conflict with itself when answers were lost', async () => {
    const tab = openTab(ANN);
    addText(tab, 'one');
    await calm();
    server.loseAnswers(true);
    addText(tab, 'two');
    page.dispatchEvent(new Event('pagehide'));
    await vi.advanceTimersByTimeAsync(100);
    tab.leave();
    server.loseAnswers(false);
    const next = openTab(ANN);
    addText(next, 'three');
    await calm();
    expect([statusOf(next), readServer()]).toEqual(['saved', [['one', 'two', 'three']]]);
  });

  it('can be renamed before and after its first save', async () => {
    const tab = openTab(ANN);
    addText(tab, 'one');
    tab.autosave.rename('Wedding');
    await calm();
    tab.autosave.rename('Wedding of Ann');
    await calm();
    expect(server.calls).toEqual(['create Wedding', 'rename Wedding of Ann']);
    goOffline();
    tab.autosave.rename('Later');
    expect(statusOf(tab)).toBe('offline');
    goOnline();
    await calm();
    expect([...server.rows.values()][0]?.name).toBe('Later');
  });

  it('is gone from the device after signing out', async () => {
    const tab = openTab(ANN);
    addText(tab, 'one');
    await calm();
    tab.autosave.setOwner(null);
    expect(readStage(tab)).toEqual([]);
    expect(listDeviceCompositions()).toEqual([]);
    tab.leave();
    expect(readStage(openTab(null))).toEqual([]);
  });

  it('waits on the device, invisible to others, when it was not saved before signing out', async () => {
    const tab = openTab(ANN);
    goOffline();
    addText(tab, 'one');
    await calm();
    tab.autosave.setOwner(null);
    expect([statusOf(tab), readStage(tab)]).toEqual(['signedOut', ['one']]);
    tab.leave();
    const visitor = openTab(null);
    expect([readStage(visitor), listDeviceCompositions(null)]).toEqual([[], []]);
    goOnline();
    visitor.autosave.setOwner(8); // somebody else
    await calm();
    expect(readServer()).toEqual([]);
    visitor.autosave.setOwner(null);
    visitor.autosave.setOwner(ANN);
    await calm();
    expect(readServer()).toEqual([['one']]);
  });
});

describe('a composition that was changed elsewhere', () => {
  async function change(id: string, text: string): Promise<void> {
    const { revision, composition } = await server.serverCompositions.get(id);
    const edit = { ...composition, elements: textsOf(composition).map((one) => ({ ...one, text })) };
    await server.serverCompositions.save(id, { revision, composition: saveComposition(edit) });
  }
  async function openChanged(): Promise<Tab> {
    const tab = openTab(ANN);
    addText(tab, 'one');
    await calm();
    await change('s1', 'theirs');
    addText(tab, 'mine');
    await calm();
    expect(statusOf(tab)).toBe('changed');
    expect(readServer()).toEqual([['theirs']]);
    return tab;
  }

  it('is not written over; this tab’s version can become a copy', async () => {
    const tab = await openChanged();
    addText(tab, 'and more');
    await calm();
    expect(readServer()).toEqual([['theirs']]);
    tab.autosave.keepMine();
    await calm();
    expect([statusOf(tab), readServer()]).toEqual(['saved', [['theirs'], ['one', 'mine', 'and more']]]);
    expect(tab.editor.getState().canUndo).toBe(true);
    await tab.autosave.flush();
    expect(readServer()).toHaveLength(2);
  });

  it('asks again on the next visit', async () => {
    const tab = await openChanged();
    page.dispatchEvent(new Event('pagehide'));
    tab.leave();
    const next = openTab(ANN);
    await calm();
    expect([statusOf(next), readStage(next), readServer()]).toEqual(['changed', ['one', 'mine'], [['theirs']]]);
  });

  it('is loaded when the other version is chosen', async () => {
    const tab = await openChanged();
    await tab.autosave.loadTheirs();
    expect([statusOf(tab), readStage(tab), tab.editor.getState().canUndo]).toEqual(['saved', ['theirs'], false]);
    addText(tab, 'more');
    await calm();
    expect(readServer()).toEqual([['theirs', 'more']]);
  });

  it('is stored beside the other version when the page is left without an answer', async () => {
    const tab = await openChanged();
    addText(tab, 'more');
    page.dispatchEvent(new Event('pagehide'));
    tab.leave();
    await openTab(ANN).autosave.flush();
    await calm();
    expect(readServer()).toEqual([['theirs'], ['one', 'mine', 'more']]);
  });

  it('by another tab of this browser is noticed before anything is written', async () => {
    const tab = openTab(null);
    addText(tab, 'one');
    await calm();
    const second = openTab(null);
    addText(second, 'second');
    await calm();
    addText(tab, 'first');
    await calm();
    expect(statusOf(tab)).toBe('changed');
    expect(wordsOf(readCurrent()?.composition)).toEqual(['one', 'second']);
    tab.autosave.keepMine();
    expect(
      listDeviceCompositions(null)
        .map(({ composition }) => wordsOf(composition))
        .sort(),
    ).toEqual([
      ['one', 'first'],
      ['one', 'second'],
    ]);
  });

  it('is loaded by itself when this tab has no changes and is looked at again', async () => {
    const tab = openTab(ANN);
    addText(tab, 'one');
    await calm();
    await change('s1', 'theirs');
    page.dispatchEvent(new Event('visibilitychange'));
    await calm();
    expect(readStage(tab)).toEqual(['theirs']);
    expect(notices).toEqual(['Newer version loaded: This design was changed on another tab or device.']);
  });

  it('becomes a copy beside the other version when it is not open any more', async () => {
    const tab = openTab(ANN);
    addText(tab, 'one');
    await calm();
    goOffline();
    addText(tab, 'mine');
    tab.autosave.startNew();
    await change('s1', 'theirs');
    goOnline();
    await calm();
    await tab.autosave.flush();
    expect(readServer()).toEqual([['theirs'], ['one', 'mine']]);
  });

  it('becomes a composition of its own with the next change when it was deleted there', async () => {
    const tab = openTab(ANN);
    addText(tab, 'one');
    await calm();
    server.rows.delete('s1');
    addText(tab, 'two');
    await calm();
    expect([statusOf(tab), readServer()]).toEqual(['saved', [['one', 'two']]]);
    expect(listDeviceCompositions(ANN)).toHaveLength(1);
  });
});
