import type { ReactNode } from 'react';

/** A setting with its words on the left. */
export function Setting({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-h-8 items-center justify-between gap-2 text-sm">
      <span className="min-w-0 truncate">{label}</span>
      {children}
    </div>
  );
}
