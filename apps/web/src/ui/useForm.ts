/**
 * The one way of forms: native fields that are read by their `name` when the form is sent. Errors stand at their fields
 * (`Field` ties them together), and the first wrong field gets the focus.
 */
import { type FormEvent, type RefObject, useRef, useState } from 'react';

export type FormValues<Name extends string> = Readonly<Record<Name, string>>;
/** A sentence for each wrong field; `form` is for what belongs to no field. */
export type FormErrors<Name extends string> = { readonly [Field in Name | 'form']?: string | undefined };

interface FormOptions<Name extends string> {
  /** The fields' names, in their order on the page. */
  readonly names: readonly Name[];
  /** Says what is wrong before anything is sent. Once that was shown, a field is checked again with each change. */
  check?(values: FormValues<Name>): FormErrors<Name>;
  /** Sends it. Resolves with what is wrong, or with nothing. */
  submit(values: FormValues<Name>, form: HTMLFormElement): Promise<FormErrors<Name> | undefined>;
  /** Gets the focus when something is wrong, in place of the first wrong field. */
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
    /** Takes the errors away. */
    clear: () => setErrors({}),
    focus: (name: Name) => form.current && focusField(form.current, name),
    /** Spread onto the `form`. */
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

/** Reads what was typed; a field that is not there is blank. */
export function readValues<Name extends string>(names: readonly Name[], data: Pick<FormData, 'get'>): FormValues<Name> {
  return Object.fromEntries(names.map((name) => [name, String(data.get(name) ?? '')])) as FormValues<Name>;
}

/**
 * Returns the name of the first wrong field on the page; undefined when only the form as a whole is wrong, or nothing.
 */
export function firstWrong<Name extends string>(names: readonly Name[], errors: FormErrors<Name>): Name | undefined {
  return names.find((name) => errors[name] !== undefined);
}

/** Returns the first message of each field, from the issues of a schema that refused the values. */
export function errorsOf<Name extends string>(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): FormErrors<Name> {
  const errors: Record<string, string> = {};
  for (const { path, message } of issues) errors[String(path[0] ?? 'form')] ??= message;
  return errors as FormErrors<Name>;
}

const hasErrors = (errors: object): boolean => Object.values(errors).some((error) => error !== undefined);
