import { TextInput } from '@markwright/controls';
import type { ComponentProps } from 'react';

/** The field for a person's own email address: the browser offers it, and checks no spelling. */
export const EmailInput = (props: Omit<ComponentProps<typeof TextInput>, 'type'>) => (
  <TextInput name="email" type="email" autoComplete="email" spellCheck={false} {...props} />
);
