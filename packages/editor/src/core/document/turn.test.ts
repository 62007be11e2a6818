import type { ProductAsset } from '@markwright/scene';
import { expect, test } from 'vitest';
import { openEditor } from '../testHost.ts';
import { isTurnable, turnOf } from './turn.ts';

function openOn(surface: ProductAsset['surface']) {
  const editor = openEditor();
  const { product } = editor.getState().assets;
  const setSurface = (next: ProductAsset['surface']) => editor.setAssets({ product: { ...product!, surface: next } });
  setSurface(surface);
  return { editor, setSurface };
}

const tumbler = { kind: 'cylinder', diameterMm: 73 } as const;

test('a blank is turned by any number of degrees, and another one faces the front', () => {
  const { editor, setSurface } = openOn(tumbler);
  expect(turnOf(editor.getState())).toBe(0);
  editor.setTurn(40);
  expect(turnOf(editor.getState())).toBe(40);
  editor.setTurn(200);
  expect(turnOf(editor.getState())).toBe(-160);
  setSurface({ kind: 'cylinder', diameterMm: 82 });
  expect(turnOf(editor.getState())).toBe(0);
});

test('flat blanks and those with a handle are not turned', () => {
  for (const surface of [undefined, { kind: 'flat' }, { ...tumbler, arcMm: 200 }] as const) {
    const { editor } = openOn(surface);
    editor.setTurn(40);
    expect([isTurnable(editor.getState().scene), turnOf(editor.getState())]).toEqual([false, 0]);
  }
});
