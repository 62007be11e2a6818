/**
 * The states of a design, as a reducer: returns the next state for an event, and the effects of it as data.
 * `designFlow.ts` runs the effects and sends their answers back as events. Nothing here waits, calls or keeps anything.
 *
 * One job runs at a time and has a number. An answer names the job it belongs to; one that belongs to no running job
 * changes nothing.
 *
 * The composition decides which design is shown and which part of its picture is traced, so undo and redo of both are
 * the editor's. This follows: it shows the stored trace of that part, or asks for one.
 *
 * One story in one file: every event can meet every state, and the cases are read beside each other.
 */
import type { Design } from '@markwright/contract/schemas';
import { toFrameSize, toPixelBox, toVectorizerOptions } from '@markwright/contract/tracing';
import { messages } from '@markwright/contract/words';
import {
  type Artwork,
  type ArtworkLettering,
  artworkElementId,
  type Command,
  createStandIn,
  type Framing,
  isSameFraming,
  isSameStraightening,
  type MachineMode,
  measureInk,
  OUTSIDE_MM,
  reframeArtwork,
  sayFace,
  straightenCrop,
} from '@markwright/scene';
import { formatSize } from '../document/measure.ts';
import { type LoadedDesign, type Skew, sentenceOf, statusOf, type Toast } from '../ports.ts';
import type {
  DesignEffect,
  DesignEvent,
  DesignMachine,
  DesignState,
  RunningJob,
  Surroundings,
  VisitDesign,
} from './designStates.ts';
import type { LiveTraceRequest } from './liveTrace.ts';
import { rememberPreview, undoPreview } from './previewHistory.ts';
import {
  changeSettings,
  defaultColorMode,
  defaultSettings,
  forNextPicture,
  fromVectorizeSettings,
  isSame,
  isSameTrace,
  type TraceRequest,
  type TraceSettings,
  toVectorizeSettings,
  tracedByPreview,
  withFraming,
  withoutDefaults,
  withoutOptional,
  withoutPalette,
} from './traceSettings.ts';

const PROGRESS_CAP = 90;
const MIN_PREVIEW_PX = 10;
/** Traces of a visit that a crop can be undone and redone to without the server. */
const MAX_TRACES = 8;

/** The title of a failure, and its sentence when the failure brings none. */
const failureTexts: Record<Exclude<RunningJob['kind'], 'removeBackground'>, readonly [string, string]> = {
  upload: [messages.uploadFailed, messages.uploadFailed],
  vectorize: ['Vectorization failed', 'The picture could not be traced. Please try again.'],
  store: ['Vectorization failed', 'The picture could not be traced. Please try again.'],
  preview: ['Preview failed', messages.previewFailed],
  load: ['Design could not be opened', 'Please upload the picture again.'],
};

const emptyPanel = (settings: TraceSettings): DesignState => ({
  status: 'idle',
  progress: 0,
  filename: undefined,
  design: undefined,
  job: undefined,
  traceStage: undefined,
  failure: undefined,
  settings,
  isTraced: false,
  isStale: false,
  liveProgress: undefined,
  history: [],
  skew: undefined,
  lettering: undefined,
});

export function startDesignMachine(machine: MachineMode): DesignMachine {
  const panel = emptyPanel(defaultSettings(machine));
  return {
    panel,
    running: undefined,
    lastJobId: 0,
    storedSettings: undefined,
    isBroughtBack: false,
    beforeUpload: panel,
    designs: new Map(),
    traces: [],
    storedFraming: undefined,
    isStorePending: false,
    canTraceLive: true,
    unseenDesignId: undefined,
    foundSkew: undefined,
    foundLettering: undefined,
    outlineLines: [],
    readyDesign: undefined,
    missingDesignId: undefined,
    machine,
  };
}

