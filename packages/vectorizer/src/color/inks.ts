import type { Ink } from '../options.ts';
import { writeOklab } from './color.ts';
import type { LabelMap } from './labels.ts';

/**
 * Gives each color of the picture the nearest ink. Colors too far from it, and inks without paint, are left clear.
 *
 * Palette colors are matched, after mixed edge pixels have got the label of one side: a gray edge between black and
 * white never becomes a gray ink. All colors of one ink take the label of the color with the most pixels, so boundaries
 * stay where they were. Linear in pixels.
 */
export function applyInks(labelMap: LabelMap, inks: readonly Ink[]): LabelMap {
  const { palette, count, clear } = labelMap;
  const labs = new Float64Array(inks.length * 3);
  for (let k = 0; k < inks.length; k++) writeOklab(inks[k].red, inks[k].green, inks[k].blue, labs, k * 3);
  const areas = new Uint32Array(count);
  for (let p = 0; p < labelMap.labels.length; p++) areas[labelMap.labels[p]]++;

  const leader = new Int32Array(inks.length).fill(-1); // by ink: its color with the most pixels
  const inkOf = new Int32Array(count).fill(-1);
  const own = new Float64Array(3);
  for (let label = 0; label < count; label++) {
    if (label === clear) continue;
    writeOklab(palette[label * 4], palette[label * 4 + 1], palette[label * 4 + 2], own, 0);
    let best = 0;
    let nearest = Infinity;
    for (let k = 0; k < inks.length; k++) {
      const d = Math.hypot(own[0] - labs[k * 3], own[1] - labs[k * 3 + 1], own[2] - labs[k * 3 + 2]);
      if (d < nearest) {
        nearest = d;
        best = k;
      }
    }
    if (100 * nearest > inks[best].tolerance) continue;
    inkOf[label] = best;
    if (leader[best] < 0 || areas[label] > areas[leader[best]]) leader[best] = label;
  }

  const to = new Uint16Array(count); // an ink takes the label of its leader; colors left clear keep their own
  const paints: (string | null)[] = [];
  for (let label = 0; label < count; label++) {
    const ink = inkOf[label];
    to[label] = ink < 0 ? label : leader[ink];
    paints[label] = ink < 0 ? null : inks[ink].paint;
  }
  const labels = new Uint16Array(labelMap.labels.length);
  for (let p = 0; p < labels.length; p++) labels[p] = to[labelMap.labels[p]];
  return { ...labelMap, labels, paints };
}
