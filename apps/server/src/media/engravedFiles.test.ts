import { engrave, engravingMaterial, packRaster, toGray } from '@markwright/engraving';
import {
  type Engraving,
  emptyComposition,
  newArtwork,
  newText,
  parseComposition,
  saveComposition,
} from '@markwright/scene';
import { readLightBurn } from '@markwright/scene/production';
import { unzipSync } from 'fflate';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { DrawInput, FileInput } from '../platform/ports/mediaJobs.ts';
import { draw } from './draw.ts';
import { makeMachineFile } from './file.ts';
import { checkPhoto } from './files/photos.ts';

/** A ball before a light ground, 160 x 120. */
async function drawBall(): Promise<{ png: Uint8Array; rgba: Uint8Array }> {
  const [width, height] = [160, 120];
  const rgba = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const away = Math.hypot(x - 70, y - 60) / 50;
      const level = away < 1 ? 20 + 200 * away : 255;
      rgba.set([level, level, level, 255], 4 * (y * width + x));
    }
  }
  return {
    png: await sharp(rgba, { raw: { width, height, channels: 4 } })
      .png()
      .toBuffer(),
    rgba,
  };
}

const photo: Engraving = {
  method: 'jarvis',
  intervalMm: 0.1,
  tone: { brightness: 0, contrast: 0, gamma: 1, localContrast: 0, sharpen: 0 },
  invert: 'auto',
};

async function input(engraving: Engraving, changes: Partial<FileInput & { angleDeg: number; hasText: boolean }> = {}) {
  const { angleDeg = 0, hasText = false, ...rest } = changes;
  const artwork = { ...newArtwork('d'), id: 'design', aspect: 4 / 3, size: 80, angleDeg, engraving };
  const elements = [artwork, ...(hasText ? [{ ...newText('t'), text: 'Ada', y: 40 }] : [])];
  return {
    composition: parseComposition(saveComposition({ ...emptyComposition, elements })),
    product: {
      picture: undefined,
      pictureAspect: 4 / 3,
      printArea: { x: 0, y: 0, width: 1, height: 1 },
      printWidthInches: 2,
      printHeightInches: 1.5,
      finish: { material: 'slate', markColor: '#dddddd' },
    },
    artworks: [{ id: 'design', picture: { png: (await drawBall()).png }, engraved: { changes: undefined } }],
    format: 'lbrn2' as const,
    preset: undefined,
    options: {},
    names: { productName: 'Slate Coaster' },
    material: 'slate',
    now: new Date('2026-11-24T10:00:00Z'),
    mockup: undefined,
    ...rest,
  } satisfies FileInput;
}

