import type { CallReply, SavedDesign, widget } from '@markwright/contract/schemas';
import { applyCommand, type Composition, emptyComposition, newText, saveComposition } from '@markwright/scene';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  initialSession,
  isOwnWork,
  reduce,
  type WidgetEffect,
  type WidgetEvent,
  type WidgetSession,
  type WidgetSurroundings,
} from './widgetEditorMachine.ts';

const text = {
  id: 'text-1',
  content: 'Anna',
  font: { family: 'inter', weight: 400, italic: false },
} as unknown as Composition['elements'][number];
const composition: Composition = { ...emptyComposition, productId: 'mug', elements: [text] };
const surroundings: WidgetSurroundings = { composition, productIds: ['mug', 'tag'], picture: 'idle' };
const design: SavedDesign = {
  designId: 'saved-1',
  previewUrl: '/picture.png',
  line: {
    productName: 'Mug',
    machine: 'laser',
    quantity: 2,
    currency: null,
    unitPriceCents: null,
    totalCents: null,
  },
};
const reply = (productId: string | undefined): CallReply<typeof widget.open> =>
  ({
    ...design,
    composition: saveComposition({ ...emptyComposition, ...(productId !== undefined && { productId }) }),
  }) as CallReply<typeof widget.open>;

/** Reduces the events in order. Each may change the surroundings from there on. */
function play(...events: readonly (WidgetEvent | { readonly around: Partial<WidgetSurroundings> })[]) {
  let session: WidgetSession = initialSession;
  let around = surroundings;
  const effects: WidgetEffect[] = [];
  for (const event of events) {
    if ('around' in event) around = { ...around, ...event.around };
    else {
      const next = reduce(session, event, around);
      session = next.session;
      effects.push(...next.effects);
    }
  }
  return { session, effects };
}
const typesOf = (effects: readonly WidgetEffect[]) => effects.map(({ type }) => type);
const save = { type: 'saveRequested', save: 1 } as const;
const settingsStored = { type: 'settingsStored', save: 1 } as const;
const pictureChanged = { type: 'pictureChanged' } as const;

describe('different words on each piece', () => {
  const words = [{ Text: 'Ada' }, { Text: 'Grace' }, { Text: 'Ada ' }];
  const withText: Composition = { ...emptyComposition, productId: 'mug', elements: [{ ...newText('a'), text: 'Ada' }] };

  it('are as many as the quantity, whichever changes', () => {
    const set = { type: 'piecesChanged', pieces: words } as const;
    expect(play(set).session).toMatchObject({ quantity: 3, pieces: words });
    expect(play(set, { type: 'quantityChanged', quantity: 4 }).session.pieces).toEqual([...words, {}]);
    expect(play(set, { type: 'quantityChanged', quantity: 1 }).session.pieces).toEqual([{ Text: 'Ada' }]);
    expect(play(set, { type: 'quantityChanged', quantity: 999 }).session).toMatchObject({ quantity: 100 });
    expect(play(set, { type: 'piecesChanged', pieces: undefined }).session).toMatchObject({ quantity: 3 });
  });

  it('are saved with each words once, and open again as rows', () => {
    const around = { composition: withText, picture: 'none' } as const;
    const pieces = [
      { words: { Text: 'Ada' }, quantity: 2 },
      { words: { Text: 'Grace' }, quantity: 1 },
    ];
    const { effects } = play({ around }, { type: 'piecesChanged', pieces: words }, save);
    expect(effects).toMatchObject([{ type: 'send', quantity: 3, pieces }]);
    const source = { ...reply('mug'), line: { ...design.line, quantity: 3, pieces } };
    const { session } = play({ type: 'designFetched', reply: source });
    expect(session.pieces).toEqual([{ Text: 'Ada' }, { Text: 'Ada' }, { Text: 'Grace' }]);
    expect(play({ type: 'piecesChanged', pieces: words }, { type: 'cleared' }).session).toMatchObject({ quantity: 1 });
  });
});

