import type { VectorizeSettings } from '@markwright/contract/schemas';
import { toFrameSize } from '@markwright/contract/tracing';
import { messages, type TraceStage } from '@markwright/contract/words';
import { type Artwork, artworksOf, type Straightening } from '@markwright/scene';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Backgrounds, LoadedDesign, Ports } from '../ports.ts';
import { artwork, createDeferred, createHost, newDesign, openEditor, settle } from '../testHost.ts';
import { createDesignFlow, type DesignFlow } from './designFlow.ts';
import {
  defaultSettings,
  shownSettings,
  type TraceSettings,
  toProductionSettings,
  toVectorizeSettings,
} from './traceSettings.ts';

afterEach(() => void vi.useRealTimers());

const file = (name = 'logo.png', type = 'image/png') => new File(['x'], name, { type });

function open(changes: Partial<Ports> = {}, machine: 'laser' | 'uv' = 'laser') {
  const editor = openEditor({ machine });
  editor.setArtwork('design', undefined);
  const host = createHost(changes);
  const flow = createDesignFlow(editor, host.ports);
  const disconnect = flow.connect();
  const settingsOf = (at: number) =>
    (host.calls.filter(({ name }) => name === 'vectorize').at(at)!.input as { settings: VectorizeSettings }).settings;
  return { editor, host, flow, disconnect, settingsOf };
}
const productionSettings = (flow: DesignFlow) =>
  toProductionSettings({ settings: flow.getState().settings, machine: 'laser' });
const titles = (host: ReturnType<typeof createHost>) => host.toasts.map(({ title }) => title);

test('an upload places the design, traces it with the machine’s defaults and shows notices', async () => {
  const { editor, host, flow, settingsOf } = open();
  await flow.upload(file());
  expect(flow.getState()).toMatchObject({ status: 'success', progress: 100, job: undefined, isStale: false });
  expect(artworksOf(editor.getState().composition)[0]).toMatchObject({
    designId: 'd1',
    filename: 'logo.png',
    aspect: 2,
  });
  expect(editor.getState().selection).toBe('design');
  expect(editor.getState().assets.artworks.get('design')?.shapes).toHaveLength(1);
  expect(settingsOf(0)).toMatchObject({ colorMode: 'black', quality: 'medium', mode: 'preview', machineType: 'laser' });
  expect(settingsOf(0).paletteSize).toBeUndefined();
  expect(titles(host)).toEqual([messages.uploaded, messages.vectorized]);
});

test('a file that says its size lands at it, and says where that is too large', async () => {
  const upload = async (widthMm: number, lineWidth: number) => {
    const design = { ...newDesign('d1', 'part.dxf'), outlineFile: 'DXF' as const, widthMm };
    // Lines that are followed are as large as their outline, however wide they are drawn.
    const shape = {
      d: 'M0 0L64 0L64 32L0 32Z',
      fill: undefined,
      stroke: '#ff0000',
      strokeWidth: lineWidth,
      opacity: 1,
    };
    const { editor, host, flow } = open({
      uploadDesign: async () => design,
      vectorize: async () => ({ width: 64, height: 32, shapes: [shape] }),
    });
    await flow.upload(file('part.dxf', ''));
    return { editor, toast: host.toasts.at(-1), sizeMm: editor.getState().scene.groups[0]!.sizeMm };
  };
  const small = await upload(40, 0.1);
  expect(small.sizeMm.width).toBeCloseTo(40, 4);
  expect(small.sizeMm.height).toBeCloseTo(20, 4);
  expect(small.toast).toEqual({ title: 'Outlines read', description: 'part.dxf is 40.0 × 20.0 mm.' });
  // The coaster has 101.6 × 50.8 mm.
  const large = await upload(600, 0.1);
  expect(large.sizeMm.width).toBeCloseTo(600, 3);
  expect(large.toast?.description).toBe(
    'part.dxf is 600.0 × 300.0 mm, larger than the machine area. Preflight can shrink it to fit.',
  );
  // A single step: undo leaves no picture of another size.
  large.editor.undo();
  expect(artworksOf(large.editor.getState().composition)).toEqual([]);
});

test('traces in color by default for a UV printer', async () => {
  const { flow, settingsOf } = open({}, 'uv');
  await flow.upload(file());
  expect(settingsOf(0)).toMatchObject({ colorMode: 'color', machineType: 'uv' });
});

test('shows the picture itself until its trace arrives', async () => {
  const trace = createDeferred<Artwork>();
  const { editor, flow } = open({ vectorize: () => trace.promise });
  const done = flow.upload(file());
  await settle();
  expect(flow.getState()).toMatchObject({ status: 'success', job: 'vectorize' });
  expect(editor.getState().assets.artworks.get('design')).toMatchObject({ imageHref: '/files/d1', shapes: [] });
  trace.resolve(artwork);
  await done;
  expect(editor.getState().assets.artworks.get('design')?.imageHref).toBeUndefined();
});

test('rejects a file that is no picture before the upload', async () => {
  const { host, flow } = open();
  await flow.upload(file('notes.txt', 'text/plain'));
  expect(host.toasts).toEqual([{ ...messages.notAnImage, variant: 'destructive' }]);
  expect(host.calls).toEqual([]);
  expect(flow.getState().status).toBe('idle');
});

test('uploads a drawing for a machine, which the browser calls no image', async () => {
  const { host, flow } = open();
  await flow.upload(file('part.lbrn2', ''));
  expect(titles(host)).toContain(messages.uploaded);
  expect(flow.getState().status).toBe('success');
});

test('asks a guest whose free mockups are used up to sign up', async () => {
  const { host, flow } = open({ account: () => ({ isSignedIn: false, mockups: { used: 4, limit: 4 } }) });
  await flow.upload(file());
  expect(host.accountRequests[0]?.reason).toBe('mockups');
  expect(host.calls).toEqual([]);
});

test('progress rises with time, stops at 90 % and is complete with the server’s answer', async () => {
  vi.useFakeTimers();
  const answer = createDeferred<ReturnType<typeof newDesign>>();
  const { flow } = open({ uploadDesign: () => answer.promise });
  const done = flow.upload(file());
  const fractions: number[] = [];
  flow.subscribe(() => fractions.push(flow.getState().progress));
  await vi.advanceTimersByTimeAsync(20_000);
  expect(flow.getState().progress).toBe(90);
  expect([...fractions].sort((a, b) => a - b)).toEqual(fractions);
  answer.resolve(newDesign('d1'));
  await done;
  expect(flow.getState().progress).toBe(100);
  await vi.advanceTimersByTimeAsync(1000);
  expect(flow.getState().progress).toBe(100);
});

