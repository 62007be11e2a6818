import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  /** A link or button that leads to where entries come from. */
  readonly action?: ReactNode;
  /** A sentence about the entries that will stand here, and how to add the first one. */
  readonly children: ReactNode;
}

/** Stands in place of a list that has no entries yet. */
export function EmptyState({ title, action, children }: Props) {
  return (
    <div className="grid justify-items-center px-5 py-14 text-center">
      <p className="font-medium">{title}</p>
      <p className="mt-1 max-w-[52ch] text-graphite">{children}</p>
      {action && <div className="mt-4">{action}</div>}
    </div>
  );
}
