import { Field } from '@markwright/controls';
import type { ComponentProps } from 'react';
import { TownInput } from './TownInput.tsx';

interface TownFieldProps extends Pick<ComponentProps<typeof TownInput>, 'label' | 'search' | 'value' | 'onChange'> {
  readonly hint: string;
  readonly className?: string;
}

/** A town with its label and hint. */
export const TownField = ({ label, hint, className = '', ...rest }: TownFieldProps) => (
  <Field label={label} hint={hint} className={className}>
    {({ id, 'aria-describedby': describedBy }) => (
      <TownInput {...rest} label={label} id={id} describedBy={describedBy} />
    )}
  </Field>
);
