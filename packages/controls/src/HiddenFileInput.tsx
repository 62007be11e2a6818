import type { Ref } from 'react';

interface Props {
  readonly ref: Ref<HTMLInputElement>;
  readonly label: string;
  readonly accept?: string;
  readonly multiple?: boolean;
  /** Opens the camera of a phone in place of its files. */
  readonly capture?: 'environment';
  onChoose(files: File[]): void;
}

/** A hidden file input, which a button opens with `ref.current.click()`. The same file can be chosen again. */
export function HiddenFileInput({ ref, label, onChoose, ...rest }: Props) {
  return (
    <input
      ref={ref}
      type="file"
      {...rest}
      aria-label={label}
      tabIndex={-1}
      className="sr-only"
      onChange={(event) => {
        onChoose([...(event.target.files ?? [])]);
        event.target.value = '';
      }}
    />
  );
}
