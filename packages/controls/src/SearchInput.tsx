import type { ComponentProps } from 'react';
import { TextInput } from './Field.tsx';
import { Icon } from './icons.tsx';

interface SearchInputProps extends Omit<ComponentProps<typeof TextInput>, 'value' | 'onChange' | 'className' | 'size'> {
  readonly label: string;
  readonly value: string;
  /** `large`: as high as a large button. */
  readonly size?: 'normal' | 'large';
  /** Classes of the frame around field and icon. */
  readonly className?: string;
  onChange(text: string): void;
}

/** A search field with a magnifier in it. Its label is its placeholder too, unless another one is set. */
export function SearchInput({ label, value, size = 'normal', className = '', onChange, ...rest }: SearchInputProps) {
  const isLarge = size === 'large';
  return (
    <span className={`relative ${className}`}>
      <Icon
        name="search"
        className={`-translate-y-1/2 pointer-events-none absolute top-1/2 left-2.5 text-graphite ${isLarge ? 'size-[18px]' : 'size-4'}`}
      />
      <TextInput
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={isLarge ? 'h-10 pl-9' : 'pl-8'}
        {...rest}
      />
    </span>
  );
}
