/**
 * What happens to a picture from the moment it is chosen: upload, trace, new trace with other settings, back to an
 * earlier one. A small state machine beside the editor; the panel only shows it.
 *
 * Which part of the picture is traced is said by the composition, as it says where that part lies: undo and redo of a crop are the
 * editor's. This follows, with the trace of that part where there was one, and asks for one where there was none.
 *
 * One job runs at a time. Starting another cancels it, and so do `cancel` and `remove`.
 *
 * While a setting is moved, the stage shows a trace made on this device where the host can make one. It is only looked at:
 * when the setting is let go, the server traces and stores, and every file is made from what is stored.
 */
import type { Design, PreviewSettings, VectorizeSettings } from '@markwright/contract/schemas';
import {
  isOneInk,
  PRODUCTION_DESPECKLE,
  PRODUCTION_PALETTE_SIZE,
  toPixelBox,
  toTraceSize,
  toVectorizerOptions,
} from '@markwright/contract/tracing';
import {
  type CutoutStage,
  checkUpload,
  messages,
  PREVIEW_DEFAULTS,
  VECTORIZE_DEFAULTS,
} from '@markwright/contract/words';
import { type Artwork, type FractionRect, isSameCrop, type MachineMode, reframeArtwork } from '@markwright/scene';
import type { Editor } from '../document/editor.ts';
import {
  type Backgrounds,
  type BackgroundWish,
  type LoadedDesign,
  type Ports,
  sentenceOf,
  statusOf,
} from '../ports.ts';
import { createLiveTrace, type LiveTraceRequest, type TraceProgress } from './liveTrace.ts';
import { type PreviewHistory, rememberPreview, undoPreview } from './previewHistory.ts';

export type UploadStatus = 'idle' | 'uploading' | 'success' | 'error';
/** `store`: the server traces what the stage shows already. */
export type DesignJob = 'vectorize' | 'preview' | 'store' | 'removeBackground' | 'load';

export interface DesignState {
  readonly status: UploadStatus;
  /** Whole per cent of the upload. */
  readonly progress: number;
  readonly filename: string | undefined;
  readonly design: Design | undefined;
  readonly job: DesignJob | undefined;
  /** Why the upload or the latest job failed. */
  readonly failure: string | undefined;
  /** `crop` is the composition's. */
  readonly settings: VectorizeSettings;
  readonly previewSettings: PreviewSettings;
  /** There is a trace, not the picture itself. */
  readonly isTraced: boolean;
  /** The settings on the panel are not those of the trace on the stage. */
  readonly isStale: boolean;
  /** Of a trace on this device that keeps the person waiting. */
  readonly liveProgress: TraceProgress | undefined;
  readonly history: PreviewHistory;
}

export interface DesignFlow {
  getState(): DesignState;
  subscribe(listener: () => void): () => void;
  /** Follows the editor: a restored or undone design is loaded, another machine gets its own colours. Gives the way out. */
  connect(): () => void;
  upload(file: File): Promise<void>;
  /** Takes the design off the product and the panel back to its start. */
  remove(): void;
  /** Changes what the panel shows, and the stage with it where this device can trace. */
  changeSettings(changes: Partial<VectorizeSettings>): void;
  changePreviewSettings(changes: Partial<PreviewSettings>): void;
  /** Shows another part of the picture, to the pixel a trace is made from, as one undo step; `undefined`: all of it. It is traced and stored. */
  crop(crop: FractionRect | undefined): void;
  /** A setting was let go: what the panel shows is traced and stored, soon. */
  keepSettings(): void;
  /** Resolves when what was let go is stored, or cannot be. */
  settled(): Promise<void>;
  /** The settings are about to be changed. */
  warmUp(): void;
  /** Traces again with the settings on the panel. */
  retrace(): Promise<void>;
  /**
   * How the background of the design went. A trace waits meanwhile, as with the next three. Each gives undefined when it was cancelled or there is no
   * design, and rejects with a sentence for whoever asked.
   */
  readBackground(): Promise<BackgroundWish | undefined>;
  /** The address of what is cut out by itself, to be looked at: nothing changes. */
  cutOut(clearEnclosed: boolean | undefined, onStage: (stage: CutoutStage) => void): Promise<string | undefined>;
  /** Takes the background away. What is left is traced after that: `settled` tells when. */
  removeBackground(wish: BackgroundWish): Promise<Design | undefined>;
  /** The original comes back, and is traced after that. */
  restoreBackground(): Promise<Design | undefined>;
  cancel(): void;
  /** Back to the latest earlier preview, at once; the server is told afterwards, so that files are made from it. */
  undoPreview(): void;
  /** The settings a production file is made with. */
  productionSettings(): VectorizeSettings;
}

