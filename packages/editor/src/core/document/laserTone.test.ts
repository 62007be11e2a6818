import { describe, expect, test } from 'vitest';
import { describeLaserTone } from './laserTone.ts';

const fill = (color: string, opacity = 1) =>
  ({
    kind: 'path',
    d: 'M0 0H1V1Z',
    operation: 'engrave',
    fill: color,
    stroke: undefined,
    strokeWidth: 0,
    opacity,
  }) as const;
const line = { ...fill('#000000'), operation: 'score', fill: undefined, stroke: '#000000' } as const;

describe('what a laser makes of an opacity', () => {
  test('is not said of an opaque element', () => {
    expect(describeLaserTone({ opacity: 1, children: [fill('#000000')] })).toBeUndefined();
  });

  test.each([
    [0.9, 'A laser engraves it dark (C00): a layer with its own power.'],
    [0.6, 'A laser engraves it medium (C16): a layer with its own power.'],
    [0.3, 'A laser engraves it light (C08): a layer with its own power.'],
    [0.03, 'Too light for a laser, so it is left out.'],
    [0, 'Too light for a laser, so it is left out.'],
  ])('is the tone of its layer at %f', (opacity, sentence) => {
    expect(describeLaserTone({ opacity, children: [fill('#000000')] })).toBe(sentence);
  });

  test('names each tone, and what is left out', () => {
    expect(describeLaserTone({ opacity: 0.5, children: [fill('#000000'), fill('#b4b4b4'), fill('#ededed')] })).toBe(
      'A laser engraves it light (C08) and medium (C16): each is a layer with its own power. Its lightest parts are left out.',
    );
  });

  test('does not concern lines', () => {
    expect(describeLaserTone({ opacity: 0.2, children: [line] })).toBe(
      'A laser follows a line the same way at any opacity.',
    );
  });
});
