/**
 * Draws 40 compositions that were saved before a composition could hold several artworks. The hashes were written by
 * the code of that time: when drawing itself changes on purpose, and only then, they are written anew.
 */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  type Artwork,
  type FontSource,
  parseComposition,
  renderScene,
  resolveScene,
  type Scene,
  seededRandom,
  writeSvg,
} from '../src/index.ts';
import { markPainter } from '../src/render/markPainter.ts';
import { onlyArtwork, testProduct } from '../src/resolve/testProduct.ts';

const paint = { stroke: undefined, strokeWidth: 0, opacity: 1 };
const artwork: Artwork = {
  width: 200,
  height: 100,
  shapes: [
    { ...paint, d: 'M20 10L180 10L180 90L20 90Z', fill: '#000000' },
    { ...paint, d: 'M60 30L140 30L100 70Z', fill: '#808080' },
    { d: 'M10 95L190 95', fill: undefined, stroke: '#0000ff', strokeWidth: 2, opacity: 1 },
  ],
};

/** Every letter is a box, half an em wide. */
const fonts: FontSource = {
  outline: ({ text, letterSpacing = 0, arcRadius }) => {
    const advance = text.length * (0.5 + letterSpacing);
    const top = arcRadius === undefined ? -0.7 : -0.7 - 0.1 / arcRadius;
    return { d: `M0 0L${advance} 0L${advance} ${top.toFixed(4)}L0 -0.7Z`, advance, ascent: 0.75, descent: 0.25 };
  },
};

/** Returns a composition as version 0, 1 or 2 of the studio saved it; a number decides everything about it. */
function saveOld(seed: number): { version: number; data: Record<string, unknown> } {
  const random = seededRandom(seed);
  const between = (from: number, to: number) => Math.round((from + random() * (to - from)) * 100) / 100;
  const oneOf = <T>(...values: T[]): T => values[Math.floor(random() * values.length)]!;
  const place = () => ({
    x: between(-50, 50),
    y: between(-50, 50),
    angleDeg: between(0, 360),
    isFlipped: oneOf(true, false),
  });
  const version = seed % 3;
  const isMarked = version > 0;
  const marks = () =>
    isMarked ? { name: oneOf('', 'Crest'), isLocked: oneOf(true, false), isHidden: random() < 0.15 } : {};
  const texts = Array.from({ length: Math.floor(random() * 5) }, (_, index) => ({
    id: `t${index}`,
    text: oneOf('Anna', 'Anna\n& Finn', '  ', '2026'),
    heightInches: between(0.11, 1),
    color: oneOf('#000000', '#C0C0C0', '#C8102E'),
    textAlign: oneOf('left', 'center', 'right'),
    ...(isMarked && { letterSpacing: oneOf(0, 25), lineSpacing: oneOf(100, 150), bend: oneOf(0, 40, -30) }),
    ...place(),
    ...marks(),
  }));
  const design = {
    designId: 'd',
    filename: 'logo.png',
    aspect: 2,
    size: between(5, 160),
    opacity: oneOf(100, 40),
    ...place(),
    ...marks(),
    ...(version === 2 && oneOf(true, false) && { ink: { x: 0.05, y: 0.1, width: 0.9, height: 0.86 } }),
  };
  return {
    version,
    data: {
      machine: oneOf('laser', 'uv', 'sublimation'),
      ...(oneOf(true, false) && { productId: '7' }),
      productAngleDeg: oneOf(0, 90, 33),
      ...(oneOf(true, false) && { machineArea: { x: 0.25, y: 0.3, width: 0.5, height: 0.3 } }),
      ...(random() < 0.8 && { design }),
      texts,
      ...(isMarked && { textsUnderDesign: Math.floor(random() * (texts.length + 1)) }),
    },
  };
}

function draw(scene: Scene): string {
  const kinds = ['preview', 'mockup', 'production', 'customSvg', 'standardSvg'] as const;
  const svgs = kinds.map((kind) => writeSvg(renderScene(scene, { kind })));
  return createHash('sha256').update(svgs.join('\n')).digest('hex').slice(0, 16);
}

/** The hashes of the drawings, in the order of the seeds. */
const drawings = `
  e104af97364ba785 273e2c3db723b059 05e7231e327f1b7f 3cccca23e3c7090a a48261ce88167757 51d0b765b32cd463
  7a701053e5a1900f a215c52d90b2ea6e 0884aa1f7614a5b6 08af4ebfbed5a28c 266486e0edb02c7c 683049175f39ba65
  0824695af78822ac 07167fbad1dbd9a7 cceb62b1addf2091 7ad4d79bfd5796ac c4f4c1ac49afa5dd c7127ba65840d615
  f204c3dc01028522 89835955b8f9186b 65757b72240f457d b7587a703ed1dda7 b32db38174de545a 43441a2aad4189c0
  de368450c27569c7 917b11380d355c7d 814dfaca554249ff cd97d6175a97a67c f2a87e4c11be105c 6dd5fa275b958983
  3b1371c66ac1a460 923184294d8629d5 6bf0435f810bc3fb 4c6208ec680a95c1 f0f2e56893e4677b df871f0801cb129b
  6ae8015063290462 441eb8e98d0ebb81 8b24215821078f7c b584de431331c225
`
  .trim()
  .split(/\s+/);

it('draws compositions of earlier versions as those versions did', () => {
  const hashes = Array.from({ length: 40 }, (_, seed) => {
    const composition = parseComposition(saveOld(seed));
    const product = composition.productId === undefined ? undefined : testProduct;
    return draw(resolveScene(composition, { product, artworks: onlyArtwork(artwork), fonts, markPainter }));
  });
  expect(new Set(hashes).size).toBe(40);
  expect(hashes).toEqual(drawings);
});
