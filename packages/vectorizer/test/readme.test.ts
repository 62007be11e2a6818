import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { vectorize, writeSvg } from '../src/index.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const readme = read('README.md');

test('the example in the README runs', () => {
  const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const body = code.replace(/^import .*$/gm, '').concat('\nreturn { drawing, svg };');
  const { drawing, svg } = new Function('vectorize', 'writeSvg', body)(vectorize, writeSvg);
  expect(drawing.layers).toHaveLength(1);
  expect(drawing.layers[0].color).toBe('#000000');
  expect(drawing.layers[0].paths[0].rings[0].segments).toHaveLength(4);
  expect(svg).toContain('viewBox="0 0 64 64"');
});

test('every option has a line in the table of the README', () => {
  const [, body] = /export interface VectorizeOptions \{([\s\S]*?)\n\}/.exec(read('src/options.ts')) ?? [];
  const names = [...body.matchAll(/^ {2}(\w+)\?/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !readme.includes(`\n| \`${name}\``))).toEqual([]);
});

test('every picture and file the README links to exists, and every picture is linked', () => {
  const links = [...readme.matchAll(/\]\(([^)#:]+)\)/g)].map(([, link]) => link);
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter((link) => !existsSync(new URL(`../${link}`, import.meta.url)))).toEqual([]);
  const pictures = readdirSync(new URL('../docs/', import.meta.url)).filter((name) => name.endsWith('.png'));
  expect(pictures.filter((name) => !links.includes(`docs/${name}`))).toEqual([]);
  const sizes = pictures.map((name) => statSync(new URL(`../docs/${name}`, import.meta.url)).size);
  expect(Math.max(...sizes)).toBeLessThan(120_000);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(700_000);
});
