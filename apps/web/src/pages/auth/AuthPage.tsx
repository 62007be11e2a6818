import { Credentials } from '@markwright/contract/forms';
import { siteCalls } from '@markwright/contract/paths/siteCalls';
import type { SiteInfo } from '@markwright/contract/schemas';
import { messages, shortPassword } from '@markwright/contract/words';
import { Button, Field, Icon, Tabs } from '@markwright/controls';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useSearchParams } from '../../navigation.tsx';
import { messageOf } from '../../request.ts';
import { useSession } from '../../session.tsx';
import { CodeInput } from '../../ui/CodeInput.tsx';
import { EmailInput } from '../../ui/EmailInput.tsx';
import { toast } from '../../ui/notices.ts';
import { PasswordInput } from '../../ui/PasswordInput.tsx';
import { usePageHead } from '../../ui/pageHead.ts';
import { useMinPasswordLength } from '../../ui/passwords.ts';
import { SmallPage } from '../../ui/SmallPage.tsx';
import { errorsOf, useForm } from '../../ui/useForm.ts';
import { readNext } from './next.ts';

const kinds = {
  login: {
    tab: 'Login',
    submit: 'Log in',
    busy: 'Logging in…',
    successMessage: messages.welcomeBack,
    failedTitle: 'Login failed',
    failureMessage: messages.invalidCredentials,
    autoComplete: 'current-password',
  },
  signup: {
    tab: 'Sign Up',
    submit: 'Create account',
    busy: 'Creating your account…',
    successMessage: messages.accountCreated,
    failedTitle: 'Sign up failed',
    failureMessage: messages.signupFailed,
    autoComplete: 'new-password',
  },
} as const;
type Kind = keyof typeof kinds;
const kindNames: readonly Kind[] = ['login', 'signup'];

export function AuthPage() {
  usePageHead({ title: 'Login or sign up | Markwright' });
  const session = useSession();
  const search = useSearchParams();
  const [kind, setKind] = useState<Kind>(search.tab === 'signup' ? 'signup' : 'login');
  // Read only once, because the address is already the next page's while that page loads.
  const [next] = useState(() => readNext(search.next));
  const navigate = useNavigate();
  const isSignedIn = session.user !== undefined;
  useEffect(() => {
    if (isSignedIn) void navigate({ to: next, replace: true });
  }, [isSignedIn, next, navigate]);
  const [pendingToken, setPendingToken] = useState<string>();
  if (pendingToken !== undefined) {
    return (
      <SmallPage
        session={session}
        title="One more step"
        text="Type the code that your authenticator app shows, or one of your recovery codes."
      >
        <CodeForm pendingToken={pendingToken} next={next} onStartAgain={() => setPendingToken(undefined)} />
      </SmallPage>
    );
  }
  return (
    <SmallPage
      session={session}
      title={kind === 'login' ? 'Log in to Markwright' : 'Create your account'}
      text={reasonFor(next)}
    >
      <Tabs<Kind>
        label="Login or sign up"
        value={kind}
        onChange={setKind}
        className="mt-5"
        tabs={kindNames.map((value) => ({
          value,
          label: kinds[value].tab,
          content: <CredentialsForm kind={value} next={next} onPending={setPendingToken} />,
        }))}
      />
    </SmallPage>
  );
}

function reasonFor(next: string): string {
  if (next === '/studio') return 'Your design in the studio waits for you.';
  if (next.startsWith('/subscribe')) return 'Then you go on with the plan you chose.';
  return 'Exports need an account; designing does not.';
}

const loginNote = (email: string): string => `You are logged in as ${email.trim()}.`;

const fieldNames = ['email', 'password'] as const;

interface CredentialsFormProps {
  readonly kind: Kind;
  readonly next: string;
  /** Called when the password was right and a code of the second factor is to follow. */
  onPending(pendingToken: string): void;
}