test('shows the server’s message after a failed upload, and resets when the design is removed', async () => {
  const { host, flow } = open({ uploadDesign: () => Promise.reject(new Error('The picture is too large.')) });
  await flow.upload(file());
  expect(flow.getState()).toMatchObject({ status: 'error', progress: 0, failure: 'The picture is too large.' });
  expect(host.toasts).toEqual([
    { title: 'Upload failed', description: 'The picture is too large.', variant: 'destructive' },
  ]);
  flow.remove();
  expect(flow.getState()).toMatchObject({ status: 'idle', failure: undefined });
});

test('shows the stages of the trace that runs, and none of an earlier one', async () => {
  const calls: { onStage(stage: TraceStage): void; resolve(artwork: Artwork): void }[] = [];
  const { flow } = open({
    vectorize: (_id, _settings, { onStage }) => new Promise((resolve) => calls.push({ onStage, resolve })),
  });
  const uploading = flow.upload(file());
  await settle();
  expect(flow.getState()).toMatchObject({ job: 'vectorize', traceStage: undefined });
  calls[0]!.onStage('colors');
  expect(flow.getState().traceStage).toBe('colors');
  calls[0]!.resolve(artwork);
  await uploading;
  const again = flow.retrace();
  expect(flow.getState()).toMatchObject({ job: 'vectorize', traceStage: undefined });
  calls[0]!.onStage('stack');
  expect(flow.getState().traceStage).toBeUndefined();
  calls[1]!.onStage('read');
  expect(flow.getState().traceStage).toBe('read');
  calls[1]!.resolve(artwork);
  await again;
});

test('keeps the first design when a second upload fails or is canceled', async () => {
  let attempt = 0;
  const waiting = createDeferred<never>();
  const { editor, flow } = open({
    uploadDesign: () => {
      attempt += 1;
      if (attempt === 1) return Promise.resolve(newDesign('d1'));
      return attempt === 2 ? Promise.reject(new Error('no')) : waiting.promise;
    },
  });
  await flow.upload(file());
  await flow.upload(file('two.png'));
  expect(flow.getState()).toMatchObject({ status: 'success', filename: 'logo.png' });
  const third = flow.upload(file('three.png'));
  expect(flow.getState().status).toBe('uploading');
  flow.cancel();
  expect(flow.getState()).toMatchObject({ status: 'success', filename: 'logo.png' });
  waiting.reject(new Error('aborted'));
  await third;
  expect(flow.getState()).toMatchObject({ status: 'success', filename: 'logo.png' });
  expect(artworksOf(editor.getState().composition)[0]?.designId).toBe('d1');
});

test('keeps the picture and reports why a trace failed, and stays silent after a cancel', async () => {
  let fail = true;
  const { host, flow } = open({
    vectorize: (_id, _settings, { signal }) =>
      fail
        ? Promise.reject(new Error('It took too long.'))
        : new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
  });
  await flow.upload(file());
  expect(flow.getState()).toMatchObject({ status: 'success', job: undefined, failure: 'It took too long.' });
  expect(host.toasts.at(-1)).toMatchObject({ title: 'Vectorization failed', variant: 'destructive' });
  fail = false;
  const toasts = host.toasts.length;
  const running = flow.retrace();
  expect(flow.getState()).toMatchObject({ job: 'vectorize', failure: undefined });
  flow.cancel();
  await running;
  expect(flow.getState().job).toBeUndefined();
  expect(host.toasts).toHaveLength(toasts);
});

test('asks for an account on 402 instead of reporting a failure', async () => {
  const refusal = Object.assign(new Error('You have used all 4 free mockups.'), { status: 402 });
  const { host, flow } = open({ vectorize: () => Promise.reject(refusal) });
  await flow.upload(file());
  expect(host.accountRequests).toMatchObject([{ reason: 'mockups', description: 'You have used all 4 free mockups.' }]);
  expect(host.toasts).toHaveLength(1);
});

test('requests a preview for preview settings alone, and a full trace with them for any other setting', async () => {
  const { host, flow, settingsOf } = open();
  await flow.upload(file());
  flow.changeSettings({ despeckle: 4 });
  expect(flow.getState().isStale).toBe(true);
  await flow.retrace();
  expect(host.calls.at(-1)).toMatchObject({
    name: 'preview',
    input: { settings: { paletteSize: 2, despeckle: 4, cutout: false, colorMode: 'black', mode: 'preview' } },
  });
  expect(host.toasts.at(-1)?.title).toBe(messages.previewUpdated);
  expect(flow.getState().isStale).toBe(false);
  flow.changeSettings({ drawStyle: 'stroke_shapes' });
  await flow.retrace();
  expect(settingsOf(-1)).toMatchObject({ drawStyle: 'stroke_shapes', despeckle: 4 });
  expect(settingsOf(-1).paletteSize).toBeUndefined();
});

test('treats a blank preview as a failure and changes nothing', async () => {
  const { editor, host, flow } = open({ generatePreview: async () => ({ width: 9, height: 300, shapes: [] }) });
  await flow.upload(file());
  const before = editor.getState().assets.artworks.get('design');
  flow.changeSettings({ despeckle: 4 });
  await flow.retrace();
  expect(host.toasts.at(-1)).toMatchObject({ description: messages.previewFailed, variant: 'destructive' });
  expect(editor.getState().assets.artworks.get('design')).toBe(before);
});

test('keeps five earlier previews, and undo restores the latest with its settings', async () => {
  const { editor, flow } = open();
  await flow.upload(file());
  const traces: (Artwork | undefined)[] = [editor.getState().assets.artworks.get('design')];
  for (let despeckle = 1; despeckle <= 7; despeckle++) {
    flow.changeSettings({ despeckle });
    await flow.retrace();
    traces.push(editor.getState().assets.artworks.get('design'));
  }
  expect(flow.getState().history).toHaveLength(5);
  flow.undoPreview();
  expect(editor.getState().assets.artworks.get('design')).toBe(traces.at(-2));
  expect(flow.getState()).toMatchObject({ settings: { despeckle: 6 }, isStale: false });
  for (let i = 0; i < 10; i++) flow.undoPreview();
  expect(editor.getState().assets.artworks.get('design')).toBe(traces[2]);
  expect(flow.getState().history).toHaveLength(0);
});

