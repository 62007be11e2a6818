import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findSkew, warp } from './index.ts';

test('the example of the README runs and makes the square straight', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const body = code.replace(/^import .*$/gm, '').concat('\nreturn { skew, straight };');
  const { skew, straight } = new Function('findSkew', 'warp', body)(findSkew, warp);
  expect(skew.angleDeg).toBeCloseTo(8.53, 1);
  expect(skew.corners).toBeUndefined();
  expect(findSkew(straight)).toBeUndefined();
});
