import type { ReactNode } from 'react';
import { Row } from './Field.tsx';
import { NumberField, type NumberFieldProps } from './NumberField.tsx';
import { Slider } from './Slider.tsx';

/** The props that slider and number share. */
type RangeProps = Pick<NumberFieldProps, 'value' | 'min' | 'max' | 'step' | 'decimals' | 'unit' | 'disabled'>;

interface SliderRowProps extends RangeProps {
  /** The word before the row, and the name of what is in it. */
  label: string;
  /** The name of the slider, where it differs from the label. */
  name?: string;
  /** The name of the number field, where it says more than the slider's: its unit. */
  fieldLabel?: string;
  /** The value as a screen reader says it. */
  valueText?: string;
  /** True while the value is automatic: there is no number until the slider is moved. */
  isAutomatic?: boolean;
  /** Called while the slider moves, and when a number is entered. */
  onMove(value: number): void;
  /** Called when the value is let go, where that means more than the last move. */
  onKeep?(): void;
  /** Classes of the number's field, for longer numbers. */
  fieldClass?: string;
  /** Stands behind the number. */
  children?: ReactNode;
}

/** A setting that is moved by a slider and set by a number. */
export function SliderRow({
  label,
  name = label,
  fieldLabel = name,
  value,
  min,
  max,
  step,
  decimals,
  unit,
  valueText,
  disabled,
  isAutomatic = false,
  onMove,
  onKeep = () => undefined,
  fieldClass = 'w-14',
  children,
}: SliderRowProps) {
  const range = { value, min, max, disabled, ...(step !== undefined && { step }) };
  return (
    <Row label={label}>
      <Slider
        label={name}
        {...range}
        {...(valueText !== undefined && { valueText })}
        onChange={onMove}
        onCommit={onKeep}
        className={isAutomatic ? 'opacity-45 focus-within:opacity-100 hover:opacity-100' : ''}
      />
      {!isAutomatic && (
        <NumberField
          label={fieldLabel}
          {...range}
          {...(decimals !== undefined && { decimals })}
          {...(unit !== undefined && { unit })}
          onCommit={(next) => {
            onMove(next);
            onKeep();
          }}
          className={fieldClass}
        />
      )}
      {children}
    </Row>
  );
}
