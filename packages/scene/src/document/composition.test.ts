import { expect, it } from 'vitest';
import { COMPOSITION_VERSION, emptyComposition, parseComposition, saveComposition } from './composition.ts';

it('reads a composition saved before elements had names, locks and a z-order', () => {
  const document = {
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
  const composition = parseComposition(document);
  expect(composition).toMatchObject({ ...document.data, textsUnderDesign: 0 });
  const open = { name: '', isLocked: false, isHidden: false };
  expect(composition.design).toMatchObject(open);
  expect(composition.texts[0]).toMatchObject(open);
});

it('reads what saveComposition writes', () => {
  const document = saveComposition({ ...emptyComposition, textsUnderDesign: 3 });
  expect(document.version).toBe(COMPOSITION_VERSION);
  expect(parseComposition(JSON.parse(JSON.stringify(document)))).toEqual(document.data);
});

it('reads a placement that was saved before its box was the ink as that of the frame', () => {
  const design = { designId: 'd', size: 60 };
  const frame = { x: 0, y: 0, width: 1, height: 1 };
  expect(parseComposition({ version: 1, data: { design } }).design).toMatchObject({ size: 60, ink: frame });
  expect(parseComposition({ version: 2, data: { design } }).design).not.toHaveProperty('ink');
});
