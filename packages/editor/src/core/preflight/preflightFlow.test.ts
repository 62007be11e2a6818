import {
  type Artwork,
  ArtworkElement,
  artworksOf,
  type FeatureRequest,
  type Features,
  type Scene,
} from '@markwright/scene';
import { measureFeatures } from '@markwright/scene/features';
import { reviewJob } from '@markwright/scene/reviewJob';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Editor } from '../document/editor.ts';
import {
  createDeferred,
  createHost,
  createTracedFlow,
  designPlacement,
  newDesign,
  openEditor,
  textElement,
} from '../testHost.ts';
import { createDesignFlow, type DesignFlow } from '../trace/designFlow.ts';
import { createPreflight, MENDS_KEY, PREFLIGHT_DELAY_MS, preflightOf } from './preflightFlow.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const bar = (height: number, y = 0) => ({
  d: `M0 ${y}L200 ${y}L200 ${y + height}L0 ${y + height}Z`,
  fill: '#000000',
  stroke: undefined,
  strokeWidth: 0,
  opacity: 1,
});
/** At size 50 on the coaster, 200 units are 50.8 mm. */
const drawing = (...shapes: Artwork['shapes']): Artwork => ({ width: 200, height: 100, shapes });

/** A flow in which the second artwork is traced as well. */
function withTraces(editor: Editor, designs: DesignFlow): DesignFlow {
  const [first, second] = artworksOf(editor.getState().composition);
  if (!first || !second) return designs;
  const panels = () => new Map(designs.panels()).set(second.id, designs.panels().get(first.id)!);
  return { ...designs, panels };
}

function open(
  editor: Editor,
  measure = async (request: FeatureRequest) => measureFeatures(request),
  review = async (scene: Scene) => reviewJob(scene),
) {
  const requests: { request: FeatureRequest; signal: AbortSignal }[] = [];
  const host = createHost({
    measureFeatures: (request, signal) => {
      requests.push({ request, signal });
      return measure(request);
    },
    reviewJob: (scene) => review(scene),
  });
  const designs = withTraces(editor, createTracedFlow(editor, host.ports));
  const flow = createPreflight(editor, host.ports, designs);
  const leave = flow.subscribe(() => {});
  const rest = () => vi.advanceTimersByTimeAsync(PREFLIGHT_DELAY_MS);
  const kinds = () => flow.getState().findings?.map(({ kind }) => kind);
  const finding = (kind: string) => flow.getState().findings!.find((each) => each.kind === kind)!;
  return { flow, host, designs, requests, leave, rest, kinds, finding };
}

test('checks when the hand rests, and finds nothing where all is well', async () => {
  const { flow, rest, kinds } = open(openEditor({ design: designPlacement() }));
  expect(flow.getState().findings).toBeUndefined();
  await rest();
  expect(kinds()).toEqual([]);
  expect(flow.getState()).toMatchObject({ isMeasuring: false, isCurrent: true });
});

test('judges a picture when it is traced, and never says before that all is clear', async () => {
  const answer = createDeferred<Artwork>();
  const editor = openEditor({ texts: [textElement('t', { heightInches: 0.11 })] });
  const host = createHost({
    vectorize: () => answer.promise,
    measureFeatures: async (request) => measureFeatures(request),
  });
  const designs = createDesignFlow(editor, host.ports);
  const flow = createPreflight(editor, host.ports, designs);
  const leave = flow.subscribe(() => {});
  const upload = designs.upload(new File(['x'], 'logo.png', { type: 'image/png' }));
  await vi.advanceTimersByTimeAsync(PREFLIGHT_DELAY_MS);
  const elementIds = () => new Set(flow.getState().findings!.map(({ elementId }) => elementId));
  expect(flow.getState()).toMatchObject({ untraced: 'tracing', isMeasuring: false });
  expect(elementIds()).toEqual(new Set(['text:t']));

  answer.resolve(drawing(bar(0.2)));
  await upload;
  await vi.advanceTimersByTimeAsync(PREFLIGHT_DELAY_MS);
  expect(flow.getState().untraced).toBeUndefined();
  expect(elementIds()).toEqual(new Set(['text:t', 'design']));
  leave();
});

test('checks nothing during a gesture, and aborts a running measurement when one begins', async () => {
  const editor = openEditor({ design: designPlacement() });
  const { flow, requests, rest } = open(editor, () => new Promise<Features>(() => {}));
  await rest();
  expect(requests).toHaveLength(1);
  expect(flow.getState()).toMatchObject({ isMeasuring: true, isCurrent: true });
  editor.beginGesture();
  expect(requests[0]!.signal.aborted).toBe(true);
  expect(flow.getState().isCurrent).toBe(false);
  const listener = vi.fn();
  flow.subscribe(listener);
  for (let x = 1; x <= 20; x++) {
    editor.updateGesture({ type: 'updateDesign', id: 'design', changes: { x } });
    await vi.advanceTimersByTimeAsync(PREFLIGHT_DELAY_MS);
  }
  expect(requests).toHaveLength(1);
  expect(listener).not.toHaveBeenCalled();
  editor.commitGesture();
  await rest();
  expect(requests).toHaveLength(2);
});

