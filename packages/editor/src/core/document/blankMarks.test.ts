import { emptyComposition } from '@markwright/scene';
import { expect, test } from 'vitest';
import { designPlacement, openEditor, product } from '../testHost.ts';
import { drawBlankMarks } from './blankMarks.ts';

const square = { ...product, productId: 'square', dimensions: '4x4', pictureAspect: 1 };

test('the marks are those that choosing the blank gives, without its picture', () => {
  const editor = openEditor({ design: designPlacement() });
  const { composition, assets } = editor.getState();
  const svg = drawBlankMarks(composition, assets, square)!;
  expect(svg).toMatch(/<path/);
  expect(svg).not.toContain(product.mockupImageUrl);
  // In the frame of its whole picture.
  const [, width, height] = / viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"/.exec(svg)!.map(Number);
  expect(width! / height!).toBeCloseTo(1, 3);
  expect(drawBlankMarks(composition, assets, product)).not.toBe(svg);
  // What is on the stage stays.
  expect(editor.getState().composition).toBe(composition);
});

test('a composition without marks has none', () => {
  const { assets } = openEditor().getState();
  expect(drawBlankMarks(emptyComposition, assets, product)).toBeUndefined();
});
