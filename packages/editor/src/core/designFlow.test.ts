import { type Artwork, emptyComposition } from '@markwright/scene';
import { expect, it, vi } from 'vitest';
import { createDesignFlow } from './designFlow.ts';
import { createEditor } from './editor.ts';
import type { LoadedDesign, Ports } from './ports.ts';

const artwork: Artwork = { width: 4, height: 3, shapes: [] };
const loaded: LoadedDesign = {
  design: {
    id: 'd1',
    filename: 'logo.png',
    colorMode: 'black',
    width: 4,
    height: 3,
    originalFileUrl: '/files/a',
    backgroundRemovedUrl: null,
    vectorizedSvgUrl: '/files/b',
    createdAt: '2026-01-01T00:00:00.000Z',
  },
  artwork,
};

/** An editor that finds a design in its saved composition, and a host that answers when told to. */
function restore() {
  const editor = createEditor();
  editor.load({
    ...emptyComposition,
    design: {
      designId: 'd1',
      filename: 'logo.png',
      aspect: 4 / 3,
      x: 0,
      y: 0,
      size: 80,
      angleDeg: 0,
      isFlipped: false,
      opacity: 100,
    },
  });
  let resolve!: (design: LoadedDesign | undefined) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<LoadedDesign | undefined>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  const ports = { loadDesign: vi.fn(() => promise), notify: vi.fn() };
  const designs = createDesignFlow(editor, ports as unknown as Ports);
  return { editor, designs, ports, answer: { resolve, reject } };
}

it('opens the design of an earlier visit, whatever else changes meanwhile', async () => {
  const { editor, designs, ports, answer } = restore();
  designs.connect();
  editor.setZoom(2);
  editor.dispatch({ type: 'rotateProduct', angleDeg: 90 });
  answer.resolve(loaded);
  await vi.waitFor(() => expect(editor.getState().assets.artwork).toBe(artwork));
  expect(designs.getState()).toMatchObject({ status: 'success', job: undefined, filename: 'logo.png' });
  expect(ports.loadDesign).toHaveBeenCalledOnce();
});

it('says once that a design cannot be opened', async () => {
  const { editor, designs, ports, answer } = restore();
  designs.connect();
  answer.reject(new Error('The server cannot be reached right now.'));
  await vi.waitFor(() => expect(ports.notify).toHaveBeenCalledOnce());
  editor.setZoom(2);
  editor.setZoom(1);
  expect(ports.loadDesign).toHaveBeenCalledOnce();
  expect(ports.notify).toHaveBeenCalledOnce();
});

it('follows the design away and, with undo, back', async () => {
  const { editor, designs, ports, answer } = restore();
  designs.connect();
  answer.resolve(loaded);
  await vi.waitFor(() => expect(designs.getState().status).toBe('success'));
  editor.dispatch({ type: 'removeDesign' });
  expect(designs.getState()).toMatchObject({ status: 'idle', design: undefined });
  expect(editor.getState().assets.artwork).toBeUndefined();
  editor.undo();
  expect(editor.getState().assets.artwork).toBe(artwork);
  expect(ports.loadDesign).toHaveBeenCalledOnce();
});
