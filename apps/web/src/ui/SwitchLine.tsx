import { Switch } from '@markwright/controls';
import { useId } from 'react';

interface SwitchLineProps {
  readonly label: string;
  readonly text: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  /** `strong`: a setting of its own. `plain`: one among others. */
  readonly look?: 'strong' | 'plain';
  readonly className?: string;
  onChange(isChecked: boolean): void;
}

/** A line with a switch at its end. A press anywhere on the line switches. */
export function SwitchLine({ label, text, look = 'plain', className = '', ...control }: SwitchLineProps) {
  const id = useId();
  const isStrong = look === 'strong';
  return (
    <label htmlFor={id} className={`flex cursor-pointer items-center gap-4 ${className}`}>
      <span className="min-w-0 flex-1">
        <span className={isStrong ? 'font-medium' : ''}>{label}</span>
        <span className={`block text-graphite ${isStrong ? '' : 'text-sm'}`}>{text}</span>
      </span>
      <Switch id={id} label={label} {...control} />
    </label>
  );
}
