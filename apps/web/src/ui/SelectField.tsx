import { Field, type FieldProps, Select } from '@markwright/controls';
import type { ComponentProps } from 'react';

interface SelectFieldProps<T extends string>
  extends Omit<FieldProps, 'children' | 'label'>,
    Pick<ComponentProps<typeof Select<T>>, 'value' | 'options' | 'onChange'> {
  readonly label: string;
  readonly selectClassName?: string;
}

/** A select with its label, hint and error. */
export function SelectField<T extends string>(props: SelectFieldProps<T>) {
  const { label, value, options, onChange, selectClassName, ...field } = props;
  return (
    <Field label={label} {...field}>
      {({ id }) => (
        <Select id={id} label={label} value={value} options={options} onChange={onChange} className={selectClassName} />
      )}
    </Field>
  );
}
