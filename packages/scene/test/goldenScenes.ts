/** The scenes of the golden pictures, each with its drawing and the width of its picture. */
import { readFileSync } from 'node:fs';
import { findFontPath } from '@markwright/fonts/files';
import {
  type Artwork,
  applyCommand,
  type Command,
  emptyComposition,
  type MachineMode,
  type ProductAsset,
  readArtwork,
  readSvg,
  renderScene,
  resolveScene,
  type Scene,
  type SvgNode,
  sceneView,
  type Target,
  textsOf,
  toTextLines,
} from '../src/index.ts';
import { markPainter } from '../src/render/markPainter.ts';
import { onlyArtwork } from '../src/resolve/testProduct.ts';
import { createFontBook } from '../src/text/text.ts';

export interface GoldenScene {
  /** The picture's file name without `.png`. */
  readonly name: string;
  readonly svg: SvgNode;
  readonly widthPx: number;
}

const fonts = createFontBook();

const svgOf = (body: string, width: number, height: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${body}</svg>`;

function artworkOf(body: string, width = 100, height = 100): Artwork {
  const artwork = readArtwork(readSvg(svgOf(body, width, height)));
  if (!artwork) throw new Error('This artwork is more than outlines.');
  return artwork;
}

/** A ring with a hole, grays, white over black, a curve, and lines to score and to cut. */
const badge = artworkOf(`
  <path d="M50 4a46 46 0 1 0 .01 0zM50 14a36 36 0 1 1-.01 0z" fill-rule="evenodd"/>
  <path d="M28 62L46 34 56 48 62 40 76 62z" fill="#808080"/>
  <circle cx="60" cy="30" r="6" fill="#c0c0c0"/>
  <rect x="30" y="66" width="40" height="10"/>
  <rect x="36" y="69" width="28" height="4" fill="#ffffff"/>
  <path d="M6 96C30 88 70 88 94 96" fill="none" stroke="#0000ff" stroke-width="0.4"/>
  <rect x="1" y="1" width="98" height="98" rx="8" fill="none" stroke="#ff0000" stroke-width="0.4"/>`);

const colors = artworkOf(`
  <rect x="8" y="8" width="84" height="84" rx="14" fill="#f6c915"/>
  <circle cx="38" cy="42" r="26" fill="#c8102e"/>
  <circle cx="62" cy="58" r="26" fill="#1f4fa3" opacity="0.6"/>
  <path d="M10 90L90 90" stroke="#1e7d3c" stroke-width="4" fill="none"/>`);

const gradients = artworkOf(`
  <defs>
    <linearGradient id="line" gradientUnits="userSpaceOnUse" x1="5" y1="5" x2="95" y2="45">
      <stop offset="0" stop-color="#c8102e"/><stop offset="0.5" stop-color="#f6c915"/><stop offset="1" stop-color="#1f4fa3"/>
    </linearGradient>
    <radialGradient id="ball" gradientUnits="userSpaceOnUse" cx="28" cy="72" r="22">
      <stop offset="0" stop-color="#ffffff"/><stop offset="1" stop-color="#1e7d3c"/>
    </radialGradient>
    <radialGradient id="oval" gradientUnits="userSpaceOnUse" cx="0" cy="0" r="1" gradientTransform="matrix(22 6 -4 14 72 72)">
      <stop offset="0" stop-color="#6b2c91"/><stop offset="1" stop-color="#e0559a" stop-opacity="0.2"/>
    </radialGradient>
  </defs>
  <rect x="5" y="5" width="90" height="40" fill="url(#line)"/>
  <circle cx="28" cy="72" r="22" fill="url(#ball)"/>
  <ellipse cx="72" cy="72" rx="22" ry="16" fill="url(#oval)"/>`);

/** A board with stripes across, so that a turned or shifted product picture is seen to be. */
const boardPicture = `data:image/svg+xml;base64,${Buffer.from(
  svgOf(
    '<rect width="80" height="100" fill="#7d8a94"/><rect width="80" height="14" fill="#5b666f"/><rect y="90" width="40" height="10" fill="#a9b3ba"/>',
    80,
    100,
  ),
).toString('base64')}`;

/** Some tones of surface and mark, as the catalog's products have them. */
const surfaces: Readonly<Record<string, readonly [surface: string, mark: string]>> = {
  stainless: ['#b9c0c6', '#2f3337'],
  'powder-coat': ['#23303d', '#c9ced3'],
  aluminium: ['#c4c8cc', '#3a3d40'],
  brass: ['#c9a652', '#5a3d0c'],
  walnut: ['#6b4a30', '#2b1a0e'],
  maple: ['#dfc296', '#6a3f1c'],
  slate: ['#3a4145', '#b9c0c3'],
  leather: ['#a4683a', '#3b1e0d'],
  ceramic: ['#f2f1ec', '#2b2b2b'],
  acrylic: ['#cfe2ea', '#f4f8fa'],
  cotton: ['#e9e4da', '#7a6a55'],
};

function productOf(material: string): ProductAsset {
  const [surface, mark] = surfaces[material]!;
  const plain = svgOf(`<rect width="80" height="100" fill="${surface}"/>`, 80, 100);
  return {
    pictureHref: `data:image/svg+xml;base64,${Buffer.from(plain).toString('base64')}`,
    pictureAspect: 0.8,
    printArea: { x: 0.2, y: 0.3, width: 0.6, height: 0.4 },
    printWidthInches: 3,
    printHeightInches: 2.5,
    finish: { material, markColor: mark },
  };
}

const board: ProductAsset = { ...productOf('slate'), pictureHref: boardPicture };

interface Arrangement {
  readonly machine?: MachineMode;
  readonly product?: ProductAsset;
  readonly artwork?: Artwork;
  readonly commands?: readonly Command[];
}

function sceneOf({ machine = 'laser', product, artwork, commands = [] }: Arrangement): Scene {
  const placeCommands: Command[] = artwork
    ? [
        {
          type: 'placeDesign',
          id: 'design',
          designId: 'd',
          filename: 'art.svg',
          aspect: artwork.width / artwork.height,
        },
      ]
    : [];
  const all: Command[] = [{ type: 'setMachine', machine }, ...placeCommands, ...commands];
  const composition = all.reduce(applyCommand, emptyComposition);
  for (const file of textsOf(composition)
    .flatMap(toTextLines)
    .flatMap((line) => fonts.missing(line))) {
    fonts.add(file.name, new Uint8Array(readFileSync(findFontPath(file.name)!)));
  }
  return resolveScene(composition, { product, artworks: onlyArtwork(artwork), fonts, markPainter });
}

const golden = (name: string, scene: Scene, target: Target, widthPx = 240): GoldenScene => ({
  name,
  svg: renderScene(scene, target),
  widthPx,
});

/**
 * Cuts out a part of a mockup at its own scale, where grain and edges are some pixels wide. `at` is the middle of the
 * part, in scene mm.
 */
function detail(name: string, scene: Scene, at: { x: number; y: number }, widthPx = 250, heightPx = 150): GoldenScene {
  const drawing = renderScene(scene, { kind: 'mockup' });
  const mmPerPx = sceneView(scene).width / Number(drawing.attrs.width);
  const [width, height] = [widthPx * mmPerPx, heightPx * mmPerPx];
  const viewBox = `${at.x - width / 2} ${at.y - height / 2} ${width} ${height}`;
  return { name, svg: { ...drawing, attrs: { width: String(widthPx), height: String(heightPx), viewBox } }, widthPx };
}

/** A design, turned and flipped, with two texts. */
const arrangement: readonly Command[] = [
  { type: 'updateDesign', id: 'design', changes: { x: -14, y: 4, size: 70, angleDeg: 20, isFlipped: true } },
  { type: 'addText', element: { id: 'a', text: 'Office', x: 20, y: 36, heightInches: 0.4, angleDeg: 350 } },
  {
    type: 'addText',
    element: { id: 'b', text: 'Love', fontFamily: 'Great Vibes', x: 28, y: -22, heightInches: 0.7, isFlipped: true },
  },
];

function targetScenes(): GoldenScene[] {
  const laser = sceneOf({ product: board, artwork: badge, commands: arrangement });
  const inkCommands: Command[] = [...arrangement, { type: 'updateText', id: 'a', changes: { color: '#1F4FA3' } }];
  const uv = sceneOf({ machine: 'uv', product: board, artwork: colors, commands: inkCommands });
  const dye = sceneOf({ machine: 'sublimation', product: board, artwork: colors, commands: inkCommands });
  const rotatedScene = sceneOf({
    product: board,
    artwork: badge,
    commands: [...arrangement, { type: 'rotateProduct', angleDeg: 30 }],
  });
  return [
    golden('preview-laser', laser, { kind: 'preview' }),
    golden('preview-turned', rotatedScene, { kind: 'preview' }),
    golden('preview-uv', uv, { kind: 'preview' }),
    golden('mockup-laser', laser, { kind: 'mockup' }),
    golden('mockup-watermark', laser, { kind: 'mockup', watermark: true }),
    golden('production-laser', laser, { kind: 'production' }),
    golden('production-uv', uv, { kind: 'production' }),
    golden('production-sublimation', dye, { kind: 'production' }),
    golden('custom-svg', uv, { kind: 'customSvg' }),
    golden('standard-svg', laser, { kind: 'standardSvg' }),
  ];
}

/** Returns a corner of the badge and a letter on each material, at the scale of a mockup. */
function materialScenes(): GoldenScene[] {
  const commands: Command[] = [
    { type: 'updateDesign', id: 'design', changes: { size: 22, x: -9, y: 0 } },
    { type: 'addText', element: { id: 'a', text: 'R', x: 11, y: 0, heightInches: 0.5, fontFamily: 'Rye' } },
  ];
  const at = { x: 38.1, y: 31.75 };
  const marks = Object.keys(surfaces).map((material) =>
    detail(`laser-on-${material}`, sceneOf({ product: productOf(material), artwork: badge, commands }), at),
  );
  const colorCommands: Command[] = [...commands, { type: 'updateText', id: 'a', changes: { color: '#C8102E' } }];
  const ink = (name: string, machine: MachineMode, material: string) =>
    detail(name, sceneOf({ machine, product: productOf(material), artwork: colors, commands: colorCommands }), at);
  return [
    ...marks,
    ink('ink-on-acrylic', 'uv', 'acrylic'),
    ink('ink-on-cotton', 'uv', 'cotton'),
    ink('dye-on-ceramic', 'sublimation', 'ceramic'),
  ];
}

function textScenes(): GoldenScene[] {
  const text = (element: Extract<Command, { type: 'addText' }>['element']): Command => ({ type: 'addText', element });
  const arcs = sceneOf({
    commands: [
      text({ id: 'up', text: 'Rainbow\narc', bend: 45, y: -29, heightInches: 0.5, textDecoration: 'underline' }),
      text({ id: 'down', text: 'a smile', bend: -35, y: 4, heightInches: 0.5, fontFamily: 'Pacifico' }),
      text({ id: 'round', text: 'ALL THE WAY ROUND ', bend: 100, y: 31, heightInches: 0.22, fontWeight: 'bold' }),
    ],
  });
  const lines = sceneOf({
    commands: [
      text({ id: 'a', text: 'Left\naligned fi', textAlign: 'left', y: -28, heightInches: 0.6, fontStyle: 'italic' }),
      text({ id: 'b', text: 'S p a c e d', letterSpacing: 30, heightInches: 0.4, textDecoration: 'underline' }),
      text({ id: 'c', text: 'Straße\nĄŻ €', textAlign: 'right', lineSpacing: 140, y: 28, fontFamily: 'Lobster' }),
      text({ id: 'd', text: 'over', x: 30, y: 26, heightInches: 0.8, fontFamily: 'Great Vibes', angleDeg: 60 }),
    ],
  });
  return [
    golden('text-on-arcs', arcs, { kind: 'production' }),
    golden('text-on-arcs-preview', arcs, { kind: 'preview' }),
    golden('text-lines', lines, { kind: 'production' }),
  ];
}

function shapeScenes(): GoldenScene[] {
  const whole: Command = { type: 'updateDesign', id: 'design', changes: { size: 100 } };
  const ink = (machine: MachineMode, artwork: Artwork, commands: readonly Command[] = [whole]) =>
    sceneOf({ machine, artwork, commands });
  const over: Command = { type: 'updateDesign', id: 'design', changes: { size: 130, x: 30, y: -30, angleDeg: 25 } };
  const crossing: Command[] = [
    over,
    { type: 'addText', element: { id: 't', text: 'edge', x: -42, y: 40, heightInches: 1 } },
  ];
  const upon = sceneOf({
    artwork: badge,
    commands: [
      whole,
      { type: 'addText', element: { id: 't', text: 'OVER', heightInches: 1, fontFamily: 'Anton', y: 8 } },
      { type: 'addText', element: { id: 'u', text: 'light', heightInches: 0.8, color: '#C0C0C0', y: 30 } },
    ],
  });
  const faint: Command = { type: 'updateDesign', id: 'design', changes: { size: 90, opacity: 40, isFlipped: true } };
  return [
    golden('gradients-uv', ink('uv', gradients), { kind: 'production' }),
    golden('gradients-sublimation', ink('sublimation', gradients), { kind: 'production' }),
    golden('gradients-preview', ink('uv', gradients), { kind: 'preview' }),
    golden('gradients-laser', ink('laser', gradients), { kind: 'production' }),
    golden('clipped-laser', ink('laser', badge, crossing), { kind: 'production' }),
    golden('clipped-uv', ink('uv', gradients, crossing), { kind: 'production' }),
    golden('clipped-preview', sceneOf({ product: board, artwork: badge, commands: crossing }), { kind: 'preview' }),
    golden('overlaps-laser', upon, { kind: 'production' }),
    golden('faint-laser', ink('laser', badge, [faint]), { kind: 'production' }),
    golden('faint-uv', ink('uv', colors, [faint]), { kind: 'customSvg' }),
  ];
}

/** Builds every scene. Cost: some hundred ms, most of it reading fonts. */
export const goldenScenes = (): GoldenScene[] => [
  ...targetScenes(),
  ...materialScenes(),
  ...textScenes(),
  ...shapeScenes(),
];
