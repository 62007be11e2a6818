/**
 * The session of the widget's editor, as a reducer: returns the next state for an event, and the effects of it as data.
 * `widgetEditor.ts` runs the effects and sends their answers back as events.
 *
 * A save has a number and goes through steps: it waits until the last settings are stored, then until the picture is
 * traced, and is sent. An answer names its save; one that names a save that has ended changes nothing.
 */
import type { CallReply, SavedDesign, widget } from '@markwright/contract/schemas';
import { MAX_PIECES, type ProductChoice } from '@markwright/contract/words';
import {
  type Composition,
  emptyComposition,
  hasContent,
  parseComposition,
  type SavedComposition,
  saveComposition,
  withoutHidden,
} from '@markwright/scene';
import { fillTemplate, findEmptyFields } from '@markwright/scene/customer';
import { mergePieces, type Piece, toPieceDesign } from '@markwright/scene/rows';

/** A saved design that was opened. */
export interface SavedSource {
  readonly previewUrl: string;
  /** The name of its product, when that is not offered any more. */
  readonly goneProduct: string | undefined;
}

/** The words of one piece by the names of the design's columns. */
export type PieceWords = Readonly<Record<string, string>>;

/** What the product on the stage starts with. Only what is open in it can be changed. */
export interface WidgetTemplate {
  readonly id: string;
  readonly composition: Composition;
}

interface PendingSave {
  readonly id: number;
  readonly quantity: number;
  readonly pieces: WidgetSession['pieces'];
  readonly step: 'storingSettings' | 'tracing' | 'sending';
}

/** A stage as it was. */
interface EarlierStage extends Pick<WidgetSession, 'quantity' | 'pieces' | 'savedSource' | 'template'> {
  readonly composition: Composition;
}

export interface WidgetSession {
  readonly quantity: number;
  /** As many as the quantity; undefined while all pieces are alike. */
  readonly pieces: readonly PieceWords[] | undefined;
  readonly savedSource: SavedSource | undefined;
  readonly template: WidgetTemplate | undefined;
  /** What stood on the stage before a product with a template, or one without, took its place. */
  readonly replaced: EarlierStage | undefined;
  /** True once the free pictures of this month are used up. */
  readonly isLimitReached: boolean;
  readonly saves: readonly PendingSave[];
}

export type WidgetEvent =
  | { readonly type: 'quantityChanged'; readonly quantity: number }
  /** Undefined makes all pieces alike. */
  | { readonly type: 'piecesChanged'; readonly pieces: WidgetSession['pieces'] }
  | { readonly type: 'designFetched'; readonly reply: CallReply<typeof widget.open> }
  /** A product was chosen that starts with a template. */
  | {
      readonly type: 'templateFetched';
      readonly reply: CallReply<typeof widget.open>;
      readonly choice: ProductChoice;
    }
  /** A product was chosen that starts empty, in place of one with a template. */
  | { readonly type: 'templateLeft'; readonly choice: ProductChoice }
  /** What a product with a template took the place of comes back. */
  | { readonly type: 'replacementUndone' }
  | { readonly type: 'cleared' }
  /** The design of the composition is not on the server any more. */
  | { readonly type: 'designMissing' }
  | { readonly type: 'limitReached' }
  | { readonly type: 'saveRequested'; readonly save: number }
  | { readonly type: 'settingsStored'; readonly save: number }
  /** The picture's upload or job began or ended. */
  | { readonly type: 'pictureChanged' }
  | { readonly type: 'saveStored'; readonly save: number; readonly design: SavedDesign }
  | { readonly type: 'saveFailed'; readonly save: number; readonly error: unknown; readonly status?: number };

export type WidgetEffect =
  | { readonly type: 'load'; readonly composition: Composition; readonly template?: WidgetTemplate | undefined }
  | { readonly type: 'removeDesign' }
  /** Removes the design when it is still a picture without a trace. */
  | { readonly type: 'removeUntraced' }
  | { readonly type: 'storeSettings'; readonly save: number }
  | {
      readonly type: 'send';
      readonly save: number;
      readonly composition: SavedComposition;
      readonly quantity: number;
      readonly pieces: Piece[] | undefined;
      readonly templateId?: string | undefined;
    }
  /** Answers the caller of a save. */
  | { readonly type: 'resolve'; readonly save: number; readonly design: SavedDesign }
  | { readonly type: 'reject'; readonly save: number; readonly error: unknown };

