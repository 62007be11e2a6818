/**
 * Engraves the pictures of an editor's artworks as the composition asks for it. One engraving runs at a time, the
 * active artwork's first; of what is asked for meanwhile only the newest is made. While a setting is moved a sketch is
 * shown, and the exact dots when it rests. An element that is moved, turned or resized keeps its dots until it rests.
 *
 * Loaded with the first engraving.
 */
import type { Editor } from '../document/editor.ts';
import { type EngraveRequest, type Engraver, type EngravingReply, sentenceOf } from '../ports.ts';
import { type EngravedPanel, engravedElements } from './engravedElements.ts';
import { countPixels, engraveRequestOf, frameKey, placeKey, requestKey } from './engraveRequest.ts';

/** The engraving of one artwork. */
export interface EngravingState {
  /** `working`: the stage does not show yet what the composition asks for. */
  readonly status: 'working' | 'failed' | 'done';
  /** Why it failed. */
  readonly failure?: string | undefined;
  /** The share of the frame that is burnt, 0…1, as the stage shows it. */
  readonly meanTone?: number | undefined;
  /** The pixels of the file in millions, where the stage shows a sketch of so many. */
  readonly sketchedMillions?: number | undefined;
}

/** About as many pixels as are dithered and shown within a tenth of a second. */
export const SKETCH_PIXELS = 250_000;
/** An engraving with more pixels is sketched first. */
const MOST_AT_ONCE = 3_000_000;
/** An engraving with more pixels is sketched only: a browser takes four bytes to show each of them. */
const MOST_SHOWN = 36_000_000;
/** An engraving that has run longer than this is aborted for a newer one. */
const PATIENCE_MS = 150;
/** Pictures are let go of this long after others took their place: views that follow later still show them. */
const RELEASE_MS = 5_000;

interface Picture {
  readonly key: string;
  readonly isSketch: boolean;
  readonly frameKey: string;
  readonly placeKey: string;
  readonly reply: EngravingReply;
}

interface Job {
  readonly id: string;
  readonly key: string;
  readonly request: EngraveRequest;
}

interface Listener {
  readPanel(artworkId: string): EngravedPanel | undefined;
  onStates(states: ReadonlyMap<string, EngravingState>): void;
}

export interface EngravingFlow {
  /** Follows the editor and the designs. */
  follow(): void;
  /** Aborts what runs and lets go of all pictures. */
  stop(): void;
}

