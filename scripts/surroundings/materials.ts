/** What tops and walls are made of: the color of a point, by its place in millimeters. */
import { fractal, noise, pick, smoothstep } from './noise.ts';

/** Red, green and blue, 0..255 and beyond. */
export type Rgb = readonly [number, number, number];
/** Millimeters to the right and toward the viewer. */
export type Material = (u: number, v: number) => Rgb;

export const mixRgb = (a: Rgb, b: Rgb, share: number): Rgb => [
  a[0] + (b[0] - a[0]) * share,
  a[1] + (b[1] - a[1]) * share,
  a[2] + (b[2] - a[2]) * share,
];
export const dim = ([r, g, b]: Rgb, by: number): Rgb => [r * by, g * by, b * by];

interface Wood {
  readonly light: Rgb;
  readonly dark: Rgb;
  /** Width of a board and length of one, mm. */
  readonly board: { readonly width: number; readonly length: number };
  readonly ringMm: number;
  /** How much late wood, pores and the boards' own tones show, 0..1. */
  readonly contrast: { readonly rings: number; readonly pores: number; readonly boards: number };
  /** Width of the gaps, mm: 0 for boards that are glued. */
  readonly gapMm: number;
}

/** Boards side by side, with their grain to the right: rings of a trunk, cut lengthwise. */
export function planks({ light, dark, board, ringMm, contrast, gapMm }: Wood): Material {
  return (u, v) => {
    const row = Math.floor(v / board.width);
    const shift = board.length * pick(row, 1);
    const column = Math.floor((u + shift) / board.length);
    const id = row * 37 + column * 101 + 4000;
    const inV = v - row * board.width;
    const inU = u + shift - column * board.length;

    // The pith lies beside or below the board and leans along it, which makes the flames of a flat cut.
    const pithV = board.width * (0.5 + 1.6 * (pick(id, 2) - 0.5));
    const along = u + 900 * pick(id, 3);
    const depth = 16 + 60 * pick(id, 4) + (pick(id, 5) - 0.5) * 0.09 * inU + 14 * (fractal(along / 260, id, 2) - 0.5);
    const wave = 3.2 * (fractal(along / 75, inV / 16 + id, 3) - 0.5);
    const radius = (Math.hypot(inV - pithV, depth) + wave) / ringMm;
    const year = radius + 0.9 * (noise(radius * 0.31, id) - 0.5);
    const ring = year - Math.floor(year);
    const late = smoothstep(0.1, 0.82, ring) * (1 - smoothstep(0.86, 1, ring));
    const strength = 0.5 + 0.7 * noise(Math.floor(year) * 0.9, id);

    const fiber = fractal(along / 42, inV * 2.4, 3) - 0.5;
    const pore = smoothstep(0.66, 0.9, noise(along / 5.5, inV * 4.6)) * (0.35 + 0.65 * late);
    const cloud = fractal(along / 120, v / 45, 3) - 0.5;
    const own = contrast.boards * (pick(id, 6) - 0.5);
    const share = 0.3 + contrast.rings * late * strength + 0.34 * fiber + 0.3 * cloud + own;
    let color = mixRgb(light, dark, share);
    color = dim(color, 1 - contrast.pores * pore);
    if (gapMm > 0) {
      const edge = Math.min(inV, board.width - inV, inU, board.length - inU);
      const gap = 1 - smoothstep(gapMm * 0.35, gapMm, edge);
      color = dim(color, (1 - 0.55 * gap) * (1 - 0.1 * (1 - smoothstep(gapMm, gapMm * 4, edge))));
    }
    return color;
  };
}

interface Marble {
  readonly ground: Rgb;
  readonly vein: Rgb;
  readonly strength: number;
}

