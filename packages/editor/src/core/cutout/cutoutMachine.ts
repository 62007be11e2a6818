/**
 * The states of the window in which a background is removed, as a reducer: from an event, the next state and the
 * effects as data. `useCutout` runs the effects. Nothing about the design changes before `keep` or `restore`.
 *
 * One question is open at a time and has a number; an answer to another one changes nothing.
 */
import type { BrushStroke } from '@markwright/contract/schemas';
import { type CutoutStage, MAX_STROKE_POINTS, MAX_STROKES } from '@markwright/contract/words';
import type { Picture } from '@markwright/matting';
import { type BackgroundWish, sentenceOf, statusOf } from '../ports.ts';

/** The pictures of the dialog, of one size: small enough to apply the finish while a slider moves. */
export interface CutoutPictures {
  readonly original: Picture;
  /** The automatic cut-out, the same size. */
  readonly cutout: Picture;
}

/** The settings of a removed background: the automatic one, then the maker's finish. */
interface CutoutSettings {
  readonly clearEnclosed: boolean | undefined;
  readonly edgeShift: number;
  readonly feather: number;
  readonly strokes: readonly BrushStroke[];
}

/** The call that the person waits for. */
export type CutoutWait = 'open' | 'cutOut' | 'keep' | 'restore';

interface Question {
  readonly id: number;
  /** The settings to show once the answer is there. */
  readonly next?: CutoutSettings;
  /** The settings to go back to when there is no answer; absent: the window closes then. */
  readonly back?: CutoutSettings;
}

/** The state of the background dialog. */
export interface CutoutMachine {
  /** The background is removed already: the window edits a cut-out. */
  readonly isRemoved: boolean;
  readonly isClosed: boolean;
  /** The settings at the start, and as they are now. */
  readonly start: CutoutSettings;
  readonly settings: CutoutSettings;
  /** Strokes that were undone, the latest last. */
  readonly redoStrokes: readonly BrushStroke[];
  readonly pictures: CutoutPictures | undefined;
  readonly wait: CutoutWait | undefined;
  /** The stage that the server reports. */
  readonly stage: CutoutStage | undefined;
  readonly failure: string | undefined;
  /** True while the person is asked whether to discard changes. */
  readonly isLeaving: boolean;
  readonly question: Question | undefined;
  readonly lastQuestionId: number;
}

export type CutoutEvent =
  | { readonly type: 'open' }
  | { readonly type: 'backgroundRead'; readonly id: number; readonly wish: BackgroundWish | undefined }
  | { readonly type: 'cutOut'; readonly id: number; readonly pictures: CutoutPictures | undefined }
  | { readonly type: 'changed'; readonly id: number; readonly isDone: boolean }
  | { readonly type: 'failed'; readonly id: number; readonly error: unknown }
  | { readonly type: 'stage'; readonly stage: CutoutStage }
  | { readonly type: 'clearEnclosed'; readonly clearEnclosed: boolean }
  | { readonly type: 'adjust'; readonly changes: Partial<Pick<CutoutSettings, 'edgeShift' | 'feather'>> }
  | { readonly type: 'paint'; readonly stroke: BrushStroke }
  | { readonly type: 'undo' }
  | { readonly type: 'redo' }
  | { readonly type: 'keep' }
  | { readonly type: 'restore' }
  /** Leaves without "Done". */
  | { readonly type: 'leave' }
  | { readonly type: 'stay' };

export type CutoutEffect =
  | { readonly type: 'readBackground'; readonly id: number }
  | { readonly type: 'cutOut'; readonly id: number; readonly clearEnclosed: boolean | undefined }
  | { readonly type: 'remove'; readonly id: number; readonly settings: CutoutSettings }
  | { readonly type: 'restore'; readonly id: number }
  | { readonly type: 'cancel' }
  | { readonly type: 'close' }
  | { readonly type: 'requireAccount'; readonly sentence: string };

const initialSettings: CutoutSettings = { clearEnclosed: undefined, edgeShift: 0, feather: 0, strokes: [] };

export const startCutout = (isRemoved: boolean): CutoutMachine => ({
  isRemoved,
  isClosed: false,
  start: initialSettings,
  settings: initialSettings,
  redoStrokes: [],
  pictures: undefined,
  wait: 'open',
  stage: undefined,
  failure: undefined,
  isLeaving: false,
  question: undefined,
  lastQuestionId: 0,
});

type Step = { readonly state: CutoutMachine; readonly effects: readonly CutoutEffect[] };

const step = (state: CutoutMachine, ...effects: readonly CutoutEffect[]): Step => ({ state, effects });

/** True when the settings differ from those at the start, so that leaving loses something. */
export const isChanged = ({ settings, start }: CutoutMachine): boolean =>
  JSON.stringify(settings) !== JSON.stringify(start);

/** True when the cut-out can be edited. */
export const isReady = ({ pictures, wait }: CutoutMachine): boolean => pictures !== undefined && wait === undefined;

/**
 * Returns the next state and the effects to run. An answer to a question other than the last one is ignored, and after
 * `close` every event is.
 */
