/** The surroundings that mockups stand in: each as a place to stand, and as a top to lie on. */
import { blur, drawBehind, lay, light, lookAcross, lookDown, type Picture, paint, SIDE, STAND } from './camera.ts';
import { dim, linen, type Material, marble, mixRgb, planks, plaster, type Rgb, terrazzo } from './materials.ts';
import { fractal, smoothstep } from './noise.ts';

interface Surroundings {
  readonly id: string;
  standing(): Promise<Picture>;
  lying(): Promise<Picture>;
}

const oakOf = (boardMm: number): Material =>
  planks({
    light: [214, 178, 132],
    dark: [158, 114, 71],
    board: { width: boardMm, length: 900 },
    ringMm: 0.8 + boardMm / 30,
    contrast: { rings: 0.3, pores: 0.2, boards: 0.34 },
    gapMm: 0.55,
  });
/** Narrow from above, where a shirt may lie on it. */
const oak = { standing: oakOf(92), lying: oakOf(54) };
const beech = planks({
  light: [206, 160, 112],
  dark: [139, 94, 56],
  board: { width: 46, length: 640 },
  ringMm: 3.6,
  contrast: { rings: 0.2, pores: 0.16, boards: 0.42 },
  gapMm: 0.25,
});
const carrara = marble({ ground: [236, 234, 230], vein: [158, 158, 158], strength: 0.7 });
const quartz = terrazzo(
  [232, 228, 220],
  [
    [216, 208, 195],
    [204, 200, 193],
    [219, 214, 206],
    [211, 193, 174],
  ],
  13,
);
const linoleum = plaster([122, 137, 125], 0.05, 0.02);
const paper = plaster([240, 236, 229], 0.012, 0.006);

/** The light of a window at the left: bright there, softer to the lower right. */
const fromWindow =
  (high: number, low: number) =>
  (x: number, y: number): number =>
    high + (low - high) * smoothstep(-0.1, 1.25, 0.62 * x + 0.48 * y);

/** Adds the shadows of the bars of a window: soft bands that lean, on what lies in the sun. */
const withBars =
  (lightAt: (x: number, y: number) => number, depth: number, soft = 0.035) =>
  (x: number, y: number): number => {
    const [p, q] = [x + 0.5 * y, y - 0.24 * x];
    const bar = (value: number, at: number, half: number) =>
      smoothstep(at - half - soft, at - half, value) * (1 - smoothstep(at + half, at + half + soft, value));
    const frame = Math.max(bar(p, 0.46, 0.014), bar(p, 1.02, 0.02), bar(q, 0.4, 0.013), 1 - smoothstep(-0.06, 0.02, q));
    const outside = smoothstep(1.26, 1.34, p);
    return lightAt(x, y) * (1 - depth * Math.max(frame, outside));
  };

const gradient = (id: string, stops: string, ends = 'x1="0" y1="0" x2="1" y2="1"') =>
  `<linearGradient id="${id}" ${ends}>${stops}</linearGradient>`;
const stop = (offset: number, color: string, opacity = 1) =>
  `<stop offset="${offset}" stop-color="${color}" stop-opacity="${opacity}"/>`;
const box = (x: number, y: number, width: number, height: number, fill: string, rx = 0) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${rx}" fill="${fill}"/>`;

/** A wall, and the shade where it meets what stands before it. */
const wall = (material: Material, lightAt: (x: number, y: number) => number) =>
  light(
    paint((x, y) => material(x / 3, y / 3)),
    (x, y) => lightAt(x, y) * (1 - 0.16 * smoothstep(0.5, STAND.edge / SIDE, y) ** 2),
    0.16,
  );

const shade = (lightAt: (x: number, y: number) => number) => (picture: Picture) => light(picture, lightAt, 0.12);

const plain: Surroundings = {
  id: 'plain',
  // Paper that rises behind the thing in one sweep.
  standing: async () =>
    light(
      paint((x, y) => paper(x / 5, y / 5)),
      (x, y) => {
        const sweep = smoothstep(0.52, 0.8, y);
        const glow = Math.exp(-(((x - 0.42) / 0.62) ** 2 + ((y - 0.36) / 0.55) ** 2));
        return (0.86 + 0.12 * glow) * (1 - sweep) + (0.985 - 0.05 * x - 0.09 * smoothstep(0.84, 1.1, y)) * sweep;
      },
      0.15,
    ),
  lying: async () => shade(withBars(fromWindow(1.035, 0.86), 0.07, 0.09))(lookDown(paper)),
};

