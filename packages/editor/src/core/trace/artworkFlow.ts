/**
 * Runs the design machine of one artwork beside an editor: reads the editor, performs effects with the host's ports,
 * and sends the answers back as events. The panel only shows its state.
 *
 * While a setting is moved, the stage shows a trace made on this device where the host can make one. It is only looked
 * at: when the setting is let go, the server traces and stores, and every file is made from what is stored.
 */
import type { TraceStage } from '@markwright/contract/words';
import { artworkElementId, type Framing, findArtwork, isLeftOut, toLiveText } from '@markwright/scene';
import type { Editor } from '../document/editor.ts';
import { newId } from '../document/ids.ts';
import type { Ports } from '../ports.ts';
import { createStore, type Store } from '../store.ts';
import { type BackgroundCalls, createBackgroundCalls } from './backgroundCalls.ts';
import { reduceDesign, startDesignMachine } from './designMachine.ts';
import type { DesignEffect, DesignEvent, DesignState, Surroundings, VisitDesign } from './designStates.ts';
import { createHostJobs } from './hostJobs.ts';
import { createLiveTrace } from './liveTrace.ts';
import { createReducerRunner } from './reducerRunner.ts';
import { createSearches } from './searches.ts';
import type { TraceSettings } from './traceSettings.ts';

/** The acts of a person on one artwork. */
export interface DesignActions extends BackgroundCalls {
  /** Uploads a picture, places it and traces it. Resolves when it is traced, failed or canceled. */
  upload(file: File): Promise<void>;
  /** Takes the artwork off the product and resets the panel. */
  remove(): void;
  /** Changes what the panel shows, and the stage with it where this device can trace. */
  changeSettings(changes: Partial<TraceSettings>): void;
  /**
   * Straightens the picture and crops it to whole pixels, as one undo step, then traces and stores it. What `framing`
   * leaves out is not done: `{}` shows all of the picture as it is.
   */
  frame(framing: Framing): void;
  /** Accepts the offer to straighten the picture, as one undo step. */
  acceptSkew(): void;
  dismissSkew(): void;
  /** Makes live text of the line that is offered, as one undo step. */
  acceptLettering(): void;
  /** Keeps the line that is offered as outlines. The next line is offered then. */
  dismissLettering(): void;
  /** Traces and stores what the panel shows, soon: a setting was let go. */
  keepSettings(): void;
  /** Resolves when the settings that were let go are stored, or cannot be. */
  waitUntilStored(): Promise<void>;
  /** Returns the settings of an artwork's trace on the stage, or of the next one where there is none. */
  readTracedSettings(artworkId?: string): TraceSettings;
  /** Makes this device ready to trace: settings are about to be changed. */
  warmUp(): void;
  /** Traces again with the settings on the panel. */
  retrace(): Promise<void>;
  cancel(): void;
  /** Goes back to the latest earlier trace, at once. The server is told afterwards, so that files are made from it. */
  undoPreview(): void;
}

/** The flow of one artwork. Its jobs run beside those of others. */
export interface ArtworkFlow extends Store<DesignState>, Omit<DesignActions, 'readTracedSettings'> {
  /** Follows the composition: loads a restored or undone design, and changes colors with the machine. */
  followEditor(): void;
  /** Adopts a trace of the same design that another artwork has: a design has one stored trace. */
  share(visit: VisitDesign): void;
  /** Returns the design on the panel with its stored trace. */
  readVisit(): VisitDesign | undefined;
  readTracedSettings(): TraceSettings;
}

const PROGRESS_TICK_MS = 120;
const STORE_DELAY_MS = 300;

/** The artwork of a flow. */
interface ArtworkOfFlow {
  readonly artworkId: string;
  /** Finds a design of this visit that another artwork shows, or showed. */
  findVisit(designId: string): VisitDesign | undefined;
}

function readSurroundings(
  editor: Editor,
  { artworkId, findVisit }: ArtworkOfFlow,
  hasLiveTrace: boolean,
): Surroundings {
  const { composition, scene } = editor.getState();
  const { widthMm, heightMm } = scene;
  const placement = findArtwork(composition, artworkId);
  return {
    machine: composition.machine,
    artworkId,
    placement,
    sharedVisit: placement && findVisit(placement.designId),
    area: { widthMm, heightMm },
    hasLiveTrace,
    toLiveText: (line, textId) =>
      placement && !isLeftOut(placement, line) ? toLiveText(composition, scene, line, textId) : undefined,
  };
}

/**
 * Creates the flow of an artwork. Its effects are one table, from what the machine asks for to the call of the host.
 * Over 120 lines: the table is one list.
 */
