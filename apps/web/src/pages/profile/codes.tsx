/** Parts for forms of the profile that ask for the password or for a code of the second factor. */
import { siteCalls } from '@markwright/contract/paths/siteCalls';
import type { SecondFactorState } from '@markwright/contract/schemas';
import { messages } from '@markwright/contract/words';
import { Button, Field } from '@markwright/controls';
import { useQuery } from '@tanstack/react-query';
import { CodeInput } from '../../ui/CodeInput.tsx';
import { PasswordInput } from '../../ui/PasswordInput.tsx';

/** Reads the state of the account's second factor. */
export const useSecondFactor = () =>
  useQuery<SecondFactorState>({ queryKey: [siteCalls.auth.secondFactor.path], refetchOnMount: 'always' });

/** Reads the same state where it was read just now. */
export const useCachedSecondFactor = () =>
  useQuery<SecondFactorState>({ queryKey: [siteCalls.auth.secondFactor.path] });

interface PasswordFieldProps {
  readonly error: string | undefined;
  /** The form begins with it. */
  readonly isFirst?: boolean | undefined;
}

export const PasswordField = ({ error, isFirst }: PasswordFieldProps) => (
  <Field label="Your password" error={error}>
    {(control) => <PasswordInput {...control} name="password" autoComplete="current-password" autoFocus={isFirst} />}
  </Field>
);

export const CodeField = ({ error, className }: { error: string | undefined; className?: string }) => (
  <Field label="Code of the app, or a recovery code" error={error} className={className}>
    {(control) => <CodeInput {...control} />}
  </Field>
);

/** Returns true for a refusal that is about the code. */
export const isAboutCode = (refusal: string): boolean =>
  refusal === messages.wrongCode || refusal === messages.codeNeeded;

interface FormButtonsProps {
  readonly action: string;
  readonly isBusy: boolean;
  readonly variant?: 'primary' | 'danger';
  onCancel(): void;
}

export const FormButtons = ({ action, isBusy, variant = 'primary', onCancel }: FormButtonsProps) => (
  <div className="flex flex-wrap gap-2">
    <Button type="submit" variant={variant} size="lg" isBusy={isBusy}>
      {action}
    </Button>
    <Button variant="ghost" size="lg" disabled={isBusy} onClick={onCancel}>
      Not now
    </Button>
  </div>
);
