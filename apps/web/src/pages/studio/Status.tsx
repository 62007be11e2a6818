/** The line under the stage, with what is left of the allowance where there is room for it. */
import { StatusLine } from '@markwright/editor';
import type { ReactNode } from 'react';
import type { Allowance } from '../../session.tsx';
import { AllowanceLeft } from './AllowanceLeft.tsx';

export interface StatusProps {
  readonly className?: string;
  readonly allowance?: Allowance;
  readonly children: ReactNode;
}

export function Status({ allowance, className, children }: StatusProps) {
  return (
    <StatusLine className={className}>
      {children}
      {allowance && <AllowanceLeft {...allowance} />}
    </StatusLine>
  );
}
