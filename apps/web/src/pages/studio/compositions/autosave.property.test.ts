/**
 * Random days of two tabs and a second device on one account: nothing anybody arranged is ever lost or written over.
 */
import type { CompositionSummary } from '@markwright/contract/schemas';
import { createEditor, type Editor } from '@markwright/editor';
import { type Composition, parseComposition, textsOf } from '@markwright/scene';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeStorage } from '../../../../test/fakeStorage.ts';
import { type Autosave, createAutosave, type ServerCompositions } from './autosave.ts';
import { readFirstComposition } from './deviceComposition.ts';
import { listDeviceCompositions } from './deviceCompositionList.ts';

const ANN = 7;
const NOW = new Date('2026-11-21T12:00:00Z');

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { visibilityState: 'visible' });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Returns the edits in a composition. Every edit adds a text that no other edit adds. */
const editsOf = (composition: Composition | undefined): readonly string[] =>
  composition ? textsOf(composition).map(({ text }) => text) : [];
const isSame = (a: Composition, b: Composition): boolean => JSON.stringify(a) === JSON.stringify(b);

interface Row {
  readonly key: string;
  readonly name: string;
  readonly revision: number;
  readonly composition: Composition;
}

/** Answers as the server does, and notes a violation for each save that takes edits away. */
function fakeServer(world: { answers: 'all' | 'lost' | 'none' }) {
  const rows = new Map<string, Row>();
  const violations: string[] = [];
  const reject = (status: number) => Object.assign(new Error('No.'), { status });
  const summary = (id: string): CompositionSummary => {
    const { name, revision } = rows.get(id)!;
    const at = NOW.toISOString();
    return { id, name, revision, productId: null, pictureUrl: null, createdAt: at, updatedAt: at };
  };
  function put(id: string, next: Row): void {
    const lostEdits = editsOf(rows.get(id)?.composition).filter((edit) => !editsOf(next.composition).includes(edit));
    if (lostEdits.length > 0) violations.push(`${id}: a save took away ${lostEdits.join()}`);
    rows.set(id, next);
  }
  async function answer<T>(work: () => T): Promise<T> {
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (world.answers === 'none') throw new Error('');
    const reply = work();
    if (world.answers === 'lost') throw new Error('');
    return reply;
  }
  const server: ServerCompositions = {
    create: ({ key, name, composition: wire }) =>
      answer(() => {
        // Sent again with its idempotency key, it is created once.
        const [id = `s${rows.size + 1}`, row] = [...rows].find(([, existing]) => existing.key === key) ?? [];
        const composition = parseComposition(wire);
        if (row && isSame(row.composition, composition)) return summary(id);
        if (row && row.revision > 1) throw reject(409);
        put(id, { key, name, revision: 1, composition });
        return summary(id);
      }),
    save: (id, { revision, composition: wire }) =>
      answer(() => {
        const row = rows.get(id);
        const composition = parseComposition(wire);
        if (!row) throw reject(404);
        if (isSame(row.composition, composition)) return summary(id);
        if (row.revision !== revision) throw reject(409);
        put(id, { ...row, revision: revision + 1, composition });
        return summary(id);
      }),
    rename: (id, name) =>
      answer(() => {
        rows.set(id, { ...rows.get(id)!, name });
        return summary(id);
      }),
    get: (id) =>
      answer(() => {
        const row = rows.get(id);
        if (!row) throw reject(404);
        return { ...summary(id), composition: row.composition };
      }),
  };
  return { server, rows, violations };
}

interface Tab {
  readonly editor: Editor;
  readonly autosave: Autosave;
  disconnect(): void;
}

const tabOf = fc.nat({ max: 1 });
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('edit' as const), tab: tabOf }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(20, 350, 900, 6_000) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('startNew', 'look', 'keepMine', 'reopen', 'flush'), tab: tabOf }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('open' as const), tab: tabOf, which: fc.nat({ max: 5 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('rename' as const), tab: tabOf, name: fc.constantFrom('A', 'B') }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('otherDevice' as const), which: fc.nat({ max: 5 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('answers' as const), are: fc.constantFrom('all', 'lost', 'none') }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('connection' as const), isOnline: fc.boolean() }) },
);

