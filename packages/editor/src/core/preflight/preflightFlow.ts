/**
 * The preflight of an editor: checks a moment after the hand rests, never during a gesture. Measures an element again
 * only when its drawing, size or machine has changed. Its views show marks and a list; no file contains them.
 */

import type { Design } from '@markwright/contract/schemas';
import { toPixelBox } from '@markwright/contract/tracing';
import {
  type ArtworkElement,
  artworksOf,
  type DroppedDetail,
  elementIdOf,
  type FileMends,
  type Finding,
  fileMends,
  findArtwork,
  isCutFinding,
  type JobReview,
  mendAll,
  preflight,
  type Scene,
  straightenedSize,
} from '@markwright/scene';
import type { Editor, ElementId } from '../document/editor.ts';
import type { Ports } from '../ports.ts';
import type { Store } from '../store.ts';
import type { DesignFlow } from '../trace/designFlow.ts';
import { isUnfinished, type TraceStatus, traceStatusOf } from '../trace/traceStatus.ts';
import { createFeatureCache } from './featureCache.ts';
import { createReviewCache } from './reviewCache.ts';

/** Longer than the pause between two nudges. */
export const PREFLIGHT_DELAY_MS = 400;

export interface PreflightState {
  /** Undefined until the first check, and while there is nothing on a product. */
  readonly findings: readonly Finding[] | undefined;
  /** True when the findings are those of the present stage. */
  readonly isCurrent: boolean;
  /** Why the picture is not judged yet; undefined when it is, and where there is none. */
  readonly untraced: Exclude<TraceStatus, 'none' | 'traced'> | undefined;
  /** True while lines and gaps are measured, or the job is reviewed. */
  readonly isMeasuring: boolean;
  /** What the file mends by itself; undefined until the job was reviewed. */
  readonly mends: FileMends | undefined;
  /** What the file leaves out because no machine can hold it; undefined until the job was reviewed. */
  readonly dropped: DroppedDetail | undefined;
  /** True when the dropped detail is drawn over the stage. */
  readonly isDroppedShown: boolean;
  /** The finding marked more strongly than the others, by its key; or `MENDS_KEY`. */
  readonly shownKey: string | undefined;
  readonly isOpen: boolean;
}

/** Runs while there is a subscriber. */
export interface PreflightFlow extends Store<PreflightState> {
  /** Selects the element and marks the finding on the stage; the same again takes the mark away. */
  show(finding: Finding): void;
  /** Applies the fix of a finding: one undo step, or a new trace. */
  fix(finding: Finding): void;
  /** Mends every cut that can be mended, as one undo step. */
  mendAll(): void;
  /** Marks on the stage what the file mends by itself; the same again takes the marks away. */
  showMends(): void;
  /** Leaves the gaps in cuts open again that were closed here. */
  reopenGaps(): void;
  setDroppedShown(isShown: boolean): void;
  setOpen(isOpen: boolean): void;
  /** Checks the present stage with what is measured by now, and returns the findings. */
  judgeNow(): readonly Finding[];
}

/** Returns the key of a finding. An element has at most one of each kind. */
export const findingKey = ({ elementId, kind }: Finding): string => `${elementId} ${kind}`;

/** The key of what the file mends by itself, among the keys of findings. */
export const MENDS_KEY = 'mends';

/** The host's part of a preflight. */
type PreflightPorts = Pick<Ports, 'measureFeatures' | 'reviewJob'>;

const nothing: PreflightState = {
  findings: undefined,
  isCurrent: false,
  untraced: undefined,
  isMeasuring: false,
  mends: undefined,
  dropped: undefined,
  isDroppedShown: false,
  shownKey: undefined,
  isOpen: false,
};

const flows = new WeakMap<Editor, PreflightFlow>();

/** Returns the preflight of an editor: the same one for every view. */
export function preflightOf(editor: Editor, ports: PreflightPorts, designs: DesignFlow): PreflightFlow {
  const existing = flows.get(editor);
  if (existing) return existing;
  const flow = createPreflight(editor, ports, designs);
  flows.set(editor, flow);
  return flow;
}

