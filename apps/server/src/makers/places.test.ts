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

  test('the same names come first, then the larger places; a region tells them apart', async () => {
    const found = await names('Springfield');
    expect(found).toHaveLength(8);
    expect(new Set(found).size).toBe(8);
    expect(found.every((name) => /^Springfield, .+, United States$/.test(name))).toBe(true);
    expect((await names('york')).slice(0, 2)).toEqual([
      'York, England, United Kingdom',
      'York, Pennsylvania, United States',
    ]);
    expect(await names('zurich')).not.toContainEqual(expect.stringContaining('Kreis'));
  });

  test.each(['', '  ', ',', ',,France', '\0', '%', '😀', '\ud800', 'qqqqqq'])('%j finds nothing', async (query) => {
    expect(await searchPlaces(query)).toEqual([]);
  });

  test('100 kB of anything takes no time', async () => {
    await searchPlaces('a');
    const took = await quickest(200, async () => {
      const started = cpuMs();
      for (const piece of ['Paris', '\u0301', ',', 's ', 'ß', '’']) await searchPlaces(piece.repeat(100_000));
      return cpuMs() - started;
    });
    expect(took).toBeLessThan(200);
  });

  test('a place is found by its number again', async () => {
    const [paris] = await searchPlaces('Paris');
    expect(paris).toMatchObject({ id: '2988507', countryCode: 'FR', lat: 48.85341, lon: 2.3488 });
    expect(await findPlace('2988507')).toEqual(paris);
    for (const id of ['', '0', '1', '-1', '2988507 ', '99999999999', 'abc'])
      expect(await findPlace(id)).toBeUndefined();
  });
});

test('the nearest place, also over the date line and at the poles', async () => {
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
  const apart = distanceKm({ lat, lon }, { lat: toLat, lon: toLon });
  expect(Math.abs(apart - km)).toBeLessThanOrEqual(km * 0.005);
});

test('names are compared without accents, capitals and marks', () => {
  expect(fold('  SÃO-Paulo ')).toBe('sao paulo');
  expect(fold('St. Ørsted’s')).toBe('st orsteds');
  expect(fold('Saint-Étienne')).toBe('st etienne');
});

test('reading the places holds nobody up', async () => {
  const heldUp = await quickest(250, async () => {
    vi.resetModules();
    const { searchPlaces: fresh } = await import('./places.ts');
    let longest = 0;
    let last = cpuMs();
    const look = () => {
      longest = Math.max(longest, cpuMs() - last);
      last = cpuMs();
    };
    const timer = setInterval(look, 1);
    await fresh('Paris');
    clearInterval(timer);
    look();
    return longest;
  });
  expect(heldUp).toBeLessThan(250); // some 20 ms; four test files share two cores here
});
