import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';

export interface NumberFieldProps {
  label: string;
  value: number;
  min: number;
  max: number;
  /** The step of the arrow keys; ten times that with Shift. */
  step?: number;
  decimals?: number;
  unit?: string;
  /** Stands before the number: an icon or a letter. */
  prefix?: ReactNode;
  /** Called with a finished value, always within min and max: after Enter, an arrow key, or leaving the field. */
  onCommit(value: number): void;
  disabled?: boolean;
  className?: string;
}

/**
 * A field for a number with its unit. Typing is free; the value is clamped when the field is left. Escape restores the
 * old value.
 */
export function NumberField({
  label,
  value,
  min,
  max,
  step = 1,
  decimals = 0,
  unit,
  prefix,
  onCommit,
  disabled,
  className = 'w-20',
}: NumberFieldProps) {
  const [draft, setDraft] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const text = draft ?? format(value, decimals);

  const commit = (next: number) => {
    setDraft(undefined);
    const nextValue = Math.min(max, Math.max(min, Number(next.toFixed(decimals))));
    if (format(nextValue, decimals) !== format(value, decimals)) onCommit(nextValue);
  };
  const commitDraft = () => {
    if (draft === undefined) return;
    const typedNumber = readNumber(draft);
    if (typedNumber === undefined) setDraft(undefined);
    else commit(typedNumber);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      // Commits the number, and does not submit the form around it.
      event.preventDefault();
      commitDraft();
      input.current?.select();
    } else if (event.key === 'Escape') {
      if (draft === undefined) return;
      event.stopPropagation();
      setDraft(undefined);
    } else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      event.preventDefault();
      const from = readNumber(text) ?? value;
      commit(from + (event.key === 'ArrowUp' ? 1 : -1) * step * (event.shiftKey ? 10 : 1));
    }
  };

  return (
    <span
      className={`group inline-flex h-7 items-center gap-1 rounded-control border border-edge bg-paper px-1.5 transition-colors focus-within:border-accent hover:border-ink focus-within:hover:border-accent has-disabled:opacity-45 pointer-coarse:h-10 ${className}`}
    >
      {prefix && <span className="grid w-2.5 shrink-0 place-items-center text-xs text-graphite">{prefix}</span>}
      <input
        ref={input}
        type="text"
        inputMode="decimal"
        role="spinbutton"
        aria-label={label}
        aria-valuemin={min}
        aria-valuemax={max}
        // Rounded as shown, so that no rounding error of 1e-15 is read out.
        aria-valuenow={Number(format(value, decimals))}
        aria-valuetext={`${format(value, decimals)}${unit ? ` ${unit}` : ''}`}
        autoComplete="off"
        disabled={disabled}
        value={text}
        onChange={(event) => setDraft(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={commitDraft}
        onKeyDown={onKeyDown}
        className="measure h-full w-full min-w-0 bg-transparent text-right text-ink outline-none"
      />
      {unit && <span className="shrink-0 text-xs text-graphite select-none">{unit}</span>}
    </span>
  );
}

function format(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? text.replace('-', '') : text;
}

/** Reads a number with a comma or a point. A unit behind it is ignored. */
function readNumber(text: string): number | undefined {
  const value = Number.parseFloat(text.replace(',', '.'));
  return Number.isFinite(value) ? value : undefined;
}
