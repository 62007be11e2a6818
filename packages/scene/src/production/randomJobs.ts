/** Random laser jobs: clean as a job is, with curves, holes, nested cuts, lines and guides. For tests and benches. */
import { FIRST_TOOL_SLOT, lightBurnPalette } from '../document/lightBurnPalette.ts';
import type { Contour } from '../geometry/pathData.ts';
import { seededRandom } from '../svg/seededRandom.ts';
import type { Job, JobOutline, OutlinePlate } from './job.ts';

type Random = () => number;

/** A cell of the frame that belongs to one shape alone, so that nothing overlaps. */
interface Cell {
  readonly x: number;
  readonly y: number;
  /** Of the circle that fits into it. */
  readonly radius: number;
}

/** Returns the job of a seed. `cells` is the most shapes it has. */
export function randomJob(seed: number, cells = 24): Job {
  const random = seededRandom(seed);
  const range = (from: number, to: number) => from + (to - from) * random();
  const [widthMm, heightMm] = [Math.round(range(20, 400) * 100) / 100, Math.round(range(20, 300) * 100) / 100];
  const columns = Math.max(1, Math.round(Math.sqrt((cells * widthMm) / heightMm)));
  const rows = Math.max(1, Math.floor(cells / columns));
  const kinds: Omit<OutlinePlate, 'outlines'>[] = [
    { kind: 'engrave', id: 'engrave-c00', color: '#000000' },
    { kind: 'engrave', id: 'engrave-c16', color: '#808080' },
    { kind: 'engrave', id: 'engrave-c08', color: '#B4B4B4' },
    { kind: 'score', id: 'score-c01', color: '#0000FF' },
    { kind: 'cut', id: 'cut-c02', color: '#FF0000' },
    { kind: 'guide', id: 'guide-t1', color: lightBurnPalette[FIRST_TOOL_SLOT]! },
  ];
  const outlines: JobOutline[][] = kinds.map(() => []);
  const radius = Math.min(widthMm / columns, heightMm / rows) / 2;
  for (let i = 0; i < columns * rows; i++) {
    const cell: Cell = {
      x: ((i % columns) + 0.5) * (widthMm / columns),
      y: (Math.floor(i / columns) + 0.5) * (heightMm / rows),
      radius: radius * range(0.4, 0.98),
    };
    // Every plate has a shape before one has its second.
    const kind = i < kinds.length ? i : Math.floor(random() * (kinds.length - 1));
    outlines[kind]!.push(...drawShapes(kinds[kind]!.kind, cell, `shape-${i}`, random));
  }
  const plates = kinds.flatMap((kind, i) => (outlines[i]!.length > 0 ? [{ ...kind, outlines: outlines[i]! }] : []));
  return { machine: 'laser', widthMm, heightMm, isMirrored: false, rasters: [], plates, findings: [] };
}

function drawShapes(kind: OutlinePlate['kind'], cell: Cell, elementId: string, random: Random): JobOutline[] {
  const outline = (...contours: Contour[]): JobOutline => ({ elementId, contours });
  // Only the innermost loop may be a lens, which has no room for another one.
  const draw = (size: number, isInnermost = true) =>
    drawLoop(Math.floor(random() * (isInnermost ? 5 : 4)), { ...cell, radius: cell.radius * size }, random);
  if (kind === 'engrave') {
    // An island in a hole, or a plain area.
    const rings = random() < 0.5 ? [1, 0.45, 0.18] : [1];
    return [outline(...rings.map((size, i) => draw(size, i === rings.length - 1)))];
  }
  if (kind === 'score' && random() < 0.5) return [outline(openLine(cell, random))];
  if (kind === 'cut') {
    return [0.2, 0.45, 1].slice(Math.floor(random() * 3)).map((size, i) => outline(draw(size, i === 0)));
  }
  return [outline(draw(1))];
}

/** Draws a closed contour that stays between 0.55 and 1 radius, so that rings do not touch. */
function drawLoop(kind: number, { x, y, radius }: Cell, random: Random): Contour {
  const turn = random() * 2 * Math.PI;
  const at = (angle: number, share: number) => [
    x + Math.cos(angle + turn) * radius * share,
    y + Math.sin(angle + turn) * radius * share,
  ];
  if (kind === 0) return circle(at, 4);
  if (kind === 1) return polygon(at, 3 + Math.floor(random() * 8), () => 1);
  if (kind === 2) return polygon(at, 10, (i) => (i % 2 === 0 ? 1 : 0.6));
  if (kind === 3) return blob(at, 4 + Math.floor(random() * 9), random);
  return lens(at);
}

type Place = (angle: number, share: number) => number[];

function circle(at: Place, pieces: number): Contour {
  const step = (2 * Math.PI) / pieces;
  const handle = (4 / 3) * Math.tan(step / 4);
  const reach = Math.hypot(1, handle);
  const tilt = Math.atan(handle);
  const contour: Contour = { commands: [], points: at(0, 1), isClosed: true };
  for (let i = 0; i < pieces; i++) {
    contour.commands.push('C');
    contour.points.push(...at(i * step + tilt, reach), ...at((i + 1) * step - tilt, reach), ...at((i + 1) * step, 1));
  }
  return contour;
}

function polygon(at: Place, corners: number, shareOf: (i: number) => number): Contour {
  const points = Array.from({ length: corners }, (_, i) => at((i * 2 * Math.PI) / corners, shareOf(i))).flat();
  return { commands: new Array<'L'>(corners - 1).fill('L'), points, isClosed: true };
}

/** Smooth waves, and now and then a straight side; sometimes back at its start by an own last point. */
function blob(at: Place, corners: number, random: Random): Contour {
  const step = (2 * Math.PI) / corners;
  const shares = Array.from({ length: corners }, () => 0.7 + 0.2 * random());
  const contour: Contour = { commands: [], points: at(0, shares[0]!), isClosed: true };
  for (let i = 0; i < corners; i++) {
    const next = shares[(i + 1) % corners]!;
    if (random() < 0.2) {
      contour.commands.push('L');
      contour.points.push(...at((i + 1) * step, next));
      continue;
    }
    contour.commands.push('C');
    contour.points.push(...at((i + 1 / 3) * step, shares[i]! * 1.05), ...at((i + 2 / 3) * step, next * 1.05));
    contour.points.push(...at((i + 1) * step, next));
  }
  return contour;
}

/** Two curves, one with handles of no length: the tips are cusps. */
function lens(at: Place): Contour {
  const [tip, end] = [at(0, 1), at(Math.PI, 1)];
  return {
    commands: ['C', 'C'],
    points: [...tip, ...at(1, 0.9), ...at(2.2, 0.9), ...end, ...end, ...at(4.6, 0.8), ...tip],
    isClosed: true,
  };
}

function openLine({ x, y, radius }: Cell, random: Random): Contour {
  const wave = () => y + (random() - 0.5) * radius;
  return {
    commands: ['L', 'C'],
    points: [x - radius, wave(), x - radius / 2, wave(), x, wave(), x + radius / 3, wave(), x + radius, wave()],
    isClosed: false,
  };
}
