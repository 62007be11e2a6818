import { inflateSync } from 'node:zlib';
import { emptyComposition, newText, parseComposition, saveComposition } from '@markwright/scene';
import { readPdf } from '@markwright/scene/inkFiles';
import { unzipSync } from 'fflate';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { FileInput } from '../platform/ports/mediaJobs.ts';
import { makeMachineFile } from './file.ts';
import { readTiff } from './files/testTiff.ts';

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">' +
  '<path fill="#c81e1e" d="M10 10L60 10L60 60L10 60Z"/><path fill="#ffffff" d="M70 70L90 70L90 90L70 90Z"/></svg>';

function input(machine: string, format: FileInput['format'], changes: Partial<FileInput> = {}): FileInput {
  const design = { designId: 'd', size: 50 };
  const data = { ...emptyComposition, machine, elements: [{ ...design, kind: 'artwork', id: 'design' }] };
  return {
    composition: parseComposition(saveComposition(data as never)),
    product: {
      picture: undefined,
      pictureAspect: 1,
      printArea: { x: 0, y: 0, width: 1, height: 1 },
      printWidthInches: 1,
      printHeightInches: 1,
      finish: { material: 'slate', markColor: '#dddddd' },
    },
    artworks: [{ id: 'design', picture: { svg: SVG } }],
    format,
    preset: undefined,
    options: {},
    names: { productName: 'Slate Coaster' },
    material: 'slate',
    now: new Date('2026-11-23T10:00:00Z'),
    mockup: undefined,
    ...changes,
  };
}

/** A text and the artwork of `input`. */
function withText(text: string): FileInput['composition'] {
  const { elements, ...rest } = input('laser', 'svg').composition;
  return { ...rest, elements: [...elements, { ...newText('t'), text }] };
}

describe('letters that no font has', () => {
  it.each(['svg', 'dxf', 'lbrn2', 'plt', 'package'] as const)(
    'are named in the report of a file: %s',
    async (format) => {
      const composition = withText('Οak 😀');
      const { report } = await makeMachineFile(input('laser', format, { composition }));
      expect(report.findings).toContainEqual({ kind: 'missingLetters', elementId: 'text:t', count: 2, lengthMm: 0 });
      const complete = await makeMachineFile(input('laser', format, { composition: withText('Oak') }));
      expect(complete.report.findings.filter(({ kind }) => kind === 'missingLetters')).toEqual([]);
    },
  );

  it('refuse a text that has no other', async () => {
    const file = makeMachineFile(input('laser', 'svg', { composition: withText('😀') }));
    await expect(file).rejects.toThrow('The text “😀” cannot be set in Open Sans.');
  });
});