/** The state of editor and picture at the time of an event. */
export interface WidgetSurroundings {
  readonly composition: Composition;
  /** The ids of the products that the shop offers. */
  readonly productIds: readonly string[];
  /** `none` before the picture's panel is mounted. */
  readonly picture: 'none' | 'idle' | 'busy';
}

export interface WidgetTransition {
  readonly session: WidgetSession;
  readonly effects: readonly WidgetEffect[];
}

/** The server's answer to a picture that is not traced. */
const UNPROCESSABLE = 422;

export const initialSession: WidgetSession = {
  quantity: 1,
  pieces: undefined,
  savedSource: undefined,
  template: undefined,
  replaced: undefined,
  isLimitReached: false,
  saves: [],
};

export function reduce(session: WidgetSession, event: WidgetEvent, surroundings: WidgetSurroundings): WidgetTransition {
  switch (event.type) {
    case 'quantityChanged':
      return { session: withQuantity(session, event.quantity), effects: [] };
    case 'piecesChanged': {
      const { pieces } = event;
      return { session: { ...session, pieces, quantity: pieces?.length ?? session.quantity }, effects: [] };
    }
    case 'designFetched':
      return openDesign(session, event.reply, surroundings);
    case 'templateFetched': {
      const { template } = event.reply;
      const composition = onProduct(parseComposition(event.reply.composition), event.choice);
      return startWith(session, composition, template && readTemplate(template), surroundings);
    }
    case 'templateLeft': {
      const { machine } = surroundings.composition;
      return startWith(session, onProduct({ ...emptyComposition, machine }, event.choice), undefined, surroundings);
    }
    case 'replacementUndone': {
      if (!session.replaced) return { session, effects: [] };
      const { composition, ...before } = session.replaced;
      const { template } = before;
      return {
        session: { ...session, ...before, replaced: undefined },
        effects: [{ type: 'load', composition, template }],
      };
    }
    case 'cleared': {
      const composition = { ...emptyComposition, machine: surroundings.composition.machine };
      const { quantity, pieces } = initialSession;
      const next = { ...session, quantity, pieces, savedSource: undefined, template: undefined, replaced: undefined };
      return { session: next, effects: [{ type: 'load', composition }] };
    }
    case 'designMissing':
      return { session, effects: [{ type: 'removeDesign' }] };
    case 'limitReached':
      // A picture that could not be traced cannot be made either: it must not stay on the product.
      return { session: { ...session, isLimitReached: true }, effects: [{ type: 'removeUntraced' }] };
    case 'saveRequested': {
      const save: PendingSave = {
        id: event.save,
        quantity: session.quantity,
        pieces: session.pieces,
        step: 'storingSettings',
      };
      const next = { ...session, saves: [...session.saves, save] };
      if (surroundings.picture === 'none') return send(next, save, surroundings);
      return { session: next, effects: [{ type: 'storeSettings', save: save.id }] };
    }
    case 'settingsStored': {
      const save = session.saves.find(({ id, step }) => id === event.save && step === 'storingSettings');
      if (!save) return { session, effects: [] };
      if (surroundings.picture !== 'busy') return send(session, save, surroundings);
      return { session: withStep(session, save, 'tracing'), effects: [] };
    }
    case 'pictureChanged': {
      // A trace that has ended may have been asked for with settings that were changed since.
      const next = session.saves.filter(({ step }) => step === 'tracing');
      if (surroundings.picture === 'busy' || next.length === 0) return { session, effects: [] };
      return {
        session: next.reduce((result, save) => withStep(result, save, 'storingSettings'), session),
        effects: next.map(({ id }) => ({ type: 'storeSettings', save: id })),
      };
    }
    case 'saveStored':
      return endSave(session, event.save, { type: 'resolve', save: event.save, design: event.design });
    case 'saveFailed': {
      const error =
        event.status === UNPROCESSABLE
          ? new Error('The picture is not ready yet. Try “Trace again”, or take it off.', { cause: event.error })
          : event.error;
      return endSave(session, event.save, { type: 'reject', save: event.save, error });
    }
  }
}

/** A row that is not there yet is empty; of fewer, the last ones go. */
function withQuantity(session: WidgetSession, quantity: number): WidgetSession {
  const { pieces } = session;
  if (!pieces) return { ...session, quantity };
  const rows = Array.from({ length: Math.min(quantity, MAX_PIECES) }, (_, i) => pieces[i] ?? {});
  return { ...session, quantity: rows.length, pieces: rows };
}