test('changing the machine changes the colors and traces again, unless the colors were chosen', async () => {
  const { editor, host, flow, settingsOf } = open();
  await flow.upload(file());
  editor.dispatch({ type: 'setMachine', machine: 'uv' });
  await settle();
  expect(settingsOf(-1)).toMatchObject({ colorMode: 'color', machineType: 'uv' });
  flow.changeSettings({ colorMode: 'stainless' });
  const count = host.calls.length;
  editor.dispatch({ type: 'setMachine', machine: 'laser' });
  await settle();
  expect(host.calls).toHaveLength(count);
  expect(flow.getState().settings.colorMode).toBe('stainless');
});

test('keeps chosen colors for another machine, and traces for a laser without gradients', async () => {
  const { editor, flow, settingsOf } = open({}, 'uv');
  await flow.upload(file());
  flow.changeSettings({ colorMode: 'grayscale' });
  editor.dispatch({ type: 'setMachine', machine: 'laser' });
  await settle();
  expect(settingsOf(-1)).toMatchObject({ colorMode: 'grayscale', machineType: 'laser' });
});

const edits = [{ color: '#c81e1e', paint: '#112233' }];

test('stores a restored preview with its palette, so that files are made from it', async () => {
  vi.useFakeTimers();
  const { flow, host, settingsOf } = open({}, 'uv');
  await flow.upload(file());
  flow.changeSettings({ palette: edits });
  flow.changeSettings({ despeckle: 4 });
  await flow.retrace();
  flow.changeSettings({ palette: undefined });
  flow.changeSettings({ despeckle: 7 });
  await flow.retrace();
  const callCount = host.calls.length;
  flow.undoPreview();
  expect(flow.getState()).toMatchObject({
    settings: { palette: edits, despeckle: 4 },
    isStale: false,
  });
  expect(host.calls).toHaveLength(callCount);
  await flow.waitUntilStored();
  expect(settingsOf(-1)).toMatchObject({ palette: edits, despeckle: 4 });
  expect(flow.getState().history).toHaveLength(1);
  flow.undoPreview();
  await flow.waitUntilStored();
  expect(settingsOf(-1).palette).toBeUndefined();
  expect(settingsOf(-1).despeckle).toBeUndefined();
});

test('goes back to the stored trace when a change is undone before it is stored', async () => {
  const { flow, host, editor } = open({}, 'uv');
  await flow.upload(file());
  const currentArtwork = editor.getState().assets.artworks.get('design');
  flow.changeSettings({ palette: edits });
  flow.keepSettings();
  flow.undoPreview();
  expect(flow.getState()).toMatchObject({ isStale: false, history: [] });
  expect(flow.getState().settings.palette).toBeUndefined();
  expect(editor.getState().assets.artworks.get('design')).toBe(currentArtwork);
  await flow.waitUntilStored();
  expect(host.calls.filter(({ name }) => name === 'vectorize')).toHaveLength(1);
});

test('keeps edits of the palette while its colors stay the same', async () => {
  const { flow } = open({}, 'uv');
  await flow.upload(file());
  const palette = () => flow.getState().settings.palette;
  const edit = () => flow.changeSettings({ palette: edits });
  edit();
  flow.changeSettings({ despeckle: 3 });
  flow.changeSettings({ quality: 'low', simplify: 80, shapeStacking: 'cutouts', colorMode: 'color' });
  expect(palette()).toEqual(edits);
  flow.changeSettings({ paletteSize: 8 });
  expect(palette()).toBeUndefined();
  edit();
  flow.changeSettings({ brightness: 20 });
  expect(palette()).toBeUndefined();
  edit();
  flow.changeSettings({ colorMode: 'grayscale' });
  expect(palette()).toBeUndefined();
  edit();
  await flow.upload(file('other.png'));
  expect(palette()).toBeUndefined();
});

test('undo restores a removed design without a request', async () => {
  const { editor, host, flow } = open();
  await flow.upload(file());
  const trace = editor.getState().assets.artworks.get('design');
  flow.remove();
  expect(flow.getState().status).toBe('idle');
  expect(editor.getState().assets.artworks.get('design')).toBeUndefined();
  const count = host.calls.length;
  editor.undo();
  expect(flow.getState()).toMatchObject({ status: 'success', filename: 'logo.png' });
  expect(editor.getState().assets.artworks.get('design')).toBe(trace);
  expect(host.calls).toHaveLength(count);
  editor.redo();
  expect(flow.getState().status).toBe('idle');
});

test('traces a restored picture that was removed before its trace arrived', async () => {
  const trace = createDeferred<Artwork>();
  let callCount = 0;
  const vectorize = async () => (callCount++ === 0 ? trace.promise : { ...artwork });
  const { editor, flow } = open({ vectorize });
  const uploading = flow.upload(file());
  await settle();
  editor.dispatch({ type: 'remove', elementId: 'design' });
  trace.resolve(artwork);
  await uploading;
  expect(flow.getState()).toMatchObject({ status: 'idle', isTraced: false });
  editor.undo();
  expect(flow.getState()).toMatchObject({ status: 'success', job: 'vectorize', isTraced: false });
  await settle();
  expect(flow.getState()).toMatchObject({ job: undefined, isTraced: true, isStale: false });
  expect(editor.getState().assets.artworks.get('design')?.shapes).toHaveLength(1);
});

test('does not count a picture as traced after its trace was canceled', async () => {
  const { flow } = open({ vectorize: () => new Promise(() => undefined) });
  void flow.upload(file());
  await settle();
  flow.cancel();
  expect(flow.getState()).toMatchObject({ status: 'success', job: undefined, isTraced: false, isStale: true });
});

test('traces a restored design for the current machine, unless its colors were chosen', async () => {
  const restore = async (settings: Partial<VectorizeSettings>) => {
    const storedSettings = { ...toVectorizeSettings({ settings: defaultSettings('uv'), machine: 'uv' }), ...settings };
    const loadDesign = async (id: string) => ({
      design: { ...newDesign(id), settings: storedSettings },
      artwork: { ...artwork },
    });
    const session = open({ loadDesign });
    session.editor.dispatch({ type: 'placeDesign', id: 'design', designId: 'old', filename: 'old.png', aspect: 2 });
    await settle();
    return session;
  };
  const cutShort = await restore({ machineType: 'uv' });
  expect(cutShort.settingsOf(-1)).toMatchObject({ colorMode: 'black', machineType: 'laser' });
  expect(cutShort.flow.getState()).toMatchObject({ job: undefined, isStale: false });
  const restoredSettings = await restore({ machineType: 'laser' });
  expect(restoredSettings.host.calls.filter(({ name }) => name === 'vectorize')).toEqual([]);
  expect(restoredSettings.flow.getState().settings.colorMode).toBe('color');
});

