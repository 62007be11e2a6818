import { expect, test } from 'vitest';
import { bearingTo, formatDistance, reachesIn, unitOf } from './distance.ts';

test.each([
  ['en-US', 'mi'],
  ['en-GB', 'mi'],
  ['en', 'mi'],
  ['de-DE', 'km'],
  ['fr', 'km'],
  ['en-AU', 'km'],
] as const)('a reader with %s reads %s', (locale, unit) => {
  expect(unitOf(locale)).toBe(unit);
});

test('writes whole distances, and none below 2', () => {
  expect([0, 1.99, 2, 34.4, 1250].map((km) => formatDistance(km, 'km'))).toEqual([
    'under 2 km',
    'under 2 km',
    '2 km',
    '34 km',
    '1,250 km',
  ]);
  expect(formatDistance(100, 'mi')).toBe('62 mi');
});

test('searches as far as the label says', () => {
  expect(reachesIn('km').map(({ label, km }) => [label, km])).toEqual([
    ['Within 25 km', 25],
    ['Within 50 km', 50],
    ['Within 100 km', 100],
    ['Within 250 km', 250],
    ['Any distance', undefined],
  ]);
  const miles = reachesIn('mi');
  expect(miles.map(({ label }) => label)).toContain('Within 60 mi');
  expect(miles[2]!.km).toBeCloseTo(96.56, 2);
});

test.each([
  ['north', { lat: 50, lon: 5 }, { lat: 51, lon: 5 }, 0],
  ['east on the equator', { lat: 0, lon: 5 }, { lat: 0, lon: 6 }, 90],
  ['over the date line', { lat: 0, lon: 179 }, { lat: 0, lon: -179 }, 90],
  ['Paris to Lyon', { lat: 48.85, lon: 2.35 }, { lat: 45.75, lon: 4.85 }, 150],
])('computes the bearing: %s', (_what, from, to, degrees) => {
  expect(Math.abs(bearingTo(from, to) - degrees)).toBeLessThan(1);
});
