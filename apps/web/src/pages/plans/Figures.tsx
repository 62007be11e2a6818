/** A list with names on the left, figures on the right and hairlines between, like the title block of a drawing. */
import type { ReactNode } from 'react';

export function Figures({
  rows,
  className = '',
}: {
  rows: readonly (readonly [string, ReactNode])[];
  className?: string;
}) {
  return (
    <dl className={`divide-y divide-line ${className}`}>
      {rows.map(([name, figure]) => (
        <div key={name} className="flex items-baseline justify-between gap-4 py-2.5">
          <dt className="text-graphite text-sm">{name}</dt>
          <dd className="text-right font-medium text-sm tabular-nums">{figure}</dd>
        </div>
      ))}
    </dl>
  );
}