const toRows = (pieces: readonly Piece[]): PieceWords[] =>
  pieces.flatMap(({ words, quantity }) => Array.from({ length: quantity }, () => words));

/** Returns pieces as calls take them, each words once; undefined where all are alike. */
function toPieces(composition: Composition, pieces: WidgetSession['pieces']): Piece[] | undefined {
  const design = pieces && toPieceDesign(composition);
  if (!design) return undefined;
  return mergePieces(
    pieces.map((words) => ({ words, quantity: 1 })),
    design.columns,
  );
}

const readTemplate = ({ id, composition }: { id: string; composition: SavedComposition }): WidgetTemplate => ({
  id,
  composition: parseComposition(composition),
});

function onProduct(composition: Composition, { productId, variant }: ProductChoice): Composition {
  const { productId: _product, variant: _variant, ...rest } = composition;
  return { ...rest, ...(productId !== undefined && { productId }), ...(variant && { variant }) };
}

/** True where a visitor made something that another start would take away: more than its template says. */
export function isOwnWork({ template }: Pick<WidgetSession, 'template'>, composition: Composition): boolean {
  if (!template) return composition.elements.length > 0;
  return JSON.stringify(composition.elements) !== JSON.stringify(template.composition.elements);
}

/** Puts on the stage what a product starts with, and remembers what a visitor made there. */
function startWith(
  session: WidgetSession,
  composition: Composition,
  template: WidgetTemplate | null | undefined,
  { composition: before }: WidgetSurroundings,
): WidgetTransition {
  const { quantity, pieces, savedSource } = session;
  const earlier = isOwnWork(session, before)
    ? { composition: before, quantity, pieces, savedSource, template: session.template }
    : undefined;
  const next = {
    ...{ ...session, replaced: earlier, pieces: undefined, savedSource: undefined },
    template: template ?? undefined,
  };
  return { session: next, effects: [{ type: 'load', composition, template: next.template }] };
}

/** Puts a saved design on the stage. Where its product is not offered any more, another one has to be chosen for it. */
function openDesign(
  session: WidgetSession,
  { composition: source, template: templateSource, line, previewUrl }: CallReply<typeof widget.open>,
  { productIds }: WidgetSurroundings,
): WidgetTransition {
  const { productId, variant, ...rest } = parseComposition(source);
  const isOffered = productId !== undefined && productIds.includes(productId);
  const template = isOffered && templateSource ? readTemplate(templateSource) : undefined;
  return {
    session: {
      ...session,
      quantity: line.quantity,
      pieces: line.pieces && toRows(line.pieces),
      savedSource: { previewUrl, goneProduct: isOffered ? undefined : line.productName },
      template,
      replaced: undefined,
    },
    effects: [
      { type: 'load', composition: isOffered ? { ...rest, productId, ...(variant && { variant }) } : rest, template },
    ],
  };
}

/** Sends a save, or ends it with a sentence when there is nothing to save. */
function send(session: WidgetSession, save: PendingSave, surroundings: WidgetSurroundings): WidgetTransition {
  const { template } = session;
  const visible = withoutHidden(surroundings.composition);
  const composition = template ? fillTemplate(template.composition, visible) : visible;
  const [emptyField] = template ? findEmptyFields(template.composition, composition) : [];
  const lack =
    composition.productId === undefined
      ? 'Please choose a product first.'
      : hasContent(composition)
        ? emptyField && `Please fill in “${emptyField}”.`
        : 'Please add a picture or a text first.';
  if (lack !== undefined) return endSave(session, save.id, { type: 'reject', save: save.id, error: new Error(lack) });
  return {
    session: withStep(session, save, 'sending'),
    effects: [
      {
        ...{ type: 'send', save: save.id, composition: saveComposition(composition), quantity: save.quantity },
        pieces: toPieces(composition, save.pieces),
        ...(template && { templateId: template.id }),
      },
    ],
  };
}

function withStep(session: WidgetSession, { id }: PendingSave, step: PendingSave['step']): WidgetSession {
  return { ...session, saves: session.saves.map((save) => (save.id === id ? { ...save, step } : save)) };
}

function endSave(session: WidgetSession, id: number, answer: WidgetEffect): WidgetTransition {
  const saves = session.saves.filter((save) => save.id !== id);
  if (saves.length === session.saves.length) return { session, effects: [] };
  return { session: { ...session, saves }, effects: [answer] };
}
