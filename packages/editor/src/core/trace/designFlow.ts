/**
 * Runs the design machine beside an editor: reads the editor, performs effects with the host's ports, and sends the
 * answers back as events. The panel only shows its state.
 *
 * While a setting is moved, the stage shows a trace made on this device where the host can make one. It is only looked
 * at: when the setting is let go, the server traces and stores, and every file is made from what is stored.
 */
import type { Design } from '@markwright/contract/schemas';
import { type CutoutStage, checkUpload, messages } from '@markwright/contract/words';
import type { FractionRect } from '@markwright/scene';
import type { Editor } from '../document/editor.ts';
import type { Backgrounds, BackgroundWish, LoadedDesign, Ports } from '../ports.ts';
import { reduceDesign, startDesignMachine } from './designMachine.ts';
import type { DesignEffect, DesignEvent, DesignState, Surroundings } from './designStates.ts';
import { createLiveTrace } from './liveTrace.ts';
import type { TraceSettings } from './traceSettings.ts';

export interface DesignFlow {
  getState(): DesignState;
  /** Calls back after each change of the state. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
  /**
   * Follows the editor: loads a restored or undone design, and changes colors with the machine. Returns a function that
   * disconnects.
   */
  connect(): () => void;
  /** Uploads a picture, places it and traces it. Resolves when it is traced, failed or cancelled. */
  upload(file: File): Promise<void>;
  /** Takes the design off the product and resets the panel. */
  remove(): void;
  /** Changes what the panel shows, and the stage with it where this device can trace. */
  changeSettings(changes: Partial<TraceSettings>): void;
  /** Crops the picture to whole pixels, as one undo step, then traces and stores it; `undefined` shows all of it. */
  crop(crop: FractionRect | undefined): void;
  /** Traces and stores what the panel shows, soon: a setting was let go. */
  keepSettings(): void;
  /** Resolves when the settings that were let go are stored, or cannot be. */
  settled(): Promise<void>;
  /** Makes this device ready to trace: settings are about to be changed. */
  warmUp(): void;
  /** Traces again with the settings on the panel. */
  retrace(): Promise<void>;
  /**
   * Reads how the background of the design was removed. Traces wait meanwhile, as with the next three. Each resolves
   * with undefined when it was cancelled or there is no design, and rejects with a sentence for the caller.
   */
  readBackground(): Promise<BackgroundWish | undefined>;
  /** Returns the address of the automatic cut-out, to be looked at. Changes nothing. */
  cutOut(clearEnclosed: boolean | undefined, onStage: (stage: CutoutStage) => void): Promise<string | undefined>;
  /** Removes the background. What is left is traced after that: `settled` tells when. */
  removeBackground(wish: BackgroundWish): Promise<Design | undefined>;
  /** Brings the original back, and traces it after that. */
  restoreBackground(): Promise<Design | undefined>;
  cancel(): void;
  /** Goes back to the latest earlier trace, at once. The server is told afterwards, so that files are made from it. */
  undoPreview(): void;
}

const PROGRESS_TICK_MS = 120;
const STORE_DELAY_MS = 300;

