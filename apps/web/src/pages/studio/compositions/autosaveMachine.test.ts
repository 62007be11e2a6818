import { Composition, emptyComposition } from '@markwright/scene';
import { describe, expect, it } from 'vitest';
import { endsGesture, initialModel, transition } from './autosaveMachine.ts';
import type { AutosaveEvent, AutosaveModel, Effect, SaveStatus, World } from './autosaveTypes.ts';
import { blankCopy, type DeviceComposition } from './blankCopy.ts';
import { fingerprint } from './compare.ts';
import { copyName, planOpen, refuseNew } from './openPlan.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const ANN = 7;

const compositionOf = (...texts: string[]) =>
  Composition.parse({ ...emptyComposition, elements: texts.map((text, i) => ({ kind: 'text', id: `t${i}`, text })) });
const mine = compositionOf('one');
const theirs = compositionOf('theirs');

const visitors: DeviceComposition = { ...blankCopy('a', null, NOW, mine), isUnsaved: true };
const savedCopy: DeviceComposition = { ...blankCopy('a', ANN, NOW, mine), saved: { id: 's1', revision: 1 } };
const unsavedCopy: DeviceComposition = { ...savedCopy, isUnsaved: true };
const renamedCopy: DeviceComposition = { ...savedCopy, name: 'Wedding', isRenamed: true };

interface Setting {
  readonly open: DeviceComposition;
  readonly owner?: number | null;
  readonly status?: SaveStatus;
  readonly model?: Partial<AutosaveModel>;
  /** On the stage; the open composition's unless said. */
  readonly stage?: DeviceComposition['composition'];
  /** On this device; the open one unless said. */
  readonly device?: readonly DeviceComposition[];
  readonly isOnline?: boolean;
}

function setUp({ open, owner = open.owner, status, model, stage, device = [open], isOnline = true }: Setting) {
  let ids = 0;
  const world: World = {
    stage: { composition: stage ?? open.composition, isGesturing: false },
    isOnline,
    now: NOW,
    newId: () => `new${++ids}`,
    readCopy: (id) => device.find((copy) => copy.id === id),
    listCopies: () => device,
  };
  const resting = { ...initialModel(open, world), owner, isConnected: true };
  return { world, model: { ...resting, ...(status && { status }), ...model } };
}

function after(setting: Setting, event: AutosaveEvent) {
  const { world, model } = setUp(setting);
  return transition(model, event, world);
}
const typesOf = (effects: readonly Effect[]) => effects.map(({ type }) => type).filter((type) => type !== 'clearTimer');

const refusalOf = (status?: number): AutosaveEvent => ({ type: 'refused', copy: unsavedCopy, status, message: 'No.' });

