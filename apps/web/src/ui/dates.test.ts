import { expect, it } from 'vitest';
import { formatAccountDay, formatAgo } from './dates.ts';

const now = new Date('2026-11-21T12:00:00Z');

it.each([
  ['2026-11-21T12:00:30Z', 'just now'], // this device's clock is behind
  ['2026-11-21T11:59:01Z', 'just now'],
  ['2026-11-21T11:59:00Z', '1 minute ago'],
  ['2026-11-21T11:00:01Z', '59 minutes ago'],
  ['2026-11-21T11:00:00Z', '1 hour ago'],
  ['2026-11-20T12:00:01Z', '23 hours ago'],
  ['2026-11-20T12:00:00Z', 'yesterday'],
  ['2026-11-02T12:00:00Z', '19 days ago'],
  [new Date(2026, 8, 2, 12).toISOString(), 'September 2, 2026'], // by the calendar of this device
])('%s was %s', (iso, words) => expect(formatAgo(iso, now)).toBe(words));

it('names the day on which the server resets a counter, wherever the reader is', () => {
  expect(formatAccountDay('2026-12-01T00:00:00Z')).toBe('December 1, 2026');
});
