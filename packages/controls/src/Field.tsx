import { type ComponentProps, type ReactNode, useId } from 'react';

export interface FieldProps {
  label: ReactNode;
  /** A sentence that helps to fill in the field. */
  hint?: ReactNode;
  /** The error of the field; replaces the hint. */
  error?: ReactNode;
  className?: string;
  /** Renders the control, which takes these attributes. */
  children(control: {
    id: string;
    'aria-describedby': string | undefined;
    'aria-invalid': true | undefined;
  }): ReactNode;
}

/** Ties a form control to its label, hint and error for assistive technology. */
export function Field({ label, hint, error, className = '', children }: FieldProps) {
  const id = useId();
  const note = error ?? hint;
  const noteId = note ? `${id}-note` : undefined;
  return (
    <div className={`flex flex-col gap-1 ${className}`}>
      <label htmlFor={id} className="text-xs font-medium text-graphite">
        {label}
      </label>
      {children({ id, 'aria-describedby': noteId, 'aria-invalid': error ? true : undefined })}
      {note && (
        <p
          id={noteId}
          role={error ? 'alert' : undefined}
          className={`text-xs ${error ? 'text-danger' : 'text-graphite'}`}
        >
          {note}
        </p>
      )}
    </div>
  );
}

interface RowProps {
  label: ReactNode;
  /** Makes the column of the name wide enough for a longer one. */
  isLong?: boolean;
  children: ReactNode;
}

/** The row of a setting: its name on the left, its control on the right. */
export function Row({ label, isLong = false, children }: RowProps) {
  return (
    <div className="flex min-h-8 items-center gap-2">
      <span className={`${isLong ? 'w-20' : 'w-16'} shrink-0 text-xs text-graphite`}>{label}</span>
      <div className="flex min-w-0 flex-1 items-center gap-2">{children}</div>
    </div>
  );
}

const box =
  'w-full rounded-control border border-edge bg-paper px-2.5 text-base text-ink transition-colors hover:border-ink ' +
  'focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-accent aria-invalid:border-danger disabled:opacity-45';

export const TextInput = ({ className = '', ...rest }: ComponentProps<'input'>) => (
  <input className={`h-9 pointer-coarse:h-11 ${box} ${className}`} {...rest} />
);

export const TextArea = ({ className = '', ...rest }: ComponentProps<'textarea'>) => (
  <textarea className={`py-2 ${box} ${className}`} {...rest} />
);
