/** What makes a code unreadable: modules too small to be made, marks in its quiet zone, a mirror, light on dark. */
import type { CodeElement, MachineMode, Symbology } from '../document/composition.ts';
import { isCode } from '../document/initial.ts';
import { isNearWhite, lightness } from '../document/machine.ts';
import { applyMatrix, determinant, invert, type Matrix, multiply } from '../geometry/matrix.ts';
import { flatten, readContours } from '../geometry/pathData.ts';
import { isMade } from '../resolve/ink.ts';
import { penRadius } from '../resolve/pen.ts';
import type { CodeFault, PlacedCode, Scene, SceneGroup } from '../resolve/scene.ts';
import { type Finding, toFinding } from './finding.ts';
import { type Check, noRoom, sizeBy } from './fixes.ts';
import { inkBounds } from './ink.ts';
import { machineLimits } from './machineLimits.ts';

/** The least module of a symbology for any scanner, mm: 80 % of the nominal 0.33 mm of an EAN-13 (GS1). */
const LEAST_MODULE_MM: Partial<Record<Symbology, number>> = { ean13: 0.264 };

/**
 * Returns the least width of a module, mm: what a machine makes well of a line and of the gap beside it, and what the
 * symbology asks for.
 */
export function leastModuleMm(machine: MachineMode, symbology: Symbology): number {
  const { lineMm, gapMm } = machineLimits[machine];
  return Math.max(lineMm, gapMm, LEAST_MODULE_MM[symbology] ?? 0);
}

/** Returns the finding for a code that cannot be made. */
export const badCode = ({ elementId, sentence }: CodeFault): Finding => ({
  kind: 'badCode',
  severity: 'problem',
  elementId,
  title: 'Code left out',
  sentence,
  places: [],
});

/** Returns what makes a code unreadable. `nameOf` names other elements. */
export function codeChecks(check: Check, nameOf: (elementId: string) => string): Finding[] {
  const { element, group } = check;
  if (!isCode(element) || !group.code) return [];
  return [
    ...smallCode(check, element, group.code),
    ...marksInQuietZone(check, group.code, nameOf),
    ...mirroredCode(check, element),
    ...lightCode(check, element),
  ];
}

/** Less than this is rounding. */
const SLACK_MM = 0.001;

function smallCode(check: Check, { symbology }: CodeElement, { moduleMm }: PlacedCode): Finding[] {
  const { scene, group, length } = check;
  const leastMm = leastModuleMm(scene.machine, symbology);
  if (moduleMm >= leastMm - SLACK_MM) return [];
  const factor = leastMm / moduleMm;
  const otherwise = symbology === 'ean13' ? 'make the machine area larger' : 'shorten its data';
  return [
    toFinding(
      check,
      {
        kind: 'smallCode',
        severity: 'problem',
        title: 'Code too small',
        sentence: `Its modules are ${length(moduleMm)} wide; below ${length(leastMm)} scanners do not read them.`,
        places: [group.corners],
      },
      sizeBy(check, factor),
      noRoom(check, factor, otherwise),
    ),
  ];
}

function marksInQuietZone(check: Check, { quietZone }: PlacedCode, nameOf: (elementId: string) => string): Finding[] {
  const { scene, group, length } = check;
  const others = scene.groups.filter((other) => other !== group && reachesInto(other, quietZone, check));
  if (others.length === 0) return [];
  const [first, ...more] = others.map(({ elementId }) => `“${nameOf(elementId)}”`);
  const names = more.length === 0 ? first : `${first} and ${more.length === 1 ? more[0] : `${more.length} others`}`;
  const [topLeft, topRight] = quietZone;
  const [codeLeft, codeRight] = group.corners;
  const sideMm = (distance(topLeft, topRight) - distance(codeLeft, codeRight)) / 2;
  return [
    {
      kind: 'quietZone',
      severity: 'problem',
      elementId: group.elementId,
      title: 'Marks in the quiet zone of a code',
      sentence: `${names} ${more.length === 0 ? 'reaches' : 'reach'} into the code or the ${length(sideMm)} beside it that a scanner needs free. Move them apart.`,
      places: [quietZone],
    },
  ];
}

const distance = (a: { x: number; y: number }, b: { x: number; y: number }) => Math.hypot(b.x - a.x, b.y - a.y);

/** A mark that reaches in by less touches the zone. */
const TOUCH_MM = 0.02;

/** Returns the matrix that makes the quiet zone the square from 0, 0 to 1, 1. */
function toSquare([topLeft, topRight, , bottomLeft]: PlacedCode['quietZone']): Matrix {
  return invert({
    a: topRight.x - topLeft.x,
    b: topRight.y - topLeft.y,
    c: bottomLeft.x - topLeft.x,
    d: bottomLeft.y - topLeft.y,
    e: topLeft.x,
    f: topLeft.y,
  });
}

