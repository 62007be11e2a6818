/** Lines of letters among the parts of a drawing. */
import type { PathBounds } from '../geometry/pathData.ts';
import type { Part } from './parts.ts';

/** Fewer letters look like those of many faces. */
export const FEWEST_LETTERS = 3;
/** Parts of a line. */
const MOST_PARTS = 120;

export const heightOf = ({ bounds }: Part): number => bounds.maxY - bounds.minY;
const widthOf = ({ bounds }: Part): number => bounds.maxX - bounds.minX;

/** Groups parts into lines: neighbors of like height that stand side by side, with the small parts near them. */
export function findLines(parts: readonly Part[]): Part[][] {
  const row = [...parts].sort((a, b) => a.bounds.minX - b.bounds.minX);
  const group = row.map((_, i) => i);
  const rootOf = (i: number): number => {
    let root = i;
    while (group[root] !== root) root = group[root]!;
    group[i] = root;
    return root;
  };
  for (let i = 0; i < row.length; i++) {
    const a = row[i]!;
    const height = heightOf(a);
    for (let j = i + 1; j < row.length; j++) {
      const b = row[j]!;
      const gap = b.bounds.minX - a.bounds.maxX;
      const taller = Math.max(height, heightOf(b));
      const lower = Math.min(height, heightOf(b));
      if (gap > 1.2 * taller) {
        // Parts are sorted by where they begin; one further on may still be tall enough to be a neighbor.
        if (b.bounds.minX - a.bounds.maxX > 1.2 * 3.2 * height) break;
        continue;
      }
      if (taller > 3.2 * lower) continue;
      const overlap = Math.min(a.bounds.maxY, b.bounds.maxY) - Math.max(a.bounds.minY, b.bounds.minY);
      if (overlap < 0.5 * lower) continue;
      group[rootOf(j)] = rootOf(i);
    }
  }
  const lines = new Map<number, Part[]>();
  for (const [i, part] of row.entries()) {
    const root = rootOf(i);
    if (!lines.has(root)) lines.set(root, []);
    lines.get(root)!.push(part);
  }
  const letters = [...lines.values()].filter((line) => line.length >= 2);
  const isTaken = new Set(letters.filter((line) => line.length >= FEWEST_LETTERS).flat());
  return letters
    .filter((line) => line.length >= FEWEST_LETTERS - 1 && line.length <= MOST_PARTS)
    .map((line) => {
      const box = boundsOf(line);
      const height = box.maxY - box.minY;
      const near = row.filter(
        (part) =>
          !isTaken.has(part) &&
          !line.includes(part) &&
          heightOf(part) < 0.7 * height &&
          // A word of a script whose letters join is wide, and so is a rule.
          (widthOf(part) < 1.5 * height || (heightOf(part) > 0.2 * height && part.bounds.maxY < box.maxY)) &&
          part.bounds.minX > box.minX - 0.5 * height &&
          part.bounds.maxX < box.maxX + 0.7 * height &&
          part.bounds.minY > box.minY - 0.5 * height &&
          part.bounds.maxY < box.maxY + 0.4 * height,
      );
      return [...line, ...near].sort((a, b) => a.bounds.minX - b.bounds.minX);
    });
}

export function boundsOf(parts: readonly Part[]): PathBounds {
  return {
    minX: Math.min(...parts.map(({ bounds }) => bounds.minX)),
    minY: Math.min(...parts.map(({ bounds }) => bounds.minY)),
    maxX: Math.max(...parts.map(({ bounds }) => bounds.maxX)),
    maxY: Math.max(...parts.map(({ bounds }) => bounds.maxY)),
  };
}
