import type { ComponentProps, ReactNode } from 'react';
import { Icon, type IconName } from './icons.tsx';
import { Tooltip } from './Tooltip.tsx';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger';
export type ButtonSize = 'sm' | 'md' | 'lg';

const base =
  'inline-flex shrink-0 items-center justify-center rounded-control font-medium whitespace-nowrap select-none transition-colors ' +
  'focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-accent ' +
  'disabled:cursor-default aria-disabled:cursor-default disabled:opacity-45 aria-disabled:opacity-45';

const variants: Record<ButtonVariant, string> = {
  primary: 'bg-accent text-on-accent enabled:hover:bg-[color-mix(in_oklab,var(--accent)_88%,var(--ink))]',
  secondary: 'border border-line bg-paper text-ink enabled:hover:border-edge',
  ghost: 'text-ink enabled:hover:bg-ink/6',
  danger: 'border border-line bg-paper text-danger enabled:hover:border-danger',
};

const sizes: Record<ButtonSize, string> = {
  sm: 'h-7 gap-1.5 px-2.5 text-xs pointer-coarse:h-9',
  md: 'h-8 gap-2 px-3 text-sm pointer-coarse:h-10',
  lg: 'h-10 gap-2 px-4 text-base pointer-coarse:h-11',
};

/** Returns the classes of a button, for links that look like one. */
export function buttonClass(variant: ButtonVariant = 'secondary', size: ButtonSize = 'md', className = ''): string {
  return `${base} ${variants[variant]} ${sizes[size]} ${className}`;
}

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant;
  size?: ButtonSize;
  icon?: IconName;
  /** Shows a spinner instead of the icon and takes no more clicks. */
  isBusy?: boolean;
}

export function Button({
  variant = 'secondary',
  size = 'md',
  icon,
  isBusy = false,
  className,
  children,
  disabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      className={buttonClass(variant, size, className)}
      disabled={disabled || isBusy}
      aria-busy={isBusy || undefined}
      {...rest}
    >
      {isBusy ? <Spinner /> : icon && <Icon name={icon} className={size === 'sm' ? 'size-4' : 'size-[18px]'} />}
      {children}
    </button>
  );
}

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'children'> {
  icon: IconName;
  /** The action of the button: its name for assistive technology, and its tooltip. */
  label: string;
  shortcut?: string;
  tooltipSide?: 'top' | 'right' | 'bottom' | 'left';
  size?: 'sm' | 'md';
  /** Makes it a toggle. */
  isPressed?: boolean;
}

export function IconButton({
  icon,
  label,
  shortcut,
  tooltipSide,
  size = 'md',
  isPressed,
  className = '',
  ...rest
}: IconButtonProps) {
  const box = size === 'sm' ? 'size-7 pointer-coarse:size-9' : 'size-8 pointer-coarse:size-10';
  return (
    <Tooltip label={label} shortcut={shortcut} side={tooltipSide}>
      <button
        type="button"
        aria-label={label}
        aria-pressed={isPressed}
        className={`${base} ${box} text-ink enabled:hover:bg-ink/6 aria-pressed:bg-accent-soft aria-pressed:text-accent ${className}`}
        {...rest}
      >
        <Icon name={icon} className={size === 'sm' ? 'size-4' : 'size-[18px]'} />
      </button>
    </Tooltip>
  );
}

export function Spinner({ className = 'size-4' }: { className?: string }) {
  return (
    <svg viewBox="0 0 20 20" fill="none" aria-hidden="true" className={`shrink-0 animate-spin ${className}`}>
      <circle cx="10" cy="10" r="7.25" stroke="currentColor" strokeWidth="1.5" opacity="0.25" />
      <path d="M10 2.75A7.25 7.25 0 0 1 17.25 10" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
    </svg>
  );
}

/** A row of controls that belong together, divided by hairlines. */
export function ButtonGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring form semantics and its own layout
    <div
      role="group"
      aria-label={label}
      className="inline-flex items-center divide-x divide-line overflow-clip rounded-control border border-line bg-paper *:rounded-none *:focus-visible:-outline-offset-2"
    >
      {children}
    </div>
  );
}
