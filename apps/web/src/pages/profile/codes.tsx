/** Parts for forms of the profile that ask for a code of the second factor. */
import { calls } from '@markwright/contract/paths';
import type { SecondFactorState } from '@markwright/contract/schemas';
import { messages } from '@markwright/contract/words';
import { Field } from '@markwright/controls';
import { useQuery } from '@tanstack/react-query';
import { CodeInput } from '../../ui/CodeInput.tsx';

/** Reads the state of the account's second factor. */
export const useSecondFactor = () =>
  useQuery<SecondFactorState>({ queryKey: [calls.auth.secondFactor.path], refetchOnMount: 'always' });

/** Reads the same state where it was read just now. */
export const useCachedSecondFactor = () => useQuery<SecondFactorState>({ queryKey: [calls.auth.secondFactor.path] });

export const CodeField = ({ error, className }: { error: string | undefined; className?: string }) => (
  <Field label="Code of the app, or a recovery code" error={error} className={className}>
    {(control) => <CodeInput {...control} />}
  </Field>
);

/** Returns true for a refusal that is about the code. */
export const isAboutCode = (refusal: string): boolean =>
  refusal === messages.wrongCode || refusal === messages.codeNeeded;