describe('what follows each event', () => {
  it.each<[string, Setting, AutosaveEvent, SaveStatus, readonly Effect['type'][]]>([
    ['an edit is stored later', { open: savedCopy, stage: theirs }, { type: 'edited' }, 'saved', ['setTimer']],
    ['no edit, no timer', { open: savedCopy }, { type: 'edited' }, 'saved', []],
    ['a visitor’s edit is stored', { open: visitors, stage: theirs }, { type: 'storeDue' }, 'device', ['write']],
    [
      'an account’s edit is stored, then sent',
      { open: savedCopy, stage: theirs },
      { type: 'storeDue' },
      'saving',
      ['write', 'setTimer'],
    ],
    [
      '… without a connection only stored',
      { open: savedCopy, stage: theirs, isOnline: false },
      { type: 'storeDue' },
      'offline',
      ['write'],
    ],
    [
      '… of an account that is not here',
      { open: savedCopy, owner: null, stage: theirs },
      { type: 'storeDue' },
      'signedOut',
      ['write'],
    ],
    [
      'another tab’s version is not written over',
      { open: savedCopy, stage: compositionOf('x'), device: [{ ...savedCopy, composition: theirs }] },
      { type: 'storeDue' },
      'changed',
      [],
    ],
    [
      'a conflict stops storing',
      { open: savedCopy, status: 'changed', stage: theirs },
      { type: 'storeDue' },
      'changed',
      [],
    ],
    ['a due save goes out', { open: unsavedCopy }, { type: 'saveDue' }, 'saving', ['save']],
    ['a new name goes out', { open: renamedCopy }, { type: 'saveDue' }, 'saving', ['save']],
    [
      'one save at a time',
      { open: unsavedCopy, status: 'saving', model: { isSending: true } },
      { type: 'saveDue' },
      'saving',
      [],
    ],
    ['nothing due, nothing sent', { open: savedCopy, status: 'saved' }, { type: 'saveDue' }, 'saved', []],
    ['nothing is sent over a conflict', { open: unsavedCopy, status: 'changed' }, { type: 'saveDue' }, 'changed', []],
    [
      'nothing is sent for another account',
      { open: unsavedCopy, owner: 8, status: 'signedOut' },
      { type: 'saveDue' },
      'signedOut',
      [],
    ],
    ['a full device is said', { open: visitors }, { type: 'deviceFull', id: 'a', purpose: 'edit' }, 'full', []],
    [
      '… unless something else is open',
      { open: visitors, status: 'device' },
      { type: 'deviceFull', id: 'b', purpose: 'edit' },
      'device',
      [],
    ],
    ['a conflict on the server is asked about', { open: unsavedCopy }, refusalOf(409), 'changed', []],
    [
      'deleted on the server: it goes on as its own',
      { open: unsavedCopy },
      refusalOf(404),
      'saving',
      ['moveCopy', 'setTimer'],
    ],
    ['signed out on the server', { open: unsavedCopy }, refusalOf(401), 'signedOut', []],
    ['no room on the server: not sent again by itself', { open: unsavedCopy }, refusalOf(507), 'failed', []],
    ['a bad request: not sent again by itself', { open: unsavedCopy }, refusalOf(422), 'failed', []],
    ['a busy server: sent again', { open: unsavedCopy }, refusalOf(503), 'failed', ['setTimer']],
    ['too many requests: sent again', { open: unsavedCopy }, refusalOf(429), 'failed', ['setTimer']],
    ['no answer: sent again', { open: unsavedCopy }, refusalOf(undefined), 'failed', ['setTimer']],
    ['no connection: said', { open: unsavedCopy, isOnline: false }, refusalOf(undefined), 'offline', ['setTimer']],
    [
      'the page is gone: not sent again',
      { open: unsavedCopy, model: { isConnected: false } },
      refusalOf(503),
      'failed',
      [],
    ],
    [
      'a change has planned an earlier save',
      { open: unsavedCopy, model: { isSavePlanned: true } },
      refusalOf(503),
      'failed',
      [],
    ],
    [
      'keep mine',
      { open: savedCopy, status: 'changed', stage: theirs },
      { type: 'mineKept' },
      'saving',
      ['moveCopy', 'setTimer'],
    ],
    [
      'the page is left in a conflict',
      { open: savedCopy, status: 'changed', stage: theirs },
      { type: 'left' },
      'saving',
      ['moveCopy', 'setTimer', 'save'],
    ],
    ['back online', { open: savedCopy, status: 'offline' }, { type: 'online' }, 'saved', ['sync', 'refresh']],
    ['back online in a conflict', { open: unsavedCopy, status: 'changed' }, { type: 'online' }, 'changed', []],
    ['looked at again', { open: savedCopy, status: 'saved' }, { type: 'shown' }, 'saved', ['refresh']],
    [
      'looked at again after another tab’s change',
      { open: savedCopy, device: [{ ...savedCopy, composition: theirs }] },
      { type: 'shown' },
      'saved',
      ['load', 'notify'],
    ],
    [
      'a save ends while another one is open and due',
      { open: unsavedCopy, status: 'saving', model: { isSending: true } },
      { type: 'saveEnded', isOk: true },
      'saving',
      ['setTimer'],
    ],
  ])('%s', (_, setting, event, status, effects) => {
    const next = after(setting, event);
    expect([next.model.status, typesOf(next.effects)]).toEqual([status, effects]);
  });

  it('pauses longer after each failure, up to a minute', () => {
    const delays = Array.from({ length: 8 }, (_, failures) => {
      const { effects } = after({ open: unsavedCopy, model: { failures } }, refusalOf(503));
      return effects.find((effect) => effect.type === 'setTimer')?.delayMs;
    });
    expect(delays).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  });
});

