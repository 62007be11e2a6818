import type { ReactNode } from 'react';
import { Icon } from './icons.tsx';

interface FoldHeadingProps {
  id?: string;
  isOpen: boolean;
  onToggle(): void;
  /** Height, paddings and focus of the button. */
  className: string;
  children: ReactNode;
}

/** The heading of a section that it opens and closes. */
export function FoldHeading({ id, isOpen, onToggle, className, children }: FoldHeadingProps) {
  return (
    <h3>
      <button
        id={id}
        type="button"
        aria-expanded={isOpen}
        onClick={onToggle}
        className={`flex w-full items-center text-left font-medium focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent ${className}`}
      >
        <Icon
          name="chevronRight"
          className={`size-4 text-graphite transition-transform ${isOpen ? 'rotate-90' : ''}`}
        />
        {children}
      </button>
    </h3>
  );
}
