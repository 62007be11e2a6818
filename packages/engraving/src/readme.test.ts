import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as engraving from './index.ts';

test('the example of the README runs and engraves the ball', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const [statement = '', names = ''] = /^import \{([^}]*)\} from .*$/m.exec(code) ?? [];
  const body = code.replace(statement, '').replace(/ as const/g, '');
  const { raster, path } = new Function(
    'engraving',
    `const { ${names} } = engraving;${body}\nreturn { raster, path };`,
  )(engraving);
  expect([raster.widthPx, raster.heightPx, raster.dpi]).toEqual([300, 300, 254]);
  expect(Math.abs(raster.meanTone - raster.targetTone)).toBeLessThan(0.01);
  expect(path).toMatch(/^M.*Z$/);
});