export function reduceDesign(
  state: DesignMachine,
  event: DesignEvent,
  around: Surroundings,
): { readonly state: DesignMachine; readonly effects: readonly DesignEffect[] } {
  const step = new Step(state, around);
  // A table cannot tell the compiler that an event fits the handler of its own type.
  (handlers[event.type] as (step: Step, event: DesignEvent) => void)(step, event);
  followLettering(step);
  return { state: step.state, effects: step.effects };
}

/** The state and the effects of one event while they are worked out. Lives for one call of `reduceDesign`. */
class Step {
  state: DesignMachine;
  readonly around: Surroundings;
  readonly effects: DesignEffect[] = [];

  constructor(state: DesignMachine, around: Surroundings) {
    this.state = state;
    this.around = around;
  }

  get panel(): DesignState {
    return this.state.panel;
  }

  do(effect: DesignEffect): void {
    this.effects.push(effect);
  }

  set(changes: Partial<DesignMachine>): void {
    this.state = { ...this.state, ...changes };
  }

  /** Changes what the panel shows; `isStale` and `isTraced` follow from the settings of the stored trace. */
  show(changes: Partial<DesignState>): void {
    const next = { ...this.panel, ...changes };
    const { storedSettings } = this.state;
    const isTraced = next.design !== undefined && storedSettings !== undefined;
    const isStale = next.design !== undefined && (!storedSettings || !isSameTrace(storedSettings, next.settings));
    this.set({ panel: { ...next, isTraced, isStale } });
  }
}

type Handlers = {
  readonly [Type in DesignEvent['type']]: (step: Step, event: Extract<DesignEvent, { type: Type }>) => void;
};

/** The reducer of each event. */
const handlers: Handlers = {
  editorChanged(step) {
    followDesign(step);
    followMachine(step);
  },
  upload: (step, { file }) => startUpload(step, file),
  uploadProgress: (step, { jobId, fraction }) => raiseProgress(step, jobId, fraction),
  uploaded(step, { jobId, design }) {
    if (endJob(step, jobId)) placeUpload(step, design);
  },
  traceStage(step, { jobId, stage }) {
    if (step.state.running?.id === jobId) step.show({ traceStage: stage });
  },
  traced: (step, { jobId, artwork }) => answerTrace(step, jobId, artwork),
  loaded: (step, { jobId, design }) => answerLoad(step, jobId, design),
  failed: (step, { jobId, error }) => answerFailure(step, jobId, error),
  sharedTrace: (step, { visit }) => shareTrace(step, visit),
  openBackground,
  closeBackground: (step, { jobId }) => void endJob(step, jobId),
  pictureChanged: (step, { design, title }) => changePicture(step, design, title),
  liveProgress: (step, { progress }) => step.show({ liveProgress: progress }),
  liveUnavailable: (step) => step.set({ canTraceLive: false }),
  remove: removeDesign,
  cancel,
  changeSettings(step, { changes }) {
    step.show({ settings: changeSettings(step.panel.settings, changes) });
    showLive(step);
  },
  frame: (step, { framing }) => frameDesign(step, framing),
  skewFound: (step, { designId, skew }) => offerSkew(step, designId, skew),
  acceptSkew,
  dismissSkew(step) {
    step.set({ foundSkew: undefined });
    step.show({ skew: undefined });
  },
  letteringFound: (step, { artwork, lines }) => step.set({ foundLettering: { artwork, lines } }),
  acceptLettering: (step, { textId }) => acceptLettering(step, textId),
  dismissLettering(step) {
    const key = letteringKey(step, step.panel.lettering);
    if (key) step.set({ outlineLines: [...step.state.outlineLines, key] });
  },
  keepSettings,
  store,
  warmUp,
  retrace,
  undoPreview: goBack,
};

// Jobs

/** Starts a job in place of the running one, and returns its number. */
function startJob(step: Step, job: Omit<RunningJob, 'id'>): number {
  stopStoreTimer(step);
  if (job.kind !== 'store') step.do({ type: 'stopLive' });
  abortJob(step);
  const id = step.state.lastJobId + 1;
  step.set({ lastJobId: id, running: { ...job, id } });
  if (job.kind !== 'upload') step.show({ job: job.kind, traceStage: undefined, failure: undefined });
  return id;
}