/** True when marks of an element lie in the quiet zone. A light ground that a printer lays below a code may. */
function reachesInto(other: SceneGroup, zone: PlacedCode['quietZone'], { scene, group }: Check): boolean {
  const ink = inkBounds(other, scene.machine);
  if (!ink) return false;
  const xs = zone.map(({ x }) => x);
  const ys = zone.map(({ y }) => y);
  const isApart =
    ink.right <= Math.min(...xs) ||
    ink.left >= Math.max(...xs) ||
    ink.bottom <= Math.min(...ys) ||
    ink.top >= Math.max(...ys);
  if (isApart) return false;
  const matrix = multiply(toSquare(zone), other.matrix);
  const [topLeft, topRight, , bottomLeft] = zone;
  const [width, height] = [distance(topLeft, topRight), distance(topLeft, bottomLeft)];
  const isBelow = scene.groups.indexOf(other) < scene.groups.indexOf(group);
  return linesOf(other.children).some(({ lines, isFilled, radius, isLight }) => {
    const reachMm = radius * Math.sqrt(Math.abs(determinant(other.matrix))) - TOUCH_MM;
    const box = { x: reachMm / width, y: reachMm / height };
    const isGround = isBelow && isLight && scene.machine !== 'laser';
    let isOver = false;
    for (const line of lines) {
      const inSquare = place(line, matrix);
      if (!isGround && meetsSquare(inSquare, box)) return true;
      if (isFilled && isAround(inSquare)) isOver = !isOver;
    }
    return isOver && !isGround;
  });

  function linesOf(children: SceneGroup['children']): readonly FlatPath[] {
    let paths = flatPaths.get(children);
    if (!paths) {
      paths = children.flatMap((child): FlatPath[] => {
        if (child.kind !== 'path') {
          const box = [0, 0, child.width, 0, child.width, child.height, 0, child.height, 0, 0];
          const line = child.matrix ? place(box, child.matrix) : box;
          return [{ lines: [line], isFilled: true, radius: 0, isLight: false }];
        }
        if (!isMade(child, scene.machine)) return [];
        const contours = child.contours ?? readContours(child.d);
        const lines = contours.map((contour) => {
          const line = flatten(contour, FLAT_MM / Math.sqrt(Math.abs(determinant(other.matrix))));
          return contour.isClosed || child.fill ? [...line, line[0]!, line[1]!] : line;
        });
        const color = child.fill ?? child.stroke ?? '#000000';
        const isLight = isNearWhite(color) || lightness(color) > LIGHT_GROUND;
        return [{ lines, isFilled: child.fill !== undefined, radius: penRadius(child), isLight }];
      });
      flatPaths.set(children, paths);
    }
    return paths;
  }
}

/** Curves are flattened to this. */
const FLAT_MM = 0.05;
/** Black on a ground of this lightness, or a lighter one, has contrast enough. */
const LIGHT_GROUND = 0.75;

interface FlatPath {
  /** Pairs of x and y in the element's own space. */
  readonly lines: readonly (readonly number[])[];
  readonly isFilled: boolean;
  readonly radius: number;
  readonly isLight: boolean;
}
const flatPaths = new WeakMap<SceneGroup['children'], readonly FlatPath[]>();

function place(line: readonly number[], matrix: Matrix): number[] {
  const points: number[] = [];
  for (let i = 0; i < line.length; i += 2) {
    const { x, y } = applyMatrix(matrix, { x: line[i]!, y: line[i + 1]! });
    points.push(x, y);
  }
  return points;
}

/** True when a line has a part within the unit square grown by `by` (Liang and Barsky's clipping, 1984). */
function meetsSquare(line: readonly number[], by: { readonly x: number; readonly y: number }): boolean {
  for (let i = 0; i + 3 < line.length; i += 2) {
    const [x, y] = [line[i]!, line[i + 1]!];
    const [dx, dy] = [line[i + 2]! - x, line[i + 3]! - y];
    let [from, to] = [0, 1];
    for (const [step, room] of [
      [-dx, x + by.x],
      [dx, 1 + by.x - x],
      [-dy, y + by.y],
      [dy, 1 + by.y - y],
    ] as const) {
      if (step === 0) {
        if (room <= 0) [from, to] = [1, 0];
      } else if (step < 0) from = Math.max(from, room / step);
      else to = Math.min(to, room / step);
    }
    if (from < to) return true;
  }
  return false;
}

/** True when a closed line goes around the middle of the unit square. */
function isAround(line: readonly number[]): boolean {
  let isInside = false;
  for (let i = 0; i + 3 < line.length; i += 2) {
    const [x, y, nextX, nextY] = [line[i]!, line[i + 1]!, line[i + 2]!, line[i + 3]!];
    if (y > 0.5 !== nextY > 0.5 && 0.5 < x + ((0.5 - y) / (nextY - y)) * (nextX - x)) isInside = !isInside;
  }
  return isInside;
}

function mirroredCode(check: Check, { isFlipped, id }: CodeElement): Finding[] {
  if (!isFlipped) return [];
  const change = {
    label: 'Flip it back',
    words: 'flip it back',
    commands: [{ type: 'updateCode', id, changes: { isFlipped: false } } as const],
  };
  return [
    toFinding(
      check,
      {
        kind: 'mirroredCode',
        severity: 'advice',
        title: 'Code is mirrored',
        sentence: 'It is read from the back of clear material alone.',
        places: [check.group.corners],
      },
      change,
      '',
    ),
  ];
}

/** Marks of at least this lightness are light on their blank. */
const LIGHT_MARK = 0.6;

/** True where a laser leaves light marks: a code reads there with its ground marked instead. */
export function hasLightMarks({ machine, backdrop }: Pick<Scene, 'machine' | 'backdrop'>): boolean {
  const markColor = machine === 'laser' ? backdrop?.finish.markColor : undefined;
  return markColor !== undefined && lightness(markColor) >= LIGHT_MARK;
}

function lightCode(check: Check, { isInverted, id }: CodeElement): Finding[] {
  const { scene, group } = check;
  if (isInverted || !hasLightMarks(scene)) return [];
  const change = {
    label: 'Invert it',
    words: 'invert it',
    commands: [{ type: 'updateCode', id, changes: { isInverted: true } } as const],
  };
  return [
    toFinding(
      check,
      {
        kind: 'lightCode',
        severity: 'advice',
        title: 'Code in light marks',
        sentence: 'Marks are light on this blank, and many scanners read dark on light alone.',
        places: [group.corners],
      },
      change,
      '',
    ),
  ];
}
