/** The second factor: turned on in three steps (password, first code, recovery codes), and changed or turned off. */
import type { SecondFactorSetup, SecondFactorState } from '@markwright/contract/schemas';
import { messages } from '@markwright/contract/words';
import { Button, Field, Icon } from '@markwright/controls';
import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../api.ts';
import { messageOf } from '../../request.ts';
import { loadMe } from '../../session.tsx';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { CodeInput } from '../../ui/CodeInput.tsx';
import { toast } from '../../ui/notices.ts';
import { saveBlob } from '../../ui/saveBlob.ts';
import { Badge, Skeleton, Unreadable } from '../../ui/sections.tsx';
import { LeaveQuestion } from '../../ui/UnsavedChanges.tsx';
import { useForm } from '../../ui/useForm.ts';
import { CodeField, FormButtons, PasswordField } from './codes.tsx';

type Step =
  | { readonly name: 'rest' | 'password' | 'renew' | 'disable' }
  | { readonly name: 'scan'; readonly setup: SecondFactorSetup }
  | { readonly name: 'codes'; readonly codes: readonly string[] };

const REST: Step = { name: 'rest' };

interface SecondFactorProps {
  readonly email: string;
  readonly query: UseQueryResult<SecondFactorState>;
}

export function SecondFactor({ email, query }: SecondFactorProps) {
  const client = useQueryClient();
  const [step, setStep] = useState<Step>(REST);
  if (query.isPending) return <Skeleton lines={2} />;
  if (!query.data) {
    return (
      <Unreadable
        what="The second factor could not be read."
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    );
  }
  const stop = () => setStep(REST);
  const showCodes = async (codes: readonly string[]) => {
    setStep({ name: 'codes', codes });
    await query.refetch();
    await loadMe(client);
  };
  switch (step.name) {
    case 'rest':
      return <State {...query.data} onStep={(name) => setStep({ name })} />;
    case 'password':
      return <PasswordStep email={email} onCancel={stop} onDone={(setup) => setStep({ name: 'scan', setup })} />;
    case 'scan':
      return <ScanStep setup={step.setup} onCancel={stop} onDone={showCodes} />;
    case 'codes':
      return (
        <>
          <RecoveryCodes codes={step.codes} onDone={stop} />
          <LeaveQuestion
            isAsked
            title="Leave without the recovery codes?"
            text="They are shown this once. Without them, a lost phone locks you out."
          />
        </>
      );
    case 'renew':
      return (
        <ProofForm
          email={email}
          text="You get ten new codes. Those from before do not work any more."
          action="Make new codes"
          onCancel={stop}
          onProof={async (proof) => showCodes((await api.auth.renewRecoveryCodes({ body: proof })).recoveryCodes)}
        />
      );
    case 'disable':
      return (
        <ProofForm
          email={email}
          text="From then on, signing in asks for your password alone."
          action="Turn it off"
          isDangerous
          onCancel={stop}
          onProof={async (proof) => {
            await api.auth.disableSecondFactor({ body: proof });
            toast({ title: 'Your second factor is off', description: 'The recovery codes do not work any more.' });
            stop();
            await query.refetch();
            await loadMe(client);
          }}
        />
      );
  }
}

interface StateProps extends SecondFactorState {
  onStep(name: 'password' | 'renew' | 'disable'): void;
}

function State({ isOn, recoveryCodesLeft, onStep }: StateProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-5">
      <div className="min-w-0 flex-[1_1_260px]">
        <h3 className="flex items-center gap-2.5 font-medium">
          Authenticator app <Badge tone={isOn ? 'good' : 'quiet'}>{isOn ? 'On' : 'Off'}</Badge>
        </h3>
        <p className={isOn && recoveryCodesLeft < 3 ? 'text-danger' : 'text-graphite'}>
          {isOn
            ? `${recoveryCodesLeft === 1 ? '1 recovery code is' : `${recoveryCodesLeft} recovery codes are`} left.`
            : 'A code from an app on your phone, after the password. A stolen password then opens nothing.'}
        </p>
      </div>
      {isOn ? (
        <div className="flex flex-wrap gap-2">
          <Button size="lg" onClick={() => onStep('renew')}>
            New recovery codes
          </Button>
          <Button size="lg" variant="danger" onClick={() => onStep('disable')}>
            Turn it off
          </Button>
        </div>
      ) : (
        <Button size="lg" variant="primary" onClick={() => onStep('password')}>
          Turn it on
        </Button>
      )}
    </div>
  );
}

