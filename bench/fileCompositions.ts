/** Random laser compositions for the bench of files: artworks with areas, holes and lines, and texts, at any angle. */
import { readFileSync } from 'node:fs';
import { findFontPath } from '@markwright/fonts/files';
import {
  type Artwork,
  applyCommand,
  buildJob,
  type Command,
  emptyComposition,
  type Job,
  type ProductAsset,
  resolveScene,
  seededRandom,
} from '@markwright/scene';
import { createFontBook } from '@markwright/scene/text';
import { writeContours } from '../packages/scene/src/geometry/pathData.ts';
import { randomJob } from '../packages/scene/src/production/randomJobs.ts';

const fonts = createFontBook();
for (const name of ['open-sans-latin-400-normal.woff2', 'great-vibes-latin-400-normal.woff2']) {
  fonts.add(name, new Uint8Array(readFileSync(findFontPath(name)!)));
}
const words = ['Office', 'Love & Luck', 'No. 7', 'Eight', 'gyq&@', 'Happy Birthday'];

/** Returns the production job of a seed's composition, through the same steps as on the server. */
export function compositionJob(seed: number): Job {
  const random = seededRandom(seed);
  const range = (from: number, to: number) => from + (to - from) * random();
  const commands: Command[] = [
    { type: 'setMachine', machine: 'laser' },
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
  const scene = resolveScene(commands.reduce(applyCommand, emptyComposition), {
    product: productOf(range(1, 12), range(1, 9)),
    artworks: new Map([['design', artworkOf(seed)]]),
    fonts,
  });
  return buildJob(scene);
}

const productOf = (printWidthInches: number, printHeightInches: number): ProductAsset => ({
  pictureHref: 'data:image/svg+xml;base64,AAAA',
  pictureAspect: printWidthInches / printHeightInches,
  printArea: { x: 0.1, y: 0.1, width: 0.8, height: 0.8 },
  printWidthInches,
  printHeightInches,
  finish: { material: 'slate', markColor: '#dddddd' },
});

/** A random job's outlines as an uploaded drawing has them. */
function artworkOf(seed: number): Artwork {
  const { widthMm, heightMm, plates } = randomJob(seed, 14);
  const shapes = plates.flatMap((plate) => {
    if (plate.kind === 'color' || plate.kind === 'guide') return [];
    const isFilled = plate.kind === 'engrave';
    return plate.outlines.map(({ contours }) => ({
      d: writeContours(contours, 4),
      fill: isFilled ? plate.color.toLowerCase() : undefined,
      stroke: isFilled ? undefined : plate.color.toLowerCase(),
      strokeWidth: isFilled ? 0 : 0.1,
      opacity: 1,
    }));
  });
  return { width: widthMm, height: heightMm, shapes };
}