const wood: Surroundings = {
  id: 'wood',
  async standing() {
    const behind = await blur(wall(plaster([205, 196, 184], 0.05), withBars(fromWindow(1.14, 0.78), 0.13)), 7);
    return shade(fromWindow(1.06, 0.88))(await lookAcross(oak.standing, behind));
  },
  lying: async () => shade(withBars(fromWindow(1.09, 0.82), 0.12, 0.07))(lookDown(oak.lying, 90)),
};

const stone: Surroundings = {
  id: 'stone',
  async standing() {
    const behind = await blur(wall(plaster([158, 155, 150], 0.08), fromWindow(1.16, 0.8)), 5);
    return shade(fromWindow(1.02, 0.88))(await lookAcross(carrara, behind, { blurPx: 7 }));
  },
  lying: async () => shade(fromWindow(1.03, 0.85))(lookDown(carrara)),
};

/** Glazed tiles in a running bond, each a little different, with the window in their glaze. */
function tiles(): string {
  const [w, h, gap] = [300, 150, 7];
  const rows: string[] = [box(0, 0, SIDE, SIDE, '#c9c6bf')];
  for (let row = 0; row * h < 1500; row++) {
    for (let column = -1; column * w < SIDE; column++) {
      const x = column * w + (row % 2) * (w / 2);
      const tone = 232 + Math.round(12 * (fractal(column * 3.7 + row * 1.9, row * 2.3, 2) - 0.5));
      rows.push(box(x, row * h - 40, w - gap, h - gap, `rgb(${tone},${tone - 2},${tone - 7})`, 6));
      rows.push(box(x + 6, row * h - 35, w - gap - 12, 10, 'rgba(255,255,255,0.5)', 5));
    }
  }
  return rows.join('');
}

const kitchen: Surroundings = {
  id: 'kitchen',
  async standing() {
    const glow = `<defs>${gradient('g', stop(0, '#fff8ea', 0.42) + stop(0.5, '#fff8ea', 0) + stop(1, '#3a3026', 0.3))}
      ${gradient('j', stop(0, '#8d6f4f') + stop(0.3, '#b79670') + stop(1, '#5f472f'), 'x1="0" y1="0" x2="1" y2="0"')}
      ${gradient('w', stop(0, '#b9b4a8') + stop(0.3, '#efece4') + stop(1, '#99948a'), 'x1="0" y1="0" x2="1" y2="0"')}
    </defs>`;
    // A crock with wooden spoons, and a stack of bowls, far behind.
    const things =
      `<g transform="translate(1560 1400)"><path d="M40 -330L10 -620M120 -330L130 -700M200 -330L260 -610" stroke="#9a7448" stroke-width="26" stroke-linecap="round"/>` +
      `<ellipse cx="6" cy="-650" rx="46" ry="66" fill="#a57d4e"/><ellipse cx="132" cy="-730" rx="40" ry="62" fill="#8d693f"/><ellipse cx="270" cy="-640" rx="44" ry="64" fill="#b08a5a"/>` +
      `<path d="M-20 -350H260L240 0H0Z" fill="url(#w)"/></g>` +
      `<g transform="translate(70 1400)"><path d="M0 -120H330Q300 0 200 0H130Q30 0 0 -120Z" fill="url(#w)"/><path d="M15 -190H315Q290 -100 200 -96H130Q40 -100 15 -190Z" fill="url(#j)"/></g>`;
    const far = await drawBehind(`${glow}${tiles()}${box(0, 0, SIDE, SIDE, 'url(#g)')}${things}`, 17);
    const behind = light(far, (_, y) => 1 - 0.14 * smoothstep(0.5, 0.7, y), 0.15);
    return shade(fromWindow(1.03, 0.88))(await lookAcross(quartz, behind, { blurPx: 8 }));
  },
  async lying() {
    const top = lookDown(quartz);
    const stripe = (v: number) =>
      0.85 * (1 - smoothstep(3.4, 3.7, Math.abs(v - 16))) + 0.85 * (1 - smoothstep(0.9, 1.2, Math.abs(v - 24)));
    const cloth = linen([236, 230, 217], [92, 116, 138], stripe);
    // The towel comes in at the lower left corner; its hem is not quite straight.
    const [c, s] = [Math.cos(-0.62), Math.sin(-0.62)];
    const towel = paint((x, y) => {
      const [u, v] = [(x - 40) / 8, (y - 1500) / 8];
      const [p, q] = [c * u - s * v, c * v + s * u];
      const edge = q + 1.6 * (fractal(p / 46, 3, 3) - 0.5);
      return edge < 0 ? [-1, -1, -1] : dim(cloth(p, edge), 0.9 + 0.1 * smoothstep(0, 1.6, edge));
    });
    const mask = await blur(
      towel.map((value) => (value < 0 ? 0 : 1)),
      14,
    );
    const out = top.map((value, i) => {
      if (towel[i]! >= 0) return towel[i]!;
      const from = i - 3 * (10 + 16 * SIDE);
      return value * (1 - 0.42 * (from > 0 ? mask[from]! : 0));
    });
    return shade(withBars(fromWindow(1.04, 0.85), 0.08, 0.07))(out);
  },
};