describe('a machine’s file', () => {
  it('is a PDF with four inks and white for UV, as its report says', async () => {
    const { bytes, ending, report } = await makeMachineFile(input('uv', 'pdf', { preset: 'versaWorks' }));
    const { layers, marks, widthMm } = readPdf(bytes, inflateSync);
    expect(ending).toBe('.pdf');
    expect(layers).toEqual(['Color', 'RDG_WHITE']);
    expect(widthMm).toBeCloseTo(25.4, 2);
    expect(new Set(marks.map(({ ink }) => ink))).toEqual(new Set(['DeviceCMYK', 'RDG_WHITE']));
    expect(report).toMatchObject({
      widthMm: 25.4,
      heightMm: 25.4,
      isMirrored: false,
      colors: 'CMYK by a generic profile',
    });
    const white = report.layers.find(({ kind }) => kind === 'white')!;
    // The artwork is 12.7 mm wide: 6.35 mm of color without 0.2 mm at each side, and 2.54 mm of white alone.
    expect(white.areaMm2).toBeCloseTo(5.95 ** 2 + 2.54 ** 2, 1);
    expect(report.layers.map(({ kind }) => kind)).toEqual(['white', 'color']);
  });

  it('is mirrored for sublimation, in sRGB, with a bleed, and not when that is switched off', async () => {
    const { bytes, report } = await makeMachineFile(input('sublimation', 'pdf'));
    const pdf = readPdf(bytes, inflateSync);
    expect([pdf.widthMm, pdf.trimLeftMm].map((value) => Number(value.toFixed(2)))).toEqual([31.4, 3]);
    expect(report).toMatchObject({ isMirrored: true, colors: 'sRGB' });
    const straight = await makeMachineFile(input('sublimation', 'pdf', { options: { isMirrored: false, bleedMm: 0 } }));
    expect(straight.report.isMirrored).toBe(false);
    const xs = [pdf, readPdf(straight.bytes, inflateSync)].map(({ marks }) =>
      marks[0]!.contours[0]!.points.filter((_, i) => i % 2 === 0),
    );
    expect(Math.min(...xs[0]!) + Math.max(...xs[1]!)).toBeCloseTo(25.4, 2);
    expect(Math.min(...xs[0]!)).not.toBeCloseTo(Math.min(...xs[1]!), 0);
  });

  it('is a PNG of 300 dpi with alpha, whose clear pixels have the color beside them', async () => {
    const { bytes, report } = await makeMachineFile(input('uv', 'png'));
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 300, height: 300, density: 300, channels: 4 });
    expect(report.colors).toBe('sRGB');
    const rgba = await sharp(bytes).raw().toBuffer();
    const at = (x: number, y: number) => [...rgba.subarray(4 * (300 * y + x), 4 * (300 * y + x) + 4)];
    // The colored square begins at 90 pixels: a quarter of the area, and a tenth of the artwork.
    expect(at(120, 120)).toEqual([200, 30, 30, 255]);
    expect(at(20, 20)).toEqual([0, 0, 0, 0]);
    const [red, green, blue, alpha] = at(88, 120);
    expect(alpha).toBe(0);
    expect(Math.max(Math.abs(red! - 200), Math.abs(green! - 30), Math.abs(blue! - 30))).toBeLessThanOrEqual(2);
  });

  it('is a TIFF with four inks and white, which covers what the PDF’s plate does', async () => {
    const { bytes, report } = await makeMachineFile(input('uv', 'tiff'));
    expect(await sharp(bytes).metadata()).toMatchObject({ channels: 5, space: 'cmyk', density: 300 });
    const { samples } = readTiff(Buffer.from(bytes));
    const at = (x: number, y: number) => [...samples.subarray(5 * (300 * y + x), 5 * (300 * y + x) + 5)];
    expect(at(20, 20)).toEqual([0, 0, 0, 0, 255]);
    const [cyan, magenta, yellow, , spot] = at(120, 120);
    expect([cyan! < 60, magenta! > 180, yellow! > 180, spot]).toEqual([true, true, true, 0]);
    const coverPx = samples.filter((_, i) => i % 5 === 4).reduce((sum, value) => sum + (255 - value) / 255, 0);
    const white = report.layers.find(({ kind }) => kind === 'white')!;
    // The renderer counts quarters of a pixel: along an edge it is off by up to half of one.
    const [pxPerMm, edgeMm] = [300 / 25.4, 4 * (5.95 + 2.54)];
    expect(Math.abs(coverPx - white.areaMm2! * pxPerMm ** 2)).toBeLessThan((edgeMm * pxPerMm) / 8);
  });

  it('says its size without what an inch leaves behind', async () => {
    const product = { ...input('laser', 'dxf').product!, printWidthInches: 3, printHeightInches: 3 };
    const { report } = await makeMachineFile(input('laser', 'dxf', { product }));
    expect([report.widthMm, report.heightMm]).toEqual([76.2, 76.2]);
  });

  it('is outlines for a laser, and none for a format that the machine has no use for', async () => {
    const { ending, report } = await makeMachineFile(input('laser', 'lbrn2'));
    expect(ending).toBe('.lbrn2');
    expect(report.colors).toBeNull();
    expect(report.layers[0]).toMatchObject({ kind: 'engrave', openEnds: 0, lengthMm: null });
    const svg = await makeMachineFile(input('laser', 'svg', { preset: 'cricut' }));
    expect(svg.ending).toBe('_cricut.svg');
    await expect(makeMachineFile(input('laser', 'tiff'))).rejects.toThrow('TIFF files are for printers');
    await expect(makeMachineFile(input('uv', 'lbrn2'))).rejects.toMatchObject({ code: 'unprocessable' });
  });

  it.each(['svg', 'lbrn2', 'dxf', 'pdf', 'package', 'sheet'] as const)(
    'is no %s of a design of which nothing would be made, and a sentence says so',
    async (format) => {
      const job = input('laser', format);
      const elements = job.composition.elements.map((element) => ({ ...element, x: 500 }));
      const outside = { ...job, composition: { ...job.composition, elements } };
      await expect(makeMachineFile(outside)).rejects.toMatchObject({ code: 'unprocessable', message: /outside the/ });
    },
  );

  it('has white below the colors of a transfer film, which its program mirrors', async () => {
    const pdf = await makeMachineFile(input('dtf', 'pdf'));
    expect(pdf.report).toMatchObject({ isMirrored: false, colors: 'sRGB' });
    expect(pdf.report.layers.map(({ kind }) => kind)).toEqual(['white', 'color']);
    const png = await makeMachineFile(input('dtf', 'png'));
    expect(await sharp(png.bytes).metadata()).toMatchObject({ width: 300, height: 300, hasAlpha: true, density: 300 });
    await expect(makeMachineFile(input('dtf', 'lbrn2'))).rejects.toMatchObject({ code: 'unprocessable' });
  });

  it.each(['laser', 'uv', 'sublimation', 'dtf'])(
    'is a package for %s, whose sheet and facts name every file',
    async (machine) => {
      const mockup = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#888888' } })
        .png()
        .toBuffer();
      const { bytes, ending, report } = await makeMachineFile(input(machine, 'package', { mockup }));
      expect(ending).toBe('.zip');
      const files = unzipSync(bytes);
      const names = Object.keys(files);
      expect(names).toContain('job.json');
      expect(names.filter((name) => name.startsWith('Slate_Coaster_25.4x25.4mm'))).toHaveLength(names.length - 1);
      const facts = JSON.parse(Buffer.from(files['job.json']!).toString());
      expect(facts.files.map(({ filename }: { filename: string }) => filename).sort()).toEqual(
        names.filter((name) => name !== 'job.json').sort(),
      );
      expect(report.files!.map(({ filename }) => filename)).toEqual(names);
      expect(facts).toMatchObject({ title: 'Slate Coaster', size: { widthMm: 25.4, heightMm: 25.4 } });
    },
  );

  it.each([
    ['laser', ['engrave']],
    ['uv', ['white', 'color']],
    ['sublimation', ['color']],
    ['dtf', ['white', 'color']],
  ])('is a job sheet alone for %s, with the layers that its machine makes', async (machine, kinds) => {
    const { bytes, ending, report } = await makeMachineFile(input(machine, 'sheet'));
    expect(ending).toBe('_job-sheet.pdf');
    expect(Buffer.from(bytes.subarray(0, 5)).toString()).toBe('%PDF-');
    expect(report.layers.map(({ kind }) => kind).sort()).toEqual([...kinds].sort());
    expect(report.files).toBeUndefined();
  });

  it('is a paper test of a round blank: pages at true size, as many as its way round takes', async () => {
    const product = (diameterMm: number) => ({
      ...input('laser', 'svg').product!,
      surface: { kind: 'cylinder', diameterMm } as const,
    });
    const countPages = (pdf: Uint8Array) =>
      Buffer.from(pdf)
        .toString('latin1')
        .match(/\/Type \/Page\b(?!s)/g)!.length;
    for (const [diameterMm, pages] of [
      [73, 1],
      [82, 1],
      [95, 2],
    ] as const) {
      const file = await makeMachineFile(input('laser', 'paperTest', { product: product(diameterMm) }));
      expect([file.ending, countPages(file.bytes)]).toEqual(['_paper-test.pdf', pages]);
      // 279.4 x 210 mm, which fits A4 and letter.
      expect(Buffer.from(file.bytes).toString('latin1')).toMatch(/\/MediaBox \[0 0 79[12][.\d]* 595[.\d]*\]/);
    }
    await expect(makeMachineFile(input('laser', 'paperTest'))).rejects.toThrow('This one is flat.');
    const drum = makeMachineFile(input('laser', 'paperTest', { product: { ...product(1000), printHeightInches: 20 } }));
    await expect(drum).resolves.toMatchObject({ ending: '_paper-test.pdf' });
  });

  it('makes up for a tapered blank where it is asked to, in every format, and for no other blank', {
    tags: ['detail'],
  }, async () => {
    const cone = { kind: 'cone', topDiameterMm: 95, bottomDiameterMm: 60, heightMm: 110 } as const;
    const product = { ...input('laser', 'svg').product!, surface: cone };
    const plain = await makeMachineFile(input('laser', 'dxf', { product }));
    expect(plain.report.taper).toBeUndefined();
    const scaling = await makeMachineFile(input('laser', 'dxf', { product, options: { taper: 'rotary' } }));
    expect(scaling.report.taper).toEqual({ kind: 'rotary', diameterMm: 77.5 });
    expect(scaling.report.widthMm).toBeGreaterThan(plain.report.widthMm + 1);
    expect(scaling.report.heightMm).toBeCloseTo(plain.report.heightMm, 3);
    expect(scaling.report.layers.map(({ id }) => id)).toEqual(plain.report.layers.map(({ id }) => id));
    for (const machine of ['sublimation', 'uv', 'dtf'] as const) {
      const print = await makeMachineFile(input(machine, 'package', { product, options: { taper: 'sheet' } }));
      expect(print.report.taper?.kind).toBe('sheet');
      expect(print.report.heightMm).toBeGreaterThan(plain.report.heightMm);
    }
    const flat = await makeMachineFile(input('laser', 'dxf', { options: { taper: 'rotary' } }));
    expect(flat.report).toEqual((await makeMachineFile(input('laser', 'dxf'))).report);
  });

  it('has no pixels for an area that is too large for them, and says so', async () => {
    const product = { ...input('uv', 'png').product!, printWidthInches: 30, printHeightInches: 30 };
    await expect(makeMachineFile(input('uv', 'png', { product }))).rejects.toThrow('Choose PDF.');
    const { report } = await makeMachineFile(input('uv', 'package', { product }));
    const endings = report.files!.map(({ filename }) => filename.replace(/^.*mm|^job/, ''));
    expect(endings).toEqual(['.pdf', '.svg', '_job-sheet.pdf', '.json']);
  });
});
