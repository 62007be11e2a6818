import { emptyComposition } from '@markwright/scene';
import { expect, test } from 'vitest';
import { createHost, product, settle, textElement } from '../testHost.ts';
import { connectAssets } from './assets.ts';
import { createEditor } from './editor.ts';

test('the product’s picture and true size follow the composition', async () => {
  const editor = createEditor();
  const disconnect = connectAssets(editor, createHost().ports);
  editor.dispatch({ type: 'setProduct', productId: product.id });
  await settle();
  const { scene } = editor.getState();
  expect(scene.backdrop?.pictureHref).toBe(product.mockupImageUrl);
  expect(scene.widthMm).toBeCloseTo(101.6);
  expect(scene.heightMm).toBeCloseTo(50.8);
  editor.undo();
  expect(editor.getState().assets.product).toBeUndefined();
  disconnect();
});

test('loads fonts once per wording and shows them when they arrive', async () => {
  let loadCount = 0;
  const { ports } = createHost();
  const editor = createEditor({ composition: { ...emptyComposition, productId: product.id } });
  connectAssets(editor, {
    ...ports,
    ensureFonts(lines) {
      loadCount += 1;
      return ports.ensureFonts(lines);
    },
  });
  editor.dispatch({ type: 'addText', element: textElement('a') });
  expect(editor.getState().scene.groups).toHaveLength(0);
  await settle();
  expect(editor.getState().scene.groups).toHaveLength(1);
  editor.dispatch({ type: 'nudge', elementId: 'text:a', dx: 3, dy: 0 });
  await settle();
  expect(loadCount).toBe(1);
});

test('reports once what cannot be loaded', async () => {
  const host = createHost({ ensureFonts: () => Promise.reject(new Error('Font server is away.')) });
  const editor = createEditor();
  connectAssets(editor, host.ports);
  editor.dispatch({ type: 'addText', element: textElement('a') });
  await settle();
  editor.dispatch({ type: 'addText', element: textElement('b') });
  await settle();
  expect(host.toasts).toMatchObject([{ description: 'Font server is away.', variant: 'destructive' }]);
});