interface StepProps<Result> {
  onCancel(): void;
  onDone(result: Result): void;
}

function PasswordStep({ email, onCancel, onDone }: StepProps<SecondFactorSetup> & { email: string }) {
  const { formProps, errors, isBusy } = useForm({
    names: ['password'],
    async submit({ password }) {
      try {
        onDone(await api.auth.setUpSecondFactor({ body: { password } }));
        return undefined;
      } catch (error) {
        return { password: messageOf(error) };
      }
    },
  });
  return (
    <form {...formProps} className="grid max-w-[420px] gap-4 p-5">
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField error={errors.password} isFirst />
      <FormButtons action="Go on" isBusy={isBusy} onCancel={onCancel} />
    </form>
  );
}

function ScanStep({ setup, onCancel, onDone }: StepProps<readonly string[]> & { setup: SecondFactorSetup }) {
  const { formProps, errors, isBusy } = useForm({
    names: ['code'],
    async submit({ code }) {
      try {
        onDone((await api.auth.confirmSecondFactor({ body: { code } })).recoveryCodes);
        return undefined;
      } catch (error) {
        return { code: messageOf(error) };
      }
    },
  });
  const { secret, uri, qr } = setup;
  return (
    <form {...formProps} className="grid gap-x-8 gap-y-5 p-5 sm:grid-cols-[auto_minmax(0,1fr)]">
      <svg
        role="img"
        aria-label="QR code for your authenticator app"
        viewBox={`0 0 ${qr.size} ${qr.size}`}
        shapeRendering="crispEdges"
        className="size-[212px] rounded-control border border-line bg-white text-black"
      >
        <path d={qr.path} fill="currentColor" />
      </svg>
      <div className="grid min-w-0 max-w-[420px] content-start gap-4">
        <p>
          Scan this with an authenticator app. On this phone,{' '}
          <a className={linkClass} href={uri}>
            open the app
          </a>
          , or type the key in by hand.
        </p>
        <CodeBlock name="Key" code={secret.replace(/(.{4})(?=.)/g, '$1 ')} />
        <Field label="Code that the app shows" error={errors.code}>
          {(control) => <CodeInput {...control} inputMode="numeric" />}
        </Field>
        <FormButtons action="Turn it on" isBusy={isBusy} onCancel={onCancel} />
      </div>
    </form>
  );
}

const linkClass = 'underline underline-offset-4 hover:text-accent';

function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone(): void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const text = codes.join('\n');
  return (
    <div className="grid max-w-[480px] gap-4 p-5">
      <div>
        <h3 ref={heading} tabIndex={-1} className="flex items-center gap-2 font-medium outline-none">
          <Icon name="check" className="size-4 text-success" /> Your second factor is on. These are your recovery codes
        </h3>
        <p className="mt-1 text-graphite">
          Each lets you in once, in place of the app. Store them where you can reach them without your phone: they are
          shown only now.
        </p>
      </div>
      <CodeBlock name="Recovery codes" code={text} />
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" size="lg" onClick={onDone}>
          I saved them
        </Button>
        <Button
          size="lg"
          icon="download"
          onClick={() => saveBlob(new Blob([`${text}\n`], { type: 'text/plain' }), 'markwright-recovery-codes.txt')}
        >
          Save as a file
        </Button>
      </div>
    </div>
  );
}

interface ProofFormProps {
  readonly email: string;
  readonly text: string;
  readonly action: string;
  readonly isDangerous?: boolean;
  onCancel(): void;
  /** Throws the server's refusal. */
  onProof(proof: { password: string; code: string }): Promise<void>;
}

/** Asks for password and code before a change. */
function ProofForm({ email, text, action, isDangerous, onCancel, onProof }: ProofFormProps) {
  const { formProps, errors, isBusy } = useForm({
    names: ['password', 'code'],
    async submit(proof) {
      try {
        await onProof(proof);
        return undefined;
      } catch (error) {
        const message = messageOf(error);
        return message === messages.wrongCurrentPassword ? { password: message } : { code: message };
      }
    },
  });
  return (
    <form {...formProps} className="grid max-w-[420px] gap-4 p-5">
      <p className="text-graphite">{text}</p>
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField error={errors.password} isFirst />
      <CodeField error={errors.code} />
      <FormButtons action={action} isBusy={isBusy} onCancel={onCancel} variant={isDangerous ? 'danger' : 'primary'} />
    </form>
  );
}
