import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
// The example starts below; the README shows the same lines.
import { applyCommand, emptyComposition, renderScene, resolveScene, writeSvg } from './index.ts';

const composition = [
  { type: 'placeDesign', id: 'design', designId: 'd1', filename: 'square.svg', aspect: 1 } as const,
  { type: 'updateDesign', id: 'design', changes: { size: 50, angleDeg: 90 } } as const,
].reduce(applyCommand, emptyComposition);

const square = { d: 'M0 0L10 0L10 10L0 10Z', fill: '#000000', stroke: undefined, strokeWidth: 0, opacity: 1 };
const scene = resolveScene(composition, {
  product: undefined, // no product: a frame of 100 x 100 mm
  artworks: new Map([['design', { width: 10, height: 10, shapes: [square] }]]),
  fonts: { outline: () => undefined }, // with text: createFontBook() of '@markwright/scene/text'
});

const file = writeSvg(renderScene(scene, { kind: 'production' }));
// The example ends above.

it('the example of the README does what it says', () => {
  expect(file).toContain('width="100mm" height="100mm" viewBox="0 0 100 100"><g id="engrave-c00">');
  expect(file).toContain('d="M75 25L75 75L25 75L25 25Z"');
});

it('the README shows this very example', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const own = readFileSync(new URL(import.meta.url), 'utf8')
    .split(/^\/\/ The example .*\n/m)[1]!
    .replace("'./index.ts'", "'@markwright/scene'")
    .trim();
  expect(readme).toContain(own);
});
