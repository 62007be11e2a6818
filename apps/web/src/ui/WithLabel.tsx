import type { ReactNode } from 'react';

/** Shows a label above a control that has a label of its own for assistive technology. */
export function WithLabel({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0 gap-1">
      <span aria-hidden="true" className="font-medium text-graphite text-xs">
        {label}
      </span>
      {children}
    </div>
  );
}
