import { siteCalls } from '@markwright/contract/paths/siteCalls';
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
import { CodeField, isAboutCode, useCachedSecondFactor } from './codes.tsx';

const fields = {
  current: { label: 'Current password', autoComplete: 'current-password' },
  password: { label: 'New password', autoComplete: 'new-password' },
  confirmation: { label: 'New password again', autoComplete: 'new-password' },
} as const;
type FieldName = keyof typeof fields;
const fieldNames: readonly FieldName[] = ['current', 'password', 'confirmation'];
const names: readonly (FieldName | 'code')[] = [...fieldNames, 'code'];

export function PasswordForm({ email }: { email: string }) {
  const client = useQueryClient();
  const minLength = useMinPasswordLength();
  const secondFactor = useCachedSecondFactor();
  const { formProps, errors, isBusy } = useForm({
    names,
    async submit({ current, password, confirmation, code }, form) {
      const problem = checkNewPassword(password, confirmation, minLength);
      if (problem) return refuse(problem.field, problem.reason);
      try {
        await api.auth.changePassword({
          body: { currentPassword: current, newPassword: password, ...(code && { code }) },
        });
        form.reset();
        toast({ title: messages.passwordUpdated, description: 'Every other device is signed out.' });
        await client.invalidateQueries({ queryKey: [siteCalls.auth.sessions.path] });
        if (code) await secondFactor.refetch(); // fewer recovery codes may be left
        return undefined;
      } catch (error) {
        if (statusOf(error) === 401) await loadMe(client);
        const text = messageOf(error);
        if (text === messages.codeNeeded) await secondFactor.refetch(); // turned on in another place
        return refuse(fieldOf(text), { title: messages.passwordUpdateFailed, description: text });
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
      {(secondFactor.data?.isOn || errors.code) && <CodeField error={errors.code} />}
      <Button type="submit" variant="primary" size="lg" isBusy={isBusy} className="justify-self-start">
        {isBusy ? 'Changing…' : 'Change password'}
      </Button>
    </form>
  );
}

/** Returns the field that the server's sentence refuses. */
function fieldOf(refusal: string): FieldName | 'code' {
  if (isAboutCode(refusal)) return 'code';
  return refusal === messages.commonPassword || refusal === messages.contextPassword ? 'password' : 'current';
}

function refuse(field: FieldName | 'code', reason: Message): { [Field in FieldName | 'code']?: string } {
  toast({ ...reason, variant: 'destructive' });
  return { [field]: reason.description };
}
