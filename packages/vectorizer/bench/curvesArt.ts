/** Drawings of long S-curves that cross: seeded bands, smooth but for their ends, each over those before it. */
import { type Art, randomFrom, SIDE, toArt } from './art.ts';

const COLORS = ['#d1495b', '#edae49', '#30638e', '#003d5b', '#6a994e', '#7b2cbf', '#f4a261'];

/** Returns `count` drawings; those of another seed are others. */
export function makeCurvesArt(count: number, seed: number): Art[] {
  return Array.from({ length: count }, (_, k) => {
    const random = randomFrom(1000 * seed + k);
    const between = (low: number, high: number): number => low + random() * (high - low);
    const bands = 3 + Math.floor(random() * 3);
    let body = '';
    for (let band = 0; band < bands; band++) {
      const isUpright = band % 2 === 1;
      const middle = SIDE * ((0.25 + 0.5 * (Math.floor(band / 2) + 0.5)) / (bands / 2)) * between(0.85, 1.15);
      const width = between(24, 60);
      const bends = 2 + Math.floor(random() * 2);
      const [from, to] = [between(20, 60), SIDE - between(20, 60)];
      const span = (to - from) / bends;
      const swing = between(0.12, 0.3) * span * (random() < 0.5 ? -1 : 1);
      const handle = between(0.36, 0.46) * span;
      const pair = (along: number, across: number): string => {
        const [p, q] = [along.toFixed(3), Math.min(SIDE - 8, Math.max(8, across)).toFixed(3)];
        return isUpright ? `${q} ${p}` : `${p} ${q}`;
      };
      /** Draws one side of the band, whose nodes have level tangents. */
      const side = (off: number, isBack: boolean): string => {
        let d = '';
        for (let bend = 0; bend < bends; bend++) {
          const [a, b] = isBack ? [bends - bend, bends - bend - 1] : [bend, bend + 1];
          const level = (node: number): number => middle + off + (node % 2 ? swing : -swing);
          const forward = isBack ? -handle : handle;
          const [first, second] = [
            pair(from + a * span + forward, level(a)),
            pair(from + b * span - forward, level(b)),
          ];
          d += `C${first} ${second} ${pair(from + b * span, level(b))}`;
        }
        return d;
      };
      const [near, far] = [middle - width / 2, middle + width / 2];
      const lastSwing = bends % 2 ? swing : -swing;
      const start = `M${pair(from, near - swing)}${side(-width / 2, false)}`;
      body += `<path fill="${COLORS[(band + k) % COLORS.length]}" d="${start}L${pair(to, far + lastSwing)}`;
      body += `${side(width / 2, true)}L${pair(from, near - swing)}z"/>`;
    }
    return toArt(`bands ${seed} ${k}`, 'curves', 'drawn by bench/curvesArt.ts', body, SIDE, SIDE);
  });
}
