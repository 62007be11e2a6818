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
  7f5965a900056364 c3e0098d022ec4cd 53c05ca69f57f2a9 2677db3752982b34 a76a32c9943020d8 88a1809c0ef4b28e
  99325ef7a08403cd f7995651c2ac01ea 9c27f3c1a7665975 0573b07d53c91fa1 41d73c07b6282161 d01ddec3d41a5168
  ab5536fa62801606 5c371f2d4853fb3e 869b714c681322b6 d3f0519eb1c2e3db d45fc5e141c3320c a01cd636c0ce0388
  f361cd0c548ab6bd a7bf851612e97a50 a3904f9b81f12fcd 755adcda7935c9ed cdde22c6283ec04b 6a0d9720d638c139
  7b2d50596b780f30 5fd3aa5472945af7 7cbdd6c1fe70bac2 06e254c871858850 a4ade84f815e2f08 d84fbd14031b8e76
  838f32f5ada2db87 2f0ad48584bbb132 6610057b8cc70bcf c99f7c85b9fe06e5 e2d2ae23ed29173f b06cb9ec60f2fd5d
  1fabf9d14295d5e7 0e9e30d195b34ccc 6b2fc79a4f49e3f5 ff96e0001612c7e0
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