export function reduceCutout(state: CutoutMachine, event: CutoutEvent): Step {
  if (state.isClosed) return step(state);
  switch (event.type) {
    case 'open':
      return ask(state, 'open', (id) => ({ type: 'readBackground', id }), {});
    case 'backgroundRead':
      return openCutout(state, event.id, event.wish);
    case 'cutOut':
      return showCutout(state, event.id, event.pictures);
    case 'changed':
      if (state.question?.id !== event.id) return step(state);
      return event.isDone ? close(state) : step({ ...state, question: undefined, wait: undefined });
    case 'failed':
      return refuse(state, event.id, event.error);
    case 'stage':
      return step({ ...state, stage: event.stage });
    case 'clearEnclosed': {
      const { clearEnclosed } = event;
      const settings = { ...state.settings, clearEnclosed };
      const question = { next: settings, back: state.settings };
      return ask({ ...state, settings }, 'cutOut', (id) => ({ type: 'cutOut', id, clearEnclosed }), question);
    }
    case 'adjust':
      return step({ ...state, isLeaving: false, settings: { ...state.settings, ...event.changes } });
    case 'paint':
      return paint(state, event.stroke);
    case 'undo':
    case 'redo':
      return step(event.type === 'undo' ? undoStroke(state) : redoStroke(state));
    case 'keep': {
      if (state.isRemoved && !isChanged(state)) return close(state);
      const { settings } = state;
      return ask(state, 'keep', (id) => ({ type: 'remove', id, settings }), { back: settings });
    }
    case 'restore':
      return ask(state, 'restore', (id) => ({ type: 'restore', id }), { back: state.settings });
    case 'leave':
      return leave(state);
    case 'stay':
      return step({ ...state, isLeaving: false });
  }
}

/** Opens a question in place of the one before. */
function ask(
  state: CutoutMachine,
  wait: CutoutWait,
  toEffect: (id: number) => CutoutEffect,
  question: Omit<Question, 'id'>,
): Step {
  const id = state.lastQuestionId + 1;
  const nextState = { ...state, wait, failure: undefined, question: { ...question, id }, lastQuestionId: id };
  return step({ ...nextState, stage: undefined }, toEffect(id));
}

const close = (state: CutoutMachine): Step =>
  step({ ...state, isClosed: true, question: undefined, wait: undefined }, { type: 'close' });

/** Asks for the cut-out with the settings that the background was removed with. An existing one arrives at once. */
function openCutout(state: CutoutMachine, id: number, wish: BackgroundWish | undefined): Step {
  if (state.question?.id !== id) return step(state);
  if (!wish) return close(state);
  const next: CutoutSettings = { ...initialSettings, ...wish };
  const wait = state.isRemoved ? 'open' : 'cutOut';
  return ask(state, wait, (newId) => ({ type: 'cutOut', id: newId, clearEnclosed: next.clearEnclosed }), { next });
}

function showCutout(state: CutoutMachine, id: number, pictures: CutoutPictures | undefined): Step {
  const { question } = state;
  if (question?.id !== id) return step(state);
  const isOpening = question.back === undefined;
  if (!pictures && isOpening) return close(state);
  const done = { ...state, question: undefined, wait: undefined };
  if (!pictures) return step({ ...done, settings: backTo(state, question) });
  if (!isOpening) return step({ ...done, pictures });
  const settings = question.next ?? state.settings;
  return step({ ...done, pictures, start: settings, settings });
}

/** Reverts a change of the enclosed areas, and keeps the strokes painted meanwhile. */
const backTo = (state: CutoutMachine, { back }: Question): CutoutSettings => ({
  ...state.settings,
  clearEnclosed: back ? back.clearEnclosed : state.settings.clearEnclosed,
});

function refuse(state: CutoutMachine, id: number, error: unknown): Step {
  const { question } = state;
  if (question?.id !== id) return step(state);
  const sentence = sentenceOf(error, 'Please try again.');
  const done = { ...state, question: undefined, wait: undefined, settings: backTo(state, question) };
  if (statusOf(error) !== 402) return step({ ...done, failure: sentence });
  return step({ ...done, isClosed: true }, { type: 'close' }, { type: 'requireAccount', sentence });
}

/** Cancels the open question first. Asks before strokes and changes are lost. */
function leave(state: CutoutMachine): Step {
  if (state.wait) {
    if (state.pictures) return step(state, { type: 'cancel' });
    const { state: closedState, effects } = close(state);
    return step(closedState, { type: 'cancel' }, ...effects);
  }
  return isChanged(state) && !state.isLeaving ? step({ ...state, isLeaving: true }) : close(state);
}

function paint(state: CutoutMachine, stroke: BrushStroke): Step {
  const { strokes } = state.settings;
  const points = strokes.reduce((sum, { points }) => sum + points.length, stroke.points.length) / 2;
  if (strokes.length >= MAX_STROKES || points > MAX_STROKE_POINTS) {
    const failure = 'That is as much as the brush can paint. Undo some of it, or start from a better picture.';
    // A new list, so that the stage removes the line it has drawn.
    return step({ ...state, failure, settings: { ...state.settings, strokes: [...strokes] } });
  }
  return step({ ...withStrokes(state, [...strokes, stroke]), isLeaving: false, redoStrokes: [] });
}

const withStrokes = (state: CutoutMachine, strokes: readonly BrushStroke[]): CutoutMachine => ({
  ...state,
  settings: { ...state.settings, strokes },
});

function undoStroke(state: CutoutMachine): CutoutMachine {
  const { strokes } = state.settings;
  const last = strokes.at(-1);
  if (!last) return state;
  return { ...withStrokes(state, strokes.slice(0, -1)), failure: undefined, redoStrokes: [...state.redoStrokes, last] };
}

function redoStroke(state: CutoutMachine): CutoutMachine {
  const next = state.redoStrokes.at(-1);
  if (!next) return state;
  return { ...withStrokes(state, [...state.settings.strokes, next]), redoStrokes: state.redoStrokes.slice(0, -1) };
}
