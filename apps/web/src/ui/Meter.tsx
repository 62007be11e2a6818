interface MeterProps {
  /** The id of the element that names the meter. */
  readonly labelledBy: string;
  readonly value: number;
  readonly max: number;
  /** The value in words. */
  readonly text: string;
  readonly className?: string;
}

/** A bar that shows how much of a limit is used. It is an empty frame where the limit is 0. */
export function Meter({ labelledBy, value, max, text, className = '' }: MeterProps) {
  const share = max > 0 ? Math.min(1, value / max) : 0;
  return (
    <div
      role="progressbar"
      aria-labelledby={labelledBy}
      aria-valuemin={0}
      aria-valuemax={Math.max(max, 1)}
      aria-valuenow={max > 0 ? Math.min(value, max) : 0}
      aria-valuetext={text}
      className={`h-2 overflow-hidden rounded-full ${max === 0 ? 'border border-edge border-dashed' : 'bg-line'} ${className}`}
    >
      <div className="h-full rounded-full bg-accent" style={{ width: `${share * 100}%` }} />
    </div>
  );
}
