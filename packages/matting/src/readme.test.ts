import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { kindOfBackground, removeBackground } from './index.ts';

test('the example of the README runs and cuts the disk out', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const body = code.replace(/^import .*$/gm, '').concat('\nreturn { kind, cut };');
  const { kind, cut } = new Function('kindOfBackground', 'removeBackground', body)(kindOfBackground, removeBackground);
  expect(kind).toBe('flat');
  expect([...cut.data.subarray(0, 4)]).toEqual([0, 0, 0, 0]);
  expect([...cut.data.subarray(4 * (32 * 64 + 32), 4 * (32 * 64 + 32) + 4)]).toEqual([40, 90, 200, 255]);
});