/** Polished stone with clouds and veins: ridges of noise that is itself bent by noise. */
export const marble =
  ({ ground, vein, strength }: Marble): Material =>
  (u, v) => {
    const [x, y] = [u * 0.86 + v * 0.5, v * 0.86 - u * 0.5];
    const bendX = fractal(x / 190, y / 190, 4) - 0.5;
    const bendY = fractal(x / 190 + 40, y / 190 + 9, 4) - 0.5;
    const ridge = (scale: number, salt: number, power: number) => {
      const n = fractal((x + 190 * bendX) / scale + salt, (y + 230 * bendY) / (scale * 0.42), 4);
      return (1 - Math.min(1, Math.abs(n - 0.5) * 5)) ** power;
    };
    const where = smoothstep(0.38, 0.72, fractal(x / 260 + 7, y / 150, 2));
    const veins = 0.8 * where * ridge(300, 3, 9) + 0.42 * where * ridge(120, 60, 14);
    const cloud = fractal(x / 110 + 20, y / 60, 5) - 0.5;
    const grain = noise(u * 2.1, v * 2.1) - 0.5;
    const share = strength * (veins + 0.55 * smoothstep(0, 0.34, cloud) * (0.4 + where));
    return dim(mixRgb(ground, vein, share), 1 + 0.035 * cloud + 0.008 * grain);
  };

/** Stone or paper with hardly any structure: soft clouds and a fine grain. */
export const plaster =
  (color: Rgb, clouds: number, grain = 0.012): Material =>
  (u, v) => {
    const cloud = fractal(u / 160, v / 160, 4) - 0.5;
    const trowel = fractal(u / 70 + 3, v / 22, 3) - 0.5;
    return dim(color, 1 + clouds * (cloud + 0.45 * trowel) + grain * (noise(u * 1.7, v * 1.7) - 0.5));
  };

/** Chips of stone in cement, each with its own tone, in cells of `cellMm`. */
export function terrazzo(ground: Rgb, chips: readonly Rgb[], cellMm: number): Material {
  return (u, v) => {
    const base = dim(ground, 1 + 0.03 * (fractal(u / 90, v / 90, 3) - 0.5) + 0.012 * (noise(u * 2, v * 2) - 0.5));
    let color = base;
    for (const [layer, size] of [
      [1, cellMm],
      [2, cellMm * 0.42],
    ] as const) {
      const [gu, gv] = [u / size, v / size];
      const [cu, cv] = [Math.floor(gu), Math.floor(gv)];
      for (let dv = -1; dv <= 1; dv++) {
        for (let du = -1; du <= 1; du++) {
          const id = (cu + du) * 131 + (cv + dv) * 517 + layer * 9001;
          if (pick(id, 1) > 0.46) continue;
          const [x, y] = [gu - (cu + du) - pick(id, 2), gv - (cv + dv) - pick(id, 3)];
          const angle = Math.PI * pick(id, 4);
          const [a, b] = [x * Math.cos(angle) + y * Math.sin(angle), y * Math.cos(angle) - x * Math.sin(angle)];
          const wobble = 0.25 * (noise(gu * 3.1 + id, gv * 3.1) - 0.5);
          const reach = Math.hypot(a / (0.14 + 0.2 * pick(id, 5)), b / (0.09 + 0.13 * pick(id, 6))) + wobble * 1.6;
          const cover = 1 - smoothstep(0.94, 1.02, reach);
          if (cover > 0)
            color = mixRgb(color, chips[Math.floor(pick(id, 7) * chips.length) % chips.length]!, 0.72 * cover);
        }
      }
    }
    return color;
  };
}

/** Woven linen: threads across each other, each a little thicker here and there. `stripe`: 0..1 of a colored band. */
export const linen =
  (color: Rgb, band: Rgb, stripe: (v: number) => number): Material =>
  (u, v) => {
    const [warp, weft] = [Math.sin(u * 4.2 + 1.6 * noise(v / 9, u / 3)), Math.sin(v * 4.2 + 1.6 * noise(u / 9, v / 3))];
    const thread = 0.5 * (warp + weft) * (0.5 + 0.5 * noise(u / 1.3, v / 1.3));
    const slub = fractal(u / 28, v / 1.1, 2) + fractal(u / 1.1, v / 28, 2) - 1;
    const fold = fractal(u / 85 + 2, v / 150, 2) - 0.5;
    return dim(mixRgb(color, band, stripe(v)), 1 + 0.035 * thread + 0.07 * slub + 0.22 * fold);
  };
