/**
 * Random compositions for the bench of files: artworks with areas, holes and lines, and texts, at any angle. In every
 * third one shapes cross and cover each other. In every second one for a laser, the lines to be cut have the faults
 * that people's drawings have.
 */
import { readFileSync } from 'node:fs';
import { findFontPath } from '@markwright/fonts/files';
import {
  type Artwork,
  applyCommand,
  buildJob,
  type Command,
  emptyComposition,
  type Job,
  type MachineMode,
  type ProductAsset,
  readArtwork,
  readSvg,
  resolveScene,
  type Scene,
  seededRandom,
} from '@markwright/scene';
import { createFontBook } from '@markwright/scene/text';
import { type Contour, transformContours, writeContours } from '../packages/scene/src/geometry/pathData.ts';
import { randomJob } from '../packages/scene/src/production/randomJobs.ts';

const fonts = createFontBook();
for (const name of ['open-sans-latin-400-normal.woff2', 'great-vibes-latin-400-normal.woff2']) {
  fonts.add(name, new Uint8Array(readFileSync(findFontPath(name)!)));
}
const words = ['Office', 'Love & Luck', 'No. 7', 'Eight', 'gyq&@', 'Happy Birthday'];

/** Returns the production job of a seed's composition, through the same steps as on the server. */
export const compositionJob = (seed: number): Job => buildJob(compositionScene(seed, 'laser'));

/**
 * Returns the scene of a seed's composition: on a blank for a laser, unless `isBare`, and on a bare frame, in colors,
 * for ink.
 */
export function compositionScene(seed: number, machine: MachineMode, isBare = machine !== 'laser'): Scene {
  const random = seededRandom(seed);
  const range = (from: number, to: number) => from + (to - from) * random();
  const commands: Command[] = [
    { type: 'setMachine', machine },
    { type: 'placeDesign', id: 'design', designId: 'd', filename: 'a.svg', aspect: 1 },
    {
      type: 'updateDesign',
      id: 'design',
      changes: { x: range(-20, 20), y: range(-20, 20), size: range(30, 90), angleDeg: range(0, 360) },
    },
  ];
  for (let i = Math.floor(range(0, 3)); i > 0; i--) {
    commands.push({
      type: 'addText',
      element: {
        id: `text-${i}`,
        text: words[Math.floor(range(0, words.length))]!,
        x: range(-30, 30),
        y: range(-45, 45),
        angleDeg: range(-40, 40),
        heightInches: range(0.15, 0.5),
        fontFamily: random() < 0.5 ? 'Open Sans' : 'Great Vibes',
      },
    });
  }
  const product = productOf(range(1, 12), range(1, 9));
  return resolveScene(commands.reduce(applyCommand, emptyComposition), {
    product: isBare ? undefined : product,
    artworks: new Map([['design', artworkOf(seed, machine)]]),
    fonts,
  });
}

const productOf = (printWidthInches: number, printHeightInches: number): ProductAsset => ({
  pictureHref: 'data:image/svg+xml;base64,AAAA',
  pictureAspect: printWidthInches / printHeightInches,
  printArea: { x: 0.1, y: 0.1, width: 0.8, height: 0.8 },
  printWidthInches,
  printHeightInches,
  finish: { material: 'slate', markColor: '#dddddd' },
});

/** A random job's outlines as an uploaded drawing has them. Ink gets colors, and lines as areas. */
function artworkOf(seed: number, machine: MachineMode): Artwork {
  const { widthMm, heightMm, plates } = randomJob(seed, 14);
  const random = seededRandom(seed + 1_000_000);
  const inks = ['#c81e1e', '#1f4fa3', '#1b7f3b', '#f2b705', '#222222', '#7a3fa0'];
  const shapes = plates.flatMap((plate) => {
    if (plate.kind === 'color' || plate.kind === 'guide') return [];
    const isFilled = plate.kind === 'engrave' || machine !== 'laser';
    return plate.outlines.map(({ contours }) => {
      const color = machine === 'laser' ? plate.color.toLowerCase() : inks[Math.floor(random() * inks.length)]!;
      return {
        contours,
        fill: isFilled ? color : undefined,
        stroke: isFilled ? undefined : color,
        strokeWidth: isFilled ? 0 : 0.1,
      };
    });
  });
  const shift = { a: 1, b: 0, c: 0, d: 1, e: 0.06 * widthMm, f: 0.04 * heightMm };
  const move = (contours: readonly Contour[]) => transformContours(contours, shift);
  const crossing = seed % 3 === 0 ? shapes.slice(0, shapes.length / 2) : [];
  const isFaulty = machine === 'laser' && seed % 2 === 1;
  const faulty = shapes.flatMap((shape, i) =>
    isFaulty && shape.stroke === CUT_COLOR
      ? spoil(shape.contours, i, move).map((contours) => ({ ...shape, contours }))
      : [shape],
  );
  const all = [...faulty, ...crossing.map((shape) => ({ ...shape, contours: move(shape.contours) }))];
  const paths = all.map(
    ({ contours, fill = 'none', stroke = 'none', strokeWidth }) =>
      `<path d="${writeContours(contours, 4)}" fill-rule="evenodd" fill="${fill}" stroke="${stroke}" ` +
      `stroke-width="${strokeWidth}"/>`,
  );
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${widthMm} ${heightMm}">`;
  return readArtwork(readSvg(`${head}${paths.join('')}</svg>`))!;
}

const CUT_COLOR = '#ff0000';

/**
 * Returns the contours of a cut with a fault, by its number: drawn twice, not quite closed, in two parts of which one
 * runs backward, or crossed by a copy.
 */
function spoil(
  contours: readonly Contour[],
  number: number,
  move: (contours: readonly Contour[]) => readonly Contour[],
): (readonly Contour[])[] {
  const [contour] = contours;
  if (!contour?.isClosed || contour.commands.length < 3) return [contours];
  const { commands, points } = contour;
  switch (number % 4) {
    case 0:
      return [contours, contours];
    case 1:
      return [[{ commands: [...commands, 'L'], points: [...points, points[0]! + 0.03, points[1]!], isClosed: false }]];
    case 2: {
      const size = commands[0] === 'C' ? 6 : 2;
      const first = points.slice(0, 2 + size);
      const backward = Array.from({ length: first.length / 2 }, (_, i) => first.slice(-2 * i - 2).slice(0, 2)).flat();
      const rest = { commands: commands.slice(1), points: points.slice(size) };
      const [x, y] = [points[0]!, points[1]!];
      return [
        [{ commands: [commands[0]!], points: backward, isClosed: false }],
        [{ commands: [...rest.commands, 'L'], points: [...rest.points, x, y], isClosed: false }],
      ];
    }
    default:
      return [contours, move(contours)];
  }
}
