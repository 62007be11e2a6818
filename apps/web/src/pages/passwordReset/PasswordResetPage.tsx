/** Password reset: the request for a mail with a link, then the form that sets a new password with its token. */
import { siteCalls } from '@markwright/contract/paths/siteCalls';
import type { SiteInfo } from '@markwright/contract/schemas';
import { type Message, messages } from '@markwright/contract/words';
import { Button, Field, Icon, TextInput } from '@markwright/controls';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { api } from '../../api.ts';
import { hideMailedToken, readMailedToken, readPastedToken } from '../../mailedToken.ts';
import { Link, useNavigate } from '../../navigation.tsx';
import { messageOf } from '../../request.ts';
import { enter, useSession } from '../../session.tsx';
import { EmailInput } from '../../ui/EmailInput.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { toast } from '../../ui/notices.ts';
import { PasswordInput } from '../../ui/PasswordInput.tsx';
import { usePageHead } from '../../ui/pageHead.ts';
import { checkNewPassword, useMinPasswordLength } from '../../ui/passwords.ts';
import { SmallPage } from '../../ui/SmallPage.tsx';
import { focusField, useForm } from '../../ui/useForm.ts';

const REDIRECT_AFTER_MS = 1000;

type Step = { name: 'request' | 'reset' } | { name: 'sent'; email: string; text: string } | Done;
type Done = { name: 'done'; to: '/' | '/auth' };

export function PasswordResetPage() {
  usePageHead({ title: 'Reset your password | Markwright' });
  const session = useSession();
  const [mailedToken] = useState(() => readMailedToken(location));
  const [step, setStep] = useState<Step>({ name: mailedToken ? 'reset' : 'request' });
  useLayoutEffect(hideMailedToken, []);
  const toRequest = () => setStep({ name: 'request' });
  switch (step.name) {
    case 'request':
      return (
        <SmallPage
          session={session}
          title="Forgot your password?"
          text="Tell us your address, and we send you a link that sets a new one."
        >
          <RequestForm onSent={(email, text) => setStep({ name: 'sent', email, text })} />
          <OtherSteps>
            <LinkButton onClick={() => setStep({ name: 'reset' })}>I have a token</LinkButton>
            <BackToLogin />
          </OtherSteps>
        </SmallPage>
      );
    case 'sent':
      return (
        <SmallPage session={session} title="Check your mailbox" text={step.text}>
          <SentTo email={step.email} />
          <OtherSteps>
            <LinkButton onClick={toRequest}>Use another address</LinkButton>
            <LinkButton onClick={() => setStep({ name: 'reset' })}>I have a token</LinkButton>
            <BackToLogin />
          </OtherSteps>
        </SmallPage>
      );
    case 'reset':
      return (
        <SmallPage session={session} title="Set a new password" text="It signs you out everywhere else.">
          <ResetForm mailedToken={mailedToken} onDone={(to) => setStep({ name: 'done', to })} />
          <OtherSteps>
            <LinkButton onClick={toRequest}>Ask for a new link</LinkButton>
            <BackToLogin />
          </OtherSteps>
        </SmallPage>
      );
    case 'done':
      return (
        <SmallPage
          session={session}
          title={messages.passwordResetDone}
          text="From now on, log in with your new password."
        >
          <NextPageLink to={step.to} />
        </SmallPage>
      );
  }
}

function RequestForm({ onSent }: { onSent(email: string, text: string): void }) {
  const { formProps, errors, isBusy } = useForm({
    names: ['email'],
    async submit(values) {
      const email = values.email.trim();
      if (!email) return { email: refuse(messages.emailRequired) };
      try {
        const { message } = await api.auth.forgotPassword({ body: { email } });
        toast({ title: messages.resetEmailSent.title, description: message });
        onSent(email, message);
        return undefined;
      } catch (failure) {
        return { email: refuse({ title: messages.requestFailed, description: messageOf(failure) }) };
      }
    },
  });

  return (
    <form {...formProps} className="mt-5 grid gap-4">
      <Field label="Email" error={errors.email}>
        {(control) => <EmailInput {...control} inputMode="email" className="h-11" />}
      </Field>
      <Button type="submit" variant="primary" size="lg" isBusy={isBusy} className="w-full">
        {isBusy ? 'Sending…' : 'Send the link'}
      </Button>
    </form>
  );
}

