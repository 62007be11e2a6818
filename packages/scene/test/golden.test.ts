/**
 * Compares what the scene draws with golden pictures, drawn by the renderer that the product uses. After a wanted
 * change: `npm run golden` rewrites the pictures; look at each one that `git status` names before it is committed.
 */
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Resvg } from '@resvg/resvg-js';
import { describe, expect, it } from 'vitest';
import { type SvgNode, writeSvg } from '../src/index.ts';
import { comparePictures, type Picture, readPng, writeDifference, writePng } from './comparePictures.ts';
import { type GoldenScene, goldenScenes } from './goldenScenes.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = join(root, 'packages/scene/test/golden');
const differences = join(root, '.build/golden');
const isWriting = process.env.GOLDEN === 'write';

/** Share of pixels that may differ. A shift of one pixel, or another color of one letter, changes ten times as many. */
const MAX_SHARE = 0.0002;

const scenes = goldenScenes();

function draw({ svg, widthPx }: GoldenScene): Picture {
  const { pixels, width, height } = new Resvg(writeSvg(svg), {
    fitTo: { mode: 'width', value: widthPx },
    font: { loadSystemFonts: false },
    background: '#ffffff',
  }).render();
  return { pixels, width, height };
}

it.each(scenes)('$name looks like its golden picture', async (scene) => {
  const path = join(folder, `${scene.name}.png`);
  const actual = draw(scene);
  if (isWriting) {
    mkdirSync(folder, { recursive: true });
    // A picture that still passes stays as it is, so that a rewrite changes only what a person has to look at.
    if (!existsSync(path) || isChanged(await readPng(path), actual)) await writePng(path, actual);
    return;
  }
  expect(existsSync(path), `There is no ${relative(root, path)}: npm run golden writes it.`).toBe(true);
  const expected = await readPng(path);
  if (!isChanged(expected, actual)) return;
  mkdirSync(differences, { recursive: true });
  const sheet = join(differences, `${scene.name}.png`);
  const hasSameSize = expected.width === actual.width && expected.height === actual.height;
  if (hasSameSize) await writeDifference(sheet, expected, actual);
  else await writePng(sheet, actual);
  const { share, largest } = hasSameSize ? comparePictures(expected, actual) : { share: 1, largest: 255 };
  const percent = (100 * share).toFixed(3);
  expect.fail(
    `${percent} % of the pixels changed, by up to ${largest} of 255: look at ${relative(root, sheet)} ` +
      `(expected, actual, difference). If the change is wanted: npm run golden.`,
  );
});

function isChanged(expected: Picture, actual: Picture): boolean {
  if (expected.width !== actual.width || expected.height !== actual.height) return true;
  return comparePictures(expected, actual).share > MAX_SHARE;
}

it('has a scene for every golden picture', () => {
  const files = readdirSync(folder).sort();
  expect(files).toEqual(scenes.map(({ name }) => `${name}.png`).sort());
});

describe('the tolerance rejects', () => {
  const findScene = (name: string) => scenes.find((scene) => scene.name === name)!;
  const isSvgChanged = (scene: GoldenScene, svg: SvgNode) => isChanged(draw(scene), draw({ ...scene, svg }));
  /** Returns the drawing with the first node that `matches` replaced. */
  const replaceFirst = (node: SvgNode, matches: (node: SvgNode) => boolean, change: (node: SvgNode) => SvgNode) => {
    let isDone = false;
    const visit = (at: SvgNode): SvgNode => {
      if (isDone) return at;
      if (matches(at)) {
        isDone = true;
        return change(at);
      }
      return { ...at, children: at.children.map(visit) };
    };
    return visit(node);
  };

  it('a shift of a quarter of a pixel', () => {
    const scene = findScene('text-lines');
    const [x, y, width, height] = scene.svg.attrs.viewBox!.split(' ').map(Number);
    const viewBox = [x! + width! / scene.widthPx / 4, y, width, height].join(' ');
    expect(isSvgChanged(scene, { ...scene.svg, attrs: { ...scene.svg.attrs, viewBox } })).toBe(true);
  });

  it('another color of one word', () => {
    const scene = findScene('text-on-arcs');
    const isMark = ({ tag, attrs }: SvgNode) => tag === 'path' && attrs.fill === '#000000';
    const lighter = (node: SvgNode) => ({ ...node, attrs: { ...node.attrs, fill: '#0a0a0a' } });
    expect(isSvgChanged(scene, replaceFirst(scene.svg, isMark, lighter))).toBe(true);
  });

  it.each(['feOffset', 'feGaussianBlur'])('an edge of a mark without its %s', (tag) => {
    const scene = findScene('laser-on-walnut');
    const isStep = (node: SvgNode) => node.tag === tag;
    const still = (node: SvgNode) => ({ ...node, attrs: { ...node.attrs, dy: '0', stdDeviation: '0' } });
    expect(isSvgChanged(scene, replaceFirst(scene.svg, isStep, still))).toBe(true);
  });

  it('a grain with one tone less', () => {
    const scene = findScene('laser-on-slate');
    const isStrokes = ({ tag, attrs }: SvgNode) => tag === 'path' && attrs['stroke-linecap'] === 'round';
    expect(
      isSvgChanged(
        scene,
        replaceFirst(scene.svg, isStrokes, (node) => ({ ...node, attrs: {} })),
      ),
    ).toBe(true);
  });
});