function abortJob(step: Step): void {
  const { running } = step.state;
  if (!running) return;
  step.do({ type: 'abort', jobId: running.id });
  step.set({ running: undefined });
}

/** Ends the job that an answer belongs to. Returns false for the answer of a job that was canceled or replaced. */
function endJob(step: Step, jobId: number): boolean {
  if (step.state.running?.id !== jobId) return false;
  step.set({ running: undefined });
  step.show({ job: undefined });
  return true;
}

/** Cancels the running job. What was on the panel before a canceled upload comes back. */
function cancelJob(step: Step): void {
  if (!step.state.running) return;
  abortJob(step);
  step.show(step.panel.status === 'uploading' ? step.state.beforeUpload : { job: undefined });
}

function cancel(step: Step): void {
  stopStoreTimer(step);
  showStored(step);
  cancelJob(step);
}

function answerFailure(step: Step, jobId: number, error: unknown): void {
  const { running, beforeUpload } = step.state;
  if (running?.id !== jobId || running.kind === 'removeBackground') return;
  if (running.kind === 'upload') {
    // A design that was there before stays.
    step.show(beforeUpload.design ? beforeUpload : { status: 'error', progress: 0 });
  }
  if (running.kind === 'load') step.set({ missingDesignId: running.designId });
  const [title, otherwise] = failureTexts[running.kind];
  const failure = sentenceOf(error, otherwise);
  if (statusOf(error) === 402) step.do({ type: 'requireAccount', title, description: failure });
  else step.do({ type: 'notify', toast: { title, description: failure, variant: 'destructive' } });
  step.show({ failure });
  endJob(step, jobId);
  // The stage must not show a trace that no file is made from.
  if (running.isStore && step.panel.isStale) showStored(step);
}

// Upload

function startUpload(step: Step, file: File): void {
  cancel(step);
  const { settings } = step.panel;
  const jobId = startJob(step, { kind: 'upload' });
  step.set({ beforeUpload: step.panel });
  step.show({ ...emptyPanel(settings), status: 'uploading', filename: file.name });
  step.do({ type: 'upload', jobId, file });
}

/**
 * Raises the progress of an upload. Without a fraction it moves in ever smaller steps towards 90 %, so that it moves at
 * once and never arrives before the server does.
 */
function raiseProgress(step: Step, jobId: number, fraction: number | undefined): void {
  const { status, progress } = step.panel;
  if (step.state.running?.id !== jobId || status !== 'uploading') return;
  const target =
    fraction === undefined
      ? progress + Math.max(1, Math.round((PROGRESS_CAP - progress) / 8))
      : Math.round(fraction * PROGRESS_CAP);
  const next = Math.min(PROGRESS_CAP, target);
  if (next > progress) step.show({ progress: next });
}

function placeUpload(step: Step, design: Design): void {
  const { id: designId, filename } = design;
  const designs = withDesign(step.state.designs, { design, artwork: undefined });
  step.set({ storedSettings: undefined, designs, unseenDesignId: design.tracePictureUrl && designId });
  step.show({ status: 'success', progress: 100, design, filename, settings: forNextPicture(step.panel.settings) });
  // The picture itself stands in until its trace is there.
  step.do({ type: 'showArtwork', artwork: pictureOf(design) });
  const { artworkId: id, area } = step.around;
  const aspect = design.width / design.height;
  const trueSize = design.widthMm === undefined ? undefined : { widthMm: design.widthMm, area };
  step.do({ type: 'dispatch', command: { type: 'placeDesign', id, designId, filename, aspect, trueSize } });
  step.do({ type: 'selectDesign' });
  step.do({ type: 'notify', toast: { title: messages.uploaded, description: filename } });
  vectorize(step, {});
}