const PROGRESS_CAP = 90;
const PROGRESS_TICK_MS = 120;
const MIN_PREVIEW_PX = 10;
/** Keys and clicks that follow one another are stored once. */
const STORE_DELAY_MS = 300;
/** So many traces of a visit are at hand when a crop is undone and done again. */
const KEPT_TRACES = 8;

/**
 * What a machine's traces start with. A laser must burn nothing twice, so its shapes abut; ink is laid shape over shape,
 * so that no hairline of the blank shows between two colors.
 */
export function defaultSettings(machine: MachineMode): VectorizeSettings {
  const shapeStacking = machine === 'laser' ? 'cutouts' : 'stacked';
  return { ...VECTORIZE_DEFAULTS, colorMode: defaultColorMode(machine), shapeStacking };
}

/** What the preview settings show before they are touched. One ink and the bare blank are two colors. */
function startOf({ colorMode }: VectorizeSettings): PreviewSettings {
  const paletteSize = isOneInk(colorMode) ? 2 : PRODUCTION_PALETTE_SIZE;
  return { ...PREVIEW_DEFAULTS, paletteSize };
}

const defaultColorMode = (machine: MachineMode) => (machine === 'laser' ? 'black' : 'color');

/** What is said of one picture does not hold for the next. */
function asNextPicture(settings: VectorizeSettings): VectorizeSettings {
  const { crop: _crop, threshold: _threshold, palette: _palette, ...rest } = settings;
  return { ...rest, brightness: 0, contrast: 0 };
}

function withCrop(settings: VectorizeSettings, crop: FractionRect | undefined): VectorizeSettings {
  const { crop: _before, ...rest } = settings;
  return crop ? { ...rest, crop } : rest;
}

/** What changes which colors there are: what was done to them means nothing any more. */
const colorWords = ['colorMode', 'brightness', 'contrast'] as const;

function withoutEdits(settings: VectorizeSettings): VectorizeSettings {
  const { palette: _palette, ...rest } = settings;
  return rest;
}

/** How a trace was made. */
type Making = Pick<DesignState, 'settings' | 'previewSettings'>;

interface KnownDesign extends LoadedDesign {
  /** Absent while there is no artwork, and where nobody knows. */
  readonly making?: Making | undefined;
}

const blank = (settings: VectorizeSettings, previewSettings: PreviewSettings): DesignState => ({
  status: 'idle',
  progress: 0,
  filename: undefined,
  design: undefined,
  job: undefined,
  failure: undefined,
  settings,
  previewSettings,
  isTraced: false,
  isStale: false,
  liveProgress: undefined,
  history: [],
});

