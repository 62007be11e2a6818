import type { ReactNode } from 'react';
import { Icon } from './icons.tsx';

/** A fold that hides its children until it is opened. */
export function More({ label, children }: { label: string; children: ReactNode }) {
  return (
    <details className="group">
      <summary className="flex h-8 cursor-pointer list-none items-center gap-1 rounded-control text-xs font-medium text-graphite transition-colors hover:text-ink focus-visible:outline-2 focus-visible:outline-accent pointer-coarse:h-11 [&::-webkit-details-marker]:hidden">
        <Icon name="chevronRight" className="size-4 transition-transform group-open:rotate-90" />
        {label}
      </summary>
      <div className="flex flex-col gap-1 pb-1">{children}</div>
    </details>
  );
}