export function createDesignFlow(editor: Editor, ports: Ports): DesignFlow {
  const listeners = new Set<() => void>();
  let state = startDesignMachine(editor.getState().composition.machine);
  const queue: { readonly event: DesignEvent; readonly done: (effects: Promise<unknown>) => void }[] = [];
  let isDraining = false;
  let storeTimer: ReturnType<typeof setTimeout> | undefined;
  /** The latest trace that keeps what was let go. */
  let storing: Promise<void> | undefined;
  const controllers = new Map<number, AbortController>();

  const live =
    ports.previewTrace &&
    createLiveTrace(ports.previewTrace, {
      onArtwork: (artwork) => editor.setAssets({ artwork }),
      onProgress: (progress) => void send({ type: 'liveProgress', progress }),
      onUnavailable: () => void send({ type: 'liveUnavailable' }),
    });

  function surroundings(): Surroundings {
    const { composition, scene } = editor.getState();
    return {
      machine: composition.machine,
      placement: composition.design,
      areaAspect: scene.widthMm / scene.heightMm,
      hasLiveTrace: live !== undefined,
    };
  }

  /** Resolves when everything that follows from the event is done. An event of an effect waits for its turn. */
  function send(event: DesignEvent): Promise<unknown> {
    return new Promise((done) => {
      queue.push({ event, done });
      if (!isDraining) drain();
    });
  }

  function drain(): void {
    isDraining = true;
    try {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const before = state;
        const reduced = reduceDesign(state, next.event, surroundings());
        state = reduced.state;
        if (state.shown !== before.shown) for (const listener of listeners) listener();
        next.done(Promise.all(reduced.effects.map(perform)));
      }
    } finally {
      isDraining = false;
    }
  }

  function perform(effect: DesignEffect): unknown {
    switch (effect.type) {
      case 'abort':
        return controllers.get(effect.jobId)?.abort();
      case 'upload':
        return upload(effect.jobId, effect.file);
      case 'vectorize': {
        const { jobId, designId, request, isAwaited } = effect;
        const work = ask(jobId, async (signal) => {
          return { type: 'traced', jobId, artwork: await ports.vectorize(designId, request, signal) };
        });
        if (isAwaited) storing = work;
        return work;
      }
      case 'preview': {
        const { jobId, designId, settings } = effect;
        return ask(jobId, async (signal) => {
          return { type: 'traced', jobId, artwork: await ports.generatePreview(designId, settings, signal) };
        });
      }
      case 'load': {
        const { jobId, designId } = effect;
        return ask(jobId, async (signal) => {
          return { type: 'loaded', jobId, loaded: await ports.loadDesign(designId, signal) };
        });
      }
      case 'startStoreTimer':
        storeTimer = setTimeout(() => void send({ type: 'store' }), STORE_DELAY_MS);
        return;
      case 'stopStoreTimer':
        return clearTimeout(storeTimer);
      case 'showLive':
        return live?.show(effect.request);
      case 'warmUpLive':
        return live?.warmUp(effect.request);
      case 'stopLive':
        return live?.stop();
      case 'showArtwork':
        if (editor.getState().assets.artwork !== effect.artwork) editor.setAssets({ artwork: effect.artwork });
        return;
      case 'dispatch':
        return editor.dispatch(effect.command);
      case 'selectDesign':
        return editor.select('design');
      case 'notify':
        return ports.notify(effect.toast);
      case 'requireAccount':
        return ports.requireAccount('mockups', { title: effect.title, description: effect.description });
    }
  }

  function open(jobId: number): AbortSignal {
    const controller = new AbortController();
    controllers.set(jobId, controller);
    return controller.signal;
  }

  /** Asks the host for a job and sends its answer, or its failure. */
  async function ask(jobId: number, work: (signal: AbortSignal) => Promise<DesignEvent>): Promise<void> {
    let answer: DesignEvent;
    try {
      answer = await work(open(jobId));
    } catch (error) {
      answer = { type: 'failed', jobId, error };
    } finally {
      controllers.delete(jobId);
    }
    await send(answer);
  }

  async function upload(jobId: number, file: File): Promise<void> {
    const timer = setInterval(() => void send({ type: 'uploadProgress', jobId }), PROGRESS_TICK_MS);
    await ask(jobId, async (signal) => {
      const onProgress = (fraction: number) => void send({ type: 'uploadProgress', jobId, fraction });
      try {
        return { type: 'uploaded', jobId, design: await ports.uploadDesign(file, { signal, onProgress }) };
      } finally {
        clearInterval(timer);
      }
    });
  }

  async function settled(): Promise<void> {
    if (state.isStorePending) await send({ type: 'store' });
    else await storing;
  }

  /** Asks about the background of the design. A trace and it block each other. */
  async function askAboutBackground<T>(
    work: (backgrounds: Backgrounds, design: Design, signal: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> {
    await settled();
    const { design, job } = state.shown;
    const { backgrounds } = ports;
    if (!design || !backgrounds || job) return undefined;
    void send({ type: 'openBackground' });
    const jobId = state.lastJobId;
    const signal = open(jobId);
    try {
      const answer = await work(backgrounds, design, signal);
      return signal.aborted ? undefined : answer;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    } finally {
      controllers.delete(jobId);
      void send({ type: 'closeBackground', jobId });
    }
  }

  async function changePicture(
    title: string,
    work: (backgrounds: Backgrounds, design: Design, signal: AbortSignal) => Promise<LoadedDesign>,
  ): Promise<Design | undefined> {
    const loaded = await askAboutBackground(work);
    if (loaded) void send({ type: 'pictureChanged', loaded, title });
    return loaded?.design;
  }

  return {
    getState: () => state.shown,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    connect() {
      void send({ type: 'editorChanged' });
      return editor.subscribe(() => void send({ type: 'editorChanged' }));
    },
    async upload(file) {
      const refusal = checkUpload(file);
      if (refusal) {
        ports.notify({ ...refusal, variant: 'destructive' });
        return;
      }
      const { isSignedIn, mockups } = ports.account();
      if (!isSignedIn && mockups && mockups.used >= mockups.limit) {
        ports.requireAccount('mockups', {
          title: 'Free mockups used up',
          description: `You have used all ${mockups.limit} free mockups of this month. Create an account for unlimited mockups.`,
        });
        return;
      }
      await send({ type: 'upload', file });
    },
    remove: () => void send({ type: 'remove' }),
    changeSettings: (changes) => void send({ type: 'changeSettings', changes }),
    crop: (crop) => void send({ type: 'crop', crop }),
    keepSettings: () => void send({ type: 'keepSettings' }),
    settled,
    warmUp: () => void send({ type: 'warmUp' }),
    async retrace() {
      await send({ type: 'retrace' });
    },
    readBackground: () => askAboutBackground((backgrounds, { id }, signal) => backgrounds.read(id, signal)),
    cutOut: (clearEnclosed, onStage) =>
      askAboutBackground((backgrounds, { id }, signal) => backgrounds.cutOut(id, clearEnclosed, { signal, onStage })),
    removeBackground: (wish) =>
      changePicture(messages.backgroundRemoved, (backgrounds, { id }, signal) => backgrounds.remove(id, wish, signal)),
    restoreBackground: () =>
      changePicture('Original restored', (backgrounds, { id }, signal) => backgrounds.restore(id, signal)),
    cancel: () => void send({ type: 'cancel' }),
    undoPreview: () => void send({ type: 'undoPreview' }),
  };
}
