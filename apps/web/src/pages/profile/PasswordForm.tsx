import { calls } from '@markwright/contract/paths';
import { type Message, MIN_PASSWORD_LENGTH, messages } from '@markwright/contract/words';
import { Button, Field } from '@markwright/controls';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { api } from '../../api.ts';
import { messageOf, statusOf } from '../../request.ts';
import { loadMe } from '../../session.tsx';
import { toast } from '../../ui/notices.ts';
import { PasswordInput } from '../../ui/PasswordInput.tsx';
import { checkNewPassword } from '../../ui/passwords.ts';

const fields = {
  current: { label: 'Current password', autoComplete: 'current-password', hint: undefined },
  password: {
    label: 'New password',
    autoComplete: 'new-password',
    hint: `At least ${MIN_PASSWORD_LENGTH} characters.`,
  },
  confirmation: { label: 'New password again', autoComplete: 'new-password', hint: undefined },
} as const;
type FieldName = keyof typeof fields;
const fieldNames: readonly FieldName[] = ['current', 'password', 'confirmation'];
const nothing: Record<FieldName, string> = { current: '', password: '', confirmation: '' };

export function PasswordForm({ email }: { email: string }) {
  const client = useQueryClient();
  const [values, setValues] = useState(nothing);
  const [wrong, setWrong] = useState<{ field: FieldName; text: string }>();
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const problem = checkNewPassword(values.password, values.confirmation);
    if (problem) return refuse(problem.field, problem.reason);
    setWrong(undefined);
    setBusy(true);
    try {
      await api.auth.changePassword({ body: { currentPassword: values.current, newPassword: values.password } });
      setValues(nothing);
      toast({ title: messages.passwordUpdated, description: 'Every other place is signed out.' });
      await client.invalidateQueries({ queryKey: [calls.auth.sessions.path] });
    } catch (error) {
      const text = messageOf(error);
      // The server says which: the current one does not fit, or the new one is guessed too easily.
      const field = text === messages.commonPassword ? 'password' : 'current';
      refuse(field, { title: messages.passwordUpdateFailed, description: text });
      if (statusOf(error) === 401) await loadMe(client);
    }
    setBusy(false);
  }

  function refuse(field: FieldName, reason: Message) {
    setWrong({ field, text: reason.description });
    toast({ ...reason, variant: 'destructive' });
    const named = form.current?.elements.namedItem(field);
    if (named instanceof HTMLElement) named.focus();
  }

  return (
    <form ref={form} noValidate aria-busy={isBusy} onSubmit={submit} className="grid max-w-[420px] gap-4 p-5">
      {/* For password managers: whose password it is. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      {fieldNames.map((name) => (
        <Field
          key={name}
          label={fields[name].label}
          hint={fields[name].hint}
          error={wrong?.field === name ? wrong.text : undefined}
        >
          {(control) => (
            <PasswordInput
              {...control}
              name={name}
              value={values[name]}
              onChange={(event) => setValues({ ...values, [name]: event.target.value })}
              autoComplete={fields[name].autoComplete}
              showLabel={`Show ${fields[name].label.toLowerCase()}`}
            />
          )}
        </Field>
      ))}
      <Button type="submit" variant="primary" size="lg" isBusy={isBusy} className="justify-self-start">
        {isBusy ? 'Changing…' : 'Change password'}
      </Button>
    </form>
  );
}
