import { expect, it } from 'vitest';
import { $ZodError } from 'zod/v4/core';
import { ArtworkElement, parseComposition, TextElement } from './composition.ts';
import { artworksOf, toZOrder } from './elements.ts';
import { emptyComposition, saveComposition } from './initial.ts';
import { COMPOSITION_VERSION, MAX_ARTWORKS, MAX_TEXTS } from './limits.ts';

const artwork = (id: string) => ArtworkElement.parse({ id, designId: 'd' });

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
  const { design, texts, ...rest } = document.data;
  const open = { name: '', isLocked: false, isHidden: false };
  expect(composition).toMatchObject({
    ...rest,
    elements: [
      { kind: 'artwork', id: 'design', ...design, ...open },
      { kind: 'text', ...texts[0], ...open },
    ],
  });
});

it('reads what saveComposition writes', () => {
  const document = saveComposition({
    ...emptyComposition,
    elements: [artwork('a'), TextElement.parse({ id: 't', text: 'Anna' })],
  });
  expect(document.version).toBe(COMPOSITION_VERSION);
  expect(parseComposition(JSON.parse(JSON.stringify(document)))).toEqual(document.data);
});

it('reads a placement that was saved before its box was the ink as that of the frame', () => {
  const design = { designId: 'd', size: 60 };
  const frame = { x: 0, y: 0, width: 1, height: 1 };
  expect(artworksOf(parseComposition({ version: 1, data: { design } }))[0]).toMatchObject({ size: 60, ink: frame });
  expect(artworksOf(parseComposition({ version: 2, data: { design } }))[0]).not.toHaveProperty('ink');
});

it.each([
  [0, ['design', 'text:a', 'text:b']],
  [1, ['text:a', 'design', 'text:b']],
  [2, ['text:a', 'text:b', 'design']],
  [9, ['text:a', 'text:b', 'design']],
])('keeps the z-order of a design above %i texts', (textsUnderDesign, expected) => {
  const texts = ['a', 'b'].map((id) => ({ id, text: id }));
  const data = { design: { designId: 'd' }, texts, textsUnderDesign };
  expect(toZOrder(parseComposition({ version: 2, data }))).toEqual(expected);
  expect(toZOrder(parseComposition({ version: 2, data: { texts, textsUnderDesign } }))).toEqual(['text:a', 'text:b']);
});

it('refuses what earlier versions refused, and more elements than allowed', () => {
  const refuse = (version: number, data: unknown) =>
    expect(() => parseComposition({ version, data })).toThrow($ZodError);
  refuse(2, 7);
  refuse(2, null);
  refuse(2, []);
  refuse(2, { design: null });
  refuse(2, { design: { x: 3 } });
  refuse(2, { texts: 'Anna' });
  refuse(2, { texts: ['Anna'] });
  refuse(2, { texts: Array.from({ length: MAX_TEXTS + 1 }, (_, index) => ({ id: `${index}`, text: '' })) });
  refuse(2, { textsUnderDesign: 21 });
  refuse(3, { elements: [{ kind: 'video', id: 'v' }] });
  refuse(3, { elements: [artwork('a'), artwork('a')] });
  refuse(3, { elements: Array.from({ length: MAX_ARTWORKS + 1 }, (_, index) => artwork(`${index}`)) });
  const most = Array.from({ length: MAX_ARTWORKS }, (_, index) => artwork(`${index}`));
  expect(parseComposition({ version: 3, data: { elements: most } }).elements).toEqual(most);
});
