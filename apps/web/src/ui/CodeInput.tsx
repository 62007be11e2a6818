import { TextInput } from '@markwright/controls';
import type { ComponentProps } from 'react';

/** The field of a code: six digits of an authenticator app, or a recovery code of letters and digits. */
export function CodeInput(props: ComponentProps<typeof TextInput>) {
  return (
    <TextInput
      {...props}
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={40}
      className="h-11 font-mono tracking-wider"
    />
  );
}
