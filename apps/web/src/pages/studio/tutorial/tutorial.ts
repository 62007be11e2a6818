/** The state of the tutorial, without any framework: its current step, and a record of its completion. */

export type ActionType = 'click' | 'input' | 'observe';

export interface TutorialState<Step> {
  readonly isActive: boolean;
  /** Counted from 0. */
  readonly currentStep: number;
  readonly totalSteps: number;
  readonly isCompleted: boolean;
  /** True when there is no record of an earlier visit and the offer was not answered. */
  readonly isOffered: boolean;
  readonly steps: readonly Step[];
}

/** The part of the browser's storage that the tutorial needs. */
type TutorialStorage = Pick<Storage, 'getItem' | 'setItem'>;

export const TUTORIAL_KEY = 'markwright-tutorial-state';

export interface Tutorial<Step> {
  getState(): TutorialState<Step>;
  subscribe(listener: () => void): () => void;
  /** Dismisses the offer for good on this device. */
  decline(): void;
  /** Starts at the first step, also after an earlier completion. */
  start(): void;
  next(): void;
  previous(): void;
  /** Stops the tutorial and records it as completed. */
  skip(): void;
  /** Stops the tutorial. On the last step this completes it. */
  close(): void;
  /** Goes on to the next step when the given step is the current one. */
  completeStep(id: string): void;
}

interface Options<Step> {
  readonly steps: readonly Step[];
  readonly storage: TutorialStorage;
  /** Returns the id of the account that the record belongs to; undefined for a guest. */
  userId(): number | string | undefined;
}

/**
 * Creates the tutorial from its stored record. A record that cannot be parsed is logged and ignored. Where the storage
 * refuses, the record lasts as long as the page.
 */
export function createTutorial<Step extends { readonly id: string }>(options: Options<Step>): Tutorial<Step> {
  const { steps, storage } = options;
  const last = steps.length - 1;
  const record = readRecord(storage);
  const listeners = new Set<() => void>();
  let state: TutorialState<Step> = {
    isActive: false,
    currentStep: 0,
    totalSteps: steps.length,
    isCompleted: record?.completed ?? false,
    isOffered: record === undefined,
    steps,
  };

  function show(changes: Partial<TutorialState<Step>>): void {
    state = { ...state, ...changes };
    for (const listener of listeners) listener();
  }

  function keep(changes: Partial<TutorialState<Step>> & { readonly isCompleted: boolean }): void {
    const { isCompleted } = changes;
    show({ ...changes, isOffered: false });
    saveRecord(storage, { completed: isCompleted, userId: options.userId() ?? null });
  }

  function next(): void {
    if (state.isActive) show({ currentStep: Math.min(last, state.currentStep + 1) });
  }

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    decline: () => keep({ isCompleted: state.isCompleted }),
    start: () => show({ isActive: true, currentStep: 0, isCompleted: false, isOffered: false }),
    next,
    previous() {
      if (state.isActive) show({ currentStep: Math.max(0, state.currentStep - 1) });
    },
    skip() {
      if (state.isActive) keep({ isActive: false, isCompleted: true });
    },
    close() {
      if (state.isActive) keep({ isActive: false, isCompleted: state.currentStep === last });
    },
    completeStep(id) {
      if (steps[state.currentStep]?.id === id) next();
    },
  };
}

interface TutorialRecord {
  readonly completed: boolean;
  readonly userId: number | string | null;
}

/** Reads the progress of an earlier visit; undefined when there is none. */
function readRecord(storage: TutorialStorage): Pick<TutorialRecord, 'completed'> | undefined {
  try {
    const record: unknown = JSON.parse(storage.getItem(TUTORIAL_KEY) ?? 'null');
    if (record === null) return undefined;
    if (typeof record !== 'object' || !('completed' in record) || typeof record.completed !== 'boolean') {
      throw new TypeError('The saved tutorial has no completed flag');
    }
    return { completed: record.completed };
  } catch (error) {
    console.warn('Failed to parse tutorial state', error);
    return undefined;
  }
}

function saveRecord(storage: TutorialStorage, record: TutorialRecord): void {
  try {
    storage.setItem(TUTORIAL_KEY, JSON.stringify(record));
  } catch {
    // The storage is full or refuses: the tutorial is offered again on the next visit.
  }
}