function acceptSkew(step: Step): void {
  const { skew } = step.panel;
  if (!skew) return;
  if (step.around.placement?.isLocked) {
    const toast = { title: 'The design is locked', description: 'Unlock it to straighten it.' };
    step.do({ type: 'notify', toast });
    return;
  }
  // What was cropped stays so.
  const { design, settings } = step.panel;
  const crop = design && settings.crop && straightenCrop(settings.crop, skew.straighten, design);
  frameDesign(step, { straighten: skew.straighten, crop });
}

// Traces

const requestOf = (step: Step): TraceRequest => ({ settings: step.panel.settings, machine: step.around.machine });

/** Traces the design, unless its background is being removed: then a trace follows anyway. */
function vectorize(
  step: Step,
  job: {
    readonly isQuiet?: boolean;
    readonly isStore?: boolean;
    readonly isAwaited?: boolean;
    readonly isOnStage?: boolean;
  },
): void {
  const { design } = step.panel;
  if (!design || step.panel.job === 'removeBackground') return;
  const { isQuiet = false, isStore = false, isAwaited = false, isOnStage = false } = job;
  const kind = isOnStage ? 'store' : 'vectorize';
  const jobId = startJob(step, { kind, designId: design.id, isQuiet, isStore });
  const request = requestOf(step);
  step.do({ type: 'vectorize', jobId, designId: design.id, request, isAwaited });
}

function retrace(step: Step): void {
  const { design, settings, isStale, job } = step.panel;
  if (job === 'removeBackground') return;
  const { storedSettings, storedFraming } = step.state;
  const plain = { ...defaultSettings(step.around.machine), colorMode: settings.colorMode };
  const isPreviewEnough =
    storedSettings &&
    isSame(withoutOptional(storedSettings), withoutOptional(settings)) &&
    isSame(plain, withoutOptional(settings)) &&
    isSameFraming(storedFraming, settings);
  // A preview knows palette size, despeckle, cutout and color mode; everything else needs the full trace.
  if (!isPreviewEnough || !isStale) {
    vectorize(step, {});
    return;
  }
  if (!design) return;
  const jobId = startJob(step, { kind: 'preview', designId: design.id });
  step.do({ type: 'preview', jobId, designId: design.id, settings });
}

function answerTrace(step: Step, jobId: number, artwork: Artwork): void {
  const { running } = step.state;
  const { design } = step.panel;
  if (!running || running.id !== jobId || !design) return;
  const isPreview = running.kind === 'preview';
  if (isPreview && (artwork.width < MIN_PREVIEW_PX || artwork.height < MIN_PREVIEW_PX)) {
    answerFailure(step, jobId, new Error(messages.previewFailed));
    return;
  }
  endJob(step, jobId);
  const { settings } = step.panel;
  showTrace(step, { design, artwork, settings: isPreview ? tracedByPreview(settings) : settings });
  if (isPreview) step.do({ type: 'notify', toast: { title: messages.previewUpdated, description: design.filename } });
  else if (!running.isQuiet) {
    step.do({ type: 'notify', toast: successToast(design, step.around.area) });
  }
  step.do({ type: 'findLettering', artwork });
  // Not before: the person waits for the trace, and the picture it is made from is stored with it.
  if (step.state.unseenDesignId !== design.id) return;
  step.set({ unseenDesignId: undefined });
  step.do({ type: 'findSkew', design });
}

/** Returns the notice of a fresh trace, or of a file of outlines, which has its size. */
function successToast({ filename, outlineFile, widthMm, ...design }: Design, area: Surroundings['area']): Toast {
  if (!outlineFile || widthMm === undefined) return { title: messages.vectorized, description: filename };
  const size = { width: widthMm, height: (widthMm * design.height) / design.width };
  const isTooLarge = size.width > area.widthMm + OUTSIDE_MM || size.height > area.heightMm + OUTSIDE_MM;
  const advice = isTooLarge ? ', larger than the machine area. Preflight can shrink it to fit.' : '.';
  return { title: 'Outlines read', description: `${filename} is ${formatSize(size, 'mm')}${advice}` };
}

