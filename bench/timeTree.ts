/**
 * Takes one sample for `compareSpeed.ts`: prints the processor milliseconds of trace, resolve and render in the given
 * tree.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { drawPictures } from './treePictures.ts';

const tree = process.argv[2]!;
const load = (path: string) => import(join(tree, path));
const [vectorizer, sceneApi, textApi] = await Promise.all([
  load('packages/vectorizer/src/index.ts'),
  load('packages/scene/src/index.ts'),
  load('packages/scene/package.json').then(({ default: json }) =>
    load(join('packages/scene', (json.exports['./text'].default ?? json.exports['./text']) as string)),
  ),
]);

/** Returns the processor milliseconds of this process during `work`, garbage collection and compilation included. */
function measure(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const bitmaps: { width: number; height: number; data: Uint8ClampedArray }[] = [];
for (const { name, mediaType, bytes } of await drawPictures()) {
  if (mediaType === 'image/svg+xml' || name === 'photograph') continue;
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  bitmaps.push({ width: info.width, height: info.height, data: new Uint8ClampedArray(data) });
}
const svgs: string[] = [];
const trace = measure(() => {
  for (const bitmap of bitmaps) svgs.push(vectorizer.writeSvg(vectorizer.vectorize(bitmap)));
  for (const bitmap of bitmaps.slice(0, 6)) vectorizer.vectorize(bitmap, { draw: 'outline', colorMode: 'monochrome' });
});

// A fixed artwork, so that resolve and render have the same work whatever the tracer returns.
const rings = Array.from({ length: 400 }, (_, i) => {
  const [x, y] = [(i % 20) * 50, Math.floor(i / 20) * 50];
  return `<path fill="#${i % 3 ? '000000' : '808080'}" d="M${x + 5} ${y + 5}h40v40h-40zM${x + 15} ${y + 15}c20 0 20 20 0 20z"/>`;
});
const source = `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="1000" viewBox="0 0 1000 1000">${rings.join('')}</svg>`;
const artwork = sceneApi.readArtwork(sceneApi.readSvg(source));
const fonts = textApi.createFontBook();
const line = { text: 'Best Dad & Søren 2019', fontFamily: 'Open Sans', fontWeight: 'normal', fontStyle: 'normal' };
for (const file of fonts.missing(line)) {
  fonts.add(file.name, new Uint8Array(readFileSync(join(tree, 'node_modules', file.package, 'files', file.name))));
}
const compositions = Array.from({ length: 300 }, (_, i) =>
  sceneApi.parseComposition({
    version: 1,
    data: {
      machine: ['laser', 'uv', 'sublimation'][i % 3],
      design: {
        designId: 'd',
        aspect: 1,
        x: (i % 10) - 5,
        y: (i % 7) - 3,
        size: 60 + (i % 100),
        angleDeg: (i * 11) % 360,
      },
      texts: [{ id: 't', text: line.text, x: i % 20, y: 30, bend: i % 2 ? 30 : 0 }],
    },
  }),
);
// The artwork by element; trees from before there were several read `artwork`.
const artworks = new Map(
  compositions.flatMap(({ elements = [] }: { elements?: { id: string }[] }) => elements.map(({ id }) => [id, artwork])),
);
const scenes: unknown[] = [];
const resolve = measure(() => {
  for (const composition of compositions) {
    scenes.push(sceneApi.resolveScene(composition, { product: undefined, artwork, artworks, fonts }));
  }
});
const render = measure(() => {
  for (const scene of scenes.slice(0, 60)) {
    for (const kind of ['production', 'customSvg', 'mockup']) {
      sceneApi.writeSvg(sceneApi.renderScene(scene, { kind }));
    }
  }
});
console.log(JSON.stringify({ trace, resolve, render }));