test('loads a restored design, and reports one that no longer exists', async () => {
  const place = { type: 'placeDesign', id: 'design', designId: 'old', filename: 'old.png', aspect: 2 } as const;
  const restart = open();
  restart.editor.dispatch(place);
  await settle();
  expect(restart.flow.getState()).toMatchObject({ status: 'success', filename: 'logo.png' });
  expect(restart.editor.getState().assets.artworks.get('design')?.shapes).toHaveLength(1);

  const missingDesign = open({ loadDesign: async () => undefined });
  missingDesign.editor.dispatch(place);
  await settle();
  expect(missingDesign.host.toasts).toMatchObject([{ variant: 'destructive' }]);
  expect(missingDesign.flow.getState().job).toBeUndefined();
});

const nobody = (): void => {};
const wish = { edgeShift: 0, feather: 0, strokes: [] };
const cut = { ...newDesign('d1'), backgroundRemovedUrl: '/files/cut' };
const backgrounds = (changes: Partial<Backgrounds>): { backgrounds: Backgrounds } => ({
  backgrounds: {
    read: async () => wish,
    cutOut: async () => '/files/automatic',
    remove: async () => ({ design: cut, artwork: undefined }),
    restore: async () => ({ design: newDesign('d1'), artwork: undefined }),
    ...changes,
  },
});

test('removing the background delays a trace, which then follows with a single notice', async () => {
  const answer = createDeferred<LoadedDesign>();
  const { host, flow } = open(backgrounds({ remove: () => answer.promise }));
  await flow.upload(file());
  const running = flow.removeBackground(wish);
  await settle();
  expect(flow.getState().job).toBe('removeBackground');
  expect(await flow.cutOut(undefined, nobody)).toBeUndefined();
  answer.resolve({ design: cut, artwork: undefined });
  await running;
  expect(flow.getState()).toMatchObject({ job: 'vectorize', design: { backgroundRemovedUrl: '/files/cut' } });
  await flow.waitUntilStored();
  expect(titles(host).slice(-2)).toEqual([messages.vectorized, messages.backgroundRemoved]);
});

test('changes nothing for a trial of a cut-out, and rejects with the server’s reason', async () => {
  const refusal = new Error(messages.backgroundNotPlain);
  let isPlain = true;
  const cutOut: Backgrounds['cutOut'] = (_id, _clearEnclosed, { onStage }) => {
    onStage('reading');
    return isPlain ? Promise.resolve('/files/automatic') : Promise.reject(refusal);
  };
  const { editor, host, flow } = open(backgrounds({ cutOut }));
  await flow.upload(file());
  const [before, artwork] = [host.toasts.length, editor.getState().assets.artworks.get('design')];
  const stages: string[] = [];
  expect(await flow.cutOut(true, (stage) => stages.push(stage))).toBe('/files/automatic');
  expect(stages).toEqual(['reading']);
  isPlain = false;
  await expect(flow.cutOut(undefined, nobody)).rejects.toThrow(messages.backgroundNotPlain);
  expect(host.toasts).toHaveLength(before);
  expect(flow.getState()).toMatchObject({ job: undefined, failure: undefined, design: { backgroundRemovedUrl: null } });
  expect(editor.getState().assets.artworks.get('design')).toBe(artwork);
});

test('a canceled removal keeps the design and shows no notice', async () => {
  const remove: Backgrounds['remove'] = (_id, _wish, { signal, onStage }) => {
    onStage('writing');
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
  };
  const { flow } = open(backgrounds({ remove }));
  await flow.upload(file());
  const stages: string[] = [];
  const running = flow.removeBackground(wish, (stage) => stages.push(stage));
  await settle();
  expect(stages).toEqual(['writing']);
  flow.cancel();
  expect(await running).toBeUndefined();
  expect(flow.getState()).toMatchObject({ job: undefined, design: { backgroundRemovedUrl: null } });
});

test('restores the original and traces it', async () => {
  const { host, flow } = open(backgrounds({}));
  await flow.upload(file());
  await flow.removeBackground(wish);
  await flow.restoreBackground();
  await flow.waitUntilStored();
  expect(flow.getState().design?.backgroundRemovedUrl).toBeNull();
  expect(host.calls.filter(({ name }) => name === 'vectorize')).toHaveLength(3);
  expect(titles(host).at(-1)).toBe('Original restored');
});

test('delays a trace until the background is removed, and then uses the latest settings', async () => {
  const answer = createDeferred<LoadedDesign>();
  const { editor, host, flow, settingsOf } = open(backgrounds({ remove: () => answer.promise }));
  await flow.upload(file());
  const traces = () => host.calls.filter(({ name }) => name === 'vectorize' || name === 'preview').length;
  const running = flow.removeBackground(wish);
  await settle();
  flow.changeSettings({ quality: 'high' });
  flow.keepSettings();
  await flow.waitUntilStored();
  await flow.retrace();
  flow.changeSettings({ despeckle: 3 });
  await flow.retrace();
  editor.dispatch({ type: 'setMachine', machine: 'uv' });
  await settle();
  expect(flow.getState().job).toBe('removeBackground');
  expect(traces()).toBe(1);
  answer.resolve({ design: cut, artwork: undefined });
  await running;
  await flow.waitUntilStored();
  expect(traces()).toBe(2);
  expect(settingsOf(-1)).toMatchObject({ quality: 'high', despeckle: 3, colorMode: 'color', machineType: 'uv' });
});

test('never restores a trace with the removed background, by undo or by undoing a crop', async () => {
  const { editor, flow, settingsOf } = open(backgrounds({}));
  await flow.upload(file());
  flow.changeSettings({ despeckle: 3 });
  await flow.retrace();
  expect(flow.getState().history).toHaveLength(1);
  flow.frame({ crop: { x: 0, y: 0, width: 0.5, height: 1 } });
  await flow.waitUntilStored();
  await flow.removeBackground(wish);
  await flow.waitUntilStored();
  expect(flow.getState()).toMatchObject({ history: [], isStale: false });
  editor.undo();
  expect(flow.getState().isStale).toBe(true);
  await flow.waitUntilStored();
  expect(settingsOf(-1).crop).toBeUndefined();
  expect(flow.getState().isStale).toBe(false);
});

test('does not remove the background while a trace runs', async () => {
  const trace = createDeferred<Artwork>();
  const remove = () => Promise.reject(new Error('not to be asked'));
  const { host, flow } = open({ vectorize: () => trace.promise, ...backgrounds({ remove }) });
  const done = flow.upload(file());
  await settle();
  expect(flow.getState().job).toBe('vectorize');
  expect(await flow.removeBackground(wish)).toBeUndefined();
  expect(flow.getState().job).toBe('vectorize');
  trace.resolve(artwork);
  await done;
  expect(titles(host)).toEqual([messages.uploaded, messages.vectorized]);
});