/** Offers to straighten a picture, unless the person has straightened it by now. */
function offerSkew(step: Step, designId: string, skew: Skew): void {
  const { design, settings } = step.panel;
  if (design?.id !== designId) return;
  step.set({ foundSkew: { designId, skew } });
  step.show({ skew: skewOf(step, designId, settings) });
}

/** Returns the tilt that was found of a design's picture, as long as it is not straightened. */
function skewOf({ state }: Step, designId: string, framing: Framing | undefined): Skew | undefined {
  const { foundSkew } = state;
  return foundSkew?.designId === designId && !framing?.straighten ? foundSkew.skew : undefined;
}

/**
 * Offers the first line of the stored trace that can be live text. What was made of a line and is undone is offered
 * again.
 */
function followLettering(step: Step): void {
  const lettering = findOffer(step);
  if (lettering !== step.panel.lettering) step.show({ lettering });
}

function findOffer(step: Step): ArtworkLettering | undefined {
  const { foundLettering, designs, storedSettings, outlineLines } = step.state;
  const { design } = step.panel;
  const { placement } = step.around;
  if (!foundLettering || !design || placement?.designId !== design.id) return undefined;
  const isShown =
    designs.get(design.id)?.artwork === foundLettering.artwork && isSameFraming(storedSettings, placement);
  if (!isShown) return undefined;
  return foundLettering.lines.find(
    (line) => !outlineLines.includes(letteringKey(step, line)!) && toLiveText(step, line, 'text') !== undefined,
  );
}

/** Names a line of a design, whatever trace it was found in. */
const letteringKey = ({ panel }: Step, line: ArtworkLettering | undefined): string | undefined =>
  line && JSON.stringify([panel.design?.id, line.fontFamily, line.text]);

function toLiveText({ state, around }: Step, lettering: ArtworkLettering, textId: string): Command | undefined {
  const frame = state.foundLettering?.artwork;
  return frame && around.toLiveText?.({ artworkId: around.artworkId, frame, lettering }, textId);
}

function acceptLettering(step: Step, textId: string): void {
  const { lettering } = step.panel;
  const command = lettering && toLiveText(step, lettering, textId);
  if (!command) return;
  step.do({ type: 'dispatch', command });
  step.do({ type: 'selectText', textId });
  const description = `“${lettering.text}” is set in ${sayFace(lettering)}. Undo brings its outlines back.`;
  step.do({ type: 'notify', toast: { title: 'Live text', description } });
}

/** Puts a fresh trace on the stage and remembers the one before. */
function showTrace(step: Step, visit: VisitDesign & { artwork: Artwork; settings: TraceSettings }): void {
  step.do({ type: 'stopLive' });
  const { design, artwork, settings } = visit;
  const { designs, storedSettings, isBroughtBack, traces } = step.state;
  const { history } = step.panel;
  const before = designs.get(design.id)?.artwork;
  step.set({
    canTraceLive: true,
    isBroughtBack: false,
    storedSettings: settings,
    storedFraming: settings,
    traces: [...traces, { designId: design.id, artwork, settings }].slice(-MAX_TRACES),
  });
  showArtwork(step, visit);
  const isRemembered = before && storedSettings && !isBroughtBack;
  step.show(isRemembered ? { history: rememberPreview(history, { artwork: before, settings: storedSettings }) } : {});
}

function showArtwork(step: Step, visit: VisitDesign): void {
  step.set({ designs: withDesign(step.state.designs, visit) });
  step.do({ type: 'showArtwork', artwork: visit.artwork });
}

/** Puts the stored trace back on the stage, instead of one that was only looked at. */
function showStored(step: Step): void {
  step.do({ type: 'stopLive' });
  const { design, settings } = step.panel;
  const storedVisit = design && step.state.designs.get(design.id);
  const artwork = storedVisit && reframeVisit(step, storedVisit, settings);
  if (artwork) step.do({ type: 'showArtwork', artwork });
}

