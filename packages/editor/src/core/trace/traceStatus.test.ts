import { artworksOf, emptyComposition } from '@markwright/scene';
import { expect, test } from 'vitest';
import { createDeferred, createHost, designPlacement, newDesign, openEditor, settle } from '../testHost.ts';
import { createDesignFlow } from './designFlow.ts';
import { traceStatusOf } from './traceStatus.ts';

const panel = {
  status: 'success',
  job: undefined,
  design: newDesign('d1'),
  isTraced: true,
  isStale: false,
  failure: undefined,
} as const;
const composition = { ...emptyComposition, elements: [designPlacement()] };

test('is that of the design on the product', () => {
  const statusOf = (changes: Partial<Parameters<typeof traceStatusOf>[1]>) =>
    traceStatusOf(composition, { ...panel, ...changes });
  expect(statusOf({})).toBe('traced');
  expect(traceStatusOf(emptyComposition, panel)).toBe('none');
  expect(traceStatusOf({ ...composition, elements: [designPlacement({ isHidden: true })] }, panel)).toBe('none');

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

test('follows a picture from the drop to its trace, and says when the trace fails', async () => {
  const answer = createDeferred<never>();
  const host = createHost({ vectorize: () => answer.promise });
  const editor = openEditor();
  const flow = createDesignFlow(editor, host.ports);
  const status = () => traceStatusOf(editor.getState().composition, flow.getState());
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