test('shows a dragged setting on the stage at once and stores it on release', async () => {
  const { editor, host, flow, settingsOf } = open({
    previewTrace: async (_design, { settings: { despeckle } }) => ({ ...artwork, width: 200 + (despeckle ?? 0) }),
  });
  await flow.upload(file());
  vi.useFakeTimers();
  const before = host.calls.length;
  const toasts = host.toasts.length;
  const shownWidth = () => editor.getState().assets.artworks.get('design')?.width;
  flow.changeSettings({ despeckle: 3 });
  flow.changeSettings({ despeckle: 7 });
  await vi.advanceTimersByTimeAsync(2000);
  expect(shownWidth()).toBe(207);
  expect(host.calls).toHaveLength(before);
  expect(flow.getState()).toMatchObject({ isStale: true, job: undefined });

  flow.keepSettings();
  await vi.advanceTimersByTimeAsync(1000);
  expect(host.calls.slice(before).map(({ name }) => name)).toEqual(['vectorize']);
  expect(settingsOf(-1)).toMatchObject({ despeckle: 7, mode: 'preview' });
  expect(shownWidth()).toBe(artwork.width);
  expect(flow.getState()).toMatchObject({ isStale: false, job: undefined });
  expect(flow.getState().history).toHaveLength(1);
  expect(host.toasts).toHaveLength(toasts);
});

test('shows the stored trace again without a request when a setting returns to its value', async () => {
  const { editor, host, flow } = open({ previewTrace: async () => ({ ...artwork, width: 1 }) });
  await flow.upload(file());
  const storedArtwork = editor.getState().assets.artworks.get('design');
  flow.changeSettings({ shapeStacking: 'stacked' });
  await settle();
  expect(editor.getState().assets.artworks.get('design')).not.toBe(storedArtwork);
  flow.changeSettings({ shapeStacking: 'cutouts' });
  flow.keepSettings();
  const before = host.calls.length;
  await flow.waitUntilStored();
  expect(editor.getState().assets.artworks.get('design')).toBe(storedArtwork);
  expect(host.calls).toHaveLength(before);
});

test('removes a trace that could not be stored from the stage', async () => {
  let isBroken = false;
  const { editor, flow } = open({
    previewTrace: async () => ({ ...artwork, width: 1 }),
    vectorize: async () => {
      if (isBroken) throw new Error('Nothing is left of this picture.');
      return artwork;
    },
  });
  await flow.upload(file());
  isBroken = true;
  flow.changeSettings({ despeckle: 10 });
  flow.keepSettings();
  await settle();
  await flow.waitUntilStored();
  expect(editor.getState().assets.artworks.get('design')).toBe(artwork);
  expect(flow.getState()).toMatchObject({ failure: 'Nothing is left of this picture.', isStale: true, job: undefined });
});

test('cancels storing an older change for a newer one', async () => {
  const answers: ReturnType<typeof createDeferred<Artwork>>[] = [];
  const signals: AbortSignal[] = [];
  const { flow, editor } = open({
    previewTrace: async () => artwork,
    vectorize(_id, _settings, { signal }) {
      signals.push(signal);
      answers.push(createDeferred<Artwork>());
      return answers.at(-1)!.promise;
    },
  });
  const uploading = flow.upload(file());
  await settle();
  answers[0]!.resolve(artwork);
  await uploading;
  flow.changeSettings({ despeckle: 4 });
  flow.keepSettings();
  void flow.waitUntilStored();
  expect(flow.getState().job).toBe('store');
  flow.changeSettings({ despeckle: 5 });
  expect(signals[1]!.aborted).toBe(true);
  expect(flow.getState().job).toBeUndefined();
  const late = { ...artwork, width: 9 };
  answers[1]!.resolve(late);
  await settle();
  expect(editor.getState().assets.artworks.get('design')).not.toBe(late);
});

test('traces on the server at release when the device cannot trace', async () => {
  const { host, flow } = open({ previewTrace: async () => undefined });
  await flow.upload(file());
  flow.changeSettings({ despeckle: 4 });
  await settle();
  flow.keepSettings();
  const storing = flow.waitUntilStored();
  expect(flow.getState().job).toBe('vectorize');
  await storing;
  expect(host.calls.filter(({ name }) => name === 'vectorize')).toHaveLength(2);
  expect(flow.getState()).toMatchObject({ isStale: false });
});

test('traces with the palette size that the panel shows', async () => {
  const { flow, settingsOf } = open();
  await flow.upload(file());
  expect(shownSettings(flow.getState().settings).paletteSize).toBe(2);
  flow.changeSettings({ colorMode: 'color' });
  expect(shownSettings(flow.getState().settings).paletteSize).toBe(64);
  flow.changeSettings({ paletteSize: 12 });
  flow.changeSettings({ colorMode: 'grayscale' });
  await flow.retrace();
  expect(shownSettings(flow.getState().settings).paletteSize).toBe(12);
  expect(settingsOf(-1)).toMatchObject({ colorMode: 'grayscale', paletteSize: 12 });
});

test('production settings are the specification’s defaults with the changed settings', async () => {
  const { flow } = open();
  expect(productionSettings(flow)).toMatchObject({
    quality: 'high',
    mode: 'vectorize',
    machineType: 'laser',
    paletteSize: 64,
    despeckle: 1,
    colorMode: 'black',
  });
  flow.changeSettings({ despeckle: 6 });
  expect(productionSettings(flow)).toMatchObject({ paletteSize: 64, despeckle: 6 });
});

test('traces side-by-side shapes for a laser and stacked shapes for ink by default', () => {
  expect(defaultSettings('laser')).toMatchObject({ colorMode: 'black', shapeStacking: 'cutouts' });
  expect(defaultSettings('uv')).toMatchObject({ colorMode: 'color', shapeStacking: 'stacked' });
});