test('an element is measured again when its size changes, not when it is moved or turned', async () => {
  const editor = openEditor({ design: designPlacement() });
  const { requests, rest } = open(editor);
  await rest();
  editor.dispatch({ type: 'updateDesign', id: 'design', changes: { x: 10, angleDeg: 33, isFlipped: true } });
  await rest();
  expect(requests).toHaveLength(1);
  editor.dispatch({ type: 'updateDesign', id: 'design', changes: { size: 40 } });
  await rest();
  expect(requests).toHaveLength(2);
  editor.dispatch({ type: 'setMachine', machine: 'uv' });
  await rest();
  expect(requests).toHaveLength(3);
});

test.each([
  ['outside', { design: designPlacement({ x: 40 }) }, drawing(bar(100))],
  ['outside', { design: designPlacement({ size: 180, x: -12 }) }, drawing(bar(100))],
  ['smallText', { texts: [textElement('t', { heightInches: 0.11 })] }, undefined],
  ['thinLine', { design: designPlacement() }, drawing(bar(0.6))],
  ['narrowGap', { design: designPlacement() }, drawing(bar(40), bar(40, 40.8))],
])('one click fixes %s, and one undo reverts it', async (kind, changes, artwork) => {
  const editor = openEditor(changes);
  if (artwork) editor.setArtwork('design', artwork);
  const before = editor.getState().composition;
  const { flow, rest, kinds, finding } = open(editor);
  await rest();
  expect(kinds()).toEqual([kind]);
  flow.fix(finding(kind));
  await rest();
  expect(kinds()).toEqual([]);
  editor.undo();
  expect(editor.getState().composition).toEqual(before);
  expect(editor.getState().canUndo).toBe(false);
  await rest();
  expect(kinds()).toEqual([kind]);
});

/** A square of cuts whose last side ends `gap` units below its start. */
const ring = (x: number, gap: number) => ({
  d: `M${x} 20L${x + 40} 20L${x + 40} 60L${x} 60L${x} ${20 + gap}`,
  fill: undefined,
  stroke: '#ff0000',
  strokeWidth: 0.2,
  opacity: 1,
});

/** Two artworks with an open cut each, on the coaster. */
function openRings(): Editor {
  const second = ArtworkElement.parse({ ...designPlacement(), id: 'b', x: 20 });
  const editor = openEditor({ elements: [designPlacement({ x: -20 }), second] });
  editor.setArtwork('design', drawing(ring(20, 2), ring(20, 2), ring(100, 0)));
  editor.setArtwork('b', drawing(ring(20, 3)));
  return editor;
}

test('mends one cut or all of them, each as one step that undo takes back', async () => {
  const editor = openRings();
  const before = editor.getState().composition;
  const { flow, rest, kinds } = open(editor);
  await rest();
  expect(kinds()).toEqual(['openContour', 'openContour']);
  expect(flow.getState().mends).toMatchObject({ words: ['1 double line'], reopen: undefined });
  flow.showMends();
  expect(flow.getState().shownKey).toBe(MENDS_KEY);
  flow.showMends();
  expect(flow.getState().shownKey).toBeUndefined();

  flow.fix(flow.getState().findings![1]!);
  await rest();
  expect(kinds()).toEqual(['openContour']);
  expect(flow.getState().mends).toMatchObject({ words: ['1 double line', '1 gap'] });
  flow.reopenGaps();
  await rest();
  expect(kinds()).toEqual(['openContour', 'openContour']);
  editor.undo();
  editor.undo();
  expect(editor.getState().composition).toEqual(before);

  await rest();
  flow.mendAll();
  await rest();
  expect(kinds()).toEqual([]);
  editor.undo();
  expect(editor.getState().composition).toEqual(before);
  expect(editor.getState().canUndo).toBe(false);
});

test('what is said of cuts stands until the job is reviewed again', async () => {
  const editor = openRings();
  const answers: (() => void)[] = [];
  const { flow, rest, kinds } = open(editor, undefined, async (scene) => {
    await new Promise<void>((resolve) => answers.push(resolve));
    return reviewJob(scene);
  });
  await rest();
  expect(kinds()).toEqual([]);
  expect(flow.getState().isMeasuring).toBe(true);
  answers.shift()!();
  await vi.advanceTimersByTimeAsync(0);
  expect(kinds()).toHaveLength(2);
  editor.dispatch({ type: 'remove', elementId: 'design:b' });
  await rest();
  expect(flow.getState()).toMatchObject({ isMeasuring: true, isCurrent: true });
  expect(kinds()).toHaveLength(1);
  editor.dispatch({ type: 'closeGaps', elementId: 'design', reach: 0.1 });
  await rest();
  expect(kinds()).toHaveLength(1);
  answers.at(-1)!();
  await vi.advanceTimersByTimeAsync(0);
  expect(kinds()).toEqual([]);
  expect(flow.getState().isMeasuring).toBe(false);
});

