import { expect, test } from 'vitest';
import { designPlacement, openEditor, textElement } from '../testHost.ts';
import { placeNewText } from './newText.ts';

// The machine area is 101.6 × 50.8 mm, the artwork twice as wide as high: at size 50 it is 50.8 × 25.4 mm.
const inch = 25.4;
const areaMm = { width: 101.6, height: 50.8 };

function place(changes: Parameters<typeof openEditor>[0], text = 'Ava', heightInches = 0.2) {
  const { scene } = openEditor(changes).getState();
  const at = placeNewText(scene, { id: 'new', text, heightInches });
  const half = (text.split('\n').length * 1.4 * heightInches * inch) / 2;
  const middle = (at.y / 100) * areaMm.height;
  return { x: (at.x / 100) * areaMm.width, top: middle - half, bottom: middle + half };
}

test.each([
  ['nothing there: in the middle', {}, { x: 0, top: -3.556 }],
  ['a design: under it', { design: designPlacement() }, { x: 0, top: 12.7 + 1.27 }],
  ['a design off the middle: under it', { design: designPlacement({ x: 10, y: -20 }) }, { x: 10.16, top: 2.54 + 1.27 }],
  ['a design at the foot: over it', { design: designPlacement({ y: 20 }) }, { x: 0, bottom: -2.54 - 1.27 }],
  ['a design that fills the area: in the middle', { design: designPlacement({ size: 100 }) }, { x: 0, top: -3.556 }],
  ['a text: under it', { texts: [textElement('a', { heightInches: 0.2 })] }, { x: 0, top: 2.54 + 1.27 }],
  [
    'a design and a text: under the last text',
    { design: designPlacement({ y: -25 }), texts: [textElement('a', { x: 5, y: 10, heightInches: 0.2 })] },
    { x: 5.08, top: 5.08 + 2.54 + 1.27 },
  ],
  [
    'no room under the last text: over the design',
    { design: designPlacement(), texts: [textElement('a', { y: 37, heightInches: 0.2 })] },
    { x: 0, bottom: -12.7 - 1.27 },
  ],
])('with %s', (_, changes, expected) => {
  const position = place(changes);
  for (const [key, value] of Object.entries(expected))
    expect(position[key as keyof typeof position]).toBeCloseTo(value, 6);
});

test('reserves more room for more lines', () => {
  expect(place({ design: designPlacement({ y: -20 }) }, 'A\nB').top).toBeCloseTo(2.54 + 1.27, 6);
});

test('steps texts down from the middle where there is no room', () => {
  const full = { design: designPlacement({ size: 100 }) };
  const first = place(full);
  const second = place({ ...full, texts: [textElement('a', { heightInches: 0.2 })] });
  expect(second.top - first.top).toBeCloseTo(5.08, 6);
});

test('ignores the text itself when it looks for room', () => {
  const changes = { design: designPlacement({ y: -20 }) };
  const own = textElement('new', { y: 30 });
  expect(place({ ...changes, texts: [own] })).toEqual(place(changes));
});