describe('a crop', () => {
  const right = { x: 0.5, y: 0, width: 0.5, height: 1 };
  /** Returns a trace that tells its settings by its size: as wide as its part of the picture, and all of it ink. */
  const traceOf = ({ crop = { x: 0, y: 0, width: 1, height: 1 }, despeckle = 0 }: VectorizeSettings): Artwork => {
    const [width, height] = [640 * crop.width, 320 * crop.height - despeckle / 1000];
    return { width, height, shapes: [{ ...artwork.shapes[0]!, d: `M0 0L${width} 0L${width} ${height}L0 ${height}Z` }] };
  };
  function openTraced(changes: Partial<Ports> = {}) {
    const requests: VectorizeSettings[] = [];
    const vectorize: Ports['vectorize'] = async (_id, request) => {
      const settings = toVectorizeSettings(request);
      requests.push(settings);
      return traceOf(settings);
    };
    return { ...open({ vectorize, ...changes }), settingsOf: (at: number) => requests.at(at)! };
  }
  const boxOf = ({ editor }: ReturnType<typeof open>) => {
    const { sizeMm, corners } = editor.getState().scene.groups[0]!;
    return { ...sizeMm, right: corners[1].x, top: corners[1].y };
  };

  test('keeps the rest of the artwork in place, is traced and stored, and is one undo step', async () => {
    const studio = openTraced();
    const { editor, flow } = studio;
    await flow.upload(file());
    const before = boxOf(studio);
    const whole = editor.getState().assets.artworks.get('design');
    flow.frame({ crop: right });
    // At once, before there is a trace of it.
    expect(boxOf(studio)).toMatchObject({
      width: expect.closeTo(before.width / 2, 6),
      right: expect.closeTo(before.right, 6),
    });
    await flow.waitUntilStored();
    expect(flow.getState()).toMatchObject({ settings: { crop: right }, isStale: false });
    expect(editor.getState().assets.artworks.get('design')).toMatchObject({ width: 320, height: 320 });
    expect(boxOf(studio)).toMatchObject({
      width: expect.closeTo(before.width / 2, 6),
      right: expect.closeTo(before.right, 6),
    });
    const part = editor.getState().assets.artworks.get('design');

    editor.undo();
    expect(boxOf(studio)).toEqual(before);
    expect(editor.getState().assets.artworks.get('design')).toBe(whole);
    expect(flow.getState()).toMatchObject({ isStale: false, job: undefined });
    expect(flow.getState().settings.crop).toBeUndefined();
    editor.redo();
    expect(editor.getState().assets.artworks.get('design')).toBe(part);
    expect(productionSettings(flow).crop).toEqual(right);
  });

  test('that is undone after another setting is traced again with that setting', async () => {
    const { editor, flow } = openTraced();
    await flow.upload(file());
    flow.frame({ crop: right });
    await flow.waitUntilStored();
    flow.changeSettings({ despeckle: 5 });
    flow.keepSettings();
    await flow.waitUntilStored();
    editor.undo();
    await flow.waitUntilStored();
    expect(editor.getState().assets.artworks.get('design')).toMatchObject({ width: 640, height: 320 - 0.005 });
    expect(flow.getState().isStale).toBe(false);
  });

  test('that cannot be traced leaves the rest of the artwork in its place, and can be undone', async () => {
    let isBroken = false;
    const studio = openTraced({
      async vectorize(_id, request) {
        if (isBroken) throw new Error('Nothing is left of this picture.');
        return traceOf(toVectorizeSettings(request));
      },
    });
    await studio.flow.upload(file());
    const before = boxOf(studio);
    isBroken = true;
    studio.flow.frame({ crop: right });
    await studio.flow.waitUntilStored();
    expect(studio.flow.getState().failure).toBe('Nothing is left of this picture.');
    expect(boxOf(studio).right).toBeCloseTo(before.right, 6);
    studio.editor.undo();
    expect(boxOf(studio)).toEqual(before);
  });

  test('is in whole pixels, and does not apply to the next picture', async () => {
    const { editor, flow, settingsOf } = openTraced();
    await flow.upload(file());
    flow.changeSettings({ brightness: 20, threshold: 30 });
    flow.frame({ crop: { x: 0.3001, y: 0.1, width: 0.2, height: 0.5 } });
    await flow.waitUntilStored();
    expect(settingsOf(-1)).toMatchObject({ brightness: 20, threshold: 30 });
    expect(settingsOf(-1).crop!.x * 640).toBeCloseTo(192, 9);
    await flow.upload(file('next.png'));
    expect(settingsOf(-1)).toMatchObject({ brightness: 0, contrast: 0 });
    expect(settingsOf(-1)).not.toHaveProperty('threshold');
    expect(settingsOf(-1)).not.toHaveProperty('crop');
    editor.undo();
    expect(flow.getState().settings).toMatchObject({ brightness: 20, threshold: 30, crop: { y: 0.1 } });
  });

  test('is undone and redone with the previews, as a step of the composition', async () => {
    const studio = openTraced();
    const { editor, flow } = studio;
    await flow.upload(file());
    const before = boxOf(studio);
    flow.frame({ crop: right });
    await flow.waitUntilStored();
    flow.undoPreview();
    expect(boxOf(studio)).toEqual(before);
    expect(flow.getState()).toMatchObject({ isStale: false, job: undefined });
    editor.undo();
    expect(boxOf(studio).width).toBeCloseTo(before.width / 2, 6);
  });

  test('of a saved composition is traced when the design’s stored trace has another crop', async () => {
    const settings: VectorizeSettings = {
      ...defaultSettings('laser'),
      mode: 'preview',
      threshold: 40,
      despeckle: 3,
    };
    const { editor, flow, settingsOf } = openTraced({
      loadDesign: async (id) => ({ design: { ...newDesign(id), settings }, artwork: traceOf(settings) }),
    });
    const place = { type: 'placeDesign', id: 'design', designId: 'old', filename: 'old.png', aspect: 2 } as const;
    const crop = { type: 'cropDesign', id: 'design', crop: right, pictureAspect: 2, areaAspect: 2 } as const;
    editor.dispatch({ type: 'several', commands: [place, crop] });
    await settle();
    await flow.waitUntilStored();
    expect(settingsOf(-1)).toMatchObject({ crop: right, threshold: 40, despeckle: 3 });
    expect(flow.getState()).toMatchObject({ settings: { threshold: 40, despeckle: 3 } });
    expect(editor.getState().assets.artworks.get('design')).toMatchObject({ width: 320 });
  });
});

