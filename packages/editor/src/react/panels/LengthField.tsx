import { NumberField } from '@markwright/controls';
import type { ReactNode } from 'react';
import { fromUnit, MM_PER_INCH, toUnit } from '../../core/document/measure.ts';
import { useEditorState } from '../EditorProvider.tsx';

interface LengthFieldProps {
  /** Its name, without the unit. */
  readonly label: string;
  readonly prefix?: ReactNode;
  readonly valueMm: number;
  readonly minMm?: number;
  readonly maxMm?: number;
  /** Of the arrow keys. */
  readonly stepMm?: number;
  readonly className?: string;
  onCommit(mm: number): void;
}

const MOST_MM = 100 * MM_PER_INCH;

/** A field for a length in the unit that the studio shows. */
export function LengthField({
  label,
  prefix,
  valueMm,
  minMm,
  maxMm = MOST_MM,
  stepMm = 1,
  className = 'min-w-0 flex-1',
  onCommit,
}: LengthFieldProps) {
  const unit = useEditorState((state) => state.unit);
  const isInches = unit === 'in';
  return (
    <NumberField
      label={`${label} in ${isInches ? 'inches' : 'millimeters'}`}
      prefix={prefix}
      unit={unit}
      decimals={isInches ? 2 : 1}
      step={isInches ? 0.05 * stepMm : stepMm}
      value={toUnit(valueMm, unit)}
      min={minMm === undefined ? (isInches ? 0.01 : 0.1) : toUnit(minMm, unit)}
      max={toUnit(maxMm, unit)}
      onCommit={(value) => onCommit(fromUnit(value, unit))}
      className={className}
    />
  );
}
