import { Resvg } from '@resvg/resvg-js';
import { describe, expect, it } from 'vitest';
import { applyMatrix, identity, rotateDeg, scale } from '../geometry/matrix.ts';
import type { Scene, SceneGroup, SceneImage } from '../resolve/scene.ts';
import type { RoundSurface } from '../surface/surface.ts';
import { seededRandom } from '../svg/seededRandom.ts';
import { writeSvg } from '../svg/svg.ts';
import { renderScene } from './render.ts';
import { sceneView } from './targets.ts';
import { renderView } from './view.ts';
import { picturesToWrap, wrapPixels, wrapScene } from './wrapScene.ts';

const FRAME = { width: 90, height: 80 };
const PICTURE_MM = 120;
/** The machine area lies in the middle of the picture. */
const origin = { x: (PICTURE_MM - FRAME.width) / 2, y: (PICTURE_MM - FRAME.height) / 2 };
const PITCH_MM = 9;
const LINE_MM = 3;

const isInk = (x: number, y: number) =>
  [x - FRAME.width / 2, y - FRAME.height / 2].some(
    (mm) => Math.abs(mm - Math.round(mm / PITCH_MM) * PITCH_MM) <= LINE_MM / 2,
  );

/** Returns bars whose middles are multiples of the pitch from the middle of the frame, far beyond it. */
function gridPaths(): string[] {
  const bars: string[] = [];
  for (let n = -20; n <= 20; n++) {
    const [x, y] = [FRAME.width / 2 + n * PITCH_MM - LINE_MM / 2, FRAME.height / 2 + n * PITCH_MM - LINE_MM / 2];
    const bar = (left: number, top: number, right: number, bottom: number) =>
      `M${left} ${top}L${right} ${top}L${right} ${bottom}L${left} ${bottom}Z`;
    bars.push(bar(x, -100, x + LINE_MM, 200), bar(-100, y, 200, y + LINE_MM));
  }
  return bars;
}

const box = { corners: [0, 1, 2, 3].map(() => ({ x: 0, y: 0 })), sizeMm: FRAME } as unknown as SceneGroup;
const groupOf = (children: SceneGroup['children'], matrix = identity): SceneGroup => ({
  ...box,
  kind: 'group',
  elementId: 'text:1' as SceneGroup['elementId'],
  label: 'Grid',
  opacity: 1,
  matrix,
  children,
});
const pathOf = (d: string): SceneGroup['children'][number] => ({
  kind: 'path',
  d,
  operation: 'engrave',
  fill: '#000000',
  stroke: undefined,
  strokeWidth: 0,
  opacity: 1,
});

const sceneOf = (form: RoundSurface | undefined, groups: readonly SceneGroup[]): Scene => ({
  machine: 'uv',
  widthMm: FRAME.width,
  heightMm: FRAME.height,
  groups,
  backdrop: {
    pictureHref: '',
    pictureWidthMm: PICTURE_MM,
    pictureHeightMm: PICTURE_MM,
    originMm: origin,
    angleDeg: 0,
    finish: { material: 'other', markColor: '#000000' },
    ...(form && { surface: { form, middleMm: { x: FRAME.width / 2, y: FRAME.height / 2 } } }),
  },
});

const PX = 80;
const PARTS = 9;

/**
 * The picture by rays. A ray goes straight into the picture from a point of it; where it enters the blank follows from
 * the quadric of the blank in space, and is unrolled by lengths: of the arc from the front, and of the wall.
 */
