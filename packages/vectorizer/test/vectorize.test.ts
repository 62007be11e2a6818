import { describe, expect, test } from 'vitest';
import type { Bitmap, Drawing, VectorizeOptions } from '../src/index.ts';
import { Tracer, vectorize, writeSvg } from '../src/index.ts';
import {
  areaOf,
  BLACK,
  CLEAR,
  type Color,
  countCrossings,
  draw,
  flatten,
  paint,
  photograph,
  randomBytes,
  ringsOf,
  turn,
  WHITE,
} from './raster.ts';

const RED: Color = [210, 40, 30, 255];
const BLUE: Color = [30, 70, 200, 255];
const GREEN: Color = [20, 150, 70, 255];

const disk = (cx: number, cy: number, r: number) => (x: number, y: number) => (x - cx) ** 2 + (y - cy) ** 2 < r * r;
const box = (x0: number, y0: number, x1: number, y1: number) => (x: number, y: number) =>
  x >= x0 && x < x1 && y >= y0 && y < y1;

/** Returns the painted area in px²; holes are wound the other way. */
const inkIn = (drawing: Drawing): number => Math.abs(ringsOf(drawing).reduce((sum, { ring }) => sum + areaOf(ring), 0));

/** Draws three regions that meet at junctions, one hole, and a tilted bar. */
function drawScene(): Bitmap {
  return draw(120, 90, WHITE, [
    { color: RED, isInside: disk(40, 44, 28.3) },
    { color: BLUE, isInside: (x, y) => x > 41.4 && disk(52, 46, 30.2)(x, y) },
    { color: GREEN, isInside: disk(35.5, 40.2, 9) },
    {
      color: BLACK,
      isInside: (x, y) =>
        Math.abs((x - 100) * 0.8 + (y - 30) * 0.6) < 4.4 && Math.abs((y - 30) * 0.8 - (x - 100) * 0.6) < 22,
    },
  ]);
}

describe('accuracy', () => {
  test.each([
    [40, 39.6, 12.5],
    [60.3, 61.7, 41.2],
    [64, 64, 55],
  ])('recovers a circle around (%f, %f) of radius %f', (cx, cy, r) => {
    const drawing = vectorize(draw(128, 128, WHITE, [{ color: BLACK, isInside: disk(cx, cy, r) }]));
    const rings = ringsOf(drawing);
    expect(rings).toHaveLength(1);
    expect(rings[0].ring.segments.length).toBeLessThanOrEqual(8);
    for (const [x, y] of flatten(rings[0].ring)) expect(Math.abs(Math.hypot(x - cx, y - cy) - r)).toBeLessThan(0.05);
  });

  test.each([
    [20, 20, 80, 70],
    [20.3, 30.75, 88.6, 71.1],
  ])('traces a rectangle from (%f, %f) to (%f, %f) with four lines and sharp corners', (x0, y0, x1, y1) => {
    const drawing = vectorize(draw(110, 100, WHITE, [{ color: BLACK, isInside: box(x0, y0, x1, y1) }]));
    const { segments } = ringsOf(drawing)[0].ring;
    expect(segments.map((s) => s.isLine)).toEqual([true, true, true, true]);
    for (const [x, y] of [
      [x0, y0],
      [x1, y0],
      [x1, y1],
      [x0, y1],
    ]) {
      const nearest = Math.min(...segments.map((s) => Math.hypot(s.x - x, s.y - y)));
      expect(nearest).toBeLessThan(0.05);
    }
  });

  test('traces a tilted square with four lines', () => {
    const isInside = (x: number, y: number) => {
      const u = (x - 50) * 0.8 + (y - 50) * 0.6;
      const v = (y - 50) * 0.8 - (x - 50) * 0.6;
      return Math.abs(u) < 26 && Math.abs(v) < 26;
    };
    const { ring } = ringsOf(vectorize(draw(100, 100, WHITE, [{ color: BLACK, isInside }])))[0];
    expect(ring.segments.filter((s) => s.isLine)).toHaveLength(4);
    expect(ring.segments).toHaveLength(4);
    expect(Math.abs(areaOf(ring))).toBeCloseTo(52 * 52, -1);
  });

  test('adds no third color for mixed edge pixels', () => {
    const drawing = vectorize(drawScene());
    expect(new Set(ringsOf(drawing).map(({ color }) => color)).size).toBe(4);
    for (const { color } of ringsOf(drawing)) expect(['#d2281e', '#1e46c8', '#149646', '#000000']).toContain(color);
  });
});

