import { expect, it } from 'vitest';
import { createFontSearch, FONT_LOOKS, listFonts } from './fontSearch.ts';

const own = [{ id: 'a1', name: 'Oak Sign' }];
const groups = listFonts(own);
const find = (text: string) => createFontSearch(groups)(text);
const names = (text: string) => find(text).flatMap(({ fonts }) => fonts.map(({ name }) => name));

it('lists the account’s own fonts first, under a family with their id, and no heading without any', () => {
  expect(groups[0]).toEqual({ name: 'Your fonts', fonts: [{ family: 'own:a1', name: 'Oak Sign' }] });
  expect(listFonts([])[0]!.name).toBe('Basic');
  expect(find('')).toBe(groups);
});

it('finds fonts by name, by category and by look, in the order of the list', () => {
  expect(names('lobs')).toEqual(['Lobster']);
  expect(names('oak')).toEqual(['Oak Sign']);
  expect(names('slab')).toEqual(['Arvo', 'Rye', 'EMS Nixish']);
  expect(names('stencil').length).toBeGreaterThanOrEqual(7);
  expect(names('elegant script')).toEqual(['Allura', 'Great Vibes', 'Sacramento', 'EMS Allure']);
  expect(names('comic')).toEqual([]);
  for (const look of FONT_LOOKS) expect(names(look).length, look).toBeGreaterThan(0);
});

it('has fonts of single lines as a look and a group, but not where outlines are needed', () => {
  expect(find('Single line').map(({ name }) => name)).toEqual(['Single line']);
  expect(names('single line script')).toEqual(['EMS Allure', 'Hershey Script', 'EMS Felix']);
  expect(listFonts(own, true).map(({ name }) => name)).toEqual(groups.map(({ name }) => name).slice(0, -1));
});
