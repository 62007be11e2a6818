import {
  DITHER_METHODS,
  engrave,
  engravingMaterial,
  type Gray,
  INTERVAL_MM,
  TONE_LIMITS,
  toGray,
  unpackRaster,
} from '@markwright/engraving';
import {
  applyMatrix,
  buildJob,
  type Composition,
  ENGRAVING_INTERVAL_MM,
  ENGRAVING_METHODS,
  ENGRAVING_TONE,
  type Engraving,
  emptyComposition,
  HALFTONE_METHODS,
  multiply,
  newArtwork,
  parseComposition,
  readContours,
  resolveScene,
  rotateDeg,
  saveComposition,
  scale,
  seededRandom,
  translate,
} from '@markwright/scene';
import { describe, expect, it } from 'vitest';
import { type EngravedPicture, engravePicture, marksLight, toEngravedArtwork } from './engraving.ts';

/** A soft ball on a slope, with a corner that tells the directions apart. */
function drawBall(width: number, height: number): Gray {
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const away = Math.hypot(x - width / 2, y - height / 2) / (height / 2);
      const ball = away < 0.8 ? 60 + 150 * away : 230;
      data[y * width + x] = x < width / 5 && y < height / 5 ? 20 : ball;
    }
  }
  return { width, height, data };
}

const photo: Engraving = {
  method: 'jarvis',
  intervalMm: 0.1,
  tone: { brightness: 0, contrast: 0, gamma: 1, localContrast: 0, sharpen: 0 },
  invert: 'auto',
};
const walnut = { material: 'walnut' };
const ball = drawBall(120, 90);
const frame = { width: 120, height: 90, opacity: 1 };

const pixelsOf = (raster: Parameters<typeof unpackRaster>[0]) => unpackRaster(raster).data;

function engraveAt(matrix: ReturnType<typeof scale>, engraving = photo): EngravedPicture & { kind: 'raster' } {
  const picture = engravePicture(ball, engraving, { ...frame, matrix }, walnut);
  if (picture.kind !== 'raster') throw new Error('A raster was expected.');
  return picture;
}

/** 24 x 18 mm. */
const upright = multiply(translate(7, 3), scale(0.2));

