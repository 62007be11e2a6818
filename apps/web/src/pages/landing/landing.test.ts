// @ts-expect-error: the types of pages know no Node; tests run there
import { readFileSync } from 'node:fs';
import { fontCategories } from '@markwright/fonts';
import { expect, test } from 'vitest';
import { headTags } from '../../ui/pageHead.ts';
import { audiences } from './Audiences.tsx';
import { landingHead } from './head.ts';
import { traceBadge } from './pictures/traceBadge.ts';
import { wordsFor } from './sliders.ts';

const read = (name: string) => readFileSync(new URL(`./pictures/${name}`, import.meta.url));

test('the trace on the page is what the tracer makes of the picture beside it', async () => {
  const { default: sharp } = await import('sharp' as string); // its types would bring Node's along
  const { data, info } = await sharp(read('customer.jpg')).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const { picture } = traceBadge({ width: info.width, height: info.height, data });
  // Another trace? `npx tsx scripts/landingPictures.ts` makes the page's pictures anew.
  expect(picture).toEqual(JSON.parse(String(read('trace.json'))));
});

test('the typefaces are as many as the page says', () => {
  const count = fontCategories.flatMap(({ fonts }) => fonts).length;
  expect(audiences.flatMap(({ points }) => points).join()).toContain(`${count} typefaces`);
});

test('sliders say what they set in words and in both measures', () => {
  expect(wordsFor('at', 46)).toBe('46 % picture, 54 % vector');
  expect(wordsFor('mm', 46)).toBe('46 mm · 1.81 in');
});

test('what is shared carries whole addresses', () => {
  const place = { origin: 'https://studio.example', path: '/' };
  const tags = new Map(headTags(landingHead, place).map(({ name, content }) => [name, content]));
  expect(tags.get('og:image')).toBe('https://studio.example/social.jpg');
  expect(tags.get('twitter:image')).toBe('https://studio.example/social.jpg');
  expect(tags.get('og:url')).toBe('https://studio.example/');
  expect(tags.get('og:title')).toBe(landingHead.title);
  expect(tags.get('twitter:description')).toBe(landingHead.description);
  expect(headTags({ title: 'Studio | Markwright' }, place)).toEqual([]);
});
