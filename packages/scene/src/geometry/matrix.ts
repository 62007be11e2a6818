/** The 2×3 affine transform with SVG's letters. `multiply(a, b)` applies b first, as nested transforms do. */
export interface Point {
  readonly x: number;
  readonly y: number;
}
/** x' = a·x + c·y + e, y' = b·x + d·y + f, as in SVG. */
export interface Matrix {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly e: number;
  readonly f: number;
}

export const identity: Matrix = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };

export function multiply(...matrices: readonly Matrix[]): Matrix {
  return matrices.reduce(
    (m, n) => ({
      a: m.a * n.a + m.c * n.b,
      b: m.b * n.a + m.d * n.b,
      c: m.a * n.c + m.c * n.d,
      d: m.b * n.c + m.d * n.d,
      e: m.a * n.e + m.c * n.f + m.e,
      f: m.b * n.e + m.d * n.f + m.f,
    }),
    identity,
  );
}

export const translate = (x: number, y: number): Matrix => ({ ...identity, e: x, f: y });

export const scale = (x: number, y = x): Matrix => ({ ...identity, a: x, d: y });

/** Returns a rotation about `center`, clockwise on screen (y points down). Quarter turns are exact. */
export function rotateDeg(angleDeg: number, center: Point = { x: 0, y: 0 }): Matrix {
  const { cos, sin } = cosSin(angleDeg);
  const turn = { a: cos, b: sin, c: -sin, d: cos, e: 0, f: 0 };
  return multiply(translate(center.x, center.y), turn, translate(-center.x, -center.y));
}

function cosSin(angleDeg: number): { cos: number; sin: number } {
  const quarters = angleDeg / 90;
  if (Number.isInteger(quarters)) {
    const quarter = ((quarters % 4) + 4) % 4;
    return { cos: [1, 0, -1, 0][quarter]!, sin: [0, 1, 0, -1][quarter]! };
  }
  const angle = (angleDeg * Math.PI) / 180;
  return { cos: Math.cos(angle), sin: Math.sin(angle) };
}

/** Returns the factor by which areas grow, below 0 when the matrix mirrors. */
export const determinant = (m: Matrix): number => m.a * m.d - m.b * m.c;

/** Returns the inverse. Throws a RangeError for a matrix that flattens the plane (determinant 0 or not finite). */
export function invert(m: Matrix): Matrix {
  const det = determinant(m);
  if (!Number.isFinite(1 / det)) throw new RangeError('This transform cannot be undone: it has no area.');
  return {
    a: m.d / det,
    b: -m.b / det,
    c: -m.c / det,
    d: m.a / det,
    e: (m.c * m.f - m.d * m.e) / det,
    f: (m.b * m.e - m.a * m.f) / det,
  };
}

export const applyMatrix = (m: Matrix, point: Point): Point => ({
  x: m.a * point.x + m.c * point.y + m.e,
  y: m.b * point.x + m.d * point.y + m.f,
});

/**
 * Returns the factor by which lengths grow. Exact for rotations, flips and even scaling; a geometric mean otherwise.
 */
export const lengthScale = (m: Matrix): number => Math.sqrt(Math.abs(determinant(m)));