describe('the planar map', () => {
  test('covers the picture once with cut-outs, so that areas add up to it', () => {
    const noise = randomBytes(7);
    const blobs = Array.from({ length: 12 }, () => ({
      color: [RED, BLUE, GREEN, BLACK][noise() & 3],
      isInside: disk(noise() / 2.6, noise() / 3, 6 + noise() / 16),
    }));
    // Two colors share the border, so neither is an open page.
    const bitmap = draw(
      98,
      85,
      [240, 200, 60, 255],
      [{ color: [90, 90, 90, 255], isInside: (x, y) => x + y > 90 }, ...blobs],
    );
    const drawing = vectorize(bitmap, { stacking: 'cutouts', despeckle: 0 });
    expect(drawing.background).toBeUndefined();
    expect(ringsOf(drawing).length).toBeGreaterThan(8);
    const paintArea = ringsOf(drawing).reduce((sum, { ring }) => sum - areaOf(ring), 0);
    expect(Math.abs(paintArea - 98 * 85)).toBeLessThan(1e-6);
  });

  test('treats a page that is not white as a cut-out and not as a ground under the others', () => {
    const navy: Color = [40, 40, 60, 255];
    const bitmap = draw(90, 70, navy, [
      { color: RED, isInside: disk(45, 35, 28) },
      { color: navy, isInside: disk(45, 35, 15) },
      { color: GREEN, isInside: disk(45, 35, 7) },
    ]);
    const drawing = vectorize(bitmap, { stacking: 'cutouts' });
    expect(drawing.background).toBeUndefined();
    const page = ringsOf(drawing).filter(({ color }) => color === '#28283c');
    expect(page).toHaveLength(4); // the frame and its hole, the band between the disks and its hole
    const paintArea = ringsOf(drawing).reduce((sum, { ring }) => sum - areaOf(ring), 0);
    expect(Math.abs(paintArea - 90 * 70)).toBeLessThan(1e-6);
    expect(writeSvg(drawing)).not.toContain('H90V70H0z');

    const onPaper = vectorize(draw(90, 70, WHITE, [{ color: RED, isInside: disk(45, 35, 28) }]), {
      stacking: 'cutouts',
    });
    expect(onPaper.background).toBe('#ffffff');
    expect(ringsOf(onPaper)).toHaveLength(1);
    expect(vectorize(bitmap, { stacking: 'cutouts', draw: 'stroke' }).background).toBe('#28283c');
  });

  test('shares boundaries between neighbors to the last digit', () => {
    const drawing = vectorize(drawScene(), { stacking: 'cutouts', groupBy: 'shape' });
    const edgeCounts = new Map<string, number>();
    for (const { ring } of ringsOf(drawing)) {
      let { x, y } = ring;
      for (const s of ring.segments) {
        const ends = [`${x},${y},${s.x1},${s.y1}`, `${s.x},${s.y},${s.x2},${s.y2}`];
        const key = s.isLine ? [`${x},${y}`, `${s.x},${s.y}`].sort().join('|') : ends.sort().join('|');
        edgeCounts.set(key, (edgeCounts.get(key) ?? 0) + 1);
        ({ x, y } = s);
      }
    }
    const counts = [...edgeCounts.values()];
    expect(counts.every((count) => count <= 2)).toBe(true);
    expect(counts.filter((count) => count === 2).length).toBeGreaterThan(3); // red against blue, and the green disk
  });

  test('draws nothing outside the picture', () => {
    const noise = randomBytes(11);
    const bitmap = paint(120, 90, (x, y) => {
      const light = 128 + 60 * Math.sin(x / 9) + 50 * Math.cos((x + 2 * y) / 13) + (noise() & 63) - 31.5;
      const value = Math.min(255, Math.max(0, Math.round(light)));
      return [value, value, 255 - value, 255];
    });
    const rings = ringsOf(vectorize(bitmap, { stacking: 'cutouts', despeckle: 1 }));
    const points = rings.flatMap(({ ring }) => flatten(ring));
    expect(points.length).toBeGreaterThan(100);
    for (const [x, y] of points) expect(Math.max(-x, -y, x - 120, y - 90)).toBeLessThan(0.01);
  });

  test('closes every ring, and none crosses itself', () => {
    for (const stacking of ['cutouts', 'stacked'] as const) {
      for (const { ring } of ringsOf(vectorize(drawScene(), { stacking }))) {
        const last = ring.segments[ring.segments.length - 1];
        expect([last.x, last.y]).toEqual([ring.x, ring.y]);
        expect(countCrossings(ring)).toBe(0);
      }
    }
  });

  test('gives a shape no hole under other shapes, and a hole where the picture is clear', () => {
    const bitmap = draw(80, 80, CLEAR, [
      { color: RED, isInside: disk(40, 40, 34) },
      { color: BLUE, isInside: disk(30, 40, 12) },
      { color: CLEAR, isInside: disk(56, 40, 8) },
    ]);
    const red = (drawing: Drawing) => ringsOf(drawing).filter(({ color }) => color === '#d2281e').length;
    expect(red(vectorize(bitmap, { stacking: 'stacked' }))).toBe(2);
    expect(red(vectorize(bitmap, { stacking: 'cutouts' }))).toBe(3);
  });

  test('extends a stacked shape under its neighbor when that shortens its outline', () => {
    const bitmap = draw(80, 60, CLEAR, [
      { color: RED, isInside: box(10, 10, 70, 50) },
      { color: BLUE, isInside: (x, y) => box(45, 10, 70, 50)(x, y) && x > 50 + 4 * Math.sin(y / 4) },
    ]);
    const bounds = (drawing: Drawing) => {
      const red = ringsOf(drawing).find(({ color }) => color === '#d2281e');
      return Math.max(...flatten(red!.ring).map(([x]) => x));
    };
    expect(bounds(vectorize(bitmap, { stacking: 'cutouts' }))).toBeLessThan(56);
    const stack = vectorize(bitmap, { stacking: 'stacked' });
    expect(bounds(stack)).toBeCloseTo(70, 1);
    expect(stack.layers.map(({ color }) => color)).toEqual(['#d2281e', '#1e46c8']);
  });

  test('traces a rotated picture as the rotated drawing', () => {
    const straight = vectorize(drawScene(), { stacking: 'cutouts', groupBy: 'shape' });
    const quarterTurn = vectorize(turn(drawScene()), { stacking: 'cutouts', groupBy: 'shape' });
    const measure = (drawing: Drawing) =>
      ringsOf(drawing)
        .map(({ color, ring }) => ({ color, area: areaOf(ring) }))
        .sort((a, b) => a.area - b.area);
    const a = measure(straight);
    const b = measure(quarterTurn);
    expect(b.map(({ color }) => color)).toEqual(a.map(({ color }) => color));
    for (let k = 0; k < a.length; k++)
      expect(Math.abs(a[k].area - b[k].area)).toBeLessThan(0.004 * Math.abs(a[k].area) + 1);
  });
});