describe('the engraving of a picture at its place', () => {
  it('is that of the engraving package where the picture stands upright', () => {
    const { matrix, ...raster } = engraveAt(upright);
    const { width, height } = raster;
    const rgba = new Uint8Array(ball.data.length * 4);
    for (const [i, value] of ball.data.entries()) rgba.set([value, value, value, 255], 4 * i);
    const picture = { width: 120, height: 90, data: rgba };
    expect(toGray(picture).data).toEqual(ball.data);
    expect([width, height]).toEqual([240, 180]);
    const onMachine = multiply(upright, matrix);
    expect(onMachine.a).toBeCloseTo(0.1, 9);
    expect(onMachine.e).toBeCloseTo(7, 9);
    const { curve } = engravingMaterial('walnut');
    const same = engrave(picture, { ...photo, widthMm: 24, method: 'jarvis', invert: false, curve });
    expect(same.data).toEqual(pixelsOf(raster));
  });

  it('keeps every share in quarter turns and mirrored', () => {
    const gray = { ...photo, method: 'gray' } as const;
    const plain = engraveAt(upright, gray);
    const sum = (data: Uint8Array) => data.reduce((total, value) => total + value, 0);
    for (const turn of [90, 180, 270]) {
      for (const mirror of [1, -1]) {
        const matrix = multiply(translate(30, 30), rotateDeg(turn), scale(0.2 * mirror, 0.2));
        const turnedRaster = engraveAt(matrix, gray);
        expect([turnedRaster.width, turnedRaster.height]).toEqual(turn === 180 ? [240, 180] : [180, 240]);
        expect(sum(turnedRaster.rows)).toBe(sum(plain.rows));
        // The pixel in the dark corner of the picture lies where the placement puts that corner.
        const [x, y] = [10.5 * 0.5, 8.5 * 0.5];
        const place = applyMatrix(multiply(matrix), { x, y });
        const onMachine = multiply(matrix, turnedRaster.matrix);
        const column = Math.floor((place.x - onMachine.e) / 0.1);
        const row = Math.floor((place.y - onMachine.f) / 0.1);
        expect(turnedRaster.rows[row * turnedRaster.width + column]).toBe(plain.rows[8 * 240 + 10]);
      }
    }
  });

  it('lies along the axes of the machine at any angle, with the same ink in all', () => {
    const inkOf = ({ width, height, meanTone: tone }: { width: number; height: number; meanTone: number }) =>
      width * height * tone;
    const plain = inkOf(engraveAt(upright));
    const random = seededRandom(5);
    for (let i = 0; i < 12; i++) {
      const matrix = multiply(translate(40 * random(), 40 * random()), rotateDeg(360 * random()), scale(0.2));
      const turnedRaster = engraveAt(matrix);
      const onMachine = multiply(matrix, turnedRaster.matrix);
      expect(onMachine.a).toBeCloseTo(0.1, 9);
      expect(onMachine.b).toBeCloseTo(0, 9);
      expect(onMachine.c).toBeCloseTo(0, 9);
      expect(onMachine.d).toBeCloseTo(0.1, 9);
      expect(Math.abs(inkOf(turnedRaster) / plain - 1)).toBeLessThan(0.01);
      const middle = applyMatrix(onMachine, { x: turnedRaster.width / 2, y: turnedRaster.height / 2 });
      const center = applyMatrix(matrix, { x: 60, y: 45 });
      expect(Math.hypot(middle.x - center.x, middle.y - center.y)).toBeLessThan(1e-9);
    }
  });

  it('keeps the outlines of a halftone in the frame, with the tone of the picture', () => {
    for (const method of ['halftone_lines', 'halftone_dots', 'hatch', 'stipple'] as const) {
      const engraving: Engraving = { ...photo, method, gapMm: 0.05 };
      const picture = engravePicture(ball, engraving, { ...frame, matrix: upright }, walnut);
      if (picture.kind !== 'outlines') throw new Error('Outlines were expected.');
      const numbers = picture.contours.flatMap(({ points }) => points);
      expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...numbers)).toBeLessThanOrEqual(120);
      // A parser of the path text finds the same numbers.
      const [path] = toEngravedArtwork(picture, undefined).children;
      if (path?.kind !== 'path') throw new Error('A path was expected.');
      expect(path.d).toMatch(/^M[\d.]+ [\d.]+L.*Z$/);
      expect(path.contours).toEqual(readContours(path.d));
      expect(Math.abs(picture.meanTone - engraveAt(upright).meanTone)).toBeLessThan(0.05);
    }
  });

  it('has a box around what is burnt', () => {
    const white: Gray = { width: 100, height: 100, data: new Uint8Array(10_000).fill(255) };
    for (let y = 40; y < 60; y++) white.data.fill(0, y * 100 + 10, y * 100 + 30);
    const place = { width: 100, height: 100, opacity: 1, matrix: scale(0.1) };
    expect(engravePicture(white, photo, place, walnut).ink).toEqual({ x: 0.1, y: 0.4, width: 0.2, height: 0.2 });
    white.data.fill(255);
    expect(engravePicture(white, photo, place, walnut).ink).toBeUndefined();
  });
});

describe('the limits of a composition’s engraving', () => {
  it('are those of the engraving package, which knows no composition', () => {
    expect(ENGRAVING_METHODS).toEqual([...DITHER_METHODS, ...HALFTONE_METHODS]);
    expect(ENGRAVING_INTERVAL_MM).toEqual(INTERVAL_MM);
    const ranges = Object.entries(ENGRAVING_TONE).map(([name, { min, max }]) => [name, [min, max]]);
    expect(Object.fromEntries(ranges)).toEqual(TONE_LIMITS);
  });
});

describe('the negative', () => {
  it('is burnt where marks are light, by the color of the very mark', () => {
    expect(marksLight('auto', { material: 'slate' })).toBe(true);
    expect(marksLight('auto', { material: 'walnut' })).toBe(false);
    expect(marksLight('auto', { material: 'aluminium', markColor: '#dddddd' })).toBe(true);
    expect(marksLight('auto', { material: 'aluminium', markColor: '#222222' })).toBe(false);
    expect(marksLight(true, { material: 'walnut' })).toBe(true);
    expect(marksLight(false, { material: 'slate' })).toBe(false);
    expect(marksLight('auto', { material: undefined })).toBe(false);
  });
});