describe('an answer of the server', () => {
  const pushedEvent = (copy: DeviceComposition): AutosaveEvent => ({
    type: 'pushed',
    copy,
    ref: { id: 's1', revision: 2 },
  });

  it('marks the sent version as stored', () => {
    const { model } = after({ open: unsavedCopy }, pushedEvent(unsavedCopy));
    expect(model).toMatchObject({ status: 'saved', open: { saved: { revision: 2 }, isUnsaved: false, pending: [] } });
  });

  it('leaves later changes to be sent', () => {
    const newerCopy = { ...unsavedCopy, composition: compositionOf('one', 'two') };
    const { model, effects } = after({ open: newerCopy }, pushedEvent(unsavedCopy));
    expect(model).toMatchObject({ status: 'saving', open: { saved: { revision: 2 }, isUnsaved: true } });
    expect(typesOf(effects)).toEqual(['write', 'setTimer']);
  });

  it('to a copy that is not open changes that copy alone', () => {
    const other = { ...unsavedCopy, id: 'b' };
    const { model, effects } = after({ open: savedCopy, device: [savedCopy, other] }, pushedEvent(other));
    expect(model.open).toEqual(savedCopy);
    expect(effects).toMatchObject([{ type: 'write', copy: { id: 'b', isUnsaved: false } }]);
  });

  it('changes nothing when the copy is gone from the device', () => {
    expect(after({ open: savedCopy }, pushedEvent({ ...unsavedCopy, id: 'b' })).effects).toEqual([]);
  });

  it('that refuses a copy that is not open keeps both versions', () => {
    const other = { ...unsavedCopy, id: 'b', name: 'Wedding' };
    const event: AutosaveEvent = { type: 'refused', copy: other, status: 409, message: 'No.' };
    const { effects } = after({ open: savedCopy, device: [savedCopy, other] }, event);
    expect(effects).toMatchObject([{ type: 'replaceCopy', from: 'b', copy: { name: 'Wedding (copy)', saved: null } }]);
  });

  it('with a newer version is taken over only where nothing was changed here', () => {
    const at = NOW.toISOString();
    const summary = { id: 's1', name: '', productId: null, pictureUrl: null, createdAt: at, updatedAt: at };
    const newer: AutosaveEvent = {
      type: 'refreshed',
      id: 'a',
      theirs: { ...summary, revision: 5, composition: theirs },
    };
    expect(typesOf(after({ open: savedCopy }, newer).effects)).toEqual(['load', 'write', 'setCurrent', 'notify']);
    for (const busy of [
      { open: unsavedCopy },
      { open: savedCopy, stage: theirs },
      { open: savedCopy, model: { isSending: true } },
    ]) {
      expect(after(busy, newer).effects).toEqual([]);
    }
    const stale: AutosaveEvent = {
      type: 'refreshed',
      id: 'a',
      theirs: { ...summary, revision: 1, composition: theirs },
    };
    expect(after({ open: savedCopy }, stale).effects).toEqual([]);
  });
});