function traceRays(form: RoundSurface, turnDeg: number): Float64Array {
  const cone =
    form.kind === 'cone' ? form : { topDiameterMm: form.diameterMm, bottomDiameterMm: form.diameterMm, heightMm: 1 };
  const middle = (form.kind === 'cone' ? form.middleMm : undefined) ?? cone.heightMm / 2;
  const growth = (cone.bottomDiameterMm - cone.topDiameterMm) / 2 / cone.heightMm;
  const front = cone.topDiameterMm / 2 + growth * middle;
  const isLevel = form.axis === 'level';
  const out = new Float64Array(PX * PX);
  const random = seededRandom(5);
  for (let i = 0; i < out.length; i++) {
    for (let part = 0; part < PARTS ** 2; part++) {
      // A ray anywhere in its part: rows of rays along the lines of the grid would all hit or miss.
      const right = (((i % PX) + ((part % PARTS) + random()) / PARTS) / PX - 0.5) * PICTURE_MM;
      const below = ((Math.floor(i / PX) + (Math.floor(part / PARTS) + random()) / PARTS) / PX - 0.5) * PICTURE_MM;
      const aside = form.axisMm ?? 0;
      // Across the axis, and along it from the middle of the area.
      const across = isLevel ? aside - below : right - aside;
      const along = isLevel ? right : below;
      const radius = front + growth * along;
      const depth = radius * radius - across * across;
      if (depth < 0) continue;
      const seam = Math.PI;
      let angle = Math.acos(Math.sqrt(depth) / radius) * Math.sign(across) - (turnDeg * Math.PI) / 180;
      if (angle < -seam) angle += 2 * seam;
      const start = Math.acos(Math.sqrt(front * front - aside * aside) / front) * Math.sign(isLevel ? aside : -aside);
      const u = (angle - start) * front;
      const v = along * Math.sqrt(1 + growth * growth);
      const [x, y] = isLevel ? [v, -u] : [u, v];
      const [frameX, frameY] = [x + FRAME.width / 2, y + FRAME.height / 2];
      if (frameX < 0 || frameY < 0 || frameX > FRAME.width || frameY > FRAME.height) continue;
      if (isInk(frameX, frameY)) out[i]! += 255 / PARTS ** 2;
    }
  }
  return out;
}

/** Draws ink as 255, larger than the picture and averaged, because the renderer knows few shares of a pixel. */
function draw(scene: Scene): Float64Array {
  const zoom = 8;
  const svg = writeSvg(renderView(scene, { kind: 'mockup' })).replace(/<image href=""[^>]*>/, '');
  const { pixels } = new Resvg(svg, { background: '#ffffff', fitTo: { mode: 'width', value: PX * zoom } }).render();
  const out = new Float64Array(PX * PX);
  for (let i = 0; i < pixels.length / 4; i++) {
    const at = Math.floor(i / (PX * zoom) / zoom) * PX + Math.floor((i % (PX * zoom)) / zoom);
    out[at]! += (255 - pixels[4 * i]!) / zoom ** 2;
  }
  return out;
}

const meanDifference = (a: Float64Array, b: Float64Array) =>
  a.reduce((sum, value, i) => sum + Math.abs(value - b[i]!), 0) / a.length;

const forms: [string, RoundSurface, number][] = [
  ['a mug', { kind: 'cylinder', diameterMm: 82 }, 0],
  ['a mug that is turned', { kind: 'cylinder', diameterMm: 60 }, 35],
  ['a pint glass', { kind: 'cone', topDiameterMm: 95, bottomDiameterMm: 60, heightMm: 110 }, -20],
  ['a cup whose axis lies aside', { kind: 'cylinder', diameterMm: 70, axisMm: 6 }, 0],
  ['a pen', { kind: 'cylinder', diameterMm: 50, axis: 'level', axisMm: -4 }, 10],
];

