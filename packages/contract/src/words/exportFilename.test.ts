import { expect, test } from 'vitest';
import { exportFilename, machineFilename } from './exportFilename.ts';

test.each([
  ['20 oz Skinny Tumbler, Stainless', 'production', '20_oz_Skinny_Tumbler_Stainless_production.svg'],
  ['Slate Coaster', 'png', 'Slate_Coaster_preview.png'],
  [undefined, 'customSvg', 'design_engraving-design.svg'],
  ['../..', 'customSvg', '.._.._engraving-design.svg'],
  ['  Tea "mug": 4/5 <new>|?*\u0007 ', 'png', 'Tea_mug_4_5_new_preview.png'],
  ['Cafe\u0301 बोर्ड 木の板', 'png', 'Café_बोर्ड_木の板_preview.png'],
  [',,,', 'production', 'design_production.svg'],
] as const)('the file of %s as %s is %s', (productName, kind, filename) => {
  expect(exportFilename({ productName }, kind)).toBe(filename);
});

test('a file without a product is named after the picture, without its extension', () => {
  expect(exportFilename({ designFilename: 'fox logo.v2.png' }, 'production')).toBe('fox_logo.v2_production.svg');
  expect(exportFilename({ productName: 'Mug', designFilename: 'fox.png' }, 'png')).toBe('Mug_preview.png');
});

test('a long name is cut', () => {
  expect(exportFilename({ productName: 'x'.repeat(400) }, 'png')).toBe(`${'x'.repeat(150)}_preview.png`);
});

test('the name of a machine’s file says its size, and that it is mirrored', () => {
  const names = { productName: 'Slate Coaster' };
  expect(machineFilename(names, { widthMm: 56, heightMm: 140 }, '.dxf')).toBe('Slate_Coaster_56x140mm.dxf');
  expect(machineFilename({}, { widthMm: 55.96, heightMm: 101.25 }, '_cricut.svg')).toBe('design_56x101.3mm_cricut.svg');
  expect(machineFilename(names, { widthMm: 9.04, heightMm: 5, isMirrored: true }, '.png')).toBe(
    'Slate_Coaster_9x5mm_mirrored.png',
  );
});
