/** DXF and LightBurn files from the upload to the machine's file, with the settings that a design starts with. */
import { toVectorizerOptions, VectorizeSettings } from '@markwright/contract';
import {
  type Artwork,
  applyCommand,
  buildJob,
  type Command,
  emptyComposition,
  type Job,
  readArtwork,
  readSvg,
  resolveScene,
} from '@markwright/scene';
import { writeOutlineFile } from '@markwright/scene/production';
import { expect, test } from 'vitest';
import { deviation, toLine } from '../../../../packages/scene/src/geometry/testShapes.ts';
import type { TraceOptions } from '../platform/ports/mediaJobs.ts';
import { decodePicture } from './decode.ts';
import { trace } from './trace.ts';

const startOptions = toVectorizerOptions(VectorizeSettings.parse({ machineType: 'laser', shapeStacking: 'cutouts' }));

/** A plate with a ring in black, areas in both grays, cuts, and scores of which one crosses an area. */
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 60" width="60" height="60">
  <path fill-rule="evenodd" d="M5 5H20V20H5ZM10 10H15V15H10Z"/>
  <path fill="#808080" d="M25 5C30 0 35 10 40 5V20H25Z"/>
  <path fill="#b4b4b4" d="M45 5H55V20H45Z"/>
  <g fill="none" stroke-width="0.1">
    <path stroke="#0000ff" d="M5 30L50 38M22 12H58"/>
    <circle stroke="#0000ff" cx="15" cy="48" r="6"/>
    <circle stroke="#ff0000" cx="45" cy="48" r="6"/>
    <path stroke="#ff0000" d="M0 0H60V60H0Z"/>
  </g>
</svg>`;

/** Returns the job of an artwork that fills a bare frame of 100 mm. */
function jobOf(artwork: Artwork): Job {
  const commands: Command[] = [
    { type: 'placeDesign', id: 'design', designId: 'd', filename: 'a.svg', aspect: 1 },
    { type: 'updateDesign', id: 'design', changes: { size: 100 } },
  ];
  const composition = commands.reduce(applyCommand, emptyComposition);
  const fonts = { outline: () => undefined };
  const artworks = new Map([['design', artwork]]);
  return buildJob(resolveScene(composition, { product: undefined, artworks, fonts }), { isMirrored: false });
}

async function upload(bytes: Uint8Array, options: TraceOptions): Promise<Artwork> {
  const picture = await decodePicture(bytes);
  if (!('svg' in picture)) throw new Error('the upload has pixels');
  const { svg } = await trace({ picture, options }, () => {});
  return readArtwork(readSvg(svg))!;
}

/** Returns the fine lines of each operation. */
function linesOf({ plates }: Job) {
  const kinds = ['engrave', 'score', 'cut'] as const;
  const outlines = plates.flatMap((plate) => (plate.kind === 'color' ? [] : [plate]));
  return kinds.map((kind) => ({
    kind,
    lines: outlines
      .filter((plate) => plate.kind === kind)
      .flatMap((plate) => plate.outlines.flatMap(({ contours }) => contours.map(toLine))),
  }));
}

const origin = readArtwork(readSvg(drawing))!;

test.each(['dxf', 'lbrn2'] as const)('an uploaded %s keeps what is engraved, scored and cut', async (format) => {
  const job = jobOf(origin);
  const file = writeOutlineFile(job, format, { preset: 'xtool' });
  const actual = linesOf(jobOf(await upload(new TextEncoder().encode(file), startOptions)));
  const expected = linesOf(job);
  expect(expected.map(({ lines }) => lines.length)).toEqual([4, 3, 2]);
  for (const [i, { lines }] of expected.entries()) {
    const others = actual[i]!.lines;
    expect(others).toHaveLength(lines.length);
    for (const line of lines) {
      expect(Math.min(...others.map((other) => apart(line, other)))).toBeLessThan(0.01);
    }
  }
});

const apart = (a: number[], b: number[]) => Math.max(deviation(a, b), deviation(b, a));

test('an uploaded file keeps its lines whatever its settings ask of a trace', async () => {
  const file = new TextEncoder().encode(writeOutlineFile(jobOf(origin), 'lbrn2', { preset: 'xtool' }));
  const changes: Partial<TraceOptions>[] = [
    { threshold: 70 },
    { draw: 'centerline' },
    { draw: 'outline' },
    { dropBackground: true },
    { colorMode: 'color', maxColors: 2 },
    { colorMode: 'grayscale', maxColors: 2 },
  ];
  for (const change of changes) {
    const { shapes } = await upload(file, { ...startOptions, ...change });
    const strokes = new Set(shapes.map(({ stroke }) => stroke));
    expect(strokes, JSON.stringify(change)).toContain('#ff0000');
    expect(strokes, JSON.stringify(change)).toContain('#0000ff');
  }
});
