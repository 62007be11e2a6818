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

test('shows the trace that the vectorizer makes of the picture beside it', async () => {
  const { default: sharp } = await import('sharp' as string); // its types would bring those of Node
  const { data, info } = await sharp(read('customer.jpg')).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const { picture } = traceBadge({ width: info.width, height: info.height, data });
  // When the vectorizer has changed: `npx tsx scripts/landingPictures.ts` makes the pictures of the page again.
  expect(picture).toEqual(JSON.parse(String(read('trace.json'))));
});

test('states the number of typefaces that the editor has', () => {
  const count = fontCategories.flatMap(({ fonts }) => fonts).length;
  expect(audiences.flatMap(({ points }) => points).join()).toContain(`${count} typefaces`);
});

test('describes the values of the sliders in words, and lengths in both units', () => {
  expect(wordsFor('at', 46)).toBe('46 % picture, 54 % vector');
  expect(wordsFor('mm', 46)).toBe('46 mm · 1.81 in');
});

test('gives shared links absolute addresses', () => {
  const place = { origin: 'https://studio.example', path: '/' };
  const tags = new Map(headTags(landingHead, place).map(({ name, content }) => [name, content]));
  expect(tags.get('og:image')).toBe('https://studio.example/social.jpg');
  expect(tags.get('twitter:image')).toBe('https://studio.example/social.jpg');
  expect(tags.get('og:url')).toBe('https://studio.example/');
  expect(tags.get('og:title')).toBe(landingHead.title);
  expect(tags.get('twitter:description')).toBe(landingHead.description);
  expect(headTags({ title: 'Studio | Markwright' }, place)).toEqual([]);
});
