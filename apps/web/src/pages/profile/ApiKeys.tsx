/** The account's API keys: made and rotated with the password, shown once, revoked. */
import { siteCalls } from '@markwright/contract/paths/siteCalls';
import type { ApiKey } from '@markwright/contract/schemas';
import { API_SCOPES, apiScopes, messages } from '@markwright/contract/words';
import { Button, Field, Icon, TextInput } from '@markwright/controls';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../api.ts';
import { messageOf } from '../../request.ts';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { formatAgo, formatDay } from '../../ui/dates.ts';
import { Problem } from '../../ui/Problem.tsx';
import { Skeleton, Unreadable } from '../../ui/sections.tsx';
import { LeaveQuestion } from '../../ui/UnsavedChanges.tsx';
import { useAttempt } from '../../ui/useAttempt.ts';
import { useForm } from '../../ui/useForm.ts';
import { CodeField, FormButtons, isAboutCode, PasswordField, useCachedSecondFactor } from './codes.tsx';

type Step =
  | { readonly name: 'rest' | 'create' }
  | { readonly name: 'rotate'; readonly apiKey: ApiKey }
  | { readonly name: 'show'; readonly key: string };

const REST: Step = { name: 'rest' };

export const useApiKeys = () =>
  useQuery<ApiKey[]>({ queryKey: [siteCalls.apiKeys.list.path], refetchOnMount: 'always' });

interface ApiKeysProps {
  readonly email: string;
  readonly query: UseQueryResult<ApiKey[]>;
}

export function ApiKeys({ email, query }: ApiKeysProps) {
  const [step, setStep] = useState<Step>(REST);
  const stop = () => setStep(REST);
  if (query.isPending) return <Skeleton lines={2} />;
  if (!query.data) {
    return (
      <Unreadable what="Your API keys could not be read." error={query.error} onRetry={() => void query.refetch()} />
    );
  }
  const show = async (key: string) => {
    setStep({ name: 'show', key });
    await query.refetch();
  };
  switch (step.name) {
    case 'rest':
      return (
        <>
          <KeyList
            apiKeys={query.data}
            onRotate={(apiKey) => setStep({ name: 'rotate', apiKey })}
            onChange={() => query.refetch()}
          />
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-4">
            <Button icon="plus" onClick={() => setStep({ name: 'create' })}>
              New key
            </Button>
            <p className="min-w-0 flex-[1_1_240px] text-graphite text-sm">
              What a program can call is in the{' '}
              <a href="/api/openapi.json" className="underline underline-offset-4 hover:text-accent">
                description of the API
              </a>
              .
            </p>
          </div>
        </>
      );
    case 'create':
      return <CreateForm email={email} onCancel={stop} onDone={show} />;
    case 'rotate':
      return <RotateForm email={email} apiKey={step.apiKey} onCancel={stop} onDone={show} />;
    case 'show':
      return <NewKey value={step.key} onDone={stop} />;
  }
}

interface KeyListProps {
  readonly apiKeys: readonly ApiKey[];
  onRotate(apiKey: ApiKey): void;
  onChange(): Promise<unknown>;
}

