export interface SwitchProps {
  label: string;
  checked: boolean;
  onChange(isChecked: boolean): void;
  disabled?: boolean;
  id?: string;
}

/** On or off, at once. The label is its name; show it beside it where it is not obvious. */
export function Switch({ label, checked, onChange, disabled, id }: SwitchProps) {
  return (
    <input
      id={id}
      type="checkbox"
      role="switch"
      aria-label={label}
      aria-checked={checked}
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.target.checked)}
      className="relative h-6 w-10 shrink-0 cursor-pointer appearance-none rounded-full bg-edge transition-colors before:absolute before:top-1 before:left-1 before:size-4 before:rounded-full before:bg-paper before:transition-transform checked:bg-accent checked:before:translate-x-4 focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-accent disabled:cursor-default disabled:opacity-45"
    />
  );
}