describe('the account', () => {
  it('that signs out keeps on the device only what the server does not have', () => {
    const waiting = { ...unsavedCopy, id: 'b' };
    const { effects, model } = after(
      { open: savedCopy, device: [savedCopy, waiting] },
      { type: 'ownerChanged', owner: null },
    );
    expect(effects.filter(({ type }) => type === 'remove')).toEqual([{ type: 'remove', id: 'a' }]);
    expect(model.open).toMatchObject({ owner: null, composition: emptyComposition });
  });

  it('that turns out to be a guest closes nothing', () => {
    const { effects } = after({ open: savedCopy, model: { owner: undefined } }, { type: 'ownerChanged', owner: null });
    expect(typesOf(effects)).not.toContain('load');
  });

  it('takes over compositions that were made before signing in', () => {
    const { effects, model } = after({ open: visitors, model: { owner: null } }, { type: 'ownerChanged', owner: ANN });
    expect(model.open).toMatchObject({ owner: ANN, isUnsaved: true });
    expect(typesOf(effects)).toEqual(['write', 'notify', 'setTimer', 'sync']);
  });

  it('never sends another account’s composition', () => {
    const { effects, model } = after({ open: unsavedCopy, stage: theirs }, { type: 'ownerChanged', owner: 8 });
    expect(typesOf(effects)).not.toContain('save');
    expect(model.open.owner).toBe(8);
    expect(endsGesture(setUp({ open: unsavedCopy }).model, { type: 'ownerChanged', owner: 8 })).toBe(true);
    expect(endsGesture(setUp({ open: unsavedCopy }).model, { type: 'ownerChanged', owner: ANN })).toBe(false);
  });
});

describe('where a composition is opened from', () => {
  const other = { ...savedCopy, id: 'b', saved: { id: 's2', revision: 1 } };
  it.each<[string, Setting, Parameters<typeof planOpen>[1], object]>([
    ['open already', { open: savedCopy }, { savedId: 's1' }, { from: 'stage' }],
    ['on the server', { open: savedCopy }, { savedId: 's9' }, { from: 'server', savedId: 's9', deviceId: 's9' }],
    [
      'on both',
      { open: savedCopy, device: [savedCopy, other] },
      { id: 'b' },
      { from: 'server', savedId: 's2', deviceId: 'b' },
    ],
    [
      'on both, offline',
      { open: savedCopy, device: [savedCopy, other], isOnline: false },
      { savedId: 's2' },
      { from: 'device' },
    ],
    [
      'newer on the device',
      { open: savedCopy, device: [savedCopy, { ...other, isUnsaved: true }] },
      { id: 'b' },
      { from: 'device' },
    ],
    ['gone', { open: savedCopy }, { id: 'x' }, { from: 'nowhere' }],
    ['offline', { open: savedCopy, isOnline: false }, { savedId: 's9' }, { from: 'nowhere' }],
  ])('%s', (_, setting, target, plan) => {
    const { model, world } = setUp(setting);
    expect(planOpen(model, target, world)).toMatchObject(plan);
  });
});

it('a visitor’s device keeps twenty', () => {
  const many = Array.from({ length: 20 }, (_, i) => ({ ...visitors, id: `v${i}` }));
  const full = setUp({ open: visitors, device: many });
  expect(refuseNew(full.model, full.world)).toMatch(/^This device keeps 20 designs\./);
  const room = setUp({ open: visitors, device: many.slice(1) });
  expect(refuseNew(room.model, room.world)).toBeUndefined();
  const account = setUp({ open: savedCopy, device: many });
  expect(refuseNew(account.model, account.world)).toBeUndefined();
});

it('a copy’s name stays within the length of a name, and a blank one blank', () => {
  expect(copyName('Wedding')).toBe('Wedding (copy)');
  expect(copyName('')).toBe('');
  expect(copyName('x'.repeat(1_000))).toHaveLength(80);
});

it('a fingerprint is the same for the same composition, whatever order its fields are in', () => {
  const { elements, ...rest } = compositionOf('one');
  expect(fingerprint({ elements, ...rest })).toBe(fingerprint({ ...rest, elements }));
  expect(fingerprint(compositionOf('one'))).not.toBe(fingerprint(compositionOf('two')));
});