export function createArtworkFlow(editor: Editor, ports: Ports, { artworkId, findVisit }: ArtworkOfFlow): ArtworkFlow {
  const machine = createReducerRunner(startDesignMachine(editor.getState().composition.machine), {
    reduce: (state, event: DesignEvent) =>
      reduceDesign(state, event, readSurroundings(editor, { artworkId, findVisit }, live !== undefined)),
    onState: ({ panel }) => panel !== getState() && setState(panel),
    perform,
  });
  const { send } = machine;
  const { getState, subscribe, setState } = createStore(machine.getState().panel);
  const jobs = createHostJobs(send);
  const searches = createSearches(editor, ports, { artworkId, send });
  let storeTimer: ReturnType<typeof setTimeout> | undefined;
  /** The latest trace of settings that were let go. */
  let storing: Promise<void> | undefined;

  const live =
    ports.previewTrace &&
    createLiveTrace(ports.previewTrace, {
      onArtwork: (artwork) => editor.setArtwork(artworkId, artwork),
      onProgress: (progress) => void send({ type: 'liveProgress', progress }),
      onUnavailable: () => void send({ type: 'liveUnavailable' }),
    });

  function perform(effect: DesignEffect): unknown {
    switch (effect.type) {
      case 'abort':
        return jobs.abort(effect.jobId);
      case 'upload':
        return upload(effect.jobId, effect.file);
      case 'vectorize': {
        const { jobId, designId, request, isAwaited } = effect;
        const work = jobs.run(jobId, async (signal) => {
          const artwork = await ports.vectorize(designId, request, { signal, onStage: stageListener(jobId) });
          return { type: 'traced', jobId, artwork };
        });
        if (isAwaited) storing = work;
        return work;
      }
      case 'preview': {
        const { jobId, designId, settings } = effect;
        return jobs.run(jobId, async (signal) => {
          const artwork = await ports.generatePreview(designId, settings, { signal, onStage: stageListener(jobId) });
          return { type: 'traced', jobId, artwork };
        });
      }
      case 'load': {
        const { jobId, designId } = effect;
        return jobs.run(jobId, async (signal) => {
          return { type: 'loaded', jobId, design: await ports.loadDesign(designId, signal) };
        });
      }
      case 'findSkew':
        // Nobody waits for it: an offer may come at any time, or never.
        return void searches.findSkew(effect.design);
      case 'findLettering':
        return void searches.findLettering(effect.artwork);
      case 'startStoreTimer':
        storeTimer = setTimeout(() => void send({ type: 'store' }), STORE_DELAY_MS);
        return;
      case 'stopStoreTimer':
        return clearTimeout(storeTimer);
      case 'showLive':
        searches.stop();
        return live?.show(effect.request);
      case 'warmUpLive':
        return live?.warmUp(effect.request);
      case 'stopLive':
        return live?.stop();
      case 'showArtwork':
        return editor.setArtwork(artworkId, effect.artwork);
      case 'dispatch':
        return editor.dispatch(effect.command);
      case 'selectDesign':
        return editor.select(artworkElementId(artworkId));
      case 'selectText':
        return editor.select(`text:${effect.textId}`);
      case 'notify':
        return ports.notify(effect.toast);
      case 'requireAccount':
        return ports.requireAccount('mockups', { title: effect.title, description: effect.description });
    }
  }

  const stageListener = (jobId: number) => (stage: TraceStage) => void send({ type: 'traceStage', jobId, stage });

  async function upload(jobId: number, file: File): Promise<void> {
    const timer = setInterval(() => void send({ type: 'uploadProgress', jobId }), PROGRESS_TICK_MS);
    await jobs.run(jobId, async (signal) => {
      const onProgress = (fraction: number) => void send({ type: 'uploadProgress', jobId, fraction });
      try {
        return { type: 'uploaded', jobId, design: await ports.uploadDesign(file, { signal, onProgress }) };
      } finally {
        clearInterval(timer);
      }
    });
  }

  async function waitUntilStored(): Promise<void> {
    if (machine.getState().isStorePending) await send({ type: 'store' });
    else await storing;
  }

  return {
    getState,
    subscribe,
    followEditor: () => void send({ type: 'editorChanged' }),
    share: (visit) => void send({ type: 'sharedTrace', visit }),
    readVisit() {
      const { panel, designs } = machine.getState();
      return panel.design && designs.get(panel.design.id);
    },
    async upload(file) {
      await send({ type: 'upload', file });
    },
    remove: () => void send({ type: 'remove' }),
    changeSettings: (changes) => void send({ type: 'changeSettings', changes }),
    frame: (framing) => void send({ type: 'frame', framing }),
    acceptSkew: () => void send({ type: 'acceptSkew' }),
    dismissSkew: () => void send({ type: 'dismissSkew' }),
    acceptLettering: () => void send({ type: 'acceptLettering', textId: newId() }),
    dismissLettering: () => void send({ type: 'dismissLettering' }),
    keepSettings: () => void send({ type: 'keepSettings' }),
    waitUntilStored,
    readTracedSettings: () => machine.getState().storedSettings ?? getState().settings,
    warmUp: () => void send({ type: 'warmUp' }),
    async retrace() {
      await send({ type: 'retrace' });
    },
    ...createBackgroundCalls({ ports, machine, jobs, waitUntilStored: waitUntilStored }),
    cancel: () => void send({ type: 'cancel' }),
    undoPreview: () => void send({ type: 'undoPreview' }),
  };
}
