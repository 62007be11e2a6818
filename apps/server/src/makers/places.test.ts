import { describe, expect, test, vi } from 'vitest';
import { cpuMs, quickest } from '../../test/quickest.ts';
import { distanceKm, findPlace, fold, nearestPlace, searchPlaces } from './places.ts';

const names = async (query: string) =>
  (await searchPlaces(query)).map(({ name, region, country }) => [name, region, country].join(', '));

describe('searching', () => {
  test.each([
    ['Paris', 'Paris, Île-de-France, France'],
    ['paris, texas', 'Paris, Texas, United States'],
    ['Paris, US', 'Paris, Texas, United States'],
    ['sao paulo', 'São Paulo, São Paulo, Brazil'],
    ['SÃO  PAULO ', 'São Paulo, São Paulo, Brazil'],
    ['londo', 'London, England, United Kingdom'],
    ['london, ontario', 'London, Ontario, Canada'],
    ['Springfield, IL', 'Springfield, Illinois, United States'],
    ['Saint Louis', 'St. Louis, Missouri, United States'],
    ['zurich', 'Zürich, Zurich, Switzerland'],
    ['cologne', 'Köln, North Rhine-Westphalia, Germany'],
    ['l’aquila', "L'Aquila, Abruzzo, Italy"],
    ['lodz', 'Łódź, Łódź Voivodeship, Poland'],
  ])('%s finds %s first', async (query, first) => {
    expect((await names(query))[0]).toBe(first);
  });

  test('sorts exact matches first, then by population, and distinguishes them by region', async () => {
    const matches = await names('Springfield');
    expect(matches).toHaveLength(8);
    expect(new Set(matches).size).toBe(8);
    expect(matches.every((name) => /^Springfield, .+, United States$/.test(name))).toBe(true);
    expect((await names('york')).slice(0, 2)).toEqual([
      'York, England, United Kingdom',
      'York, Pennsylvania, United States',
    ]);
    expect(await names('zurich')).not.toContainEqual(expect.stringContaining('Kreis'));
  });

  test.each(['', '  ', ',', ',,France', '\0', '%', '😀', '\ud800', 'qqqqqq'])('finds nothing for %j', async (query) => {
    expect(await searchPlaces(query)).toEqual([]);
  });

  test('searches for 100 kB of hostile text in little time', async () => {
    await searchPlaces('a');
    const elapsedMs = await quickest(200, async () => {
      const startMs = cpuMs();
      for (const piece of ['Paris', '\u0301', ',', 's ', 'ß', '’']) await searchPlaces(piece.repeat(100_000));
      return cpuMs() - startMs;
    });
    expect(elapsedMs).toBeLessThan(200);
  });

  test('finds a place by its id', async () => {
    const [paris] = await searchPlaces('Paris');
    expect(paris).toMatchObject({ id: '2988507', countryCode: 'FR', lat: 48.85341, lon: 2.3488 });
    expect(await findPlace('2988507')).toEqual(paris);
    for (const id of ['', '0', '1', '-1', '2988507 ', '99999999999', 'abc'])
      expect(await findPlace(id)).toBeUndefined();
  });
});

test('finds the nearest place, also across the date line and at the poles', async () => {
  expect(await nearestPlace(48.86, 2.35)).toMatchObject({ name: 'Paris', countryCode: 'FR' });
  expect(await nearestPlace(-41.29, 174.78)).toMatchObject({ name: 'Wellington', countryCode: 'NZ' });
  expect((await nearestPlace(-17, -179.99)).countryCode).toBe('FJ');
  expect((await nearestPlace(90, 0)).name).not.toBe('');
});

/** Great-circle distances as published for these pairs. */
test.each([
  ['London and Paris', [51.5074, -0.1278], [48.8566, 2.3522], 343.6],
  ['New York and Los Angeles', [40.7128, -74.006], [34.0522, -118.2437], 3_935.7],
  ['Sydney and Auckland', [-33.8688, 151.2093], [-36.8485, 174.7633], 2_155.9],
  ['Suva and Apia, over the date line', [-18.1248, 178.4501], [-13.8507, -171.7514], 1_148],
  ['the poles', [90, 0], [-90, 0], 20_015.1],
  ['a place and itself', [12.3, 45.6], [12.3, 45.6], 0],
] as const)('%s', (_pair, [lat, lon], [toLat, toLon], km) => {
  const distance = distanceKm({ lat, lon }, { lat: toLat, lon: toLon });
  expect(Math.abs(distance - km)).toBeLessThanOrEqual(km * 0.005);
});

test('folds names: no accents, capitals or punctuation', () => {
  expect(fold('  SÃO-Paulo ')).toBe('sao paulo');
  expect(fold('St. Ørsted’s')).toBe('st orsteds');
  expect(fold('Saint-Étienne')).toBe('st etienne');
});

test('reading the places does not block the event loop', { tags: ['detail'] }, async () => {
  const longestMs = await quickest(250, async () => {
    vi.resetModules();
    const { searchPlaces: fresh } = await import('./places.ts');
    let longest = 0;
    let last = cpuMs();
    const measure = () => {
      longest = Math.max(longest, cpuMs() - last);
      last = cpuMs();
    };
    const timer = setInterval(measure, 1);
    await fresh('Paris');
    clearInterval(timer);
    measure();
    return longest;
  });
  expect(longestMs).toBeLessThan(250); // some 20 ms; four test files share two cores here
});