export function createEngravingFlow(
  editor: Editor,
  engraver: Engraver,
  { readPanel, onStates }: Listener,
  now: () => number = () => performance.now(),
): EngravingFlow {
  const pictures = new Map<string, Picture>();
  const failures = new Map<string, { readonly key: string; readonly sentence: string }>();
  let states: ReadonlyMap<string, EngravingState> = new Map();
  let running: { readonly job: Job; readonly controller: AbortController; readonly since: number } | undefined;
  let isFollowing = false;
  let isStale = false;

  function take(id: string, next: Picture | undefined): void {
    const before = pictures.get(id);
    if (next) pictures.set(id, next);
    else pictures.delete(id);
    editor.setEngravedArtwork(id, next?.reply.artwork);
    if (before) setTimeout(before.reply.release, RELEASE_MS);
  }

  /** Returns the engravings to make, the active artwork's first, and sets the states of all. */
  function plan(): Job[] {
    const state = editor.getState();
    const elements = engravedElements(state);
    for (const id of [...pictures.keys()]) if (!elements.some((element) => element.id === id)) take(id, undefined);
    const nextStates = new Map<string, EngravingState>();
    const jobs: Job[] = [];
    for (const element of elements) {
      const { id } = element;
      const request = engraveRequestOf(state, element, readPanel(id));
      const key = request && requestKey(request);
      const last = pictures.get(id);
      // Dots of another frame would lie at a wrong place.
      if (request && last && last.frameKey !== frameKey(request)) take(id, undefined);
      const current = pictures.get(id);
      const meanTone = current?.reply.meanTone;
      const failure = failures.get(id);
      const sketchedMillions = request && sketchedMillionsOf(request);
      if (request && key === current?.key && (!current?.isSketch || sketchedMillions !== undefined)) {
        nextStates.set(id, { status: 'done', meanTone, ...(sketchedMillions && { sketchedMillions }) });
      } else if (key !== undefined && failure?.key === key) {
        nextStates.set(id, { status: 'failed', failure: failure.sentence, meanTone });
      } else {
        nextStates.set(id, { status: 'working', meanTone });
        const job = request && key !== undefined && planJob(id, request, key, current, state.isGesturing);
        if (job) jobs.push(job);
      }
    }
    if (!isSameStates(states, nextStates)) {
      states = nextStates;
      onStates(states);
    }
    return jobs.sort((a, b) => Number(b.id === state.activeArtworkId) - Number(a.id === state.activeArtworkId));
  }

  function run(job: Job): void {
    const controller = new AbortController();
    const { signal } = controller;
    running = { job, controller, since: now() };
    const end = (): boolean => {
      if (running?.controller !== controller) return false;
      running = undefined;
      return true;
    };
    engraver.engrave(job.request, signal).then(
      (reply) => {
        if (!end()) {
          reply?.release();
          return;
        }
        if (!reply) fail(job, 'This browser cannot show the engraving. The file is made all the same.');
        else if (isStillAskedFor(job)) take(job.id, toPicture(job, reply));
        else reply.release();
        follow();
      },
      (error: unknown) => {
        if (!end()) return;
        if (!signal.aborted) fail(job, sentenceOf(error, 'The picture could not be engraved. Please try again.'));
        follow();
      },
    );
  }

  /** True while the dots fit the artwork's frame, be they of the newest settings or of those before. */
  function isStillAskedFor({ id, request }: Job): boolean {
    const state = editor.getState();
    const element = engravedElements(state).find((each) => each.id === id);
    const newest = element && engraveRequestOf(state, element, readPanel(id));
    return newest !== undefined && frameKey(newest) === frameKey(request);
  }

  const fail = ({ id, key }: Job, sentence: string) => failures.set(id, { key, sentence });

  function follow(): void {
    if (isFollowing) {
      isStale = true;
      return;
    }
    isFollowing = true;
    let jobs: Job[];
    do {
      isStale = false;
      jobs = plan();
    } while (isStale);
    isFollowing = false;
    if (running) {
      const { job, since, controller } = running;
      const newer = jobs.find(({ id }) => id === job.id);
      if (newer?.key === job.key) return;
      // A steady hand sees each sketch.
      if (newer && now() - since <= PATIENCE_MS) return;
      running = undefined;
      controller.abort();
    }
    if (jobs[0]) run(jobs[0]);
  }

  return {
    follow,
    stop() {
      running?.controller.abort();
      running = undefined;
      for (const id of [...pictures.keys()]) take(id, undefined);
    },
  };
}

/** Returns the job of an artwork: a sketch or the exact dots. Undefined while its element is turned or resized. */
function planJob(
  id: string,
  request: EngraveRequest,
  key: string,
  current: Picture | undefined,
  isGesturing: boolean,
): Job | undefined {
  if (isGesturing && current && current.placeKey !== placeKey(request)) return undefined;
  const isLarge = countPixels(request) > MOST_AT_ONCE;
  const hasSketch = current?.key === key && current.isSketch;
  if (!isGesturing && (hasSketch || !isLarge) && countPixels(request) <= MOST_SHOWN) return { id, key, request };
  return hasSketch ? undefined : { id, key, request: { ...request, maxPixels: SKETCH_PIXELS } };
}

/** Returns the millions of pixels of an engraving that the stage shows as a sketch; undefined for others. */
function sketchedMillionsOf(request: EngraveRequest): number | undefined {
  const pixels = countPixels(request);
  return pixels > MOST_SHOWN ? Math.round(pixels / 1e6) : undefined;
}

const toPicture = ({ key, request }: Job, reply: EngravingReply): Picture => ({
  key,
  isSketch: request.maxPixels !== undefined,
  frameKey: frameKey(request),
  placeKey: placeKey(request),
  reply,
});

const isSameStates = (a: ReadonlyMap<string, EngravingState>, b: ReadonlyMap<string, EngravingState>): boolean =>
  a.size === b.size && [...a].every(([id, state]) => JSON.stringify(state) === JSON.stringify(b.get(id)));
