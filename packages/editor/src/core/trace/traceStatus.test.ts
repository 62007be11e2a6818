import { artworksOf, emptyComposition } from '@markwright/scene';
import { expect, test } from 'vitest';
import { createDeferred, createHost, designPlacement, newDesign, openEditor, settle } from '../testHost.ts';
import { createDesignFlow } from './designFlow.ts';
import { type artworkStatus, traceStatusOf } from './traceStatus.ts';

const panel = {
  status: 'success',
  job: undefined,
  design: newDesign('d1'),
  isTraced: true,
  isStale: false,
  failure: undefined,
} as const;
const panels = new Map([['design', panel]]);
const composition = { ...emptyComposition, elements: [designPlacement()] };

test('is that of the design on the product', () => {
  const statusOf = (changes: Partial<NonNullable<Parameters<typeof artworkStatus>[1]>>) =>
    traceStatusOf(composition, new Map([['design', { ...panel, ...changes }]]));
  expect(statusOf({})).toBe('traced');
  expect(traceStatusOf(emptyComposition, panels)).toBe('none');
  expect(traceStatusOf({ ...composition, elements: [designPlacement({ isHidden: true })] }, panels)).toBe('none');

  expect(statusOf({ isTraced: false, job: 'vectorize' })).toBe('tracing');
  expect(statusOf({ status: 'uploading', design: undefined, isTraced: false })).toBe('tracing');
  expect(statusOf({ job: 'load', design: undefined, isTraced: false })).toBe('tracing');
  // Traced again for another machine.
  expect(statusOf({ isStale: true, job: 'vectorize' })).toBe('tracing');
  // A slider is moved.
  expect(statusOf({ isStale: true })).toBe('traced');
  expect(statusOf({ isStale: true, job: 'store' })).toBe('traced');

  expect(statusOf({ isTraced: false })).toBe('failed');
  expect(statusOf({ isTraced: false, failure: 'No connection.' })).toBe('failed');
  expect(statusOf({ isStale: true, failure: 'No connection.' })).toBe('failed');
  expect(statusOf({ design: newDesign('d2') })).toBe('failed');
});

test('waits for a picture that the machine engraves itself, and for that of the host alone', () => {
  const tone = { brightness: 0, contrast: 0, gamma: 1, localContrast: 0, sharpen: 0 };
  const engraving = { method: 'jarvis', intervalMm: 0.1, tone, invert: 'auto' } as const;
  const photograph = { ...emptyComposition, elements: [designPlacement({ engraving })] };
  const statusWith = (...states: ('working' | 'failed' | 'done')[]) =>
    traceStatusOf(photograph, panels, new Map(states.map((status) => ['design', { status }])));
  expect(statusWith()).toBe('engraving');
  expect(statusWith('working')).toBe('engraving');
  expect(statusWith('failed')).toBe('failed');
  expect(statusWith('done')).toBe('traced');
  expect(traceStatusOf(photograph, new Map(), new Map([['design', { status: 'done' }]]))).toBe('failed');
  // Without an engraver the server engraves it, and on a printer it is its trace.
  expect(traceStatusOf(photograph, panels)).toBe('traced');
  expect(traceStatusOf({ ...photograph, machine: 'uv' }, panels, new Map())).toBe('traced');
});

test('of several artworks waits for all, and fails with any', () => {
  const two = { ...emptyComposition, elements: [designPlacement(), designPlacement({ id: 'b' })] };
  type Panel = NonNullable<Parameters<typeof artworkStatus>[1]>;
  const panelsWith = (changes: Partial<Panel>) =>
    new Map<string, Panel>([
      ['design', panel],
      ['b', { ...panel, ...changes }],
    ]);
  const statusWith = (changes: Partial<Panel>) => traceStatusOf(two, panelsWith(changes));
  expect(statusWith({})).toBe('traced');
  expect(statusWith({ isTraced: false, job: 'vectorize' })).toBe('tracing');
  expect(statusWith({ isTraced: false })).toBe('failed');
  expect(traceStatusOf(two, panels)).toBe('failed');
  const uploading = panelsWith({ status: 'uploading', design: undefined, isTraced: false });
  expect(traceStatusOf(composition, uploading)).toBe('tracing');
});

test('follows a picture from the drop to its trace, and says when the trace fails', async () => {
  const answer = createDeferred<never>();
  const host = createHost({ vectorize: () => answer.promise });
  const editor = openEditor();
  const flow = createDesignFlow(editor, host.ports);
  const status = () => traceStatusOf(editor.getState().composition, flow.panels());
  expect(status()).toBe('none');
  const work = flow.upload(new File(['x'], 'logo.png', { type: 'image/png' }));
  expect(status()).toBe('tracing');
  await settle();
  expect(artworksOf(editor.getState().composition)[0]).toBeDefined();
  expect(status()).toBe('tracing');
  answer.reject(new Error('No connection.'));
  await work;
  expect(status()).toBe('failed');
});