const desk: Surroundings = {
  id: 'desk',
  async standing() {
    const books = [
      [1470, 60, 560, '#7c4a3a'],
      [1534, 84, 610, '#c9b48f'],
      [1622, 52, 520, '#3f5563'],
      [1678, 74, 640, '#e4ddcf'],
      [1756, 60, 580, '#8a8f6d'],
    ] as const;
    const leaves = Array.from({ length: 13 }, (_, i) => {
      const turn = -104 + i * 17;
      const size = 250 + 90 * ((i * 5) % 3);
      const tone = ['#4d6448', '#5f7a57', '#3e523c'][i % 3];
      return `<path transform="translate(215 1010) rotate(${turn})" d="M0 0C${size * 0.3} -70 ${size * 0.8} -60 ${size} 0C${size * 0.8} 56 ${size * 0.3} 50 0 0Z" fill="${tone}"/>`;
    }).join('');
    const svg =
      `<defs>${gradient('g', stop(0, '#efe8dc') + stop(0.55, '#d9d0c2') + stop(1, '#a89e90'))}` +
      `${gradient('p', stop(0, '#8b5f47') + stop(0.35, '#c18a6b') + stop(1, '#74492f'), 'x1="0" y1="0" x2="1" y2="0"')}</defs>` +
      box(0, 0, SIDE, SIDE, 'url(#g)') +
      books.map(([x, w, h, fill]) => box(x, 1400 - h, w - 4, h, fill, 4)).join('') +
      `${leaves}<path d="M90 1080H340L306 1400H124Z" fill="url(#p)"/>`;
    const behind = light(await drawBehind(svg, 26), (_, y) => 1 - 0.12 * smoothstep(0.5, 0.7, y), 0.15);
    return shade(fromWindow(1.07, 0.86))(await lookAcross(linoleum, behind, { blurPx: 6 }));
  },
  async lying() {
    const things =
      `<defs>${gradient('n', stop(0, '#d9b48a') + stop(1, '#c39a6c'))}` +
      `${gradient('w', stop(0, '#e9c25c') + stop(0.45, '#f3d27a') + stop(1, '#b98a2c'), 'x1="0" y1="0" x2="0" y2="1"')}` +
      `<filter id="s" x="-20%" y="-20%" width="140%" height="150%"><feGaussianBlur stdDeviation="16"/></filter>` +
      `<filter id="t" x="-10%" y="-300%" width="120%" height="800%"><feGaussianBlur stdDeviation="7"/></filter></defs>` +
      // A notebook in kraft paper reaches in from the upper right, a pencil from the lower left.
      `<g transform="translate(1700 -260) rotate(14)"><rect x="14" y="26" width="620" height="760" rx="14" fill="#10160f" opacity="0.5" filter="url(#s)"/>` +
      `<rect x="4" y="7" width="620" height="760" rx="12" fill="#efe9dc"/><rect width="620" height="760" rx="12" fill="url(#n)"/>` +
      `<rect x="44" width="9" height="760" fill="#3b3a36" opacity="0.86"/><rect width="16" height="760" rx="8" fill="#000" opacity="0.1"/></g>` +
      `<g transform="translate(-260 1660) rotate(19)"><rect x="20" y="16" width="700" height="44" fill="#10160f" opacity="0.55" filter="url(#t)"/>` +
      `<rect width="640" height="48" fill="url(#w)"/><rect y="16" width="640" height="2" fill="#8a6418" opacity="0.5"/><rect y="32" width="640" height="2" fill="#8a6418" opacity="0.6"/>` +
      `<path d="M640 0L760 24L640 48Q652 40 640 32Q654 24 640 16Q652 8 640 0Z" fill="#e6c79b"/><path d="M726 17.2L760 24L726 30.8Z" fill="#33302d"/></g>`;
    return shade(withBars(fromWindow(1.12, 0.82), 0.09, 0.07))(await lay(lookDown(linoleum), things));
  },
};