function CredentialsForm({ kind, next, onPending }: CredentialsFormProps) {
  const words = kinds[kind];
  const session = useSession();
  const navigate = useNavigate();
  const site = useQuery<SiteInfo>({ queryKey: [siteCalls.site.info.path], enabled: kind === 'signup' });
  const minLength = useMinPasswordLength();
  const signupNote =
    site.data?.mail === 'smtp'
      ? 'A mail is on its way to you: its link confirms your address.'
      : 'You can export mockups from now on.';
  const summary = useRef<HTMLDivElement>(null);
  const { formProps, errors, isBusy, focus } = useForm({
    names: fieldNames,
    summary,
    check(credentials) {
      const result = Credentials.safeParse(credentials);
      if (!result.success) return errorsOf(result.error.issues);
      const isShort = kind === 'signup' && credentials.password.length < minLength;
      return isShort ? { password: shortPassword(minLength) } : {};
    },
    async submit(credentials) {
      let pendingToken: string | undefined;
      try {
        pendingToken = await session[kind](credentials);
      } catch (error) {
        const message = messageOf(error, words.failureMessage);
        toast({ title: words.failedTitle, description: message, variant: 'destructive' });
        return { form: message };
      }
      if (pendingToken !== undefined) {
        onPending(pendingToken);
        return undefined;
      }
      toast({
        title: words.successMessage,
        description: kind === 'signup' ? signupNote : loginNote(credentials.email),
      });
      await navigate({ to: next, replace: true });
      return undefined;
    },
  });
  const problems = fieldNames.filter((name) => errors[name]);
  const failure = errors.form;

  return (
    <form {...formProps} className="mt-2 grid gap-4">
      <div
        ref={summary}
        tabIndex={-1}
        className={
          problems.length > 0 || failure ? 'flex gap-2.5 rounded-control border border-danger p-3 text-danger' : ''
        }
      >
        {(problems.length > 0 || failure) && (
          <span className="pt-0.5">
            <Icon name="warning" />
          </span>
        )}
        {problems.length > 0 ? (
          <ul className="grid gap-1">
            {problems.map((name) => (
              <li key={name}>
                <button
                  type="button"
                  onClick={() => focus(name)}
                  className="min-h-6 text-left underline underline-offset-4"
                >
                  {errors[name]}
                </button>
              </li>
            ))}
          </ul>
        ) : (
          failure && <p>{failure}</p>
        )}
      </div>

      <Field label="Email" error={errors.email}>
        {(control) => <EmailInput {...control} inputMode="email" className="h-11" />}
      </Field>

      <Field
        label="Password"
        hint={kind === 'signup' ? `At least ${minLength} characters.` : undefined}
        error={errors.password}
      >
        {(control) => <PasswordInput {...control} name="password" autoComplete={words.autoComplete} />}
      </Field>

      <Button type="submit" variant="primary" size="lg" isBusy={isBusy} className="mt-1 w-full">
        {isBusy ? words.busy : words.submit}
      </Button>
      {kind === 'login' && (
        <Link
          to="/password-reset"
          className="min-h-6 justify-self-center text-graphite underline underline-offset-4 hover:text-ink"
        >
          Forgot your password?
        </Link>
      )}
    </form>
  );
}

interface CodeFormProps {
  readonly pendingToken: string;
  readonly next: string;
  onStartAgain(): void;
}

/** The second step of a sign-in. */
function CodeForm({ pendingToken, next, onStartAgain }: CodeFormProps) {
  const session = useSession();
  const navigate = useNavigate();
  const { formProps, errors, isBusy } = useForm({
    names: ['code'],
    async submit({ code }) {
      try {
        await session.completeLogin({ pendingToken, code });
      } catch (error) {
        const message = messageOf(error, messages.invalidCredentials);
        toast({ title: kinds.login.failedTitle, description: message, variant: 'destructive' });
        if (message !== messages.outdatedSignIn) return { code: message };
        onStartAgain();
        return undefined;
      }
      toast({ title: kinds.login.successMessage, description: 'The code was right.' });
      await navigate({ to: next, replace: true });
      return undefined;
    },
  });
  return (
    <form {...formProps} className="mt-5 grid gap-4">
      <Field label="Code" error={errors.code}>
        {(control) => <CodeInput {...control} autoFocus />}
      </Field>
      <Button type="submit" variant="primary" size="lg" isBusy={isBusy} className="w-full">
        {isBusy ? kinds.login.busy : kinds.login.submit}
      </Button>
      <button
        type="button"
        onClick={onStartAgain}
        className="min-h-6 justify-self-center text-graphite underline underline-offset-4 hover:text-ink"
      >
        Start again
      </button>
    </form>
  );
}