describe('a straightened picture', () => {
  const corners: Straightening['corners'] = [
    { x: -0.1, y: 0.1 },
    { x: 0.9, y: -0.1 },
    { x: 1.1, y: 0.9 },
    { x: 0.1, y: 1.1 },
  ];
  const straighten = { corners, aspect: 1.5 };
  /** The ink of each trace is the middle of it; a straightened picture is 600 × 400. */
  const traceOf = ({ straighten: frame }: TraceSettings): Artwork => {
    const [width, height] = frame ? [600, 400] : [640, 320];
    const d = frame ? 'M200 100L400 100L400 300L200 300Z' : 'M100 100L340 100L340 300L100 300Z';
    return { width, height, shapes: [{ ...artwork.shapes[0]!, d }] };
  };
  function openTraced(changes: Partial<Ports> = {}) {
    const requests: TraceSettings[] = [];
    const vectorize: Ports['vectorize'] = async (_id, { settings }) => {
      requests.push(settings);
      return traceOf(settings);
    };
    return { ...open({ vectorize, ...changes }), settingsOf: (at: number) => requests.at(at)! };
  }
  const placeOf = ({ editor }: Pick<ReturnType<typeof open>, 'editor'>) => {
    const { x, y, size, ink } = artworksOf(editor.getState().composition)[0]!;
    return { x, y, size, ink, corners: editor.getState().scene.groups[0]!.corners };
  };

  test('puts its ink where the ink was, is traced and stored, and is one undo step', async () => {
    const studio = openTraced();
    const { editor, flow, settingsOf } = studio;
    await flow.upload(file());
    editor.dispatch({ type: 'updateDesign', id: 'design', changes: { x: 7, y: -5, size: 50 } });
    const before = placeOf(studio);
    flow.frame({ straighten });
    // The ink that is there stands in, at its place, until there is a trace.
    expect(placeOf(studio)).toMatchObject({ x: 7, y: -5, size: 50, ink: undefined, corners: before.corners });
    expect(editor.getState().assets.artworks.get('design')).toMatchObject({ width: 240, height: 200, isStandIn: true });
    await flow.waitUntilStored();
    expect(settingsOf(-1)).toMatchObject({ straighten });
    expect(flow.getState()).toMatchObject({ settings: { straighten }, isStale: false });
    expect(placeOf(studio)).toMatchObject({ x: 7, y: -5, size: 50, ink: { y: 0.25, height: 0.5 } });
    expect(productionSettings(flow)).toMatchObject({ straighten });

    editor.undo();
    expect(placeOf(studio)).toEqual(before);
    expect(editor.getState().assets.artworks.get('design')).toMatchObject({ width: 640 });
    expect(flow.getState().settings).not.toHaveProperty('straighten');
    editor.redo();
    expect(placeOf(studio)).toMatchObject({ x: 7, y: -5, size: 50, ink: { y: 0.25, height: 0.5 } });
    expect(flow.getState()).toMatchObject({ isStale: false, job: undefined });
  });

  const skew = { angleDeg: 3.24, isPerspective: false, straighten };
  const tracePictureUrl = '/files/d1-traced.png';
  const uploadDesign = async ({ name }: File) => ({ ...newDesign('d1', name), tracePictureUrl });

  test('is offered after the trace of an upload, applied on request only, and can be undone', async () => {
    const studio = openTraced({ uploadDesign, findSkew: async () => skew });
    const { editor, flow, settingsOf } = studio;
    await flow.upload(file());
    await settle();
    expect(flow.getState()).toMatchObject({ skew, isTraced: true });
    expect(settingsOf(-1)).not.toHaveProperty('straighten');
    const before = placeOf(studio);
    flow.acceptSkew();
    await flow.waitUntilStored();
    expect(settingsOf(-1)).toMatchObject({ straighten });
    expect(flow.getState()).toMatchObject({ skew: undefined, settings: { straighten } });
    editor.undo();
    expect(placeOf(studio)).toEqual(before);
    expect(flow.getState().settings).not.toHaveProperty('straighten');
    // The picture is tilted again.
    expect(flow.getState()).toMatchObject({ skew });
  });

  test('is still offered for a part of the picture, which stays that part', async () => {
    const { editor, flow } = openTraced({ uploadDesign, findSkew: async () => skew });
    await flow.upload(file());
    await settle();
    const crop = { x: 0.25, y: 0.25, width: 0.5, height: 0.5 };
    flow.frame({ crop });
    await flow.waitUntilStored();
    expect(flow.getState()).toMatchObject({ skew, settings: { crop } });
    flow.acceptSkew();
    await flow.waitUntilStored();
    const [artwork] = artworksOf(editor.getState().composition);
    expect(artwork).toMatchObject({ straighten });
    // No more of the picture than before, and around the same middle.
    const after = artwork!.crop!;
    expect(after.width * after.height).toBeLessThan(0.6);
    expect(flow.getState().skew).toBeUndefined();
    editor.undo();
    expect(flow.getState()).toMatchObject({ skew, settings: { crop } });
  });

  test('is not offered when the offer is closed, nor for a design that is locked, gone or straight by now', async () => {
    const answer = createDeferred<typeof skew | undefined>();
    const { editor, flow, host } = openTraced({ uploadDesign, findSkew: () => answer.promise });
    await flow.upload(file());
    flow.frame({ straighten: { ...straighten, aspect: straighten.aspect * 1.1 } });
    answer.resolve(skew);
    await settle();
    expect(flow.getState().skew).toBeUndefined();

    const other = openTraced({ uploadDesign, findSkew: async () => skew });
    await other.flow.upload(file());
    await settle();
    other.editor.dispatch({ type: 'setLocked', elementId: 'design', isLocked: true });
    other.flow.acceptSkew();
    expect(other.host.toasts.at(-1)).toMatchObject({ title: 'The design is locked' });
    other.flow.dismissSkew();
    expect(other.flow.getState().skew).toBeUndefined();
    other.flow.acceptSkew();
    expect(artworksOf(other.editor.getState().composition)[0]).not.toHaveProperty('straighten');
    expect(artworksOf(editor.getState().composition)[0]!.straighten!.aspect).not.toBe(straighten.aspect);
    expect(host.toasts).toHaveLength(2);
  });

  test('is not looked for in an SVG, which has no pixels, nor twice', async () => {
    const findSkew = vi.fn(async () => undefined);
    const svg = openTraced({ findSkew });
    await svg.flow.upload(file('logo.svg', 'image/svg+xml'));
    expect(findSkew).not.toHaveBeenCalled();
    const { flow } = openTraced({ uploadDesign, findSkew });
    await flow.upload(file());
    await flow.retrace();
    expect(findSkew).toHaveBeenCalledTimes(1);
  });

  test('is cropped in its own pixels, and not carried over to the next picture', async () => {
    const { flow, settingsOf } = openTraced();
    await flow.upload(file());
    flow.frame({ straighten, crop: { x: 0.2501, y: 0, width: 0.5, height: 1 } });
    await flow.waitUntilStored();
    const { width } = toFrameSize({ width: 640, height: 320 }, straighten);
    const { crop } = settingsOf(-1);
    expect((crop!.x * width) % 1).toBeCloseTo(0, 9);
    await flow.upload(file('next.png'));
    expect(settingsOf(-1)).not.toHaveProperty('straighten');
  });

  test('of a saved composition is traced when the stored trace is not straightened', async () => {
    const settings: VectorizeSettings = { ...defaultSettings('laser'), mode: 'preview', threshold: 40 };
    const { editor, flow, settingsOf } = openTraced({
      loadDesign: async (id) => ({ design: { ...newDesign(id), settings }, artwork: traceOf(settings) }),
    });
    const place = { type: 'placeDesign', id: 'design', designId: 'old', filename: 'old.png', aspect: 2 } as const;
    const frame = {
      type: 'cropDesign',
      id: 'design',
      crop: undefined,
      straighten,
      pictureAspect: 1.5,
      areaAspect: 2,
    } as const;
    editor.dispatch({ type: 'several', commands: [place, frame] });
    await settle();
    await flow.waitUntilStored();
    expect(settingsOf(-1)).toMatchObject({ straighten, threshold: 40 });
    expect(editor.getState().assets.artworks.get('design')).toMatchObject({ width: 600 });
  });
});