/** Wood that was worked on: scratches, and spots of oil. */
const addWear =
  (material: Material): Material =>
  (u, v) => {
    const spot = smoothstep(0.62, 0.8, fractal(u / 85 + 9, v / 85, 3));
    const [a, b] = [u * 0.8 + v * 0.6, v * 0.8 - u * 0.6];
    const scratch =
      smoothstep(0.9, 0.97, fractal(a / 60, b * 1.3, 2)) + smoothstep(0.91, 0.97, fractal(b / 45 + 5, a * 1.1, 2));
    return mixRgb(dim(material(u, v), 1 - 0.2 * spot), [222, 190, 150] as Rgb, 0.35 * Math.min(1, scratch));
  };

const bench: Surroundings = {
  id: 'bench',
  async standing() {
    const holes: string[] = [];
    for (let y = 60; y < 1400; y += 100) {
      for (let x = 50; x < SIDE; x += 100) holes.push(`<circle cx="${x}" cy="${y}" r="11"/>`);
    }
    // Chisels in a rack, and a saw: tools whose outlines are still known out of focus.
    const chisels = [170, 262, 354, 446, 538, 630, 722]
      .map((x, i) => {
        const length = 190 + 34 * ((i * 3) % 4);
        return `${box(x - 24, 470, 48, 210, '#8f6f4a', 22)}${box(x - 14, 690, 28, length, '#838485', 3)}`;
      })
      .join('');
    const tools =
      `${chisels}${box(110, 640, 680, 46, '#6d553a', 6)}` +
      `<path d="M1290 520L1840 500Q1870 600 1850 650L1300 830Q1270 700 1290 520Z" fill="#86878a"/>` +
      `<path d="M1800 470Q1960 400 1990 520Q2000 660 1880 680Q1800 660 1800 470ZM1866 540Q1850 610 1886 620Q1930 600 1920 530Q1890 500 1866 540Z" fill="#7d6040" fill-rule="evenodd"/>`;
    const svg =
      `<defs>${gradient('g', stop(0, '#ffe2b0', 0.34) + stop(0.5, '#ffe2b0', 0) + stop(1, '#0c1014', 0.5))}</defs>` +
      `${box(0, 0, SIDE, SIDE, '#5c5b58')}<g fill="#42413f">${holes.join('')}</g>` +
      `<g transform="translate(12 22)" opacity="0.4" style="mix-blend-mode:multiply">${tools}</g>${tools}${box(0, 0, SIDE, SIDE, 'url(#g)')}`;
    const behind = light(await drawBehind(svg, 21), (_, y) => 1 - 0.3 * smoothstep(0.5, 0.7, y), 0.15);
    return shade(fromWindow(1.06, 0.8))(await lookAcross(addWear(beech), behind, { blurPx: 9, front: 0.86 }));
  },
  async lying() {
    const ticks = Array.from({ length: 150 }, (_, mm) => {
      const length = mm % 10 === 0 ? 46 : mm % 5 === 0 ? 34 : 22;
      return `<path d="M${20 + mm * 8} 0v${length}" stroke="#2b2e31" stroke-width="${mm % 5 === 0 ? 2 : 1.4}"/>`;
    }).join('');
    const hole = (x: number, y: number) =>
      `<circle cx="${x}" cy="${y}" r="76" fill="url(#h)"/><circle cx="${x}" cy="${y}" r="78" fill="none" stroke="#e2b988" stroke-opacity="0.35" stroke-width="5"/>`;
    const things =
      `<defs><radialGradient id="h" cx="0.62" cy="0.66" r="0.62">${stop(0, '#4a2f1b') + stop(0.55, '#1d120a') + stop(1, '#0d0805')}</radialGradient>` +
      `${gradient('r', stop(0, '#d9dcde') + stop(0.4, '#b4b9bd') + stop(0.6, '#e9ebec') + stop(1, '#9da3a8'), 'x1="0" y1="0" x2="1" y2="0"')}` +
      `<filter id="s" x="-10%" y="-60%" width="120%" height="240%"><feGaussianBlur stdDeviation="8"/></filter></defs>` +
      `${hole(240, 170)}${hole(1760, 170)}` +
      // A steel rule reaches in from the lower right.
      `<g transform="translate(1120 1905) rotate(-13)"><rect x="8" y="12" width="1240" height="170" fill="#150c05" opacity="0.6" filter="url(#s)"/>` +
      `<rect width="1240" height="170" rx="3" fill="url(#r)"/>${ticks}<rect y="166" width="1240" height="4" fill="#6f757a"/></g>`;
    const top = await lay(lookDown(addWear(beech)), things);
    return shade(withBars(fromWindow(1.1, 0.76), 0.08, 0.07))(top);
  },
};

export const surroundings: readonly Surroundings[] = [plain, wood, stone, kitchen, desk, bench];