/** Creates a preflight that checks after a debounce, and cancels measuring when the composition changes. */
export function createPreflight(
  editor: Editor,
  ports: PreflightPorts,
  designs: Pick<DesignFlow, 'panels' | 'engravings' | 'subscribe' | 'changeSettings' | 'keepSettings'>,
): PreflightFlow {
  const listeners = new Set<() => void>();
  const cache = createFeatureCache(ports);
  const reviews = createReviewCache(ports);
  let state = nothing;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: AbortController | undefined;
  let disconnect: (() => void) | undefined;

  function update(changes: Partial<PreflightState>): void {
    state = { ...state, ...changes };
    for (const listener of listeners) listener();
  }

  function findUntraced(composition = editor.getState().composition): PreflightState['untraced'] {
    const status = traceStatusOf(composition, designs.panels(), designs.engravings());
    return isUnfinished(status) ? status : undefined;
  }

  /** Returns the scene without pictures that stand in for their traces, and those whose engraving is on its way. */
  function judgedScene(): Scene {
    const { scene, composition } = editor.getState();
    if (!findUntraced()) return scene;
    const isUntraced = (artwork: ArtworkElement) => findUntraced({ ...composition, elements: [artwork] });
    const untracedIds = artworksOf(composition).filter(isUntraced).map(elementIdOf);
    return { ...scene, groups: scene.groups.filter(({ elementId }) => !untracedIds.includes(elementId)) };
  }

  function check(): void {
    const { composition, assets, unit } = editor.getState();
    const scene = judgedScene();
    const waitsFor = findUntraced();
    if (composition.productId === undefined || editor.getState().scene.groups.length === 0) {
      update({ ...nothing, isCurrent: true, untraced: waitsFor, isOpen: state.isOpen });
      return;
    }
    const review = reviews.find(scene);
    const present = preflight(composition, assets, scene, {
      featuresOf: (group) => cache.find(scene, group)?.features,
      review: review?.result,
      pictureOf: (id) => {
        const design = designs.panels().get(id)?.design;
        return design && pictureSize(findArtwork(composition, id), design);
      },
      unit,
    });
    // Until the job is reviewed again, what was said of the cuts stands: it must not go and come with every move.
    const findings = review ? present : [...present, ...cutsBefore(scene, state)];
    const { mends, dropped } = review ? summarize(scene, review.result) : state;
    const keys = [...findings.map(findingKey), ...(mends?.words.length ? [MENDS_KEY] : [])];
    const shownKey = keys.find((key) => key === state.shownKey);
    const isMeasuring = !review || scene.groups.some((group) => !cache.find(scene, group));
    update({ findings, mends, dropped, shownKey, isCurrent: true, untraced: waitsFor, isMeasuring });
  }

  async function measure(): Promise<void> {
    const controller = new AbortController();
    running = controller;
    const scene = judgedScene();
    await cache.measureAll(scene, controller.signal);
    if (!controller.signal.aborted) await reviews.review(scene, controller.signal);
    if (controller.signal.aborted) return;
    running = undefined;
    check();
  }

  function stop(): void {
    clearTimeout(timer);
    timer = undefined;
    running?.abort();
    running = undefined;
  }

  let last: unknown[] = [];
  function follow(): void {
    const { scene, isGesturing, unit } = editor.getState();
    const waitsFor = findUntraced();
    const shownDesigns = [...designs.panels().values()].map(({ design }) => design);
    const now = [scene, isGesturing, unit, waitsFor, ...shownDesigns];
    if (now.every((value, i) => value === last[i])) return;
    last = now;
    stop();
    if (state.isCurrent || state.untraced !== waitsFor) update({ isCurrent: false, untraced: waitsFor });
    if (isGesturing) return;
    timer = setTimeout(() => {
      check();
      if (state.isMeasuring) void measure();
    }, PREFLIGHT_DELAY_MS);
  }

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      if (!disconnect) {
        const unsubscribers = [editor.subscribe(follow), designs.subscribe(follow)];
        disconnect = () => {
          for (const each of unsubscribers) each();
        };
        follow();
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stop();
        disconnect?.();
        disconnect = undefined;
        last = [];
      };
    },
    show(finding) {
      const key = findingKey(finding);
      editor.select(finding.elementId as ElementId);
      update({ shownKey: state.shownKey === key ? undefined : key });
    },
    fix({ fix, elementId }) {
      if (!fix) return;
      if ('commands' in fix) {
        editor.dispatch({ type: 'several', commands: fix.commands });
        return;
      }
      // The settings of a trace are those of the active artwork.
      editor.select(elementId as ElementId);
      designs.changeSettings({ despeckle: fix.despeckle });
      designs.keepSettings();
    },
    mendAll() {
      const mends = mendAll(state.findings ?? []);
      if (mends) editor.dispatch(mends.command);
    },
    showMends: () => update({ shownKey: state.shownKey === MENDS_KEY ? undefined : MENDS_KEY }),
    reopenGaps() {
      const { reopen } = state.mends ?? {};
      if (reopen) editor.dispatch(reopen);
    },
    setDroppedShown: (isDroppedShown) => update({ isDroppedShown }),
    judgeNow() {
      check();
      return state.findings ?? [];
    },
    setOpen: (isOpen) => update(isOpen ? { isOpen } : { isOpen, shownKey: undefined, isDroppedShown: false }),
  };
}

/** Returns what was found in the cuts of elements that are still there. */
const cutsBefore = ({ groups }: Scene, { findings = [] }: PreflightState): Finding[] =>
  findings.filter(
    (finding) => isCutFinding(finding) && groups.some(({ elementId }) => elementId === finding.elementId),
  );

const summarize = (scene: Scene, review: JobReview | undefined) =>
  review ? { mends: fileMends(scene, review), dropped: review.dropped } : { mends: undefined, dropped: undefined };

/** Returns the pixels of the placed part of a picture; undefined for an SVG, which has no pixels to be short of. */
function pictureSize(
  { designId, crop, straighten }: Partial<ArtworkElement> = {},
  design: Design,
): { widthPx: number; heightPx: number } | undefined {
  if (design.id !== designId || /\.svg$/i.test(design.filename)) return undefined;
  const whole = straighten ? straightenedSize(straighten, design) : design;
  const { width, height } = crop ? toPixelBox(crop, whole) : whole;
  return { widthPx: width, heightPx: height };
}
