/** Formats days and times, given as ISO text. */

const onDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' });
const onDayUtc = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
const atTime = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });
const ago = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' });

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Formats a day as `November 21, 2026`, in the reader's time zone. */
export const formatDay = (iso: string): string => onDay.format(new Date(iso));

/** Formats a day of an allowance's period. Those begin at midnight UTC for everybody. */
export const formatAccountDay = (iso: string): string => onDayUtc.format(new Date(iso));

/** Formats a time as `Nov 21, 2026, 9:14 PM`, in the reader's time zone. */
export const formatTime = (iso: string): string => atTime.format(new Date(iso));

/**
 * Formats a time as `5 minutes ago` or `yesterday`, and as the day after a month. A time in the future, as on a device
 * whose clock is behind the server's, is `just now`.
 */
export function formatAgo(iso: string, now: Date): string {
  const passedMs = now.getTime() - Date.parse(iso);
  if (passedMs < MINUTE_MS) return 'just now';
  if (passedMs < HOUR_MS) return ago.format(-Math.floor(passedMs / MINUTE_MS), 'minute');
  if (passedMs < DAY_MS) return ago.format(-Math.floor(passedMs / HOUR_MS), 'hour');
  if (passedMs < 30 * DAY_MS) return ago.format(-Math.floor(passedMs / DAY_MS), 'day');
  return formatDay(iso);
}