export function createDesignFlow(editor: Editor, ports: Ports): DesignFlow {
  const listeners = new Set<() => void>();
  const fresh = (): DesignState => {
    const settings = defaultSettings(editor.getState().composition.machine);
    return blank(settings, startOf(settings));
  };
  let state = fresh();
  let running: AbortController | undefined;
  /** Which preview settings were touched: only those go into a full trace. */
  let touched: Partial<PreviewSettings> = {};
  /** The settings of the trace on the stage. */
  let traced: Making | undefined;
  /** The trace on the stage was brought back, and the server still has the one after it. */
  let isBroughtBack = false;
  /** What the panel showed before the running upload. */
  let beforeUpload = state;
  /** While an upload puts its design on the product, the editor is ahead of this state. */
  let isPlacing = false;
  /** Designs of this visit, so that undo and redo need no server. */
  const known = new Map<string, KnownDesign>();
  let kept: readonly (Making & { readonly designId: string; readonly artwork: Artwork })[] = [];
  /** The part of the picture that the server traced last. */
  let storedCrop: FractionRect | undefined;

  function show(changes: Partial<DesignState>): void {
    state = { ...state, ...changes };
    const { settings, previewSettings, design } = state;
    const isStale =
      design !== undefined &&
      (!traced || !isSame(traced.settings, settings) || !isSame(traced.previewSettings, previewSettings));
    const isTraced = design !== undefined && traced !== undefined;
    if (isStale !== state.isStale || isTraced !== state.isTraced) state = { ...state, isStale, isTraced };
    for (const listener of listeners) listener();
  }

  function begin(job?: DesignJob): AbortController {
    forgetStore();
    if (job !== 'store') live?.stop();
    running?.abort();
    running = new AbortController();
    return running;
  }

  function fail(title: string, error: unknown, otherwise: string): void {
    const failure = sentenceOf(error, otherwise);
    if (statusOf(error) === 402) ports.requireAccount('mockups', { title, description: failure });
    else ports.notify({ title, description: failure, variant: 'destructive' });
    show({ failure });
  }

  /** Runs one job; silent when it was cancelled. */
  async function run(job: DesignJob, title: string, otherwise: string, work: (signal: AbortSignal) => Promise<void>) {
    const controller = begin(job);
    show({ job, failure: undefined });
    try {
      await work(controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) fail(title, error, otherwise);
    } finally {
      if (running === controller) {
        running = undefined;
        show({ job: undefined });
      }
    }
  }

  function showArtwork(design: Design, artwork: Artwork, making: Making | undefined): void {
    known.set(design.id, { design, artwork, making });
    editor.setAssets({ artwork });
  }

  /** What is known of a design, put where the composition has the part that is shown now. */
  function framed({ artwork, making }: KnownDesign): Artwork | undefined {
    return artwork && (making ? reframeArtwork(artwork, making.settings.crop, state.settings.crop) : artwork);
  }

  /** Puts a fresh trace on the stage and keeps the one before. */
  function showTrace(design: Design, artwork: Artwork): void {
    live?.stop();
    canPreview = true;
    const before = known.get(design.id)?.artwork;
    if (before && traced && !isBroughtBack)
      show({ history: rememberPreview(state.history, { artwork: before, ...traced }) });
    isBroughtBack = false;
    traced = { settings: state.settings, previewSettings: state.previewSettings };
    storedCrop = state.settings.crop;
    kept = [...kept, { designId: design.id, artwork, ...traced }].slice(-KEPT_TRACES);
    showArtwork(design, artwork, traced);
    show({});
  }

  /** What is asked of the tracer: settings nobody touched are left to the server. */
  const wanted = (): VectorizeSettings => ({ ...state.settings, ...machineType(), ...touched, mode: 'preview' });

  /** A trace waits for the background to be gone: one of what the panel shows by then follows by itself. */
  const isRemoving = () => state.job === 'removeBackground';

  async function vectorize(job: 'vectorize' | 'store' = 'vectorize', isQuiet = false): Promise<void> {
    const { design } = state;
    if (!design || isRemoving()) return;
    await run(job, 'Vectorization failed', 'The picture could not be traced. Please try again.', async (signal) => {
      const artwork = await ports.vectorize(design.id, wanted(), signal);
      if (signal.aborted) return;
      showTrace(design, artwork);
      if (!isQuiet) ports.notify({ title: messages.vectorized, description: design.filename });
    });
  }

  async function preview(): Promise<void> {
    const { design, previewSettings, settings } = state;
    if (!design) return;
    await run('preview', 'Preview failed', messages.previewFailed, async (signal) => {
      const wanted = { ...previewSettings, colorMode: settings.colorMode };
      const artwork = await ports.generatePreview(design.id, wanted, signal);
      if (signal.aborted) return;
      if (artwork.width < MIN_PREVIEW_PX || artwork.height < MIN_PREVIEW_PX) throw new Error(messages.previewFailed);
      showTrace(design, artwork);
      ports.notify({ title: messages.previewUpdated });
    });
  }

  /** Traces on this device failed for this design; they are tried again after the next stored one. */
  let canPreview = true;
  const live =
    ports.previewTrace &&
    createLiveTrace(ports.previewTrace, {
      onArtwork: (artwork) => editor.setAssets({ artwork }),
      onProgress: (liveProgress) => show({ liveProgress }),
      onUnavailable() {
        canPreview = false;
      },
    });
  const isLive = () => live !== undefined && canPreview;
  let warmed: Design | undefined;

  const request = (): LiveTraceRequest | undefined =>
    state.design && state.status === 'success' ? { design: state.design, settings: wanted() } : undefined;

  /** Shows what the panel asks for; a server trace of what it asked for before is of no use any more. */
  function showLive(): void {
    const asked = request();
    isBroughtBack = false;
    if (!asked || !traced) return;
    if (state.job === 'store' || state.job === 'preview' || state.job === 'vectorize') cancelJob();
    forgetStore();
    if (isLive()) live?.show(asked);
  }

  /** The stored trace back on the stage, instead of one that was only looked at. */
  function showStored(): void {
    live?.stop();
    const stored = state.design && known.get(state.design.id);
    const artwork = stored && framed(stored);
    if (artwork && editor.getState().assets.artwork !== artwork) editor.setAssets({ artwork });
  }

  let storeTimer: ReturnType<typeof setTimeout> | undefined;
  let storing: Promise<void> | undefined;
  function forgetStore(): void {
    clearTimeout(storeTimer);
    storeTimer = undefined;
  }

  function store(): Promise<void> {
    forgetStore();
    if (!state.isStale && !isBroughtBack) {
      showStored();
      return Promise.resolve();
    }
    const work = vectorize(isLive() ? 'store' : 'vectorize', true).then(() => {
      // It failed: the stage must not show what no file would be made from.
      if (state.failure !== undefined && state.isStale && !running) showStored();
    });
    storing = work;
    return work;
  }

  const machineType = () => ({ machineType: editor.getState().composition.machine });

  async function upload(file: File): Promise<void> {
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

    cancel();
    const { signal } = begin();
    beforeUpload = state;
    show({ ...blank(state.settings, state.previewSettings), status: 'uploading', filename: file.name });
    const stopProgress = simulateProgress();
    try {
      const design = await ports.uploadDesign(file, { signal, onProgress: raiseProgress });
      if (signal.aborted) return;
      running = undefined;
      place(design);
    } catch (error) {
      if (signal.aborted) return;
      running = undefined;
      // A design that was there before stays.
      show(beforeUpload.design ? beforeUpload : { status: 'error', progress: 0 });
      fail(messages.uploadFailed, error, messages.uploadFailed);
      return;
    } finally {
      stopProgress();
    }
    await vectorize();
  }

  function place(design: Design): void {
    const { id: designId, filename } = design;
    traced = undefined;
    known.set(designId, { design, artwork: undefined });
    isPlacing = true;
    show({ status: 'success', progress: 100, design, filename, settings: asNextPicture(state.settings) });
    // The picture itself stands in until its trace is there.
    editor.setAssets({ artwork: pictureOf(design) });
    editor.dispatch({ type: 'placeDesign', designId, filename, aspect: design.width / design.height });
    isPlacing = false;
    editor.select('design');
    ports.notify({ title: messages.uploaded, description: filename });
  }

  function raiseProgress(fraction: number): void {
    if (state.status !== 'uploading') return;
    const progress = Math.min(PROGRESS_CAP, Math.round(fraction * PROGRESS_CAP));
    if (progress > state.progress) show({ progress });
  }

  /** Ever smaller steps towards 90 %: it moves at once and never arrives before the server does. */
  function simulateProgress(): () => void {
    const timer = setInterval(() => {
      if (state.status !== 'uploading') return;
      const step = Math.max(1, Math.round((PROGRESS_CAP - state.progress) / 8));
      show({ progress: Math.min(PROGRESS_CAP, state.progress + step) });
    }, PROGRESS_TICK_MS);
    return () => clearInterval(timer);
  }

  function cancel(): void {
    forgetStore();
    showStored();
    cancelJob();
  }

  function cancelJob(): void {
    const controller = running;
    if (!controller) return;
    running = undefined;
    controller.abort();
    // What was on the panel before a cancelled upload comes back.
    show(state.status === 'uploading' ? beforeUpload : { job: undefined });
  }

  /** Shows the design the composition names now, after undo, redo or a restored visit. */
  function follow(): void {
    const { composition } = editor.getState();
    const designId = composition.design?.designId;
    if (isPlacing || state.status === 'uploading') return;
    if (designId === state.design?.id) {
      if (designId !== undefined) followCrop(composition.design?.crop);
      return;
    }
    // Other changes of the editor neither restart nor cancel a design that is being opened, nor ask again for one refused.
    if (designId !== undefined && (designId === loading || designId === refused)) return;
    begin().abort();
    running = undefined;
    traced = undefined;
    if (designId === undefined) {
      refused = undefined;
      // Before the assets: changing those brings the editor back here.
      show(blank(withCrop(state.settings, undefined), state.previewSettings));
      editor.setAssets({ artwork: undefined });
      return;
    }
    const loaded = known.get(designId);
    if (loaded) {
      touched = touchedIn(loaded.making);
      adopt(loaded);
      // It went before its trace was there.
      if (!loaded.artwork) void vectorize('vectorize', true);
    } else void load(designId);
  }

  function adopt(loaded: KnownDesign): void {
    const { design, artwork } = loaded;
    const crop = editor.getState().composition.design?.crop;
    const { settings, previewSettings } = state;
    const making = loaded.making ?? { settings: withCrop(withoutEdits(settings), crop), previewSettings };
    known.set(design.id, { ...loaded, making: artwork && making });
    traced = artwork && making;
    show({
      ...blank(withCrop(making.settings, crop), making.previewSettings),
      status: 'success',
      progress: 100,
      design,
      filename: design.filename,
    });
    editor.setAssets({ artwork: framed(known.get(design.id)!) ?? pictureOf(design) });
    // The part it was traced of last is not the one this arrangement shows.
    if (!isSameCrop(artwork && making.settings.crop, crop)) showCropped(design);
  }

  /** Another part of the design's picture is shown than before. */
  function followCrop(crop: FractionRect | undefined): void {
    const { design } = state;
    if (!design || isSameCrop(crop, state.settings.crop)) return;
    // A trace of another part is of no use any more.
    if (state.job !== 'removeBackground') cancelJob();
    forgetStore();
    live?.stop();
    show({ settings: withCrop(state.settings, crop) });
    showCropped(design);
  }

  function showCropped(design: Design): void {
    const { settings, previewSettings } = state;
    const before = kept.findLast(
      (trace) =>
        trace.designId === design.id &&
        isSame(trace.settings, settings) &&
        isSame(trace.previewSettings, previewSettings),
    );
    if (before) {
      traced = { settings, previewSettings };
      showArtwork(design, before.artwork, traced);
      show({});
      return;
    }
    showStored();
    // When its background is gone the picture is traced anyway.
    if (state.job === 'removeBackground') return;
    showLive();
    keepSettings();
  }

  function keepSettings(): void {
    forgetStore();
    if (request()) storeTimer = setTimeout(() => void store(), STORE_DELAY_MS);
  }

  function crop(wanted: FractionRect | undefined): void {
    const { design } = state;
    if (!design) return;
    const size = toTraceSize(design);
    const box = wanted && toPixelBox(wanted, size);
    const { widthMm, heightMm } = editor.getState().scene;
    editor.dispatch({
      type: 'cropDesign',
      crop: box && {
        x: box.x / size.width,
        y: box.y / size.height,
        width: box.width / size.width,
        height: box.height / size.height,
      },
      pictureAspect: size.width / size.height,
      areaAspect: widthMm / heightMm,
    });
  }

  /** The panel shows how a design of an earlier visit was traced, so that the next setting changes nothing else. */
  function makingOf({ settings: made }: Design): Making | undefined {
    if (!made) return undefined;
    const { machineType: _machine, paletteSize, despeckle, cutout, ...settings } = made;
    touched = {
      ...(paletteSize !== undefined && { paletteSize }),
      ...(despeckle !== undefined && { despeckle }),
      ...(cutout !== undefined && { cutout }),
    };
    return { settings, previewSettings: { ...startOf(settings), ...touched } };
  }

  /** Runs what is asked about the background of the design; it and a trace block each other. */
  async function askAboutBackground<T>(
    work: (backgrounds: Backgrounds, design: Design, signal: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> {
    await settled();
    const { design } = state;
    const { backgrounds } = ports;
    if (!design || !backgrounds || state.job) return undefined;
    const controller = begin('removeBackground');
    show({ job: 'removeBackground', failure: undefined });
    try {
      const answer = await work(backgrounds, design, controller.signal);
      return controller.signal.aborted ? undefined : answer;
    } catch (error) {
      if (controller.signal.aborted) return undefined;
      throw error;
    } finally {
      if (running === controller) {
        running = undefined;
        show({ job: undefined });
      }
    }
  }

  async function changePicture(
    title: string,
    work: (backgrounds: Backgrounds, design: Design, signal: AbortSignal) => Promise<LoadedDesign>,
  ): Promise<Design | undefined> {
    const loaded = await askAboutBackground(work);
    if (!loaded) return undefined;
    const { design } = loaded;
    show({ design });
    // A picture cannot be shown in part before it is traced.
    const standIn = state.settings.crop ? known.get(design.id)?.artwork : undefined;
    showArtwork(design, loaded.artwork ?? standIn ?? pictureOf(design), standIn && traced);
    // Nothing leads back to a trace of the other picture: a file would be made of this one.
    kept = [];
    traced = undefined;
    show({ history: [] });
    // The one notice: that it is traced after that goes without saying.
    ports.notify({ title, description: design.filename });
    storing = vectorize('vectorize', true);
    return design;
  }

  async function settled(): Promise<void> {
    if (storeTimer !== undefined) await store();
    else await storing;
  }

  let loading: string | undefined;
  /** The design that could not be opened: said once. */
  let refused: string | undefined;
  async function load(designId: string): Promise<void> {
    loading = designId;
    let made: MachineMode | undefined;
    await run('load', 'Design could not be opened', 'Please upload the picture again.', async (signal) => {
      try {
        const loaded = await ports.loadDesign(designId, signal);
        if (signal.aborted || editor.getState().composition.design?.designId !== designId) return;
        if (!loaded) throw new Error('It is no longer there. Please upload the picture again.');
        loading = undefined;
        storedCrop = loaded.design.settings?.crop;
        adopt({ ...loaded, making: makingOf(loaded.design) });
        made = loaded.design.settings?.machineType;
      } catch (error) {
        if (!signal.aborted) refused = designId;
        throw error;
      }
    });
    if (loading === designId) loading = undefined;
    // The visit ended before it was traced for the machine it is for now.
    if (made && made !== machine && state.design?.id === designId) changeMachine(made, machine);
  }

  function touchedIn(making: Making | undefined): Partial<PreviewSettings> {
    if (!making) return touched;
    const start = startOf(making.settings);
    const { paletteSize, despeckle, cutout } = making.previewSettings;
    return {
      ...(paletteSize !== start.paletteSize && { paletteSize }),
      ...(despeckle !== start.despeckle && { despeckle }),
      ...(cutout !== start.cutout && { cutout }),
    };
  }

  function applySettings(changes: Partial<VectorizeSettings>): void {
    const areOthers = colorWords.some((name) => name in changes && changes[name] !== state.settings[name]);
    const settings = { ...(areOthers ? withoutEdits(state.settings) : state.settings), ...changes };
    show({ settings, previewSettings: { ...state.previewSettings, ...startOf(settings), ...touched } });
  }

  let machine = editor.getState().composition.machine;
  function followMachine(): void {
    const next = editor.getState().composition.machine;
    if (next === machine) return;
    const before = machine;
    machine = next;
    changeMachine(before, next);
  }

  function changeMachine(from: MachineMode, next: MachineMode): void {
    const before = toVectorizerOptions({ ...wanted(), machineType: from });
    const wasDefault = state.settings.colorMode === defaultColorMode(from);
    const isOther = defaultColorMode(next) !== defaultColorMode(from);
    if (wasDefault && isOther) {
      const { colorMode, shapeStacking } = defaultSettings(next);
      applySettings({ colorMode, shapeStacking });
    }
    // Chosen colors stay, but a laser knows no gradients.
    if (state.design && !isSame(before, toVectorizerOptions(wanted()))) void vectorize();
  }

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    connect() {
      follow();
      return editor.subscribe(() => {
        follow();
        followMachine();
      });
    },
    upload,
    remove() {
      cancel();
      traced = undefined;
      touched = {};
      show(fresh());
      editor.dispatch({ type: 'removeDesign' });
      editor.setAssets({ artwork: undefined });
    },
    changeSettings(changes) {
      applySettings(changes);
      showLive();
    },
    changePreviewSettings(changes) {
      touched = { ...touched, ...changes };
      const { paletteSize = state.previewSettings.paletteSize } = changes;
      const isOther = paletteSize !== state.previewSettings.paletteSize;
      const settings = isOther ? withoutEdits(state.settings) : state.settings;
      show({ settings, previewSettings: { ...state.previewSettings, ...changes } });
      showLive();
    },
    crop,
    keepSettings,
    settled,
    warmUp() {
      const asked = request();
      if (!asked || !isLive() || warmed === asked.design || state.job) return;
      warmed = asked.design;
      live?.warmUp(asked);
    },
    async retrace() {
      if (isRemoving()) return;
      const plain = { ...defaultSettings(editor.getState().composition.machine), colorMode: state.settings.colorMode };
      const onlyPreview =
        traced &&
        isSame(traced.settings, state.settings) &&
        isSame(plain, state.settings) &&
        isSameCrop(storedCrop, state.settings.crop);
      // A preview knows palette, despeckle, cutout and colour; everything else needs the full trace.
      if (onlyPreview && state.isStale) await preview();
      else await vectorize();
    },
    readBackground: () => askAboutBackground((backgrounds, { id }, signal) => backgrounds.read(id, signal)),
    cutOut: (clearEnclosed, onStage) =>
      askAboutBackground((backgrounds, { id }, signal) => backgrounds.cutOut(id, clearEnclosed, { signal, onStage })),
    removeBackground: (wish) =>
      changePicture(messages.backgroundRemoved, (backgrounds, { id }, signal) => backgrounds.remove(id, wish, signal)),
    restoreBackground: () =>
      changePicture('Original restored', (backgrounds, { id }, signal) => backgrounds.restore(id, signal)),
    cancel,
    undoPreview() {
      const { design } = state;
      if (state.isStale && traced && isSameCrop(traced.settings.crop, state.settings.crop)) {
        // What was only looked at goes first.
        cancel();
        touched = touchedIn(traced);
        show({ settings: traced.settings, previewSettings: traced.previewSettings, failure: undefined });
        return;
      }
      const { latest, rest } = undoPreview(state.history);
      if (!design || !latest) return;
      const { artwork, settings, previewSettings } = latest;
      const isLocked = editor.getState().composition.design?.isLocked;
      if (isLocked && !isSameCrop(settings.crop, state.settings.crop)) {
        ports.notify({ title: 'The design is locked', description: 'Unlock it to go back to another crop.' });
        return;
      }
      cancel();
      traced = { settings, previewSettings };
      touched = touchedIn(traced);
      show({ settings, previewSettings, history: rest, failure: undefined });
      // The part it shows goes back to where it was: a step of the arrangement like any other.
      crop(settings.crop);
      showArtwork(design, artwork, traced);
      isBroughtBack = true;
      keepSettings();
    },
    productionSettings: () => ({
      ...state.settings,
      ...machineType(),
      quality: 'high',
      mode: 'vectorize',
      paletteSize: touched.paletteSize ?? PRODUCTION_PALETTE_SIZE,
      despeckle: touched.despeckle ?? PRODUCTION_DESPECKLE,
      ...(touched.cutout === undefined ? {} : { cutout: touched.cutout }),
    }),
  };
}

/** The picture itself as artwork, before it is traced. */
function pictureOf(design: Design): Artwork {
  const imageHref = design.backgroundRemovedUrl ?? design.originalFileUrl;
  return { width: design.width, height: design.height, shapes: [], imageHref };
}

function isSame<T extends object>(a: T, b: T): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof T>;
  return [...names].every((name) => a[name] === b[name] || JSON.stringify(a[name]) === JSON.stringify(b[name]));
}
