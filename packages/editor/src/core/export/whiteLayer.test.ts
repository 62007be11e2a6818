import { CHOKE_MM } from '@markwright/scene/inkFiles';
import { expect, it } from 'vitest';
import { createEditor } from '../document/editor.ts';
import { describeWhite, hasWhiteLayer, whiteOf } from './whiteLayer.ts';

it('is there for a machine with white ink, and with something to print', () => {
  const editor = createEditor();
  editor.dispatch({ type: 'setMachine', machine: 'uv' });
  expect(hasWhiteLayer(editor.getState())).toBe(false);
  const scene = { ...editor.getState().scene, groups: [{} as never] };
  expect(hasWhiteLayer({ ...editor.getState(), scene })).toBe(true);
  editor.dispatch({ type: 'setMachine', machine: 'laser' });
  expect(hasWhiteLayer({ ...editor.getState(), scene })).toBe(false);
});

it('is that of the chosen file, and else what a file has by itself', () => {
  expect(whiteOf(undefined)).toEqual({ mode: 'underColor', chokeMm: CHOKE_MM.initial });
  const choice = { format: 'pdf', options: { white: 'flood', chokeMm: 0.3 } } as const;
  expect(whiteOf(choice)).toEqual({ mode: 'flood', chokeMm: 0.3 });
  expect(describeWhite(whiteOf(choice))).toBe('whole area');
  expect(describeWhite(whiteOf(undefined))).toBe('choke 0.2 mm');
});
