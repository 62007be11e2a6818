/**
 * Forms with native fields, which are read by their `name` on submit. Errors show at their fields (`Field` ties them
 * together), and the first invalid field gets the focus.
 */
import { type FormEvent, type RefObject, useRef, useState } from 'react';

export type FormValues<Name extends string> = Readonly<Record<Name, string>>;
/** An error sentence for each invalid field; `form` is for errors that belong to no field. */
export type FormErrors<Name extends string> = { readonly [Field in Name | 'form']?: string | undefined };

interface FormOptions<Name extends string> {
  /** The fields' names, in their order on the page. */
  readonly names: readonly Name[];
  /** Validates before submit. Once errors are shown, a field is validated again with each change. */
  check?(values: FormValues<Name>): FormErrors<Name>;
  /** Submits the values. Resolves with errors, or with undefined after a success. */
  submit(values: FormValues<Name>, form: HTMLFormElement): Promise<FormErrors<Name> | undefined>;
  /** Gets the focus after an error, in place of the first invalid field. */
  readonly summary?: RefObject<HTMLElement | null>;
}

export function useForm<Name extends string>({ names, check, submit, summary }: FormOptions<Name>) {
  const [errors, setErrors] = useState<FormErrors<Name>>({});
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const hasRefused = useRef(false);

  function refuse(wrong: FormErrors<Name>): void {
    hasRefused.current = true;
    setErrors(wrong);
    const first = firstWrong(names, wrong);
    if (summary) summary.current?.focus();
    else if (first && form.current) focusField(form.current, first);
  }

  async function send(element: HTMLFormElement): Promise<void> {
    const values = readValues(names, new FormData(element));
    const wrong = check?.(values) ?? {};
    if (hasErrors(wrong)) {
      refuse(wrong);
      return;
    }
    setErrors({});
    setBusy(true);
    try {
      const messages = await submit(values, element);
      if (messages && hasErrors(messages)) refuse(messages);
    } finally {
      setBusy(false);
    }
  }

  return {
    errors,
    isBusy,
    /** Removes all errors. */
    clear: () => setErrors({}),
    focus: (name: Name) => form.current && focusField(form.current, name),
    /** Props to spread onto the `form`. */
    formProps: {
      ref: form,
      noValidate: true,
      'aria-busy': isBusy,
      onSubmit(event: FormEvent<HTMLFormElement>) {
        event.preventDefault();
        if (!isBusy) void send(event.currentTarget);
      },
      onInput({ target, currentTarget }: FormEvent<HTMLFormElement>) {
        const name = names.find((one) => one === (target as HTMLInputElement).name);
        if (!check || !name || !hasRefused.current) return;
        const { [name]: error } = check(readValues(names, new FormData(currentTarget)));
        setErrors((before) => ({ ...before, [name]: error }));
      },
    },
  };
}

/** Moves the focus to the field of that name. */
export function focusField(form: HTMLFormElement, name: string): void {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLElement) field.focus();
}

/** Reads the values of the fields; a field that is missing from the form is blank. */
export function readValues<Name extends string>(names: readonly Name[], data: Pick<FormData, 'get'>): FormValues<Name> {
  return Object.fromEntries(names.map((name) => [name, String(data.get(name) ?? '')])) as FormValues<Name>;
}

/**
 * Returns the name of the first invalid field on the page; undefined without one, also when only the form has an error.
 */
export function firstWrong<Name extends string>(names: readonly Name[], errors: FormErrors<Name>): Name | undefined {
  return names.find((name) => errors[name] !== undefined);
}

/** Returns the first message of each field, from the issues of a schema's validation. */
export function errorsOf<Name extends string>(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): FormErrors<Name> {
  const errors: Record<string, string> = {};
  for (const { path, message } of issues) errors[String(path[0] ?? 'form')] ??= message;
  return errors as FormErrors<Name>;
}

const hasErrors = (errors: object): boolean => Object.values(errors).some((error) => error !== undefined);
