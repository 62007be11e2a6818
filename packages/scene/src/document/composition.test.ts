import { expect, it } from 'vitest';
import { COMPOSITION_VERSION, emptyComposition, parseComposition, saveComposition } from './composition.ts';

it('reads what was saved before elements had names, locks and an order', () => {
  const saved = {
    version: 0,
    data: {
      machine: 'uv',
      productId: '7',
      productAngleDeg: 90,
      machineArea: { x: 0.1, y: 0.2, width: 0.5, height: 0.5 },
      design: { designId: 'd', filename: 'a.png', aspect: 2, x: 5, y: -3, size: 60, angleDeg: 10, isFlipped: true },
      texts: [{ id: 't', text: 'Anna', heightInches: 0.5, color: '#C8102E', x: 1, y: 2, angleDeg: 3 }],
    },
  };
  const composition = parseComposition(saved);
  expect(composition).toMatchObject({ ...saved.data, textsUnderDesign: 0 });
  const open = { name: '', isLocked: false, isHidden: false };
  expect(composition.design).toMatchObject(open);
  expect(composition.texts[0]).toMatchObject(open);
});

it('reads what it writes', () => {
  const saved = saveComposition({ ...emptyComposition, textsUnderDesign: 3 });
  expect(saved.version).toBe(COMPOSITION_VERSION);
  expect(parseComposition(JSON.parse(JSON.stringify(saved)))).toEqual(saved.data);
});