it.each([ANN, null])('keeps every edit of owner %j', async (owner) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      const world = { answers: 'all' as 'all' | 'lost' | 'none', isOnline: true };
      const { server, rows, violations } = fakeServer(world);
      const page = new EventTarget();
      vi.stubGlobal('localStorage', fakeStorage());
      vi.stubGlobal('sessionStorage', fakeStorage());
      vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
      vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
      let clock = NOW.getTime();

      const openTab = (): Tab => {
        const first = readFirstComposition(owner !== null, new Date(clock));
        const editor = createEditor({ composition: first.composition });
        const autosave = createAutosave(editor, first, {
          server,
          isOnline: () => world.isOnline,
          now: () => new Date(++clock),
          notify: () => undefined,
        });
        const disconnect = autosave.connect();
        autosave.setOwner(owner);
        return { editor, autosave, disconnect };
      };
      const tabs = [openTab(), openTab()];
      const edits: string[] = [];
      const addEdit = (editor: Editor) => {
        const text = `e${edits.length}`;
        edits.push(text);
        editor.dispatch({ type: 'addText', element: { id: text, text } });
      };
      /** Edits that are neither on a stage, nor on the device, nor on the server. */
      const findLostEdits = () => {
        const everywhere = [
          ...tabs.map(({ editor }) => editor.getState().composition),
          ...listDeviceCompositions().map(({ composition }) => composition),
          ...[...rows.values()].map(({ composition }) => composition),
        ].flatMap(editsOf);
        return edits.filter((edit) => !everywhere.includes(edit));
      };
      /** Ignores an edit: a visitor's device that is full begins nothing new. */
      const ignore = () => undefined;

      for (const one of steps) {
        const tab = 'tab' in one ? tabs[one.tab]! : tabs[0]!;
        switch (one.do) {
          case 'edit':
            // More texts than a composition takes are no edits.
            if (textsOf(tab.editor.getState().composition).length < 10) addEdit(tab.editor);
            break;
          case 'wait':
            await vi.advanceTimersByTimeAsync(one.ms);
            break;
          case 'startNew':
            tab.autosave.startNew();
            break;
          case 'look':
            page.dispatchEvent(new Event('visibilitychange'));
            break;
          case 'keepMine':
            if (tab.autosave.getState().status === 'changed') tab.autosave.keepMine();
            break;
          case 'flush':
            void tab.autosave.flush().catch(ignore);
            break;
          case 'reopen':
            page.dispatchEvent(new Event('pagehide'));
            tab.disconnect();
            tabs[tabs.indexOf(tab)] = openTab();
            break;
          case 'open': {
            const copies = listDeviceCompositions(owner);
            const copy = copies[one.which % Math.max(1, copies.length)];
            if (copy) void tab.autosave.open({ id: copy.id }).catch(ignore);
            break;
          }
          case 'rename':
            tab.autosave.rename(one.name);
            break;
          case 'otherDevice': {
            const [id, row] = [...rows][one.which % Math.max(1, rows.size)] ?? [];
            if (!id || !row || textsOf(row.composition).length >= 10) break;
            const text = `e${edits.length}`;
            edits.push(text);
            const newText = { ...textsOf(row.composition)[0]!, kind: 'text' as const, id: text, text };
            const composition = { ...row.composition, elements: [...row.composition.elements, newText] };
            rows.set(id, { ...row, revision: row.revision + 1, composition });
            break;
          }
          case 'answers':
            world.answers = one.are as typeof world.answers;
            break;
          case 'connection':
            world.isOnline = one.isOnline;
            page.dispatchEvent(new Event(one.isOnline ? 'online' : 'offline'));
            break;
        }
        expect(findLostEdits()).toEqual([]);
        if (listDeviceCompositions(null).length >= 18) break; // a visitor's device is full at twenty
      }

      // In the end everything is saved, or asks.
      world.answers = 'all';
      world.isOnline = true;
      page.dispatchEvent(new Event('online'));
      for (let i = 0; i < 3; i++) {
        await vi.advanceTimersByTimeAsync(70_000);
        for (const { autosave } of tabs) void autosave.flush();
      }
      await vi.advanceTimersByTimeAsync(5_000);
      expect([findLostEdits(), violations]).toEqual([[], []]);
      for (const { autosave } of tabs) {
        expect(owner === null ? ['blank', 'device', 'changed'] : ['blank', 'saved', 'changed']).toContain(
          autosave.getState().status,
        );
        autosave.getState();
      }
      for (const { disconnect } of tabs) disconnect();
      vi.clearAllTimers();
    }),
    { numRuns: 60 },
  );
});
