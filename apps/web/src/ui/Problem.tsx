import type { ReactNode } from 'react';

/** An error message, which a screen reader announces. Without a message, nothing is drawn. */
export const Problem = ({ children, className = '' }: { children: ReactNode; className?: string }) =>
  children ? (
    <p role="alert" className={`text-danger text-sm ${className}`}>
      {children}
    </p>
  ) : null;