describe('a save', () => {
  it('is sent once the settings are stored, with the quantity of the time when it was requested', () => {
    const { session, effects } = play(
      { type: 'quantityChanged', quantity: 3 },
      save,
      { type: 'quantityChanged', quantity: 4 },
      settingsStored,
    );
    expect(effects).toEqual([
      { type: 'storeSettings', save: 1 },
      { type: 'send', save: 1, composition: saveComposition(composition), quantity: 3 },
    ]);
    expect(session.saves).toEqual([{ id: 1, quantity: 3, step: 'sending' }]);
  });

  it('is sent at once when no picture panel is mounted', () => {
    expect(typesOf(play({ around: { picture: 'none' } }, save).effects)).toEqual(['send']);
  });

  it('waits for a busy picture, and stores its settings again before it is sent', () => {
    const busy = play({ around: { picture: 'busy' } }, save, settingsStored, pictureChanged);
    expect(typesOf(busy.effects)).toEqual(['storeSettings']);
    expect(busy.session.saves).toMatchObject([{ step: 'tracing' }]);
    const { effects } = play(
      { around: { picture: 'busy' } },
      save,
      settingsStored,
      { around: { picture: 'idle' } },
      pictureChanged,
      settingsStored,
    );
    expect(typesOf(effects)).toEqual(['storeSettings', 'storeSettings', 'send']);
  });

  it('that waits goes on when the picture panel goes away', () => {
    const { effects } = play(
      { around: { picture: 'busy' } },
      save,
      settingsStored,
      { around: { picture: 'none' } },
      pictureChanged,
      settingsStored,
    );
    expect(typesOf(effects)).toEqual(['storeSettings', 'storeSettings', 'send']);
  });

  it.each([
    ['a product', { ...composition, productId: undefined }, 'Please choose a product first.'],
    ['anything on it', { ...composition, elements: [] }, 'Please add a picture or a text first.'],
    [
      'anything that is shown',
      { ...composition, elements: [{ ...text, isHidden: true }] },
      'Please add a picture or a text first.',
    ],
  ])('without %s is rejected with a sentence', (_what, bare, sentence) => {
    const { session, effects } = play({ around: { composition: bare as Composition } }, save, settingsStored);
    expect(effects.at(-1)).toMatchObject({ type: 'reject', save: 1, error: { message: sentence } });
    expect(session.saves).toEqual([]);
  });

  it('resolves with the saved design', () => {
    const { session, effects } = play(save, settingsStored, { type: 'saveStored', save: 1, design });
    expect(effects.at(-1)).toEqual({ type: 'resolve', save: 1, design });
    expect(session.saves).toEqual([]);
  });

  it('rejects with the error of the server, and says what to do about an untraced picture', () => {
    const error = new Error('Too many.');
    expect(play(save, settingsStored, { type: 'saveFailed', save: 1, error, status: 429 }).effects.at(-1)).toEqual({
      type: 'reject',
      save: 1,
      error,
    });
    const outcome = play(save, settingsStored, { type: 'saveFailed', save: 1, error, status: 422 });
    expect(outcome.effects.at(-1)).toMatchObject({
      error: { message: 'The picture is not ready yet. Try “Trace again”, or take it off.', cause: error },
    });
  });
});

test('a saved design comes back with its product and quantity', () => {
  const { session, effects } = play({ type: 'designFetched', reply: reply('tag') });
  expect(effects).toMatchObject([{ type: 'load', composition: { productId: 'tag' } }]);
  expect(session).toMatchObject({ quantity: 2, savedSource: { previewUrl: '/picture.png', goneProduct: undefined } });
});

test('a saved design whose product is gone comes back without one, and names it', () => {
  const { session, effects } = play({ type: 'designFetched', reply: reply('plate') });
  expect(effects).toHaveLength(1);
  expect((effects[0] as { composition: Composition }).composition.productId).toBeUndefined();
  expect(session.savedSource).toEqual({ previewUrl: '/picture.png', goneProduct: 'Mug' });
});

test('starting over keeps the machine and forgets quantity and saved design', () => {
  const { session, effects } = play(
    { around: { composition: { ...composition, machine: 'uv' } } },
    { type: 'designFetched', reply: reply('tag') },
    { type: 'cleared' },
  );
  expect(effects.at(-1)).toEqual({ type: 'load', composition: { ...emptyComposition, machine: 'uv' } });
  expect(session).toEqual(initialSession);
});

test('a reached limit is shown from then on, and takes an untraced picture off', () => {
  const { session, effects } = play({ type: 'limitReached' }, { type: 'cleared' });
  expect(typesOf(effects)).toEqual(['removeUntraced', 'load']);
  expect(session.isLimitReached).toBe(true);
});

test('removes a design that the server no longer has', () => {
  expect(typesOf(play({ type: 'designMissing' }).effects)).toEqual(['removeDesign']);
});