// Settings

/** Returns what this device would trace now; undefined while there is no design. */
function liveRequest(step: Step): LiveTraceRequest | undefined {
  const { design, status } = step.panel;
  return design && status === 'success' ? { design, ...requestOf(step) } : undefined;
}

const isLive = (step: Step) => step.around.hasLiveTrace && step.state.canTraceLive;

/** Shows what the panel asks for. A server trace of earlier settings is of no use any more. */
function showLive(step: Step): void {
  const request = liveRequest(step);
  step.set({ isBroughtBack: false });
  if (!request || !step.state.storedSettings) return;
  const { job } = step.panel;
  if (job === 'store' || job === 'preview' || job === 'vectorize') cancelJob(step);
  stopStoreTimer(step);
  if (isLive(step)) step.do({ type: 'showLive', request });
}

function warmUp(step: Step): void {
  const request = liveRequest(step);
  if (!request || !isLive(step) || step.state.readyDesign === request.design || step.panel.job) return;
  step.set({ readyDesign: request.design });
  step.do({ type: 'warmUpLive', request });
}

/** Keys and clicks that follow one another are stored once. */
function keepSettings(step: Step): void {
  stopStoreTimer(step);
  if (!liveRequest(step)) return;
  step.set({ isStorePending: true });
  step.do({ type: 'startStoreTimer' });
}

function stopStoreTimer(step: Step): void {
  if (!step.state.isStorePending) return;
  step.set({ isStorePending: false });
  step.do({ type: 'stopStoreTimer' });
}

function store(step: Step): void {
  stopStoreTimer(step);
  if (!step.panel.isStale && !step.state.isBroughtBack) showStored(step);
  else vectorize(step, { isQuiet: true, isStore: true, isAwaited: true, isOnStage: isLive(step) });
}

function goBack(step: Step): void {
  const { design, isStale, settings, history } = step.panel;
  const { storedSettings } = step.state;
  if (isStale && storedSettings && isSameFraming(storedSettings, settings)) {
    // Settings that are not stored are undone first.
    cancel(step);
    step.show({ settings: withoutDefaults(storedSettings), failure: undefined });
    return;
  }
  const { latest, rest } = undoPreview(history);
  if (!design || !latest) return;
  if (step.around.placement?.isLocked && !isSameFraming(latest.settings, settings)) {
    const toast = { title: 'The design is locked', description: 'Unlock it to go back to another crop.' };
    step.do({ type: 'notify', toast });
    return;
  }
  cancel(step);
  step.set({ storedSettings: latest.settings, isBroughtBack: true });
  step.show({ settings: withoutDefaults(latest.settings), history: rest, failure: undefined });
  // The part of the picture returns too, as an undoable change of the composition.
  frameDesign(step, latest.settings);
  showArtwork(step, { design, artwork: latest.artwork, settings: latest.settings });
  keepSettings(step);
}

// The composition

/** Shows the design the composition names now, after undo, redo or a restored visit. */
function followDesign(step: Step): void {
  const { panel, state, around } = step;
  const designId = around.placement?.designId;
  if (panel.status === 'uploading') return;
  if (designId === panel.design?.id) {
    if (designId !== undefined) followFraming(step, around.placement);
    return;
  }
  // Other changes of the editor neither restart nor cancel a design that is loading, nor load a refused one again.
  const isLoading = state.running?.kind === 'load' && state.running.designId === designId;
  if (designId !== undefined && (isLoading || designId === state.missingDesignId)) return;
  stopStoreTimer(step);
  step.do({ type: 'stopLive' });
  abortJob(step);
  step.set({ storedSettings: undefined });
  if (designId === undefined) {
    step.set({ missingDesignId: undefined });
    step.show(emptyPanel(withFraming(panel.settings, undefined)));
    step.do({ type: 'showArtwork', artwork: undefined });
    return;
  }
  const visit = state.designs.get(designId) ?? around.sharedVisit;
  if (!visit) {
    const jobId = startJob(step, { kind: 'load', designId });
    step.do({ type: 'load', jobId, designId });
    return;
  }
  adopt(step, { ...visit, settings: visit.settings && withoutDefaults(visit.settings) });
  // The design was removed before its trace arrived.
  if (!visit.artwork) vectorize(step, { isQuiet: true });
}

