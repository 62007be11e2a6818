import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seededRandom } from '../svg/seededRandom.ts';
import { chokeAreas } from './choke.ts';
import { type Contour, flatten, readContours } from './pathData.ts';

const GRID = { unit: 0.005, tolerance: 0.01 } as const;
const DISTANCE = 0.2;
/** Of flattening, twice, and of the grid. */
const SLACK = 0.03;

type Segment = readonly [ax: number, ay: number, bx: number, by: number];

const segmentsOf = (contours: readonly Contour[]): Segment[] =>
  contours.flatMap((contour) => {
    const line = flatten(contour, 0.002);
    return Array.from({ length: line.length / 2 }, (_, i): Segment => {
      const j = (2 * i + 2) % line.length;
      return [line[2 * i]!, line[2 * i + 1]!, line[j]!, line[j + 1]!];
    });
  });

/** Even-odd, by a ray to the right. */
const isInside = (segments: readonly Segment[], x: number, y: number): boolean =>
  segments.filter(([ax, ay, bx, by]) => ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)).length % 2 ===
  1;

const distanceTo = (segments: readonly Segment[], x: number, y: number): number =>
  Math.min(
    ...segments.map(([ax, ay, bx, by]) => {
      const [dx, dy] = [bx - ax, by - ay];
      const square = dx * dx + dy * dy;
      const share = square > 0 ? Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / square)) : 0;
      return Math.hypot(ax + share * dx - x, ay + share * dy - y);
    }),
  );

/** A closed curve with bumps, spikes and notches around 0, 0, between 0.6 and 3 mm away. */
function blob(random: () => number, corners: number): Contour {
  const step = (2 * Math.PI) / corners;
  const radii = Array.from({ length: corners }, () => 0.6 + 2.4 * random());
  const at = (angle: number, radius: number) => [Math.cos(angle) * radius, Math.sin(angle) * radius];
  const contour: Contour = { commands: [], points: at(0, radii[0]!), isClosed: true };
  for (let i = 0; i < corners; i++) {
    const end = radii[(i + 1) % corners]!;
    contour.commands.push('C');
    contour.points.push(...at((i + 0.3) * step, radii[i]!), ...at((i + 0.7) * step, end), ...at((i + 1) * step, end));
  }
  return contour;
}

const campaign = { numRuns: process.env.TEST_TIER === 'stress' ? 2000 : 40 };

it('lies inside the ink, and reaches to the distance from its edges', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 3, max: 14 }), (seed, corners) => {
      const random = seededRandom(seed);
      const ink = blob(random, corners);
      const plate = segmentsOf(chokeAreas([{ contours: [ink], isExempt: false }], DISTANCE, GRID));
      const edges = segmentsOf([ink]);
      for (let i = 0; i < 150; i++) {
        const [x, y] = [6 * random() - 3, 6 * random() - 3];
        const room = isInside(edges, x, y) ? distanceTo(edges, x, y) : -distanceTo(edges, x, y);
        const has = isInside(plate, x, y);
        expect(has && room < -SLACK, `white at ${x}, ${y}, ${-room} mm outside`).toBe(false);
        expect(!has && room > DISTANCE + SLACK, `no white at ${x}, ${y}, ${room} mm inside`).toBe(false);
      }
    }),
    campaign,
  );
});

it('keeps a line that crosses others in one piece, whatever its width', () => {
  for (const width of [0.12, 0.25, 0.4, 0.7, 1]) {
    const bar = (angleDeg: number): Contour => {
      const angle = (angleDeg * Math.PI) / 180;
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      const corner = (x: number, y: number) => `${x * cos - y * sin} ${x * sin + y * cos}`;
      const [w, h] = [8, width / 2];
      return readContours(`M${corner(-w, -h)}L${corner(w, -h)}L${corner(w, h)}L${corner(-w, h)}Z`)[0]!;
    };
    const areas = [0, 17, 71, 133].map((angleDeg) => ({ contours: [bar(angleDeg)], isExempt: false }));
    expect(chokeAreas(areas, DISTANCE, GRID), `${width} mm`).toHaveLength(1);
  }
});
