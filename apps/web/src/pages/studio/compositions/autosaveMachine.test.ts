import { Composition, emptyComposition } from '@markwright/scene';
import { describe, expect, it } from 'vitest';
import { endsGesture, initialModel, transition } from './autosaveMachine.ts';
import type { AutosaveEvent, AutosaveModel, Effect, SaveStatus, World } from './autosaveTypes.ts';
import { fingerprint } from './compare.ts';
import { blankCopy, type DeviceComposition } from './deviceComposition.ts';
import { copyName, planOpen, refuseNew } from './openPlan.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const ANN = 7;

const composed = (...texts: string[]) =>
  Composition.parse({ ...emptyComposition, texts: texts.map((text, i) => ({ id: `t${i}`, text })) });
const mine = composed('one');
const theirs = composed('theirs');

const visitors: DeviceComposition = { ...blankCopy('a', null, NOW, mine), isUnsaved: true };
const saved: DeviceComposition = { ...blankCopy('a', ANN, NOW, mine), saved: { id: 's1', revision: 1 } };
const unsaved: DeviceComposition = { ...saved, isUnsaved: true };
const renamed: DeviceComposition = { ...saved, name: 'Wedding', isRenamed: true };

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

const refused = (status?: number): AutosaveEvent => ({ type: 'refused', sent: unsaved, status, message: 'No.' });

describe('what follows each event', () => {
  it.each<[string, Setting, AutosaveEvent, SaveStatus, readonly Effect['type'][]]>([
    ['an edit is stored later', { open: saved, stage: theirs }, { type: 'edited' }, 'saved', ['setTimer']],
    ['no edit, no timer', { open: saved }, { type: 'edited' }, 'saved', []],
    ['a visitor’s edit is stored', { open: visitors, stage: theirs }, { type: 'storeDue' }, 'device', ['write']],
    [
      'an account’s edit is stored, then sent',
      { open: saved, stage: theirs },
      { type: 'storeDue' },
      'saving',
      ['write', 'setTimer'],
    ],
    [
      '… without a connection only stored',
      { open: saved, stage: theirs, isOnline: false },
      { type: 'storeDue' },
      'offline',
      ['write'],
    ],
    [
      '… of an account that is not here',
      { open: saved, owner: null, stage: theirs },
      { type: 'storeDue' },
      'signedOut',
      ['write'],
    ],
    [
      'another tab’s version is not written over',
      { open: saved, stage: composed('x'), device: [{ ...saved, composition: theirs }] },
      { type: 'storeDue' },
      'changed',
      [],
    ],
    [
      'a conflict stops storing',
      { open: saved, status: 'changed', stage: theirs },
      { type: 'storeDue' },
      'changed',
      [],
    ],
    ['a due save goes out', { open: unsaved }, { type: 'saveDue' }, 'saving', ['save']],
    ['a new name goes out', { open: renamed }, { type: 'saveDue' }, 'saving', ['save']],
    [
      'one save at a time',
      { open: unsaved, status: 'saving', model: { isSending: true } },
      { type: 'saveDue' },
      'saving',
      [],
    ],
    ['nothing due, nothing sent', { open: saved, status: 'saved' }, { type: 'saveDue' }, 'saved', []],
    ['nothing is sent over a conflict', { open: unsaved, status: 'changed' }, { type: 'saveDue' }, 'changed', []],
    [
      'nothing is sent for another account',
      { open: unsaved, owner: 8, status: 'signedOut' },
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
    ['a conflict on the server is asked about', { open: unsaved }, refused(409), 'changed', []],
    [
      'deleted on the server: it goes on as its own',
      { open: unsaved },
      refused(404),
      'saving',
      ['moveCopy', 'setTimer'],
    ],
    ['signed out on the server', { open: unsaved }, refused(401), 'signedOut', []],
    ['no room on the server: not sent again by itself', { open: unsaved }, refused(507), 'failed', []],
    ['a bad request: not sent again by itself', { open: unsaved }, refused(422), 'failed', []],
    ['a busy server: sent again', { open: unsaved }, refused(503), 'failed', ['setTimer']],
    ['too many requests: sent again', { open: unsaved }, refused(429), 'failed', ['setTimer']],
    ['no answer: sent again', { open: unsaved }, refused(undefined), 'failed', ['setTimer']],
    ['no connection: said', { open: unsaved, isOnline: false }, refused(undefined), 'offline', ['setTimer']],
    ['the page is gone: not sent again', { open: unsaved, model: { isConnected: false } }, refused(503), 'failed', []],
    [
      'a change has planned an earlier save',
      { open: unsaved, model: { isSavePlanned: true } },
      refused(503),
      'failed',
      [],
    ],
    [
      'keep mine',
      { open: saved, status: 'changed', stage: theirs },
      { type: 'mineKept' },
      'saving',
      ['moveCopy', 'setTimer'],
    ],
    [
      'the page is left in a conflict',
      { open: saved, status: 'changed', stage: theirs },
      { type: 'left' },
      'saving',
      ['moveCopy', 'setTimer', 'save'],
    ],
    ['back online', { open: saved, status: 'offline' }, { type: 'online' }, 'saved', ['sync', 'refresh']],
    ['back online in a conflict', { open: unsaved, status: 'changed' }, { type: 'online' }, 'changed', []],
    ['looked at again', { open: saved, status: 'saved' }, { type: 'shown' }, 'saved', ['refresh']],
    [
      'looked at again after another tab’s change',
      { open: saved, device: [{ ...saved, composition: theirs }] },
      { type: 'shown' },
      'saved',
      ['load', 'notify'],
    ],
    [
      'a save ends while another one is open and due',
      { open: unsaved, status: 'saving', model: { isSending: true } },
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
      const { effects } = after({ open: unsaved, model: { failures } }, refused(503));
      return effects.find((effect) => effect.type === 'setTimer')?.delayMs;
    });
    expect(delays).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  });
});

