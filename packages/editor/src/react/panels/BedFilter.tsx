import { NumberField, Switch } from '@markwright/controls';
import { useId } from 'react';
import type { Bed } from '../../core/document/productSize.ts';

interface Props {
  readonly bed: Bed | undefined;
  onChange(bed: Bed | undefined): void;
}

/** A small diode laser's, to begin with. */
const FIRST: Bed = { widthMm: 100, heightMm: 100 };

/** Shows only what a machine's bed has room for. */
export function BedFilter({ bed, onChange }: Props) {
  const id = useId();
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-x-2 gap-y-1">
      <Switch
        id={id}
        label="Fits my bed"
        checked={bed !== undefined}
        onChange={(isOn) => onChange(isOn ? FIRST : undefined)}
      />
      <label htmlFor={id} className="text-sm">
        Fits my bed
      </label>
      {bed && (
        <span className="flex items-center gap-1">
          <Side
            label="Width of the bed in millimeters"
            value={bed.widthMm}
            onCommit={(widthMm) => onChange({ ...bed, widthMm })}
          />
          <span aria-hidden="true" className="text-graphite">
            ×
          </span>
          <Side
            label="Height of the bed in millimeters"
            value={bed.heightMm}
            onCommit={(heightMm) => onChange({ ...bed, heightMm })}
          />
        </span>
      )}
    </div>
  );
}

const Side = (props: { label: string; value: number; onCommit(mm: number): void }) => (
  <NumberField {...props} min={10} max={3000} step={10} unit="mm" className="w-22" />
);
