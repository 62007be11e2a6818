import { expect, it } from 'vitest';
import { elementColors } from './elementColors.ts';

const shape = (fill: string | undefined, stroke?: string) => ({ d: '', fill, stroke, strokeWidth: 0, opacity: 1 });

it('lists colors by the number of their shapes, and white for ink alone', () => {
  const shapes = [shape('#FFFFFF'), shape('#C8102E'), shape(undefined, '#FF0000'), shape('#c8102e')];
  expect(elementColors({ shapes }, 'laser').map(({ name }) => name)).toEqual(['#C8102E', 'Red']);
  expect(elementColors({ shapes }, 'uv').map(({ color }) => color)).toEqual(['#c8102e', '#ffffff', '#ff0000']);
  expect(elementColors(undefined, 'uv')).toEqual([]);
});