/** Shows the address of the request. Says the same for an address with an account and for one without. */
function SentTo({ email }: { email: string }) {
  const site = useQuery<SiteInfo>({ queryKey: [siteCalls.site.info.path] });
  const heading = useRef<HTMLParagraphElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <p
        ref={heading}
        tabIndex={-1}
        className="mt-5 rounded-control border border-line bg-bone px-3 py-2 outline-none [overflow-wrap:anywhere]"
      >
        {email}
      </p>
      {site.data?.mail === 'outbox' && (
        <p className="mt-3 text-graphite text-sm">
          This site sends no mail yet. Its operator finds the link in the outbox of the Admin Portal.
        </p>
      )}
    </>
  );
}

interface ResetProps {
  readonly mailedToken: string | undefined;
  onDone(to: Done['to']): void;
}

function ResetForm({ mailedToken, onDone }: ResetProps) {
  const client = useQueryClient();
  const minLength = useMinPasswordLength();
  const { formProps, errors, isBusy } = useForm({
    names: ['token', 'password', 'confirmation'],
    async submit({ token: tokenText, password, confirmation }, form) {
      const token = mailedToken ?? readPastedToken(tokenText);
      const problem = checkNewPassword(password, confirmation, minLength);
      if (problem) return { [problem.field]: refuse(problem.reason) };
      if (!token) return { token: refuse(messages.invalidResetLink) };
      try {
        const reply = await api.auth.resetPassword({ body: { token, password } });
        // The server has ended every session, also that of this browser.
        enter(client, reply.token ?? null);
        toast({
          title: messages.passwordResetDone,
          description: reply.token ? 'You are logged in.' : 'Log in with the new one.',
        });
        onDone(reply.token ? '/' : '/auth');
        return undefined;
      } catch (failure) {
        focusField(form, 'password');
        return { form: refuse({ title: messages.resetFailed, description: messageOf(failure) }) };
      }
    },
  });

  return (
    <form {...formProps} className="mt-5 grid gap-4">
      {errors.form && (
        <p role="alert" className="flex gap-2.5 rounded-control border border-danger p-3 text-danger">
          <Icon name="warning" className="mt-px size-[18px]" />
          {errors.form}
        </p>
      )}
      {mailedToken === undefined && (
        <Field label="Token" hint="The link from the mail, or what stands behind “token=” in it." error={errors.token}>
          {(control) => (
            <TextInput
              {...control}
              name="token"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              className="h-11 font-mono text-sm"
            />
          )}
        </Field>
      )}
      <Field label="New password" hint={`At least ${minLength} characters.`} error={errors.password}>
        {(control) => (
          <PasswordInput {...control} name="password" autoComplete="new-password" showLabel="Show new password" />
        )}
      </Field>
      <Field label="New password again" error={errors.confirmation}>
        {(control) => (
          <PasswordInput
            {...control}
            name="confirmation"
            autoComplete="new-password"
            showLabel="Show new password again"
          />
        )}
      </Field>
      <Button type="submit" variant="primary" size="lg" isBusy={isBusy} className="w-full">
        {isBusy ? 'Saving…' : 'Set the new password'}
      </Button>
    </form>
  );
}

/** Shows a notice of the refusal. Returns the sentence for the field. */
function refuse(reason: Message): string {
  toast({ ...reason, variant: 'destructive' });
  return reason.description;
}

function NextPageLink({ to }: { to: Done['to'] }) {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => void navigate({ to, replace: true }), REDIRECT_AFTER_MS);
    return () => clearTimeout(timer);
  }, [to, navigate]);
  return (
    <ButtonLink to={to} className="mt-5 w-full">
      {to === '/auth' ? 'Log in' : 'Go on'} <Icon name="arrowRight" />
    </ButtonLink>
  );
}

const OtherSteps = ({ children }: { children: ReactNode }) => (
  <div className="mt-5 flex flex-wrap justify-center gap-x-5 gap-y-2">{children}</div>
);

const quietLink = 'inline-flex min-h-6 items-center text-graphite underline underline-offset-4 hover:text-ink';

const LinkButton = ({ onClick, children }: { onClick(): void; children: ReactNode }) => (
  <button type="button" onClick={onClick} className={quietLink}>
    {children}
  </button>
);

const BackToLogin = () => (
  <Link to="/auth" className={quietLink}>
    Back to login
  </Link>
);
