import { formatAgo, formatTime } from './dates.ts';

/** How long ago a moment was, such as `2 hours ago`; pointing at it shows the day and the time. */
export const Ago = ({ time, className }: { time: string; className?: string }) => (
  <time dateTime={time} title={formatTime(time)} className={className}>
    {formatAgo(time, new Date())}
  </time>
);
