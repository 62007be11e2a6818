import { VectorizeSettings } from '@markwright/contract/schemas';
import { expect, test } from 'vitest';
import {
  changeSettings,
  defaultSettings,
  forNextPicture,
  fromVectorizeSettings,
  isSameTrace,
  shownSettings,
  toPreviewSettings,
  toProductionSettings,
  toVectorizeSettings,
  withoutDefaults,
} from './traceSettings.ts';

test('the defaults are those of the call, apart from color mode, stacking and light', () => {
  for (const machine of ['laser', 'uv', 'sublimation', 'dtf'] as const) {
    const settings = defaultSettings(machine);
    const { colorMode, shapeStacking, light } = settings;
    expect({ ...settings, mode: 'preview' }).toEqual(VectorizeSettings.parse({ colorMode, shapeStacking, light }));
  }
});

test('light is taken out by itself of a new picture, and kept in a stored trace that says nothing of it', () => {
  expect(defaultSettings('laser').light).toBe('automatic');
  const old = fromVectorizeSettings(VectorizeSettings.parse({}))!;
  expect(old.light).toBeUndefined();
  expect(toProductionSettings({ settings: old, machine: 'laser' }).light).toBeUndefined();
  expect(forNextPicture(old).light).toBe('automatic');
  expect(forNextPicture({ ...old, light: 'kept' }).light).toBe('automatic');
});

test('light that is taken out or kept gives other colors, so edits of the palette are dropped', () => {
  const settings = { ...defaultSettings('uv'), palette: [{ color: '#aabbcc', paint: null }] };
  expect(changeSettings(settings, { light: 'kept' }).palette).toBeUndefined();
  expect(changeSettings(settings, { light: 'automatic' }).palette).toEqual(settings.palette);
});

test('leaves optional settings to the server until they are set', () => {
  const settings = defaultSettings('laser');
  expect(shownSettings(settings)).toEqual({ paletteSize: 2, despeckle: 0, cutout: false });
  expect(toVectorizeSettings({ settings, machine: 'laser' })).toEqual({
    ...settings,
    machineType: 'laser',
    mode: 'preview',
  });
  const zeroDespeckle = changeSettings(settings, { despeckle: 0 });
  expect(toVectorizeSettings({ settings: zeroDespeckle, machine: 'laser' })).toMatchObject({ despeckle: 0 });
  expect(isSameTrace(settings, zeroDespeckle)).toBe(true);
  expect(withoutDefaults(zeroDespeckle)).toEqual(settings);
});

test('sends a preview all of its settings as the panel shows them', () => {
  const settings = { ...defaultSettings('uv'), despeckle: 4 };
  expect(toPreviewSettings(settings)).toEqual({
    paletteSize: 64,
    despeckle: 4,
    cutout: false,
    colorMode: 'color',
    mode: 'preview',
  });
});

test('restores the settings of a stored trace as they were set', () => {
  const settings = { ...defaultSettings('uv'), paletteSize: 12, cutout: true };
  expect(fromVectorizeSettings(toVectorizeSettings({ settings, machine: 'uv' }))).toEqual(settings);
  expect(fromVectorizeSettings(undefined)).toBeUndefined();
});

test('a production file has the finest quality, and despeckle 1 unless it was set', () => {
  const settings = defaultSettings('laser');
  expect(toProductionSettings({ settings, machine: 'laser' })).toMatchObject({
    quality: 'high',
    mode: 'vectorize',
    machineType: 'laser',
    paletteSize: 64,
    despeckle: 1,
  });
  expect(toProductionSettings({ settings: { ...settings, despeckle: 0 }, machine: 'laser' }).despeckle).toBe(0);
});

test('symmetry that is switched off again gives the trace of one that never was', () => {
  const settings = defaultSettings('laser');
  const even = changeSettings(settings, { regular: true });
  expect(isSameTrace(even, settings)).toBe(false);
  expect(isSameTrace(changeSettings(even, { regular: undefined }), settings)).toBe(true);
  expect(forNextPicture(even).regular).toBe(true);
});
