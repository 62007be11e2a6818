import type { FileReport } from '@markwright/contract/schemas';
import { type FileOptions, FileRequest } from '@markwright/contract/schemas';
import { emptyComposition, type MachineMode, saveComposition } from '@markwright/scene';
import { expect, test } from 'vitest';
import {
  describeFile,
  type FormatChoice,
  firstChoice,
  formatsOf,
  isSpecifiedFormat,
  optionsOf,
  presetsOf,
  readFormatChoice,
  SPECIFIED_FORMAT,
} from './productionFormats.ts';

const machines: readonly MachineMode[] = ['laser', 'uv', 'sublimation', 'dtf'];
const values = { white: 'flood', chokeMm: 0.15, colors: 'sRGB', bleedMm: 2, isMirrored: false, spots: {} };
const laserValues = { laser: 'an-id', kerfMm: 0.2, profile: 'another-id', taper: 'rotary' };

/** Every choice of a machine with all of its options. */
const choicesOf = (machine: MachineMode): FormatChoice[] =>
  formatsOf(machine).flatMap(({ format }) => {
    const options = Object.fromEntries(
      optionsOf(machine, format).map((name) => [name, { ...values, ...laserValues }[name]]),
    ) as FileOptions;
    return [undefined, ...presetsOf(machine, format)].map((preset) => ({
      format,
      ...(preset && { preset: preset.value }),
      options,
    }));
  });

test.each(machines)('%s: each choice is one that the call takes, and is the same when it is read again', (machine) => {
  const composition = saveComposition(emptyComposition);
  for (const choice of choicesOf(machine)) {
    expect(FileRequest.parse({ composition, ...choice })).toMatchObject(choice);
    expect(readFormatChoice(machine, JSON.parse(JSON.stringify(choice)))).toEqual(choice);
  }
  const first = firstChoice(machine);
  expect(formatsOf(machine)[0]!.format).toBe(first.format);
  expect(isSpecifiedFormat(first)).toBe(machine !== 'dtf');
  expect(new Set(formatsOf(machine).map(({ name }) => name)).size).toBe(formatsOf(machine).length);
});

test('reads nothing of a record that is none, and leaves out what the machine does not have', () => {
  for (const value of [null, 7, 'dxf', [], {}, { format: 'exe' }, { format: 'tiff', options: {} }]) {
    expect(readFormatChoice('laser', value)).toBeUndefined();
  }
  expect(readFormatChoice('laser', { format: 'dxf', preset: 'cricut', options: { white: 'flood' } })).toEqual({
    format: 'dxf',
    options: {},
  });
  const record = { format: 'pdf', preset: 'nobody', options: { chokeMm: 9, white: 'flood', spots: { white: 'x' } } };
  expect(readFormatChoice('uv', record)).toEqual({ format: 'pdf', options: { white: 'flood' } });
  expect(readFormatChoice('uv', { format: 'svg', options: 'x' })).toEqual(SPECIFIED_FORMAT);
});

test('the specified file is the SVG without a choice', () => {
  expect(isSpecifiedFormat(SPECIFIED_FORMAT)).toBe(true);
  expect(isSpecifiedFormat({ format: 'svg', preset: 'cricut', options: {} })).toBe(false);
  expect(isSpecifiedFormat({ format: 'svg', options: { isMirrored: false } })).toBe(false);
  expect(isSpecifiedFormat({ format: 'dxf', options: {} })).toBe(false);
});

test('says that a file is mirrored, and that cuts are open', () => {
  const finding = { kind: 'openContour', elementId: 'a', count: 1, lengthMm: 2 };
  const report: FileReport = {
    widthMm: 56,
    heightMm: 140.04,
    isMirrored: true,
    colors: null,
    layers: [],
    findings: [finding],
  };
  expect(describeFile({ format: 'png', options: {} }, report)).toBe(
    '56.0 × 140.0 mm. Mirrored already: do not turn it again. Some cuts are open: see Preflight.',
  );
});
