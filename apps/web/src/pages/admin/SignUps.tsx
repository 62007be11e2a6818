import type { Overview } from '@markwright/contract/schemas';

const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const nameOf = (day: string): string => dayFormat.format(new Date(day));
const signUpWords = (count: number): string => `${count} ${count === 1 ? 'sign-up' : 'sign-ups'}`;

const HEIGHT = 96;
const STEP = 20;
const BAR = 12;

/** Draws the sign-ups as a bar for each day. The last bar is today. */
export function SignUps({ days }: { days: Overview['signUps'] }) {
  const most = days.reduce((best, day) => (day.count > best.count ? day : best), { day: '', count: 0 });
  const total = days.reduce((sum, { count }) => sum + count, 0);
  const summary =
    total === 0 ? 'Nobody signed up' : `${signUpWords(total)}, most on ${nameOf(most.day)}: ${most.count}`;
  const scale = HEIGHT / Math.max(most.count, 1);
  return (
    <section aria-label="Sign-ups" className="min-w-0 p-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="font-semibold">Sign-ups</h2>
        <p className="text-graphite text-sm">
          {total === 0 ? 'none' : total} in {days.length} days
        </p>
      </div>
      <svg
        viewBox={`0 0 ${days.length * STEP - (STEP - BAR)} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`The last ${days.length} days: ${summary}`}
        className="mt-4 h-24 w-full border-line border-b"
      >
        {days.map(({ day, count }, index) => (
          <g key={day}>
            <title>{`${nameOf(day)}: ${signUpWords(count)}`}</title>
            <rect x={index * STEP} y={0} width={BAR} height={HEIGHT} fill="transparent" />
            <rect
              x={index * STEP}
              y={HEIGHT - count * scale}
              width={BAR}
              height={count * scale}
              className={index === days.length - 1 ? 'fill-accent' : 'fill-edge'}
            />
          </g>
        ))}
      </svg>
      <div aria-hidden="true" className="mt-1.5 flex justify-between text-graphite text-xs">
        <span>{days[0] && nameOf(days[0].day)}</span>
        <span>Today</span>
      </div>
    </section>
  );
}
