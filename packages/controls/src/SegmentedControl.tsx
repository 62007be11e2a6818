import { useId } from 'react';
import { Icon, type IconName } from './icons.tsx';

export interface Segment<T extends string> {
  readonly value: T;
  readonly label: string;
  /** Shown instead of the label, which stays its name. */
  readonly icon?: IconName;
}

export interface SegmentedControlProps<T extends string> {
  label: string;
  value: T;
  options: readonly Segment<T>[];
  onChange(value: T): void;
  disabled?: boolean;
  className?: string;
}

/** Lets the person choose one of a few options, all visible. Built on radio buttons: arrow keys choose. */
export function SegmentedControl<T extends string>({
  label,
  value,
  options,
  onChange,
  disabled,
  className = '',
}: SegmentedControlProps<T>) {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className={`flex rounded-control bg-ink/6 p-0.5 has-disabled:opacity-45 ${className}`}
    >
      {options.map((option) => (
        <label
          key={option.value}
          title={option.icon && option.label}
          className="relative flex h-7 flex-1 cursor-pointer items-center justify-center rounded-[5px] px-2 text-xs font-medium whitespace-nowrap text-graphite transition-colors select-none hover:text-ink has-checked:bg-paper has-checked:text-ink has-checked:ring-1 has-checked:ring-line has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent has-disabled:cursor-default pointer-coarse:h-9"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={disabled}
            onChange={() => onChange(option.value)}
            aria-label={option.label}
            className="absolute inset-0 cursor-[inherit] appearance-none rounded-[5px] outline-none"
          />
          {option.icon ? <Icon name={option.icon} className="size-4" /> : option.label}
        </label>
      ))}
    </div>
  );
}