describe('a composition with an engraving', () => {
  const element = { ...newArtwork('d1'), id: 'a1', aspect: 4 / 3, engraving: photo, angleDeg: 30, x: 30 };
  const composition: Composition = { ...emptyComposition, elements: [element] };
  const artwork = { width: 120, height: 90, shapes: [] };
  const fonts = { outline: () => undefined };
  const resolve = (
    engravings?: ReadonlyMap<string, ReturnType<typeof toEngravedArtwork>>,
    machine = 'laser' as const,
  ) =>
    resolveScene(
      { ...composition, machine },
      { product: undefined, artworks: new Map([['a1', artwork]]), engravings, fonts },
    );

  it('is saved and read again', () => {
    expect(parseComposition(JSON.parse(JSON.stringify(saveComposition(composition))))).toEqual(composition);
  });

  it('becomes a raster of the job, clipped to the frame by whole pixels', () => {
    const [group] = resolve().groups;
    const picture = engravePicture(ball, photo, { ...frame, matrix: group!.matrix }, walnut);
    if (picture.kind !== 'raster') throw new Error('A raster was expected.');
    const engravedArtwork = toEngravedArtwork(picture, 'data:,', { rows: picture.rows, isGray: false });
    const { rasters, plates } = buildJob(resolve(new Map([['a1', engravedArtwork]])));
    expect(plates).toEqual([]);
    expect(rasters).toHaveLength(1);
    const [raster] = rasters;
    expect(raster!.width).toBeLessThan(picture.width);
    expect(raster!.x).toBeGreaterThanOrEqual(0);
    expect(raster!.x + raster!.width * raster!.intervalMm).toBeLessThanOrEqual(100 + 1e-6);
    expect(raster!.file!.rows).toHaveLength(Math.ceil(raster!.width / 8) * raster!.height);
    const dots = pixelsOf(picture);
    const cutDots = pixelsOf({ ...raster!, ...raster!.file! });
    const onMachine = multiply(group!.matrix, picture.matrix);
    const column = Math.round((raster!.x - onMachine.e) / 0.1);
    const row = Math.round((raster!.y - onMachine.f) / 0.1);
    const expected = cutDots.map((_, i) => {
      const [x, y] = [i % raster!.width, Math.floor(i / raster!.width)];
      return dots[(row + y) * picture.width + column + x]!;
    });
    expect(Buffer.compare(cutDots, expected)).toBe(0);
    const mirrorImage = buildJob(resolve(new Map([['a1', engravedArtwork]])), { isMirrored: true }).rasters[0]!;
    expect(mirrorImage.x).toBeCloseTo(100 - raster!.x - raster!.width * 0.1, 6);
    const mirrorDots = pixelsOf({ ...mirrorImage, ...mirrorImage.file! });
    const mirrorOfCut = cutDots.map((_, i) => cutDots[i - 2 * (i % raster!.width) + raster!.width - 1]!);
    expect(Buffer.compare(mirrorDots, mirrorOfCut)).toBe(0);
  });

  it('is refused as a raster that was made for another place', () => {
    const [group] = resolve().groups;
    const picture = engravePicture(ball, photo, { ...frame, matrix: multiply(group!.matrix, scale(1.1)) }, walnut);
    const engravedArtwork = toEngravedArtwork(
      { ...picture, ...('matrix' in picture && { matrix: scale(0.5) }) },
      'data:,',
    );
    expect(() => buildJob(resolve(new Map([['a1', engravedArtwork]])))).toThrow(/made again/);
  });

  it('has its opacity in its dots, and not on the stage once more', () => {
    const clear = { ...composition, elements: [{ ...element, opacity: 40 }] };
    const assets = { product: undefined, artworks: new Map([['a1', artwork]]), fonts };
    const engravings = new Map([['a1', { ink: undefined, children: [] }]]);
    expect(resolveScene(clear, assets).groups[0]!.opacity).toBe(0.4);
    expect(resolveScene(clear, { ...assets, engravings }).groups[0]!.opacity).toBe(1);
  });

  it('is its trace on a printer', () => {
    const [group] = resolve(new Map([['a1', { ink: undefined, children: [] }]]), 'uv' as never).groups;
    expect(group!.children).toEqual([]);
    expect(
      resolve(new Map([['a1', toEngravedArtwork(engraveAt(upright), 'x')]]), 'uv' as never).groups[0]!.children,
    ).toEqual([]);
  });
});