describe('options', () => {
  test('gives the same bytes for the same picture', () => {
    const noise = randomBytes(3);
    const bitmap = paint(60, 50, () => [noise(), noise(), noise(), 255]);
    expect(writeSvg(vectorize(bitmap))).toBe(writeSvg(vectorize(bitmap)));
    expect(writeSvg(vectorize(drawScene()))).toBe(writeSvg(vectorize(drawScene())));
  });

  test('draws monochrome as one ink on clear', () => {
    const drawing = vectorize(drawScene(), { colorMode: 'monochrome', ink: '#112233' });
    expect(new Set(ringsOf(drawing).map(({ color }) => color))).toEqual(new Set(['#112233']));
    expect(drawing.background).toBeUndefined();
  });

  test('keeps the lights of a cut-out photograph in monochrome: clear does not count as paper', () => {
    const whole = photograph(240, 200, 9);
    const isObject = disk(120, 100, 60);
    const cutOut = paint(240, 200, (x, y) => {
      const i = (y * 240 + x) * 4;
      return [whole.data[i], whole.data[i + 1], whole.data[i + 2], isObject(x, y) ? 255 : 0];
    });
    const inkShare = inkIn(vectorize(cutOut, { colorMode: 'monochrome' })) / (Math.PI * 60 * 60);
    expect(inkShare).toBeGreaterThan(0.25);
    expect(inkShare).toBeLessThan(0.75);
  });

  test('keeps flat art on clear complete in monochrome, however noisy', () => {
    const noise = randomBytes(11);
    const isObject = disk(120, 100, 60);
    const isRed = disk(120, 100, 30);
    const art = paint(240, 200, (x, y) => {
      const off = ((noise() - 128) * 12) / 128;
      const tone = (value: number) => Math.round(value + off);
      return [tone(isRed(x, y) ? 200 : 20), tone(20), tone(30), isObject(x, y) ? 255 : 0];
    });
    expect(inkIn(vectorize(art, { colorMode: 'monochrome' })) / (Math.PI * 60 * 60)).toBeGreaterThan(0.97);
  });

  test('draws grayscale without hue', () => {
    for (const { color } of ringsOf(vectorize(drawScene(), { colorMode: 'grayscale' }))) {
      expect(color.slice(1, 3)).toBe(color.slice(3, 5));
      expect(color.slice(3, 5)).toBe(color.slice(5, 7));
    }
  });

  test('limits the palette to maxColors', () => {
    const colors = new Set(ringsOf(vectorize(drawScene(), { maxColors: 3 })).map(({ color }) => color));
    expect(colors.size).toBeLessThanOrEqual(3);
  });

  test('keeps the page as the background, or removes it where it reaches the border', () => {
    const bitmap = draw(
      60,
      60,
      [40, 40, 60, 255],
      [
        { color: RED, isInside: disk(30, 30, 22) },
        { color: [40, 40, 60, 255], isInside: disk(30, 30, 9) },
      ],
    );
    const withPage = vectorize(bitmap);
    expect(withPage.background).toBe('#28283c');
    expect(writeSvg(withPage)).toContain('H60V60H0z');
    expect(ringsOf(withPage).map(({ color }) => color)).toEqual(['#d2281e', '#d2281e']);
    const cut = vectorize(bitmap, { dropBackground: true });
    expect(cut.background).toBeUndefined();
    expect(new Set(ringsOf(cut).map(({ color }) => color))).toEqual(new Set(['#d2281e', '#28283c']));
  });

  test('merges a speck into the shape around it with despeckle', () => {
    const bitmap = draw(60, 60, WHITE, [
      { color: RED, isInside: disk(30, 30, 22) },
      { color: BLACK, isInside: box(27, 28, 32, 33) },
    ]);
    expect(ringsOf(vectorize(bitmap, { despeckle: 0 })).length).toBe(2);
    expect(ringsOf(vectorize(bitmap, { despeckle: 6 })).length).toBe(1);
  });

  test('draws strokes as outlines without fill', () => {
    const svg = writeSvg(vectorize(drawScene(), { draw: 'stroke' }));
    expect(svg).toContain('fill="none" stroke="#d2281e"');
    expect(svg).not.toContain('fill-rule');
  });

  test('groups layers by color, by shape or not at all', () => {
    const bitmap = drawScene();
    const layers = (groupBy: 'color' | 'shape' | 'none') => vectorize(bitmap, { groupBy }).layers.length;
    expect(layers('none')).toBe(1);
    expect(layers('color')).toBe(4);
    expect(layers('shape')).toBe(4);
  });

  test('rejects invalid options and sizes with a message', () => {
    const bitmap = paint(4, 4, () => BLACK);
    expect(() => vectorize(bitmap, { maxColors: 1 })).toThrow(new RangeError('maxColors must be between 2 and 256.'));
    expect(() => vectorize(bitmap, { despeckle: 11 })).toThrow(RangeError);
    expect(() => vectorize(bitmap, { ink: 'red' })).toThrow('ink must be a color like #1a2b3c.');
    expect(() => vectorize({ width: 0, height: 4, data: new Uint8Array(0) })).toThrow('at least one pixel');
    expect(() => vectorize({ width: 4, height: 4, data: new Uint8Array(63) })).toThrow('four bytes for every pixel');
  });

  test('stops when the signal is aborted', () => {
    const signal = { aborted: false };
    const onProgress = (stage: string) => {
      if (stage === 'regions') signal.aborted = true;
    };
    expect(() => vectorize(drawScene(), { signal, onProgress })).toThrow(
      expect.objectContaining({ name: 'AbortError' }),
    );
  });
});