describe('the picture of a grid is that of rays', () => {
  it.each(forms)('on %s', (_, form, turnDeg) => {
    const scene = sceneOf(form, [groupOf(gridPaths().map(pathOf))]);
    const expected = traceRays(form, turnDeg);
    expect(expected.reduce((sum, ink) => sum + ink, 0) / expected.length).toBeGreaterThan(25);
    expect(meanDifference(draw(wrapScene(scene, { turnDeg })), expected)).toBeLessThan(1);
    // It is the surface that makes the picture: a flat one is another.
    expect(meanDifference(draw({ ...scene, backdrop: undefined }), expected)).toBeGreaterThan(5);
  });

  it.each(forms)('on %s, made of pixels', { tags: ['detail'] }, (_, form, turnDeg) => {
    const pxPerMm = 8;
    const [width, height] = [FRAME.width * pxPerMm, FRAME.height * pxPerMm];
    const data = new Uint8ClampedArray(4 * width * height);
    for (let i = 0; i < width * height; i++) {
      if (isInk(((i % width) + 0.5) / pxPerMm, (Math.floor(i / width) + 0.5) / pxPerMm)) data[4 * i + 3] = 255;
    }
    const child: SceneImage = { kind: 'image', href: 'grid', width: 9, height: 8, opacity: 1 };
    const scene = sceneOf(form, [groupOf([child], scale(FRAME.width / 9))]);
    const [picture] = picturesToWrap(scene);
    const result = wrapPixels(scene, picture!, { width, height, data }, { turnDeg, pxPerMm })!;
    const { pixels, matrix } = result;
    const ink = new Float64Array(PX * PX);
    // Each pixel of the result is put where the matrix says.
    for (let i = 0; i < pixels.width * pixels.height; i++) {
      const alpha = pixels.data[4 * i + 3]!;
      if (alpha === 0) continue;
      const [x, y] = [i % pixels.width, Math.floor(i / pixels.width)];
      const [from, to] = [x, x + 1].map((cx, k) => applyMatrix(matrix, { x: cx, y: y + k }));
      const sides = (a: number, b: number, start: number) =>
        [Math.min(a, b), Math.max(a, b)].map((mm) => ((mm + start) / PICTURE_MM) * PX) as [number, number];
      const [left, right] = sides(from!.x, to!.x, origin.x);
      const [top, bottom] = sides(from!.y, to!.y, origin.y);
      for (let row = Math.floor(top); row < bottom; row++) {
        for (let column = Math.floor(left); column < right; column++) {
          const width = Math.min(right, column + 1) - Math.max(left, column);
          const height = Math.min(bottom, row + 1) - Math.max(top, row);
          ink[row * PX + column]! += alpha * width * height;
        }
      }
    }
    expect(meanDifference(ink, traceRays(form, turnDeg))).toBeLessThan(1);
  });
});

describe('a wrapped scene', () => {
  const form = forms[0]![1];
  const square = 'M40 30L50 30L50 40L40 40Z';

  it('is the scene itself on a flat blank', () => {
    const scene = sceneOf(undefined, [groupOf([pathOf(square)])]);
    expect(wrapScene(scene, { turnDeg: 20 })).toBe(scene);
  });

  it('leaves files as they are, and nothing of it is in them', () => {
    const groups = [groupOf([pathOf(square)], rotateDeg(12, { x: 45, y: 40 }))];
    for (const target of [{ kind: 'production' }, { kind: 'customSvg' }, { kind: 'standardSvg' }] as const) {
      const [round, flat] = [sceneOf(form, groups), sceneOf(undefined, groups)].map((scene) =>
        writeSvg(renderScene(scene, target)),
      );
      expect(round).toBe(flat);
    }
  });

  it('keeps strokes as wide as they are, and paints fills and strokes in their order', () => {
    const outlinePath = { ...pathOf(square), stroke: '#ff0000', strokeWidth: 2 } as const;
    const { groups } = wrapScene(sceneOf(form, [groupOf([outlinePath], scale(0.5))]));
    const [fill, stroke] = groups[0]!.children;
    expect([fill, stroke]).toMatchObject([{ stroke: undefined }, { fill: undefined, stroke: '#ff0000' }]);
    expect((stroke as typeof outlinePath).strokeWidth * groups[0]!.matrix.a).toBeCloseTo(1, 6);
  });

  it('has no element that is behind', () => {
    const scene = sceneOf({ kind: 'cylinder', diameterMm: 60 }, [groupOf([pathOf(square)])]);
    expect(wrapScene(scene).groups).toHaveLength(1);
    expect(wrapScene(scene, { turnDeg: 180 }).groups).toHaveLength(0);
  });

  it('is lit by a picture over its marks alone', () => {
    const light = { href: 'data:,', x: -origin.x, y: -origin.y, width: PICTURE_MM, height: PICTURE_MM };
    const scene = wrapScene(sceneOf(form, [groupOf([pathOf(square)])]), { light });
    const page = writeSvg(renderView(scene, { kind: 'preview' }));
    const [, mark] = / id="(mark-\w+-0)"/.exec(page)!;
    expect(page).toContain(`<use href="#${mark}"/></mask><g mask="url(#`);
    // A picture has the marks a second time.
    const picture = writeSvg(renderView(scene, { kind: 'mockup' }));
    const [, outline] = /<g data-element[^>]*>(<path [^>]*>)/.exec(picture)!;
    expect(picture).toContain(`${outline}</g></mask><g mask="url(#`);
    expect(sceneView(scene)).toEqual(sceneView(sceneOf(form, [])));
  });
});
