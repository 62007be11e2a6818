import { expect, it } from 'vitest';
import { cropJob } from './cropJob.ts';
import type { ColorPlate, Job } from './job.ts';

const square = (x: number, y: number, side = 10) => [
  {
    commands: ['L', 'L', 'L'] as ('L' | 'C')[],
    points: [x, y, x + side, y, x + side, y + side, x, y + side],
    isClosed: true,
  },
];
const shape = (x: number, y: number, strokeWidthMm = 0) => ({
  contours: square(x, y),
  fill: '#c03020',
  stroke: strokeWidthMm > 0 ? '#000000' : undefined,
  strokeWidthMm,
  opacity: 0.5,
});
const picture = {
  href: 'a.png',
  width: 4,
  height: 2,
  matrix: { a: 0, b: 10, c: -10, d: 0, e: 30, f: 300 },
  opacity: 1,
};

const job: Job = {
  machine: 'dtf',
  widthMm: 100,
  heightMm: 400,
  isMirrored: false,
  rasters: [],
  findings: [],
  plates: [
    {
      kind: 'white',
      id: 'white',
      color: '#ffffff',
      outlines: [0, 200].map((y) => ({ elementId: 'a', contours: square(5, y) })),
    },
    {
      kind: 'color',
      id: 'color',
      groups: [
        { elementId: 'a', opacity: 1, pictures: [], shapes: [shape(5, 0), shape(5, 200)] },
        { elementId: 'b', opacity: 0.5, pictures: [picture], shapes: [shape(5, 92, 2)] },
      ],
    },
  ],
};

const placesIn = (minY: number, maxY: number) => {
  const { plates } = cropJob(job, { minX: 0, minY, maxX: 100, maxY });
  const [white, color] = plates as [Exclude<Job['plates'][number], ColorPlate>, ColorPlate];
  return {
    white: white.outlines.map(({ contours }) => contours[0]!.points[1]),
    color: color.groups.map(({ elementId, shapes, pictures }) => [elementId, shapes.length, pictures.length]),
  };
};

it('leaves out what a box has nothing of, and elements of which nothing is left', () => {
  expect(placesIn(0, 50)).toEqual({ white: [0], color: [['a', 1, 0]] });
  expect(placesIn(190, 205)).toEqual({ white: [200], color: [['a', 1, 0]] });
  // The miter of its line reaches four millimeters beyond the square.
  expect(placesIn(105, 110)).toEqual({ white: [], color: [['b', 1, 0]] });
  expect(placesIn(107, 110)).toEqual({ white: [], color: [] });
  // Turned by a quarter, the picture reaches from 300 to 340.
  expect(placesIn(339, 400)).toEqual({ white: [], color: [['b', 0, 1]] });
  expect(placesIn(341, 400)).toEqual({ white: [], color: [] });
});
