import { SearchInput } from '@markwright/controls';
import type { ComponentProps } from 'react';

/** A field for the beginning of an account's email address. */
export const AccountSearch = (props: Omit<ComponentProps<typeof SearchInput>, 'placeholder' | 'maxLength'>) => (
  <SearchInput
    placeholder="Address begins with"
    maxLength={254}
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    {...props}
  />
);