describe('several artworks', () => {
  const idsOf = ({ editor }: Pick<ReturnType<typeof open>, 'editor'>) =>
    artworksOf(editor.getState().composition).map(({ id }) => id);
  const shownId = ({ editor }: Pick<ReturnType<typeof open>, 'editor'>) => editor.getState().activeArtworkId;

  test('are added by uploads, each with its own settings and trace', async () => {
    const studio = open();
    const { editor, flow, host } = studio;
    await flow.upload(file());
    flow.changeSettings({ threshold: 40 });
    flow.keepSettings();
    await flow.waitUntilStored();
    await flow.upload(file('second.png'));
    const [first, second] = idsOf(studio);
    expect(first).toBe('design');
    expect(flow.getState()).toMatchObject({ filename: 'second.png', isTraced: true });
    expect(flow.getState().settings.threshold).toBeUndefined();
    editor.select('design');
    expect(flow.getState()).toMatchObject({ filename: 'logo.png', settings: { threshold: 40 } });
    editor.select(`design:${second}`);
    flow.changeSettings({ colorMode: 'color' });
    flow.keepSettings();
    await flow.waitUntilStored();
    expect(flow.readTracedSettings('design')).toMatchObject({ threshold: 40, colorMode: 'black' });
    expect(flow.readTracedSettings(second)).toMatchObject({ colorMode: 'color' });
    const calls = host.calls.filter(({ name }) => name === 'vectorize').map(({ input }) => input);
    expect(calls.at(-1)).toMatchObject({ designId: 'd2', settings: { colorMode: 'color' } });
    expect(editor.getState().scene.groups).toHaveLength(2);
  });

  test('show the one that was selected last, also while a text is selected', async () => {
    const studio = open();
    await studio.flow.upload(file());
    await studio.flow.upload(file('second.png'));
    const [, second] = idsOf(studio);
    expect(shownId(studio)).toBe(second);
    studio.editor.select('design');
    studio.editor.dispatch({ type: 'addText', element: { id: 'a', text: 'Ava' } });
    studio.editor.select('text:a');
    expect(studio.flow.getState().filename).toBe('logo.png');
    studio.flow.remove();
    expect(studio.flow.getState().filename).toBe('second.png');
    expect(idsOf(studio)).toEqual([second]);
  });

  test('are traced side by side, and canceling one leaves the other', async () => {
    const traces: ReturnType<typeof createDeferred<Artwork>>[] = [];
    const signals: AbortSignal[] = [];
    const vectorize: Ports['vectorize'] = (_id, _request, { signal }) => {
      const trace = createDeferred<Artwork>();
      signal.addEventListener('abort', () => trace.reject(new Error('aborted')));
      signals.push(signal);
      traces.push(trace);
      return trace.promise;
    };
    const studio = open({ vectorize });
    const { flow, editor } = studio;
    const first = flow.upload(file());
    await settle();
    const second = flow.upload(file('second.png'));
    await settle();
    expect([...flow.panels().values()].map(({ job }) => job)).toEqual(['vectorize', 'vectorize']);
    flow.cancel();
    await second;
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
    traces[0]!.resolve({ ...artwork });
    await first;
    editor.select('design');
    expect(flow.getState()).toMatchObject({ isTraced: true, job: undefined });
  });

  test('come back with their traces by undo and redo, without the server', async () => {
    const studio = open();
    const { editor, flow, host } = studio;
    await flow.upload(file());
    await flow.upload(file('second.png'));
    const [, second] = idsOf(studio);
    const trace = editor.getState().assets.artworks.get(second!);
    const calls = host.calls.length;
    flow.remove();
    expect(editor.getState().assets.artworks.has(second!)).toBe(false);
    editor.undo();
    await settle();
    expect(editor.getState().assets.artworks.get(second!)).toBe(trace);
    editor.undo();
    editor.undo();
    expect(idsOf(studio)).toEqual([]);
    editor.redo();
    editor.redo();
    await settle();
    expect(editor.getState().scene.groups).toHaveLength(2);
    expect(host.calls).toHaveLength(calls);
  });

  test('that are copies show the same trace at once, and follow each other’s settings', async () => {
    const studio = open();
    const { editor, flow, host } = studio;
    await flow.upload(file());
    const calls = host.calls.length;
    editor.dispatch({ type: 'duplicate', copies: [{ elementId: 'design', newId: 'b' }] });
    expect(editor.getState().scene.groups.map(({ elementId }) => elementId)).toEqual(['design', 'design:b']);
    await settle();
    expect(host.calls).toHaveLength(calls);
    editor.select('design:b');
    flow.changeSettings({ threshold: 70 });
    flow.keepSettings();
    await flow.waitUntilStored();
    await settle();
    expect(host.calls).toHaveLength(calls + 1);
    expect(flow.readTracedSettings('design')).toMatchObject({ threshold: 70 });
    const { artworks } = editor.getState().assets;
    expect(artworks.get('design')).toBe(artworks.get('b'));
  });

  test('are at most ten', async () => {
    const studio = open();
    for (let i = 0; i < 11; i++) await studio.flow.upload(file(`${i}.png`));
    expect(idsOf(studio)).toHaveLength(10);
    expect(studio.host.toasts.at(-1)).toMatchObject({ title: 'Too many pictures' });
  });
});
