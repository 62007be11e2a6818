import type { ReactNode } from 'react';

/** Says what went wrong, aloud too; nothing without words. */
export const Problem = ({ children, className = '' }: { children: ReactNode; className?: string }) =>
  children ? (
    <p role="alert" className={`text-danger text-sm ${className}`}>
      {children}
    </p>
  ) : null;