/** Shows the trace that another artwork of this design has. A job of its own that runs is of no use any more. */
function shareTrace(step: Step, visit: VisitDesign): void {
  if (step.panel.design?.id !== visit.design.id || step.panel.job === 'removeBackground') return;
  cancel(step);
  adopt(step, { ...visit, settings: visit.settings && withoutDefaults(visit.settings) });
}

function answerLoad(step: Step, jobId: number, reply: LoadedDesign | undefined): void {
  const { running } = step.state;
  if (!running || running.id !== jobId) return;
  const { designId } = running;
  if (step.around.placement?.designId !== designId) {
    endJob(step, jobId);
    return;
  }
  if (!reply) {
    answerFailure(step, jobId, new Error('It is no longer there. Please upload the picture again.'));
    return;
  }
  endJob(step, jobId);
  const { settings } = reply.design;
  step.set({ storedFraming: settings });
  adopt(step, { ...reply, settings: fromVectorizeSettings(settings) });
  const { machine } = step.state;
  // The visit ended before it was traced for the machine it is for now.
  if (settings?.machineType && settings.machineType !== machine) changeMachine(step, settings.machineType, machine);
}

/** Puts a design with its latest trace on panel and stage. */
function adopt(step: Step, visit: VisitDesign): void {
  const { design, artwork } = visit;
  const { placement } = step.around;
  const settings = visit.settings ?? withFraming(withoutPalette(step.panel.settings), placement);
  const nextVisit: VisitDesign = { design, artwork, settings: artwork && settings };
  step.set({ designs: withDesign(step.state.designs, nextVisit), storedSettings: nextVisit.settings });
  step.show({
    ...emptyPanel(withFraming(settings, placement)),
    status: 'success',
    progress: 100,
    design,
    filename: design.filename,
    skew: skewOf(step, design.id, placement),
  });
  step.do({ type: 'showArtwork', artwork: reframeVisit(step, nextVisit, placement) ?? pictureOf(design) });
  // It was last traced of another part than this composition shows.
  if (!isSameFraming(nextVisit.settings, placement)) showFramed(step, design);
}

/** Shows another part of the design's picture than before. */
function followFraming(step: Step, framing: Framing | undefined): void {
  const { design, settings, job } = step.panel;
  if (!design || isSameFraming(framing, settings)) return;
  // A trace of another part is of no use any more.
  if (job !== 'removeBackground') cancelJob(step);
  stopStoreTimer(step);
  step.do({ type: 'stopLive' });
  step.show({ settings: withFraming(settings, framing), skew: skewOf(step, design.id, framing) });
  showFramed(step, design);
}

function showFramed(step: Step, design: Design): void {
  const { settings, job } = step.panel;
  const before = step.state.traces.findLast(
    (trace) => trace.designId === design.id && isSameTrace(trace.settings, settings),
  );
  if (before) {
    step.set({ storedSettings: settings });
    showArtwork(step, { design, artwork: before.artwork, settings });
    step.show({});
    return;
  }
  showStored(step);
  // When its background is gone the picture is traced anyway.
  if (job === 'removeBackground') return;
  showLive(step);
  keepSettings(step);
}

/** Straightens the design, and crops it to whole pixels of the picture a trace is made from. */
function frameDesign(step: Step, { straighten, crop }: Framing): void {
  const { design } = step.panel;
  if (!design) return;
  const size = toFrameSize(design, straighten);
  const box = crop && toPixelBox(crop, size);
  const fractions = box && {
    x: box.x / size.width,
    y: box.y / size.height,
    width: box.width / size.width,
    height: box.height / size.height,
  };
  const { area, artworkId: id } = step.around;
  const pictureAspect = size.width / size.height;
  const areaAspect = area.widthMm / area.heightMm;
  const command = { type: 'cropDesign', id, crop: fractions, straighten, pictureAspect, areaAspect } as const;
  step.do({ type: 'dispatch', command });
}

