import { Slider as RadixSlider } from 'radix-ui';

export interface SliderProps {
  label: string;
  value: number;
  min: number;
  max: number;
  step?: number;
  /** Called while it is dragged. */
  onChange(value: number): void;
  /** Called when it is let go, and after each key. */
  onCommit?(value: number): void;
  /** How the value is read out: `45°`, `80 %`. */
  valueText?: string;
  disabled?: boolean;
  className?: string;
}

export function Slider({
  label,
  value,
  min,
  max,
  step = 1,
  onChange,
  onCommit,
  valueText,
  disabled,
  className = '',
}: SliderProps) {
  return (
    <RadixSlider.Root
      value={[Math.min(max, Math.max(min, value))]}
      min={min}
      max={max}
      step={step}
      disabled={disabled}
      onValueChange={([next]) => next !== undefined && onChange(next)}
      // A key's change event comes after its own commit event.
      onValueCommit={([next]) => next !== undefined && queueMicrotask(() => onCommit?.(next))}
      className={`relative flex h-6 min-w-0 flex-1 touch-none items-center select-none data-disabled:opacity-45 pointer-coarse:h-10 ${className}`}
    >
      <RadixSlider.Track className="relative h-0.5 grow rounded-full bg-line">
        <RadixSlider.Range className="absolute h-full rounded-full bg-accent" />
      </RadixSlider.Track>
      <RadixSlider.Thumb
        aria-label={label}
        aria-valuetext={valueText}
        className="group grid size-6 cursor-grab place-items-center rounded-full focus-visible:outline-none active:cursor-grabbing data-disabled:cursor-default"
      >
        <span className="size-3.5 rounded-full border-2 border-accent bg-paper transition-transform group-hover:scale-110 group-focus-visible:outline-2 group-focus-visible:outline-offset-2 group-focus-visible:outline-accent group-active:bg-accent pointer-coarse:size-5" />
      </RadixSlider.Thumb>
    </RadixSlider.Root>
  );
}
