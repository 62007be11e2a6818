/** Outlines of badges, each one contour in a square of any size: a shape scales it to its own box. */
import { formatNumber } from '../svg/svg.ts';

const WAVES = 24;
/** The depth of a wave in radii. */
const WAVE = 0.035;

/** A seal: a circle with a wave around it, as a smooth curve through points on both sides of it (Catmull-Rom). */
function drawSeal(): string {
  const count = WAVES * 4;
  const at = (i: number) => {
    const angle = (2 * Math.PI * i) / count - Math.PI / 2;
    const radius = 1 + WAVE * Math.cos((2 * Math.PI * i) / 4);
    return [radius * Math.cos(angle), radius * Math.sin(angle)] as const;
  };
  const text = (values: readonly number[]) => values.map((value) => formatNumber(value, 5)).join(' ');
  let d = `M${text(at(0))}`;
  for (let i = 0; i < count; i++) {
    const [[ax, ay], [bx, by], [cx, cy], [dx, dy]] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    d += `C${text([bx + (cx - ax) / 6, by + (cy - ay) / 6, cx - (dx - bx) / 6, cy - (dy - by) / 6, cx, cy])}`;
  }
  return `${d}Z`;
}

export const badges = {
  seal: drawSeal(),
  shield: 'M50 0C64 7 80 11 100 11L100 55C100 82 78 104 50 116C22 104 0 82 0 55L0 11C20 11 36 7 50 0Z',
  plaque:
    'M12 0L108 0C108 6.628 113.372 12 120 12L120 60C113.372 60 108 65.372 108 72' +
    'L12 72C12 65.372 6.628 60 0 60L0 12C6.628 12 12 6.628 12 0Z',
  banner: 'M0 0L120 0L108 18L120 36L0 36L12 18Z',
} as const;
