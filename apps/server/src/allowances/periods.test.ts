import { describe, expect, test } from 'vitest';
import { billingMonth, calendarMonth } from './periods.ts';

const iso = ({ start, end }: { start: Date; end: Date }) => [start.toISOString(), end.toISOString()];

test.each([
  ['2026-11-21T10:00:00Z', '2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'],
  ['2026-12-31T23:59:59.999Z', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  ['2027-01-01T00:00:00Z', '2027-01-01T00:00:00.000Z', '2027-02-01T00:00:00.000Z'],
  ['2026-11-30T23:30:00-05:00', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
])('%s lies in the calendar month from %s', (now, start, end) => {
  expect(iso(calendarMonth(new Date(now)))).toEqual([start, end]);
});

test.each([
  // anchor, now, start, end
  ['2026-01-15T08:30:00Z', '2026-03-20T00:00:00Z', '2026-03-15T08:30:00.000Z', '2026-04-15T08:30:00.000Z'],
  ['2026-01-15T08:30:00Z', '2026-03-15T08:29:59Z', '2026-02-15T08:30:00.000Z', '2026-03-15T08:30:00.000Z'],
  ['2026-01-15T08:30:00Z', '2026-03-15T08:30:00Z', '2026-03-15T08:30:00.000Z', '2026-04-15T08:30:00.000Z'],
  ['2026-01-31T12:00:00Z', '2026-02-28T12:00:00Z', '2026-02-28T12:00:00.000Z', '2026-03-31T12:00:00.000Z'],
  ['2026-01-31T12:00:00Z', '2026-02-28T11:00:00Z', '2026-01-31T12:00:00.000Z', '2026-02-28T12:00:00.000Z'],
  ['2026-01-31T12:00:00Z', '2026-04-15T00:00:00Z', '2026-03-31T12:00:00.000Z', '2026-04-30T12:00:00.000Z'],
  ['2028-01-31T12:00:00Z', '2028-02-29T13:00:00Z', '2028-02-29T12:00:00.000Z', '2028-03-31T12:00:00.000Z'],
  ['2024-02-29T00:00:00Z', '2025-03-01T00:00:00Z', '2025-02-28T00:00:00.000Z', '2025-03-29T00:00:00.000Z'],
  ['2025-12-31T23:59:59Z', '2026-01-01T00:00:00Z', '2025-12-31T23:59:59.000Z', '2026-01-31T23:59:59.000Z'],
  ['2026-11-30T00:00:00Z', '2026-11-30T00:00:00Z', '2026-11-30T00:00:00.000Z', '2026-12-30T00:00:00.000Z'],
])('a plan begun %s is at %s in the month from %s', (anchor, now, start, end) => {
  expect(iso(billingMonth(new Date(anchor), new Date(now)))).toEqual([start, end]);
});

describe('billing months', () => {
  test('follow each other without gap or overlap for three years from every day of a leap year', () => {
    for (let day = 0; day < 366; day++) {
      const anchor = new Date(Date.UTC(2024, 0, 1 + day, 17, 45));
      let now = anchor;
      for (let month = 0; month < 36; month++) {
        const period = billingMonth(anchor, now);
        expect(period.start).toEqual(now);
        expect(billingMonth(anchor, new Date(period.end.getTime() - 1))).toEqual(period);
        now = period.end;
      }
    }
  });
});
