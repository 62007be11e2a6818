import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fakeStorage } from '../../../../test/fakeStorage.ts';
import { stepToOpen } from './neededStep.ts';
import { tutorialSteps, wordsOf } from './steps.ts';
import { createTutorial, TUTORIAL_KEY } from './tutorial.ts';

afterEach(() => vi.restoreAllMocks());

function open(storage: Pick<Storage, 'getItem' | 'setItem'> = fakeStorage(), userId?: number) {
  return { storage, tutorial: createTutorial({ steps: tutorialSteps, storage, userId: () => userId }) };
}
const readRecord = (storage: Pick<Storage, 'getItem'>) => JSON.parse(storage.getItem(TUTORIAL_KEY) ?? 'null');

describe('the steps of the tutorial', () => {
  it('has the seven steps in their order, each with its kind of action', () => {
    expect(TUTORIAL_KEY).toBe('markwright-tutorial-state');
    expect(tutorialSteps.map(({ id, actionType }) => [id, actionType])).toEqual([
      ['welcome', undefined],
      ['machine-mode', 'click'],
      ['text-editor', 'input'],
      ['design-upload', 'click'],
      ['product-selection', 'click'],
      ['preview-canvas', 'observe'],
      ['completion', undefined],
    ]);
    expect(open().tutorial.getState()).toMatchObject({ isActive: false, currentStep: 0, totalSteps: 7 });
  });

  it('says that exports need an account to those who have none', () => {
    const last = tutorialSteps.at(-1)!;
    const situation = { hasProduct: true, isReady: true, isLaser: false, isTouch: false };
    expect(wordsOf(last, { ...situation, isGuest: true }).description).toContain('Exports need an account.');
    expect(wordsOf(last, { ...situation, isGuest: false }).description).not.toContain('account');
  });

  it('agrees with a model after any sequence of commands', () => {
    const action = fc.oneof(
      fc.constantFrom('start', 'next', 'previous', 'skip', 'close', 'decline', 'reopen'),
      fc.constantFrom(...tutorialSteps.map(({ id }) => `done:${id}`)),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const storage = fakeStorage();
        let { tutorial } = open(storage, 7);
        let model = { isActive: false, currentStep: 0, isCompleted: false, isOffered: true };
        let record: unknown = null;
        const keep = (isActive: boolean, isCompleted: boolean) => {
          model = { ...model, isActive, isCompleted, isOffered: false };
          record = { completed: isCompleted, userId: 7 };
        };
        for (const name of actions) {
          const isHere = name === `done:${tutorialSteps[model.currentStep]!.id}`;
          if (name === 'reopen') {
            ({ tutorial } = open(storage, 7));
            const isCompleted = record !== null && readRecord(storage).completed;
            model = { isActive: false, currentStep: 0, isCompleted, isOffered: record === null };
          } else if (name === 'start') {
            tutorial.start();
            model = { isActive: true, currentStep: 0, isCompleted: false, isOffered: false };
          } else {
            if (name.startsWith('done:')) tutorial.completeStep(name.slice('done:'.length));
            else tutorial[name as 'next' | 'previous' | 'skip' | 'close' | 'decline']();
            if (name === 'decline') keep(model.isActive, model.isCompleted);
            else if (!model.isActive) {
              // A stopped tutorial ignores every command.
            } else if (name === 'next' || isHere) model.currentStep += model.currentStep < 6 ? 1 : 0;
            else if (name === 'previous') model.currentStep -= model.currentStep > 0 ? 1 : 0;
            else if (name === 'skip') keep(false, true);
            else if (name === 'close') keep(false, model.currentStep === 6);
          }
          const { isActive, currentStep, isCompleted, isOffered } = tutorial.getState();
          expect({ isActive, currentStep, isCompleted, isOffered }).toEqual(model);
          expect(readRecord(storage)).toEqual(record);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('calls its subscribers after every step', () => {
    const { tutorial } = open();
    const steps: number[] = [];
    const stop = tutorial.subscribe(() => steps.push(tutorial.getState().currentStep));
    tutorial.start();
    tutorial.next();
    tutorial.previous();
    stop();
    tutorial.next();
    expect(steps).toEqual([0, 1, 0]);
  });
});

describe('the record', () => {
  it('holds the completed flag and the account', () => {
    const guest = open();
    guest.tutorial.start();
    guest.tutorial.close();
    expect(readRecord(guest.storage)).toEqual({ completed: false, userId: null });
    guest.tutorial.start();
    guest.tutorial.skip();
    expect(readRecord(guest.storage)).toEqual({ completed: true, userId: null });
    expect(open(guest.storage).tutorial.getState().isCompleted).toBe(true);

    const user = open(fakeStorage(), 3);
    user.tutorial.start();
    for (let i = 0; i < 6; i++) user.tutorial.next();
    user.tutorial.close();
    expect(readRecord(user.storage)).toEqual({ completed: true, userId: 3 });
  });

  it('is ignored, and logged, when it cannot be parsed', () => {
    const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    for (const broken of ['{', 'seven', '[]', '{"completed":"yes"}', '7']) {
      const storage = fakeStorage();
      storage.setItem(TUTORIAL_KEY, broken);
      expect(open(storage).tutorial.getState().isCompleted, broken).toBe(false);
      expect(log, broken).toHaveBeenLastCalledWith('Failed to parse tutorial state', expect.any(Error));
    }
    expect(log).toHaveBeenCalledTimes(5);
  });

  it('lasts as long as the page where the storage refuses', () => {
    const { tutorial } = open({
      getItem: () => null,
      setItem() {
        throw new Error('The storage is full');
      },
    });
    tutorial.start();
    tutorial.skip();
    expect(tutorial.getState()).toMatchObject({ isActive: false, isCompleted: true });
  });
});

it('opens the step of the studio that is needed', () => {
  expect(tutorialSteps.map(({ id }) => stepToOpen(id, true))).toEqual([undefined, 1, 3, 3, 2, 4, undefined]);
  // A step about the blank needs a chosen product.
  expect(tutorialSteps.map(({ id }) => stepToOpen(id, false))).toEqual([undefined, 1, 2, 2, 2, 4, undefined]);
  expect(stepToOpen(undefined, true)).toBeUndefined();
});
