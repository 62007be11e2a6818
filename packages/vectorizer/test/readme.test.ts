import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { vectorize, writeSvg } from '../src/index.ts';

test('the example in the README runs', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const body = code.replace(/^import .*$/gm, '').concat('\nreturn { drawing, svg };');
  const { drawing, svg } = new Function('vectorize', 'writeSvg', body)(vectorize, writeSvg);
  expect(drawing.layers).toHaveLength(1);
  expect(drawing.layers[0].color).toBe('#000000');
  expect(drawing.layers[0].paths[0].rings[0].segments).toHaveLength(4);
  expect(svg).toContain('viewBox="0 0 64 64"');
});