describe('a photograph on a laser', () => {
  it('is a bitmap of a LightBurn project: the very dots, at their place, passed through', async () => {
    const { bytes, report } = await makeMachineFile(await input(photo));
    const { pictures = [], layers } = readLightBurn(bytes);
    expect(layers).toEqual([]);
    expect(pictures).toHaveLength(1);
    const { minX, minY, maxX, maxY, png, passesThrough, layer } = pictures[0]!;
    expect([layer, passesThrough]).toEqual(['C20', true]);
    // 80 % of 50.8 x 38.1 mm: 406.4 x 304.8 pixels.
    expect([maxX - minX, maxY - minY].map((mm) => Number(mm.toFixed(4)))).toEqual([40.6, 30.5]);
    expect((minX + maxX) / 2).toBeCloseTo(25.4, 3);
    expect(-(minY + maxY) / 2).toBeCloseTo(19.05, 3);
    const { rgba } = await drawBall();
    const { curve } = engravingMaterial('slate');
    const picture = { width: 160, height: 120, data: rgba };
    const expected = engrave(picture, { ...photo, widthMm: 40.64, method: 'jarvis', invert: true, curve });
    const { data, info } = await sharp(png).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([expected.widthPx, expected.heightPx]);
    expect(Buffer.compare(data, expected.data)).toBe(0);
    expect(await sharp(png).metadata()).toMatchObject({ density: 254, depth: 'uchar' });
    expect(Buffer.from(bytes).toString()).toContain('Photo C20 - SET POWER');
    const area = expected.meanTone * 40.6 * 30.5;
    expect(report.layers).toMatchObject([{ id: 'photo-1', kind: 'raster' }]);
    expect(report.layers[0]!.areaMm2!).toBeCloseTo(area, 0);
    expect(report.settings!.layers).toEqual([{ id: 'photo-1', isPlaceholder: true }]);
  });

  it('is burnt before what is engraved beside it, with the shop’s power', async () => {
    const laser = { laser: 'Diode', settings: [{ operation: 'engrave', settings: { maxPower: 40, speed: 120 } }] };
    const { bytes } = await makeMachineFile(await input(photo, { hasText: true, laser: laser as never }));
    const text = Buffer.from(bytes).toString();
    expect(text.indexOf('Type="Bitmap"')).toBeLessThan(text.indexOf('Type="Path"'));
    expect(text.indexOf('CutSetting_Img')).toBeLessThan(text.indexOf('<CutSetting type'));
    expect(text).toContain('<maxPower Value="40"/>');
    expect(text).toContain('<interval Value="0.1"/>');
    expect(text).not.toContain('SET POWER');
    expect(readLightBurn(bytes).layers.map(({ name }) => name)).toEqual(['C00']);
  });

  it('is a PNG of its own size, 1 bit or gray', async () => {
    const { bytes, report, ending } = await makeMachineFile(await input(photo, { format: 'png' }));
    expect(ending).toBe('_254dpi.png');
    expect([report.widthMm, report.heightMm].map((mm) => Number(mm.toFixed(4)))).toEqual([40.6, 30.5]);
    expect(bytes[24]).toBe(1);
    const gray = await makeMachineFile(await input({ ...photo, method: 'gray', intervalMm: 0.2 }, { format: 'png' }));
    expect(gray.bytes[24]).toBe(8);
    expect(gray.ending).toBe('_127dpi.png');
  });

  it('is refused by formats of outlines, which hold it as tones', { tags: ['detail'] }, async () => {
    for (const format of ['svg', 'dxf', 'plt', 'xcs', 'pdf'] as const) {
      await expect(makeMachineFile(await input(photo, { format }))).rejects.toMatchObject({ code: 'unprocessable' });
    }
    const lines: Engraving = { ...photo, method: 'halftone_lines', gapMm: 0.05 };
    for (const format of ['svg', 'dxf', 'lbrn2', 'pdf'] as const) {
      const { report } = await makeMachineFile(await input(lines, { format }));
      expect(report.layers).toMatchObject([{ kind: 'engrave', openEnds: 0 }]);
      expect(report.layers[0]!.contours).toBeGreaterThan(20);
    }
    const target = { kind: 'production' } as const;
    await expect(draw({ ...(await input(photo)), target })).rejects.toMatchObject({ code: 'unprocessable' });
    expect(await draw({ ...(await input(lines)), target })).toHaveProperty('svg');
  });

  it('has a package with the project, a PNG, the outlines beside it, and a sheet', async () => {
    const { bytes, report } = await makeMachineFile(await input(photo, { format: 'package', hasText: true }));
    const names = Object.keys(unzipSync(bytes)).map((name) => name.replace(/^Slate_Coaster_/, ''));
    const ends = (ending: string) => names.filter((name) => name.endsWith(ending));
    expect(
      [ends('.lbrn2'), ends('.svg'), ends('.dxf'), ends('_photo-1_254dpi.png')].map(({ length }) => length),
    ).toEqual([1, 1, 1, 1]);
    expect(report.layers.map(({ kind }) => kind)).toEqual(['raster', 'engrave']);
    const alone = await makeMachineFile(await input(photo, { format: 'package' }));
    expect(Object.keys(unzipSync(alone.bytes)).some((name) => name.endsWith('.svg'))).toBe(false);
  });

  it('is refused with a sentence where it has too many dots', async () => {
    const wide = await input({ ...photo, intervalMm: 0.05 });
    const product = { ...wide.product, printWidthInches: 60, printHeightInches: 45 };
    const refusal = (changes: object) => expect(makeMachineFile({ ...wide, ...changes, product })).rejects;
    await refusal({}).toMatchObject({ message: /558 million dots, and 400 million are the most\. Choose a larger/ });
    const gray = await input({ ...photo, method: 'gray', intervalMm: 0.1 });
    await refusal(gray).toMatchObject({ message: /140 million dots, and 60 million in gray are the most/ });
    const tilt = await input({ ...photo, intervalMm: 0.08 }, { angleDeg: 20 });
    await refusal(tilt).toMatchObject({ message: /turned or tilted may have 100 million dots/ });
  });

  it('is read back dot by dot before it leaves', async () => {
    const { bytes } = await makeMachineFile(await input(photo));
    const [picture] = readLightBurn(bytes).pictures!;
    const { data, info } = await sharp(picture!.png).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
    const raster = { id: 'photo-1', elementId: 'e', x: 0, y: 0, width: info.width, height: info.height };
    const { rows } = packRaster({ ...info, data: new Uint8Array(data) }, false);
    const check = (changes: object = {}) =>
      checkPhoto(picture!.png, { ...raster, intervalMm: 0.1, file: { rows, isGray: false }, ...changes });
    await expect(check()).resolves.toBeUndefined();
    await expect(check({ intervalMm: 0.11 })).rejects.toThrow(/dots for a meter/);
    await expect(check({ width: info.width - 1 })).rejects.toThrow(/not \d+ x/);
    rows[1000]! ^= 4;
    await expect(check()).rejects.toThrow(/other dots/);
  });

  it('is drawn on its mockup as light marks on slate, and dark ones on walnut', { tags: ['detail'] }, async () => {
    const target = { kind: 'mockup', watermark: false } as const;
    const lightness = async (material: string, markColor: string) => {
      const { product, ...rest } = await input({ ...photo, method: 'gray' });
      const finish = { material, markColor };
      const side = { width: 400, height: 300 };
      const picture = await sharp({ create: { ...side, channels: 3, background: '#777777' } })
        .png()
        .toBuffer();
      const picturedProduct = { ...product, picture: { bytes: picture, mediaType: 'image/png' }, finish };
      const drawing = await draw({ ...rest, product: picturedProduct, target } as DrawInput);
      if (!('png' in drawing)) throw new Error('A mockup is a PNG.');
      const gray = toGray({ ...side, data: await sharp(drawing.png).resize(400, 300).ensureAlpha().raw().toBuffer() });
      const at = (x: number, y: number) => gray.data[Math.round(y * 300) * 400 + Math.round(x * 400)]!;
      return { dark: at(0.45, 0.5), light: at(0.85, 0.5), outside: at(0.05, 0.5) };
    };
    const slate = await lightness('slate', '#eeeeee');
    expect(slate.light - slate.outside).toBeGreaterThan(40);
    expect(Math.abs(slate.dark - slate.outside)).toBeLessThan(25);
    const walnut = await lightness('walnut', '#201008');
    expect(walnut.outside - walnut.dark).toBeGreaterThan(40);
    expect(Math.abs(walnut.light - walnut.outside)).toBeLessThan(12);
  });
});
