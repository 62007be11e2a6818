/** Compositions that were paid before they could hold several artworks are still paid: their keys are the same. */
import { artworksOf, withoutHidden } from '@markwright/scene';
import { expect, it } from 'vitest';
import type { DrawnDesign } from '../tracing/tracing.ts';
import { compositionKey, type RenderJob, readComposition } from './renderJob.ts';

const designRow = {
  filename: 'a.png',
  mediaType: 'image/png',
  width: 640,
  height: 320,
  sizeBytes: 1,
  originalKey: 'designs/d/original.png',
  backgroundRemovedKey: null,
  vectorizedKey: null,
  shown: null,
} as unknown as DrawnDesign;

const product = { pictureAspect: 1.5, printArea: { x: 0.2, y: 0.1, width: 0.5, height: 0.7 } } as RenderJob['product'];

const text = { id: 't', text: 'Anna', heightInches: 0.5, color: '#C8102E', x: 1, y: 2, angleDeg: 3 };
const placement = { designId: 'd', filename: 'a.png', aspect: 2, x: 5, y: -3, size: 60, angleDeg: 10, isFlipped: true };
const ink = { x: 0.1, y: 0.2, width: 0.5, height: 0.6 };
const crop = { x: 0.25, y: 0, width: 0.5, height: 0.5 };
const area = { x: 0.1, y: 0.2, width: 0.5, height: 0.5 };

const documents: Record<string, { version: number; data: object }> = {
  'of the first version': {
    version: 0,
    data: { machine: 'uv', productId: '7', productAngleDeg: 90, machineArea: area, design: placement, texts: [text] },
  },
  'of a design alone': { version: 0, data: { design: { designId: 'd' } } },
  'of the second version, with texts around the design': {
    version: 1,
    data: {
      productId: '7',
      design: { ...placement, name: 'Crest', isLocked: true, opacity: 40 },
      texts: [text, { ...text, id: 'u', text: ' ' }, { ...text, id: 'v', text: 'Below\ntoo', lineSpacing: 150 }],
      textsUnderDesign: 2,
    },
  },
  'of ink': { version: 2, data: { productId: '7', design: { ...placement, ink } } },
  'of the ink of a part': {
    version: 2,
    data: { productId: '7', machineArea: area, design: { ...placement, ink, crop } },
  },
  'of a part without a trace': { version: 2, data: { productId: '7', design: { ...placement, crop } } },
  'of texts alone': {
    version: 2,
    data: { machine: 'sublimation', texts: [{ ...text, letterSpacing: 20, bend: -30, fontWeight: 'bold' }] },
  },
  'with hidden elements': {
    version: 2,
    data: {
      productId: '7',
      design: { ...placement, ink },
      texts: [
        { ...text, isHidden: true },
        { ...text, id: 'u' },
        { ...text, id: 'v', text: 'Over' },
      ],
      textsUnderDesign: 2,
    },
  },
  'with a hidden design': {
    version: 2,
    data: { productId: '7', design: { ...placement, isHidden: true }, texts: [text], textsUnderDesign: 1 },
  },
};

const keysOf = (document: { version: number; data: object }) => {
  const composition = withoutHidden(readComposition(document));
  const designs = new Map(artworksOf(composition).map(({ id }) => [id, designRow]));
  const job: RenderJob = { composition, designs, product, ownFonts: [] };
  return [compositionKey(job, 'file'), compositionKey(job, 'mockup')];
};

/** Written by the code of before: of a file, and of a mockup where that is another. */
const keys: Record<string, string[]> = {
  'of the first version': [
    '6910488230cd875d342e0030277c3401c339cc039d49ba08cceb887ff8ab1f6d',
    '5047eed75ff08197f2eca9ba9fed7b406d13cc0df5eb013c902916969bc7f448',
  ],
  'of a design alone': [
    '655cae6243f5b1a42a7fcb9d856de1ecd2e35166dbbf99eedbb014026fc3087c',
    '655cae6243f5b1a42a7fcb9d856de1ecd2e35166dbbf99eedbb014026fc3087c',
  ],
  'of the second version, with texts around the design': [
    '4bacf05c61a7567ae6e25f6b884051def8df3462102cdec2694b660cd78b4fd2',
    '4bacf05c61a7567ae6e25f6b884051def8df3462102cdec2694b660cd78b4fd2',
  ],
  'of ink': [
    '2828c3e6108d032752eb88c1c3d80a4c798950238887e13d8b6ebbb623ffab68',
    '2828c3e6108d032752eb88c1c3d80a4c798950238887e13d8b6ebbb623ffab68',
  ],
  'of the ink of a part': [
    '207bf26431f4c88e64bc454f92573253086b108c7fce876be86e77bd2acdb22f',
    '207bf26431f4c88e64bc454f92573253086b108c7fce876be86e77bd2acdb22f',
  ],
  'of a part without a trace': [
    '1a43c50d49ba8b5dde8dd14daa8887af3531c5c67563ea040b6ac9c078b23871',
    '1a43c50d49ba8b5dde8dd14daa8887af3531c5c67563ea040b6ac9c078b23871',
  ],
  'of texts alone': [
    '97c0c13f1e44dd15d73eef46ebe6dbad61557df0bf92eb059b38cf9215fb3e70',
    '97c0c13f1e44dd15d73eef46ebe6dbad61557df0bf92eb059b38cf9215fb3e70',
  ],
  'with hidden elements': [
    '954d1e5688fcd68a7fa59cfb66d4594e5229c44912ee29453ae11f7036eeaa92',
    '954d1e5688fcd68a7fa59cfb66d4594e5229c44912ee29453ae11f7036eeaa92',
  ],
  'with a hidden design': [
    'd7b6852bbc28c0e7cf20851843ea9da2ab694c96eebb9a041b579410027037c9',
    'd7b6852bbc28c0e7cf20851843ea9da2ab694c96eebb9a041b579410027037c9',
  ],
};

it('gives a composition another key when an operation was chosen, for all of an element or for a color', () => {
  const document = (changes: object) => ({
    version: 2,
    data: { productId: '7', design: { ...placement, ink, ...changes } },
  });
  const operations = [{ color: '#000000', operation: 'cut' }];
  const [plain, cut, black] = [{}, { operation: 'cut' }, { operations }].map((changes) => keysOf(document(changes))[0]);
  expect(plain).toBe(keys['of ink']![0]);
  expect(new Set([plain, cut, black]).size).toBe(3);
});

it('gives a composition the same key whatever a customer may change of it', () => {
  const { version, data } = documents['of the second version, with texts around the design']!;
  const { design, texts, ...rest } = data as { design: object; texts: object[] };
  const open = (element: object) => ({ ...element, customer: { words: true, place: true } });
  const composition = { version, data: { ...rest, design: open(design), texts: texts.map(open) } };
  expect(keysOf(composition)).toEqual(keys['of the second version, with texts around the design']);
});

it.each(Object.keys(documents))('gives a composition %s the key it was paid by', (name) => {
  expect(keysOf(documents[name]!)).toEqual(keys[name]);
});

it('has the same key whether rows name the picture or not: a file shows the one on the stage', () => {
  const document = { version: 2, data: { productId: '7', design: { ...placement, ink, pictureColumn: 'Logo' } } };
  expect(keysOf(document)).toEqual(keys['of ink']);
});
