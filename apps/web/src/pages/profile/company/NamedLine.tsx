import type { ReactNode } from 'react';

interface NamedLineProps {
  readonly name: string;
  readonly text: string;
  /** Its buttons. */
  readonly children: ReactNode;
}

/** A line of a list of what a shop has. */
export const NamedLine = ({ name, text, children }: NamedLineProps) => (
  <li className="flex min-h-[68px] items-center gap-x-3 border-line px-5 py-3 not-first:border-t">
    <div className="min-w-0 flex-1">
      <p className="font-medium [overflow-wrap:anywhere]">{name}</p>
      <p className="text-graphite text-sm">{text}</p>
    </div>
    {children}
  </li>
);
