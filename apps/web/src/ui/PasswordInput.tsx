import { Icon, TextInput } from '@markwright/controls';
import { type ComponentProps, useState } from 'react';

type Props = Omit<ComponentProps<typeof TextInput>, 'type'> & {
  /** The label of the button that shows the password. It differs between the fields of a form. */
  readonly showLabel?: string;
};

/** A password field with a button that shows what was typed. */
export function PasswordInput({ showLabel = 'Show password', className = '', ...rest }: Props) {
  const [isShown, setShown] = useState(false);
  return (
    <span className="relative">
      <TextInput
        {...rest}
        type={isShown ? 'text' : 'password'}
        autoCapitalize="none"
        spellCheck={false}
        className={`h-11 pr-11 ${className}`}
      />
      <button
        type="button"
        aria-pressed={isShown}
        aria-label={showLabel}
        onClick={() => setShown(!isShown)}
        className="absolute top-1 right-1 grid size-9 place-items-center rounded-control text-graphite hover:text-ink"
      >
        <Icon name="eye" className={isShown ? 'size-5 text-accent' : 'size-5'} />
      </button>
    </span>
  );
}
