import { calls } from '@markwright/contract/paths';
import { type Message, messages } from '@markwright/contract/words';
import { Button, Field } from '@markwright/controls';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api.ts';
import { messageOf, statusOf } from '../../request.ts';
import { loadMe } from '../../session.tsx';
import { toast } from '../../ui/notices.ts';
import { PasswordInput } from '../../ui/PasswordInput.tsx';
import { checkNewPassword, useMinPasswordLength } from '../../ui/passwords.ts';
import { useForm } from '../../ui/useForm.ts';

const fields = {
  current: { label: 'Current password', autoComplete: 'current-password' },
  password: { label: 'New password', autoComplete: 'new-password' },
  confirmation: { label: 'New password again', autoComplete: 'new-password' },
} as const;
type FieldName = keyof typeof fields;
const fieldNames: readonly FieldName[] = ['current', 'password', 'confirmation'];

export function PasswordForm({ email }: { email: string }) {
  const client = useQueryClient();
  const minLength = useMinPasswordLength();
  const { formProps, errors, isBusy } = useForm({
    names: fieldNames,
    async submit({ current, password, confirmation }, form) {
      const problem = checkNewPassword(password, confirmation, minLength);
      if (problem) return refuse(problem.field, problem.reason);
      try {
        await api.auth.changePassword({ body: { currentPassword: current, newPassword: password } });
        form.reset();
        toast({ title: messages.passwordUpdated, description: 'Every other place is signed out.' });
        await client.invalidateQueries({ queryKey: [calls.auth.sessions.path] });
        return undefined;
      } catch (error) {
        if (statusOf(error) === 401) await loadMe(client);
        const text = messageOf(error);
        // The server's message says which one it refuses: the current password, or a new one that is easy to guess.
        const field = text === messages.commonPassword ? 'password' : 'current';
        return refuse(field, { title: messages.passwordUpdateFailed, description: text });
      }
    },
  });

  return (
    <form {...formProps} className="grid max-w-[420px] gap-4 p-5">
      {/* Tells password managers the account of the password. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      {fieldNames.map((name) => (
        <Field
          key={name}
          label={fields[name].label}
          hint={name === 'password' ? `At least ${minLength} characters.` : undefined}
          error={errors[name]}
        >
          {(control) => (
            <PasswordInput
              {...control}
              name={name}
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

function refuse(field: FieldName, reason: Message): { [Field in FieldName]?: string } {
  toast({ ...reason, variant: 'destructive' });
  return { [field]: reason.description };
}
