/** Moments in the words of the pages. */

const onDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' });
const onDayUtc = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
const atTime = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });
const ago = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' });

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `November 21, 2026`, as the reader's calendar has it. */
export const formatDay = (iso: string): string => onDay.format(new Date(iso));

/** The same for the days an account is counted by, which begin at midnight UTC for everybody. */
export const formatAccountDay = (iso: string): string => onDayUtc.format(new Date(iso));

/** `Nov 21, 2026, 9:14 PM`. */
export const formatTime = (iso: string): string => atTime.format(new Date(iso));

/**
 * `5 minutes ago`, `yesterday`, and the day itself after a month. A clock that is behind the server's says `just now`.
 */
export function formatAgo(iso: string, now: Date): string {
  const passedMs = now.getTime() - Date.parse(iso);
  if (passedMs < MINUTE_MS) return 'just now';
  if (passedMs < HOUR_MS) return ago.format(-Math.floor(passedMs / MINUTE_MS), 'minute');
  if (passedMs < DAY_MS) return ago.format(-Math.floor(passedMs / HOUR_MS), 'hour');
  if (passedMs < 30 * DAY_MS) return ago.format(-Math.floor(passedMs / DAY_MS), 'day');
  return formatDay(iso);
}
