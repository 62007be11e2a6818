import type { ReactNode } from 'react';

/** Returns a fact whose value is set in the typeface of measures. */
export const toFact = ([name, value]: readonly [string, string]) =>
  [
    name,
    <span key={name} className="measure">
      {value}
    </span>,
  ] as const;

/** A list of names and values, one line each, or stacked on a narrow page. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="mt-2 grid">
      {facts.map(([name, value], index) => (
        <div
          // The facts never change places, and two texts may be alike.
          key={index}
          className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 border-line py-2 not-first:border-t"
        >
          <dt className="min-w-0 text-graphite [overflow-wrap:anywhere]">{name}</dt>
          <dd className="[overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