function KeyList({ apiKeys, onRotate, onChange }: KeyListProps) {
  const attempt = useAttempt();
  const [keyToRevoke, setKeyToRevoke] = useState<ApiKey>();
  return (
    <>
      {apiKeys.length > 0 && (
        <ul aria-label="API keys" className="border-line border-b">
          {apiKeys.map((apiKey) => (
            <li
              key={apiKey.id}
              className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line px-5 py-3 not-first:border-t"
            >
              <div className="min-w-0 flex-[1_1_240px]">
                <p className="font-medium [overflow-wrap:anywhere]">
                  {apiKey.name} <code className="measure font-normal text-graphite">…{apiKey.hint}</code>
                </p>
                <p className="text-graphite text-sm">
                  {apiKey.scopes.join(', ')}. {formatUse(apiKey)}
                </p>
              </div>
              <div className="flex gap-2">
                <Button aria-label={`Rotate ${apiKey.name}`} onClick={() => onRotate(apiKey)}>
                  Rotate
                </Button>
                <Button variant="danger" aria-label={`Revoke ${apiKey.name}`} onClick={() => setKeyToRevoke(apiKey)}>
                  Revoke
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      <ConfirmDialog
        isOpen={keyToRevoke !== undefined}
        title={`Revoke ${keyToRevoke?.name ?? ''}?`}
        description="Programs that use this key are refused from now on. This cannot be undone."
        action="Revoke it"
        onClose={() => setKeyToRevoke(undefined)}
        onConfirm={async () => {
          const isDone = await attempt(messages.requestFailed, async () => {
            await api.apiKeys.revoke({ params: { id: keyToRevoke!.id } });
            return { title: `${keyToRevoke!.name} is revoked`, description: 'It no longer works.' };
          });
          await onChange();
          return isDone;
        }}
      />
    </>
  );
}

const formatUse = ({ createdAt, lastUsedAt }: ApiKey): string =>
  lastUsedAt === null ? `Made ${formatDay(createdAt)}, never used.` : `Last used ${formatAgo(lastUsedAt, new Date())}.`;

interface FormProps {
  readonly email: string;
  onCancel(): void;
  onDone(key: string): void;
}

function CreateForm({ email, onCancel, onDone }: FormProps) {
  const [scopes, setScopes] = useState<ReadonlySet<(typeof apiScopes)[number]>>(new Set(['designs:read']));
  const secondFactor = useCachedSecondFactor();
  const { formProps, errors, isBusy } = useForm({
    names: ['name', 'password', 'code'],
    check: ({ name }) => (name.trim() === '' ? { name: 'Please say what the key is for.' } : {}),
    async submit({ name, password, code }) {
      if (scopes.size === 0) return { form: 'Choose what the key may do.' };
      try {
        const body = { name, scopes: [...scopes], password, ...(code && { code }) };
        onDone((await api.apiKeys.create({ body })).key);
        return undefined;
      } catch (error) {
        return toErrors(error);
      }
    },
  });
  return (
    <form {...formProps} className="grid max-w-[480px] gap-4 p-5">
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <Field label="What it is for" error={errors.name}>
        {(control) => (
          <TextInput {...control} name="name" maxLength={60} autoComplete="off" placeholder="Night run" autoFocus />
        )}
      </Field>
      <fieldset className="grid gap-1">
        <legend className="mb-1 font-medium text-graphite text-xs">It may</legend>
        {apiScopes.map((scope) => (
          <label key={scope} className="flex min-h-9 cursor-pointer items-start gap-2.5 py-1">
            <input
              type="checkbox"
              checked={scopes.has(scope)}
              onChange={({ target }) => {
                const others = [...scopes].filter((other) => other !== scope);
                setScopes(new Set(target.checked ? [...others, scope] : others));
              }}
              className="mt-1 size-4 shrink-0 accent-accent"
            />
            <span className="min-w-0">
              {API_SCOPES[scope]} <code className="measure text-graphite">{scope}</code>
            </span>
          </label>
        ))}
      </fieldset>
      <Proof errors={errors} hasCode={secondFactor.data?.isOn ?? false} />
      <Buttons action="Make the key" isBusy={isBusy} problem={errors.form} onCancel={onCancel} />
    </form>
  );
}

function RotateForm({ email, apiKey, onCancel, onDone }: FormProps & { readonly apiKey: ApiKey }) {
  const secondFactor = useCachedSecondFactor();
  const { formProps, errors, isBusy } = useForm({
    names: ['password', 'code'],
    async submit({ password, code }) {
      try {
        const body = { password, ...(code && { code }) };
        onDone((await api.apiKeys.rotate({ params: { id: apiKey.id }, body })).key);
        return undefined;
      } catch (error) {
        return toErrors(error);
      }
    },
  });
  return (
    <form {...formProps} className="grid max-w-[480px] gap-4 p-5">
      <p>
        <span className="font-medium [overflow-wrap:anywhere]">{apiKey.name}</span> gets a new key. The one from before
        stops working at once.
      </p>
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <Proof errors={errors} hasCode={secondFactor.data?.isOn ?? false} isFirst />
      <Buttons action="Rotate the key" isBusy={isBusy} problem={errors.form} onCancel={onCancel} />
    </form>
  );
}

type ProofErrors = { readonly password?: string | undefined; readonly code?: string | undefined };

function toErrors(error: unknown): ProofErrors & { form?: string } {
  const message = messageOf(error);
  if (message === messages.wrongCurrentPassword) return { password: message };
  return isAboutCode(message) ? { code: message } : { form: message };
}

interface ProofProps {
  readonly errors: ProofErrors;
  readonly hasCode: boolean;
  /** The form begins with it. */
  readonly isFirst?: boolean;
}

function Proof({ errors, hasCode, isFirst }: ProofProps) {
  return (
    <>
      <PasswordField error={errors.password} isFirst={isFirst} />
      {(hasCode || errors.code) && <CodeField error={errors.code} />}
    </>
  );
}

interface ButtonsProps {
  readonly action: string;
  readonly isBusy: boolean;
  readonly problem: string | undefined;
  onCancel(): void;
}

const Buttons = ({ action, isBusy, problem, onCancel }: ButtonsProps) => (
  <>
    <Problem>{problem}</Problem>
    <FormButtons action={action} isBusy={isBusy} onCancel={onCancel} />
  </>
);

function NewKey({ value, onDone }: { readonly value: string; onDone(): void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="grid max-w-[560px] gap-4 p-5">
      <div>
        <h3 ref={heading} tabIndex={-1} className="flex items-center gap-2 font-medium outline-none">
          <Icon name="check" className="size-4 text-success" /> Your new key
        </h3>
        <p className="mt-1 text-graphite">Give it to your program now: it is not shown again.</p>
      </div>
      <CodeBlock name="API key" code={value} />
      <CodeBlock
        name="A first call"
        code={`curl -H "Authorization: Bearer ${value}" ${window.location.origin}/api/compositions`}
      />
      <div>
        <Button variant="primary" size="lg" onClick={onDone}>
          I saved it
        </Button>
      </div>
      <LeaveQuestion
        isAsked
        title="Leave without the key?"
        text="It is shown this once. A lost one has to be rotated."
      />
    </div>
  );
}
