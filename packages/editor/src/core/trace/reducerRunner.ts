/** Runs a reducer whose effects are data: performs them, and takes events one after the other. */
export interface ReducerRunner<S, Event> {
  getState(): S;
  /** Resolves when everything that follows from the event is done. An event of an effect waits for its turn. */
  send(event: Event): Promise<unknown>;
}

/** Creates a runner. Effects run side by side; each event waits until those sent before it are reduced. */
export function createReducerRunner<S, Event, Effect>(
  initial: S,
  machine: {
    reduce(state: S, event: Event): { readonly state: S; readonly effects: readonly Effect[] };
    /** Calls back with each next state, before its effects are performed. */
    onState(state: S): void;
    perform(effect: Effect): unknown;
  },
): ReducerRunner<S, Event> {
  let state = initial;
  const queue: { readonly event: Event; readonly done: (effects: Promise<unknown>) => void }[] = [];
  let isDraining = false;

  function drain(): void {
    isDraining = true;
    try {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const step = machine.reduce(state, next.event);
        state = step.state;
        machine.onState(state);
        next.done(Promise.all(step.effects.map(machine.perform)));
      }
    } finally {
      isDraining = false;
    }
  }

  return {
    getState: () => state,
    send: (event) =>
      new Promise((done) => {
        queue.push({ event, done });
        if (!isDraining) drain();
      }),
  };
}