test('answers each save at most once in any order of events, and ignores stale answers', () => {
  const saveId = fc.integer({ min: 1, max: 3 });
  const event = fc.oneof(
    saveId.map((save): WidgetEvent => ({ type: 'settingsStored', save })),
    saveId.map((save): WidgetEvent => ({ type: 'saveStored', save, design })),
    saveId.map((save): WidgetEvent => ({ type: 'saveFailed', save, error: new Error('no'), status: 500 })),
    fc.constantFrom<WidgetEvent>(pictureChanged, { type: 'cleared' }, { type: 'quantityChanged', quantity: 5 }),
    fc.constant('request' as const),
  );
  const picture = fc.constantFrom<WidgetSurroundings['picture']>('none', 'idle', 'busy');
  fc.assert(
    fc.property(fc.array(fc.tuple(event, picture), { maxLength: 40 }), (steps) => {
      let session = initialSession;
      let requests = 0;
      const answers = new Map<number, number>();
      for (const [step, picture] of steps) {
        const event: WidgetEvent = step === 'request' ? { type: 'saveRequested', save: ++requests } : step;
        const isStale = 'save' in event && step !== 'request' && !session.saves.some(({ id }) => id === event.save);
        const next = reduce(session, event, { ...surroundings, picture });
        if (isStale) {
          expect(next.session).toBe(session);
          expect(next.effects).toEqual([]);
        }
        for (const effect of next.effects) {
          if (effect.type === 'resolve' || effect.type === 'reject') {
            answers.set(effect.save, (answers.get(effect.save) ?? 0) + 1);
          }
        }
        session = next.session;
      }
      // Every save is either under way or answered.
      expect(session.saves.length + answers.size).toBe(requests);
      expect([...answers.values()].every((count) => count === 1)).toBe(true);
    }),
  );
});

describe('a template', () => {
  const words = { ...newText('a'), text: 'Best dad {Name}', customer: { words: true } } as const;
  const logo = { ...newText('b'), text: 'Oak & Steel' };
  const template: Composition = { ...emptyComposition, productId: 'mug', elements: [logo, words] };
  const document = saveComposition(template);
  const choosing = {
    type: 'templateFetched',
    reply: { ...design, composition: document, design: null, template: { id: 'start-1', composition: document } },
    choice: { productId: 'mug', variant: { color: 'Blue' } },
  } as const;
  const type = (text: string) => applyCommand(template, { type: 'updateText', id: 'a', changes: { text } });

  it('is put on the stage with its product in the color that was chosen, and limits it', () => {
    const { session, effects } = play(choosing);
    const composition = { ...template, variant: { color: 'Blue' } };
    expect(effects).toEqual([{ type: 'load', composition, template: { id: 'start-1', composition: template } }]);
    expect(session).toMatchObject({ template: { id: 'start-1' }, savedSource: undefined });
  });

  it('is sent by its number with what is filled in, and nothing else', () => {
    const composition = applyCommand(type('Best dad Finn'), { type: 'nudge', elementId: 'text:b', dx: 9, dy: 0 });
    const { effects } = play(choosing, { around: { composition } }, save, settingsStored);
    const whole = saveComposition(type('Best dad Finn'));
    expect(effects.at(-1)).toMatchObject({ type: 'send', composition: whole, templateId: 'start-1' });
  });

  it('is not sent before its placeholders are filled in', () => {
    const { effects } = play(choosing, { around: { composition: template } }, save, settingsStored);
    expect(effects.at(-1)).toMatchObject({ type: 'reject', error: new Error('Please fill in “Name”.') });
  });

  it('goes with its product, and when everything is cleared', () => {
    const left = play(choosing, { type: 'templateLeft', choice: { productId: 'tag' } });
    expect(left.session.template).toBeUndefined();
    const composition = { ...emptyComposition, productId: 'tag' };
    expect(left.effects.at(-1)).toEqual({ type: 'load', composition, template: undefined });
    expect(play(choosing, { type: 'cleared' }).session.template).toBeUndefined();
  });

  it('gives back what it took the place of, once', () => {
    const own = { ...emptyComposition, productId: 'tag', elements: [words] };
    const start = play({ around: { composition: own } }, choosing);
    expect(start.session.replaced).toMatchObject({ composition: own, template: undefined });
    const undo = play({ around: { composition: own } }, choosing, { type: 'replacementUndone' });
    expect(undo.effects.at(-1)).toEqual({ type: 'load', composition: own, template: undefined });
    expect(undo.session).toMatchObject({ template: undefined, replaced: undefined });
    // A stage without anything, or with a template as it came, is nothing to ask about.
    expect(play({ around: { composition: emptyComposition } }, choosing).session.replaced).toBeUndefined();
    const { session } = play(choosing);
    expect([isOwnWork(session, template), isOwnWork(session, type('Best dad Finn'))]).toEqual([false, true]);
    expect([isOwnWork(initialSession, emptyComposition), isOwnWork(initialSession, own)]).toEqual([false, true]);
  });

  it('comes back with a saved design, unless its product is gone', () => {
    const opening = { type: 'designFetched', reply: choosing.reply } as const;
    expect(play(opening).session.template).toEqual({ id: 'start-1', composition: template });
    expect(play({ around: { productIds: ['tag'] } }, opening).session.template).toBeUndefined();
  });
});
