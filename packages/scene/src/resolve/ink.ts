/** The ink of an artwork: what a machine makes of it, and not the frame of its picture. */
import type { Artwork } from '../artwork/artwork.ts';
import type { FractionRect, MachineMode } from '../document/composition.ts';
import { hasWhiteInk, isNearWhite, laserLayerOf } from '../document/machine.ts';
import { readContours, tightBounds } from '../geometry/pathData.ts';
import { penRadius } from './pen.ts';
import { designChildren } from './resolve.ts';
import type { SceneGroup, ScenePath } from './scene.ts';

/** True when a machine makes a path. White is bare material but for a printer that has white ink. */
export function isMade({ operation, fill, stroke, opacity }: ScenePath, machine: MachineMode): boolean {
  const color = fill ?? stroke;
  if (!color || opacity <= 0) return false;
  if (machine === 'laser') return laserLayerOf(operation, color, opacity) !== undefined;
  return hasWhiteInk(machine) || !isNearWhite(color);
}

const inkBoxes = new WeakMap<SceneGroup['children'], FractionRect | 'none'>();

/**
 * Returns the box around the ink of a traced artwork, in fractions of its frame, which lines may overhang. Undefined
 * for a picture without a trace, and where nothing is made. Cost: linear in the nodes at the first call for an artwork
 * and a machine, nothing after it.
 */
export function measureInk(artwork: Artwork, machine: MachineMode): FractionRect | undefined {
  const children = designChildren(artwork, machine);
  let box = inkBoxes.get(children);
  if (box === undefined) {
    box = findInkBox(children, machine, artwork) ?? 'none';
    inkBoxes.set(children, box);
  }
  return box === 'none' ? undefined : box;
}

function findInkBox(
  children: SceneGroup['children'],
  machine: MachineMode,
  frame: { readonly width: number; readonly height: number },
): FractionRect | undefined {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const child of children) {
    if (child.kind !== 'path' || !isMade(child, machine)) continue;
    const { minX, minY, maxX, maxY } = tightBounds(readContours(child.d));
    const radius = penRadius(child);
    left = Math.min(left, minX - radius);
    top = Math.min(top, minY - radius);
    right = Math.max(right, maxX + radius);
    bottom = Math.max(bottom, maxY + radius);
  }
  // A line straight up or across has no box that could be scaled.
  if (!(right > left && bottom > top)) return undefined;
  const { width, height } = frame;
  return { x: left / width, y: top / height, width: (right - left) / width, height: (bottom - top) / height };
}
