/** The months in which allowances are counted: calendar months in UTC, or a paid plan's own. */

export interface Period {
  readonly start: Date;
  /** The first moment of the next period. */
  readonly end: Date;
}

/** Returns the calendar month, in UTC, that contains `now`. */
export function calendarMonth(now: Date): Period {
  const year = now.getUTCFullYear();
  const month = now.getUTCMonth();
  return { start: new Date(Date.UTC(year, month)), end: new Date(Date.UTC(year, month + 1)) };
}

/**
 * Returns the billing month that contains `now`, counted from the start of a plan. Every anniversary is computed from
 * that start, so a plan begun on the 31st renews on the last day of short months and on the 31st of the others.
 */
export function billingMonth(anchor: Date, now: Date): Period {
  let months = (now.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + now.getUTCMonth() - anchor.getUTCMonth();
  if (anniversary(anchor, months) > now) months--;
  return { start: anniversary(anchor, months), end: anniversary(anchor, months + 1) };
}

function anniversary(anchor: Date, months: number): Date {
  const year = anchor.getUTCFullYear();
  const month = anchor.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const day = Math.min(anchor.getUTCDate(), lastDay);
  const timeOfDayMs = anchor.getTime() - Date.UTC(year, anchor.getUTCMonth(), anchor.getUTCDate());
  return new Date(Date.UTC(year, month, day) + timeOfDayMs);
}