test('draws nothing for a clear picture, and one rectangle for a picture of one color', () => {
  expect(vectorize(paint(9, 7, () => CLEAR)).layers).toEqual([]);
  expect(writeSvg(vectorize(paint(9, 7, () => RED)))).toContain('d="M0 0v7h9v-7z"');
});

test('a tracer with cached stages gives the same bytes as a new one', async () => {
  const pixels = drawScene();
  const tracer = new Tracer(pixels);
  const some: VectorizeOptions[] = [
    {},
    { maxColors: 3 },
    { despeckle: 8 },
    { draw: 'stroke' },
    { stacking: 'cutouts' },
    {},
  ];
  for (const options of some) expect(writeSvg(tracer.trace(options))).toBe(writeSvg(vectorize(pixels, options)));
  let pauses = 0;
  const drawing = await tracer.traceInSteps({ maxColors: 4 }, async () => void pauses++);
  expect(writeSvg(drawing)).toBe(writeSvg(vectorize(pixels, { maxColors: 4 })));
  expect(pauses).toBeGreaterThan(4);
});

describe('a sketch', () => {
  /** Flat art of 0.4 megapixels: two disks and a bar, and specks of 4 × 4. */
  const large = paint(800, 500, (x, y) => {
    if (disk(250, 240, 150)(x, y)) return disk(250, 240, 60)(x, y) ? GREEN : RED;
    if (box(500, 60, 700, 440)(x, y)) return BLUE;
    return x % 100 < 4 && y % 100 < 4 ? BLACK : WHITE;
  });
  const coverage = (drawing: Drawing): Map<string, number> => {
    const areas = new Map<string, number>();
    for (const { ring, color } of ringsOf(drawing)) areas.set(color, (areas.get(color) ?? 0) + areaOf(ring));
    return areas;
  };

  test('has the same colors over the same areas at the size of the bitmap', () => {
    const tracer = new Tracer(large);
    const sketch = tracer.sketch({ stacking: 'cutouts' });
    expect([sketch.width, sketch.height]).toEqual([800, 500]);
    const exact = coverage(tracer.trace({ stacking: 'cutouts' }));
    const rough = coverage(sketch);
    expect([...rough.keys()].sort()).toEqual([...exact.keys()].sort());
    for (const [color, area] of exact) expect(Math.abs(rough.get(color)! - area) / area).toBeLessThan(0.03);
  });

  test('measures specks in pixels of the bitmap', () => {
    const tracer = new Tracer(large);
    const isSpeckled = (drawing: Drawing) => drawing.layers.some(({ color }) => color === '#000000');
    expect(isSpeckled(tracer.sketch({ despeckle: 2 }))).toBe(true);
    expect(isSpeckled(tracer.sketch({ despeckle: 5 }))).toBe(false);
  });

  test('is independent of earlier calls and does not change traces', async () => {
    const tracer = new Tracer(large);
    const some: VectorizeOptions[] = [{}, { maxColors: 3 }, { despeckle: 8 }, { draw: 'edges' }, {}];
    for (const options of some) {
      const fresh = writeSvg(new Tracer(large).sketch(options));
      expect(writeSvg(tracer.sketch(options))).toBe(fresh);
      expect(writeSvg(await tracer.sketchInSteps(options, async () => undefined))).toBe(fresh);
    }
    expect(writeSvg(tracer.trace())).toBe(writeSvg(vectorize(large)));
  });

  test('draws edges one pixel wide and drawn lines in their width', () => {
    const pen = paint(800, 500, (x, y) => (Math.abs(y - 250) < 6 && x > 60 && x < 740 ? BLACK : WHITE));
    const widths = (draw: 'edges' | 'centerline') =>
      new Tracer(pen).sketch({ draw }).layers.flatMap(({ paths }) => paths.map(({ strokeWidth }) => strokeWidth));
    expect(widths('edges')).toEqual([1]);
    const [lineWidth] = widths('centerline');
    expect(Math.abs(lineWidth! - 11)).toBeLessThan(1);
  });

  test('can be aborted between its stages', () => {
    const signal = { aborted: false };
    const onProgress = (stage: string) => {
      if (stage === 'curves') signal.aborted = true;
    };
    expect(() => new Tracer(large).sketch({ signal, onProgress })).toThrow(
      expect.objectContaining({ name: 'AbortError' }),
    );
  });
});