describe('an answer of the server', () => {
  const pushed = (sent: DeviceComposition): AutosaveEvent => ({
    type: 'pushed',
    sent,
    saved: { id: 's1', revision: 2 },
  });

  it('settles what was sent', () => {
    const { model } = after({ open: unsaved }, pushed(unsaved));
    expect(model).toMatchObject({ status: 'saved', open: { saved: { revision: 2 }, isUnsaved: false, pending: [] } });
  });

  it('leaves what was changed since to be sent', () => {
    const changed = { ...unsaved, composition: composed('one', 'two') };
    const { model, effects } = after({ open: changed }, pushed(unsaved));
    expect(model).toMatchObject({ status: 'saving', open: { saved: { revision: 2 }, isUnsaved: true } });
    expect(typesOf(effects)).toEqual(['write', 'setTimer']);
  });

  it('to a copy that is not open changes that copy alone', () => {
    const other = { ...unsaved, id: 'b' };
    const { model, effects } = after({ open: saved, device: [saved, other] }, pushed(other));
    expect(model.open).toEqual(saved);
    expect(effects).toMatchObject([{ type: 'write', copy: { id: 'b', isUnsaved: false } }]);
  });

  it('changes nothing when the copy is gone from the device', () => {
    expect(after({ open: saved }, pushed({ ...unsaved, id: 'b' })).effects).toEqual([]);
  });

  it('that refuses a copy that is not open keeps both versions', () => {
    const other = { ...unsaved, id: 'b', name: 'Wedding' };
    const event: AutosaveEvent = { type: 'refused', sent: other, status: 409, message: 'No.' };
    const { effects } = after({ open: saved, device: [saved, other] }, event);
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
    expect(typesOf(after({ open: saved }, newer).effects)).toEqual(['load', 'write', 'setCurrent', 'notify']);
    for (const busy of [
      { open: unsaved },
      { open: saved, stage: theirs },
      { open: saved, model: { isSending: true } },
    ]) {
      expect(after(busy, newer).effects).toEqual([]);
    }
    const stale: AutosaveEvent = {
      type: 'refreshed',
      id: 'a',
      theirs: { ...summary, revision: 1, composition: theirs },
    };
    expect(after({ open: saved }, stale).effects).toEqual([]);
  });
});

describe('the account', () => {
  it('that signs out leaves nothing here that the server has', () => {
    const waiting = { ...unsaved, id: 'b' };
    const { effects, model } = after({ open: saved, device: [saved, waiting] }, { type: 'ownerChanged', owner: null });
    expect(effects.filter(({ type }) => type === 'remove')).toEqual([{ type: 'remove', id: 'a' }]);
    expect(model.open).toMatchObject({ owner: null, composition: emptyComposition });
  });

  it('that was not here yet closes nothing', () => {
    const { effects } = after({ open: saved, model: { owner: undefined } }, { type: 'ownerChanged', owner: null });
    expect(typesOf(effects)).not.toContain('load');
  });

  it('takes over what was made without one', () => {
    const { effects, model } = after({ open: visitors, model: { owner: null } }, { type: 'ownerChanged', owner: ANN });
    expect(model.open).toMatchObject({ owner: ANN, isUnsaved: true });
    expect(typesOf(effects)).toEqual(['write', 'notify', 'setTimer', 'sync']);
  });

  it('never sends another account’s composition', () => {
    const { effects, model } = after({ open: unsaved, stage: theirs }, { type: 'ownerChanged', owner: 8 });
    expect(typesOf(effects)).not.toContain('save');
    expect(model.open.owner).toBe(8);
    expect(endsGesture(setUp({ open: unsaved }).model, { type: 'ownerChanged', owner: 8 })).toBe(true);
    expect(endsGesture(setUp({ open: unsaved }).model, { type: 'ownerChanged', owner: ANN })).toBe(false);
  });
});

describe('where a composition is opened from', () => {
  const other = { ...saved, id: 'b', saved: { id: 's2', revision: 1 } };
  it.each<[string, Setting, Parameters<typeof planOpen>[1], object]>([
    ['open already', { open: saved }, { savedId: 's1' }, { from: 'stage' }],
    ['on the server', { open: saved }, { savedId: 's9' }, { from: 'server', savedId: 's9', deviceId: 's9' }],
    ['on both', { open: saved, device: [saved, other] }, { id: 'b' }, { from: 'server', savedId: 's2', deviceId: 'b' }],
    [
      'on both, offline',
      { open: saved, device: [saved, other], isOnline: false },
      { savedId: 's2' },
      { from: 'device' },
    ],
    [
      'newer on the device',
      { open: saved, device: [saved, { ...other, isUnsaved: true }] },
      { id: 'b' },
      { from: 'device' },
    ],
    ['gone', { open: saved }, { id: 'x' }, { from: 'nowhere' }],
    ['offline', { open: saved, isOnline: false }, { savedId: 's9' }, { from: 'nowhere' }],
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
  const account = setUp({ open: saved, device: many });
  expect(refuseNew(account.model, account.world)).toBeUndefined();
});

it('a copy’s name stays within the length of a name, and a blank one blank', () => {
  expect(copyName('Wedding')).toBe('Wedding (copy)');
  expect(copyName('')).toBe('');
  expect(copyName('x'.repeat(1_000))).toHaveLength(80);
});

it('a fingerprint is the same for the same composition, whatever order its fields are in', () => {
  const { texts, ...rest } = composed('one');
  expect(fingerprint({ texts, ...rest })).toBe(fingerprint({ ...rest, texts }));
  expect(fingerprint(composed('one'))).not.toBe(fingerprint(composed('two')));
});
