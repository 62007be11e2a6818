import { newArtwork } from '@markwright/scene';
import { expect, test } from 'vitest';
import { hasDots } from '../engraving/engravedElements.ts';
import { findFormat, formatsOf, toFitChoice } from './productionFormats.ts';

test('a photograph in dots is offered in the formats that hold it, and in no other', () => {
  const fits = formatsOf('laser', true).filter(({ isUnfit }) => !isUnfit);
  expect(fits.map(({ format }) => format).sort()).toEqual(['lbrn2', 'package', 'png']);
  expect(formatsOf('laser').some(({ format, isUnfit }) => isUnfit || format === 'png')).toBe(false);
  expect(toFitChoice({ format: 'dxf', options: {} }, true).format).toBe('lbrn2');
  expect(toFitChoice({ format: 'dxf', options: {} }, false).format).toBe('dxf');
  expect(toFitChoice({ format: 'png', options: {} }, true).format).toBe('png');
  expect(findFormat('laser', { format: 'png', options: {} }).name).toBe('PNG of the dots');
});

test('a design has dots where a visible artwork is engraved as a raster on a laser', () => {
  const tone = { brightness: 0, contrast: 0, gamma: 1, localContrast: 0, sharpen: 0 };
  const engraving = { method: 'jarvis', intervalMm: 0.1, tone, invert: 'auto' } as const;
  const artwork = { ...newArtwork('d'), engraving };
  const composition = { machine: 'laser', productAngleDeg: 0, elements: [artwork] } as const;
  const withArtwork = (changes: object) => ({ ...composition, elements: [{ ...artwork, ...changes }] });
  expect(hasDots({ ...composition, elements: [artwork] })).toBe(true);
  expect(hasDots({ ...composition, elements: [artwork], machine: 'uv' })).toBe(false);
  expect(hasDots(withArtwork({ isHidden: true }))).toBe(false);
  expect(hasDots(withArtwork({ engraving: { ...engraving, method: 'hatch' } }))).toBe(false);
});
