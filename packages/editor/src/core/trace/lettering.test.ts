import { type Artwork, type ArtworkLettering, artworksOf, textsOf } from '@markwright/scene';
import { expect, test, vi } from 'vitest';
import type { Ports } from '../ports.ts';
import { createDeferred, createHost, openEditor, settle } from '../testHost.ts';
import { createDesignFlow } from './designFlow.ts';

const box = (x: number, y: number) => `M${x} ${y}L${x + 10} ${y}L${x + 10} ${y + 20}L${x} ${y + 20}Z`;
const lineAt = (text: string, y: number): ArtworkLettering => {
  const xs = [...text].map((_, i) => 20 + 14 * i);
  return {
    ...{ fontFamily: 'Montserrat', isBold: true, isItalic: false, text, letterSpacing: 0, color: '#000000' },
    ...{ size: 28, x: 20, y: y + 20, capHeight: 20, error: 0.005, middle: { x: 20 + 7 * xs.length, y: y + 10 } },
    parts: xs.map((x) => ({ minX: x, minY: y, maxX: x + 10, maxY: y + 20 })),
    traced: '',
    outline: '',
  };
};
const [oak, elm] = [lineAt('Oak', 10), lineAt('Elms', 60)];
const trace = (): Artwork => ({
  width: 200,
  height: 100,
  shapes: [
    {
      d: [oak, elm].flatMap(({ parts }) => parts.map(({ minX, minY }) => box(minX, minY))).join('') + box(150, 40),
      ...{ fill: '#000000', stroke: undefined, strokeWidth: 0, opacity: 1 },
    },
  ],
});
const file = () => new File(['x'], 'logo.png', { type: 'image/png' });

async function open(changes: Partial<Ports> = {}) {
  const editor = openEditor();
  editor.setArtwork('design', undefined);
  const host = createHost({ vectorize: async () => trace(), findLettering: async () => [oak, elm], ...changes });
  const flow = createDesignFlow(editor, host.ports);
  flow.connect();
  await flow.upload(file());
  await settle();
  const paths = () =>
    editor
      .getState()
      .scene.groups[0]!.children.flatMap((child) => (child.kind === 'path' ? child.d.split(/(?=M)/) : []));
  return { editor, host, flow, paths };
}

test('a line is offered after the trace, made live text on request only, and one undo brings its outlines back', async () => {
  const { editor, host, flow, paths } = await open();
  expect(flow.getState().lettering).toBe(oak);
  expect(textsOf(editor.getState().composition)).toEqual([]);
  const before = editor.getState().composition;
  flow.acceptLettering();
  const [text] = textsOf(editor.getState().composition);
  expect(text).toMatchObject({ text: 'Oak', fontFamily: 'Montserrat', fontWeight: 'bold', color: '#000000' });
  expect(editor.getState().selection).toBe(`text:${text!.id}`);
  expect(host.toasts.at(-1)).toMatchObject({ title: 'Live text' });
  expect(paths()).toHaveLength(4 + 1);
  // The box of the artwork is that of what is left of it.
  expect(artworksOf(editor.getState().composition)[0]!.ink).toMatchObject({ x: 0.1, y: 0.4, width: 0.7, height: 0.4 });
  expect(flow.getState().lettering).toBe(elm);
  flow.acceptLettering();
  expect(flow.getState().lettering).toBeUndefined();
  editor.undo();
  editor.undo();
  expect(editor.getState().composition).toEqual(before);
  expect(paths()).toHaveLength(3 + 4 + 1);
  expect(flow.getState().lettering).toBe(oak);
});

test('a line that stays outlines is offered no more, after another trace neither', async () => {
  const { editor, flow } = await open();
  flow.dismissLettering();
  expect(flow.getState().lettering).toBe(elm);
  flow.dismissLettering();
  expect(flow.getState().lettering).toBeUndefined();
  await flow.retrace();
  await settle();
  expect(flow.getState().lettering).toBeUndefined();
  expect(artworksOf(editor.getState().composition)[0]).not.toHaveProperty('leavesOut');
});

test('letters that are text are not looked at again, in no other trace', async () => {
  const findLettering = vi.fn(async (_artwork: Artwork) => [oak]);
  const { flow, paths } = await open({ findLettering });
  flow.acceptLettering();
  await flow.retrace();
  await settle();
  expect(findLettering).toHaveBeenCalledTimes(2);
  expect(findLettering.mock.lastCall![0].shapes[0]!.d.split(/(?=M)/)).toHaveLength(4 + 1);
  expect(paths()).toHaveLength(4 + 1);
});

test('an answer for a trace that is no more on the stage offers nothing, and its search is aborted', async () => {
  const answers = [createDeferred<readonly ArtworkLettering[]>(), createDeferred<readonly ArtworkLettering[]>()];
  const signals: AbortSignal[] = [];
  const { flow } = await open({
    findLettering: (_artwork, signal) => answers[signals.push(signal) - 1]!.promise,
  });
  await flow.retrace();
  await settle();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  answers[0]!.resolve([oak]);
  await settle();
  expect(flow.getState().lettering).toBeUndefined();
  answers[1]!.resolve([elm]);
  await settle();
  expect(flow.getState().lettering).toBe(elm);
});

test('another part of the picture, a lock and a picture that is engraved itself have no offer', async () => {
  const { editor, flow } = await open();
  editor.dispatch({ type: 'setLocked', elementId: 'design', isLocked: true });
  expect(flow.getState().lettering).toBeUndefined();
  flow.acceptLettering();
  expect(textsOf(editor.getState().composition)).toEqual([]);
  editor.undo();
  expect(flow.getState().lettering).toBe(oak);
  const tone = { brightness: 0, contrast: 0, gamma: 1, localContrast: 0, sharpen: 0 };
  const engraving = { method: 'gray', intervalMm: 0.1, invert: 'auto', tone } as const;
  editor.dispatch({ type: 'setEngraving', id: 'design', engraving });
  expect(flow.getState().lettering).toBeUndefined();
  editor.undo();
  flow.frame({ crop: { x: 0, y: 0, width: 0.5, height: 1 } });
  expect(flow.getState().lettering).toBeUndefined();
});

test('a search that fails is not heard of', async () => {
  const { flow, host } = await open({ findLettering: async () => Promise.reject(new Error('broken')) });
  expect(flow.getState().lettering).toBeUndefined();
  expect(host.toasts.every(({ variant }) => variant !== 'destructive')).toBe(true);
});
