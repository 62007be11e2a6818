import { Icon } from '../icons.tsx';

export interface Option<T extends string> {
  readonly value: T;
  readonly label: string;
}

export interface SelectProps<T extends string> {
  label: string;
  value: T;
  options: readonly Option<T>[];
  onChange(value: T): void;
  disabled?: boolean;
  id?: string;
  className?: string;
}

/** The platform's own select in our clothes: the best one there is under a thumb. */
export function Select<T extends string>({
  label,
  value,
  options,
  onChange,
  disabled,
  id,
  className = '',
}: SelectProps<T>) {
  return (
    <span className={`relative inline-flex ${className}`}>
      <select
        id={id}
        aria-label={label}
        value={value}
        disabled={disabled}
        onChange={(event) => onChange(event.target.value as T)}
        className="h-8 w-full cursor-pointer appearance-none rounded-control border border-line bg-paper pr-7 pl-2.5 text-sm text-ink transition-colors hover:border-edge focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-accent disabled:cursor-default disabled:opacity-45 pointer-coarse:h-10"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} className="bg-paper text-ink">
            {option.label}
          </option>
        ))}
      </select>
      <Icon
        name="chevronDown"
        className="pointer-events-none absolute top-1/2 right-1.5 size-4 -translate-y-1/2 text-graphite"
      />
    </span>
  );
}