function followMachine(step: Step): void {
  const { machine: before } = step.state;
  const { machine } = step.around;
  if (machine === before) return;
  step.set({ machine });
  changeMachine(step, before, machine);
}

/**
 * Gives a trace the colors of another machine, unless the person chose some, and traces again where that changes it.
 */
function changeMachine(step: Step, from: MachineMode, to: MachineMode): void {
  const request = requestOf(step);
  const before = toVectorizerOptions(toVectorizeSettings({ ...request, machine: from }));
  const wasDefault = request.settings.colorMode === defaultColorMode(from);
  if (wasDefault && defaultColorMode(to) !== defaultColorMode(from)) {
    const { colorMode, shapeStacking } = defaultSettings(to);
    step.show({ settings: changeSettings(request.settings, { colorMode, shapeStacking }) });
  }
  // Chosen colors stay, but a laser knows no gradients.
  const after = toVectorizerOptions(toVectorizeSettings(requestOf(step)));
  if (step.panel.design && !isSame(before, after)) vectorize(step, {});
}

function removeDesign(step: Step): void {
  cancel(step);
  step.set({ storedSettings: undefined });
  step.show(emptyPanel(defaultSettings(step.around.machine)));
  step.do({ type: 'dispatch', command: { type: 'remove', elementId: artworkElementId(step.around.artworkId) } });
  step.do({ type: 'showArtwork', artwork: undefined });
}

// Background

/** Reserves the design for a question about its background, unless a job runs. */
function openBackground(step: Step): void {
  const { design, job } = step.panel;
  if (design && !job) startJob(step, { kind: 'removeBackground', designId: design.id });
}

/** Shows the design's new picture and traces it. */
function changePicture(step: Step, reply: LoadedDesign, title: string): void {
  const { design } = reply;
  const { settings } = step.panel;
  if (step.panel.design?.id !== design.id) return;
  // A picture cannot be shown in part before it is traced.
  const standIn = settings.crop || settings.straighten ? step.state.designs.get(design.id)?.artwork : undefined;
  const artwork = reply.artwork ?? standIn ?? pictureOf(design);
  showArtwork(step, { design, artwork, settings: standIn && step.state.storedSettings });
  // A trace of the other picture must not come back, as files are made of this one.
  step.set({ traces: [], storedSettings: undefined });
  step.show({ design, history: [] });
  // The trace that follows is not announced.
  step.do({ type: 'notify', toast: { title, description: design.filename } });
  vectorize(step, { isQuiet: true, isAwaited: true });
}

// Helpers

const withDesign = (designs: ReadonlyMap<string, VisitDesign>, visit: VisitDesign) =>
  new Map(designs).set(visit.design.id, visit);

/** Returns the picture itself as artwork, before it is traced. */
function pictureOf(design: Design): Artwork {
  const imageHref = design.backgroundRemovedUrl ?? design.originalFileUrl;
  return { width: design.width, height: design.height, shapes: [], imageHref };
}

/**
 * Moves a stored trace to where the present crop puts it. Where the picture was straightened otherwise, the ink of the
 * trace stands in alone: the next one takes its place.
 */
function reframeVisit(
  step: Step,
  { artwork, settings }: VisitDesign,
  framing: Framing | undefined,
): Artwork | undefined {
  if (!artwork || !settings) return artwork;
  if (isSameStraightening(settings.straighten, framing?.straighten)) {
    return reframeArtwork(artwork, settings.crop, framing?.crop);
  }
  const ink = measureInk(artwork, step.around.machine);
  return ink ? createStandIn(artwork, ink) : artwork;
}
