/** Words and limits of a shop's lasers: their speeds and powers by material and operation. */
import type { LaserOperation } from '@markwright/scene';

export const LASER_LIMITS = { lasers: 20, entries: 120, nameLength: 60, libraryBytes: 2 * 2 ** 20 } as const;

export const laserOperationNames: Readonly<Record<LaserOperation, string>> = {
  engrave: 'Engrave',
  engraveMedium: 'Engrave, medium tone',
  engraveLight: 'Engrave, light tone',
  score: 'Score',
  cut: 'Cut',
};