test('shows what the machine cannot hold, until the list is closed', async () => {
  const editor = openEditor({ design: designPlacement() });
  const speck = 'M20 40L20.3 40L20.3 40.3L20 40.3Z';
  editor.setArtwork('design', drawing({ ...bar(80), d: `${bar(80).d}${speck}` }));
  const { flow, rest } = open(editor);
  await rest();
  const { dropped } = flow.getState();
  expect(dropped).toMatchObject({ count: 1 });
  expect(dropped!.areaMm2).toBeCloseTo((0.3 * 0.254) ** 2, 4);
  flow.setOpen(true);
  flow.setDroppedShown(true);
  expect(flow.getState().isDroppedShown).toBe(true);
  flow.setOpen(false);
  expect(flow.getState().isDroppedShown).toBe(false);
});

test('fixes specks with a new trace', async () => {
  const editor = openEditor();
  const { flow, designs, host, rest, finding } = open(editor);
  const working = designs.connect();
  await vi.advanceTimersByTimeAsync(0);
  await designs.upload(new File(['x'], 'logo.png', { type: 'image/png' }));
  const speck = { ...bar(0, 0), d: 'M20 20L20.3 20L20.3 20.3L20 20.3Z' };
  editor.setArtwork('design', drawing(bar(40, 50), speck));
  await rest();
  expect(finding('specks')).toMatchObject({ fix: { label: 'Raise Despeckle to 1', despeckle: 1 } });
  flow.fix(finding('specks'));
  await vi.advanceTimersByTimeAsync(1000);
  const traces = host.calls.filter(({ name }) => name === 'vectorize');
  expect(traces.at(-1)!.input).toMatchObject({ settings: { despeckle: 1 } });
  working();
});

test('counts the pixels of the picture behind a design; an SVG has none', async () => {
  const editor = openEditor({ design: designPlacement({ designId: 'd9' }) });
  const small = { ...newDesign('d9'), width: 100, height: 50 };
  const { designs, host, rest, kinds } = open(editor);
  host.ports.loadDesign = async () => ({ design: small, artwork: drawing(bar(100)) });
  const leave = designs.connect();
  await vi.advanceTimersByTimeAsync(0);
  await rest();
  expect(kinds()).toEqual(['lowResolution']);
  leave();
});

test('finds as many dots an inch in a part of a picture as in the whole', async () => {
  const editor = openEditor({ design: designPlacement({ designId: 'd9' }) });
  const small = { ...newDesign('d9'), width: 100, height: 50 };
  const { designs, host, rest, finding } = open(editor);
  host.ports.loadDesign = async () => ({ design: small, artwork: drawing(bar(100)) });
  host.ports.vectorize = async (_id, { settings: { crop } }) => ({
    ...drawing(bar(100)),
    width: 200 * (crop?.width ?? 1),
  });
  const leave = designs.connect();
  await vi.advanceTimersByTimeAsync(0);
  await rest();
  const { sentence } = finding('lowResolution');
  expect(sentence).toMatch(/^\d+ dpi at this size/);
  designs.frame({ crop: { x: 0.5, y: 0, width: 0.5, height: 1 } });
  await vi.advanceTimersByTimeAsync(2000);
  await rest();
  expect(finding('lowResolution').sentence).toBe(sentence);
  leave();
});

test('keeps the other checks when lines cannot be measured', async () => {
  const editor = openEditor({ design: designPlacement({ x: 45 }) });
  const { flow, rest, kinds } = open(editor, () => Promise.reject(new Error('No worker.')));
  await rest();
  expect(kinds()).toEqual(['outside']);
  expect(flow.getState().isMeasuring).toBe(false);
});

test('selects the element of a shown finding; removes the mark when shown again', async () => {
  const editor = openEditor({ design: designPlacement({ x: 45 }) });
  const { flow, rest, finding } = open(editor);
  await rest();
  flow.setOpen(true);
  flow.show(finding('outside'));
  expect(editor.getState().selection).toBe('design');
  expect(flow.getState().shownKey).toBe('design outside');
  flow.show(finding('outside'));
  expect(flow.getState().shownKey).toBeUndefined();
});

test('shares one preflight for an editor, which stops without subscribers', async () => {
  const editor = openEditor({ design: designPlacement() });
  const host = createHost();
  const designs = createDesignFlow(editor, host.ports);
  const flow = preflightOf(editor, host.ports, designs);
  expect(preflightOf(editor, host.ports, designs)).toBe(flow);
  await vi.advanceTimersByTimeAsync(PREFLIGHT_DELAY_MS);
  expect(flow.getState().findings).toBeUndefined();
  const leave = flow.subscribe(() => {});
  leave();
  await vi.advanceTimersByTimeAsync(PREFLIGHT_DELAY_MS);
  expect(flow.getState().findings).toBeUndefined();
});
