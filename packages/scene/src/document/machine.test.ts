import { expect, it } from 'vitest';
import { textColors, toMachineColor } from './machine.ts';

it('offers a laser black and brushed only', () => {
  expect(textColors('laser')).toEqual({
    swatches: [
      { name: 'Black', color: '#000000' },
      { name: 'Brushed Tumbler', color: '#C0C0C0' },
    ],
    allowsCustom: false,
  });
  expect(toMachineColor('laser', '#1F4FA3')).toBe('#000000');
  expect(toMachineColor('laser', '#F6C915')).toBe('#C0C0C0');
});

it.each(['uv', 'sublimation', 'dtf'] as const)('offers %s nine swatches and any other color', (machine) => {
  const { swatches, allowsCustom } = textColors(machine);
  expect(new Set(swatches.map(({ color }) => color)).size).toBe(9);
  expect(allowsCustom).toBe(true);
  expect(toMachineColor(machine, '#123456')).toBe('#123456');
});
