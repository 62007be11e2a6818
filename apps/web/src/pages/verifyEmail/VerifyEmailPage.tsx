/** The page that the verification mail links to. */
import { messages } from '@markwright/contract/words';
import { Button, Icon } from '@markwright/controls';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { api } from '../../api.ts';
import { hideMailedToken, readMailedToken } from '../../mailedToken.ts';
import { messageOf, statusOf } from '../../request.ts';
import { loadMe, useSession } from '../../session.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { toast } from '../../ui/notices.ts';
import { usePageHead } from '../../ui/pageHead.ts';
import { PleaseWait, SmallPage } from '../../ui/SmallPage.tsx';

type Outcome =
  | { name: 'verifying' }
  | { name: 'done'; email: string }
  /** `outdated`: the link is used, too old or cut off, so only a new one helps. `failed`: another try may help. */
  | { name: 'outdated' | 'failed'; text: string };

export function VerifyEmailPage() {
  usePageHead({ title: 'Confirm your address | Markwright' });
  const session = useSession();
  const client = useQueryClient();
  const [token] = useState(() => readMailedToken(location));
  useLayoutEffect(hideMailedToken, []);
  const [outcome, setOutcome] = useState<Outcome>({ name: 'verifying' });

  const verify = useCallback(async () => {
    setOutcome(
      token
        ? { name: 'verifying' }
        : { name: 'outdated', text: 'The link is not whole. Please use it as it stands in the mail.' },
    );
    if (!token) return;
    try {
      const { email } = await api.auth.verifyEmail({ body: { token } });
      setOutcome({ name: 'done', email });
      await loadMe(client);
    } catch (error) {
      const isRefused = statusOf(error) === 400;
      setOutcome({
        name: isRefused ? 'outdated' : 'failed',
        text: messageOf(error, isRefused ? messages.outdatedVerifyLink : undefined),
      });
    }
  }, [token, client]);
  const hasStarted = useRef(false);
  useEffect(() => {
    if (hasStarted.current) return; // a link works only once
    hasStarted.current = true;
    void verify();
  }, [verify]);

  switch (outcome.name) {
    case 'verifying':
      return (
        <SmallPage session={session} title="Confirming your address">
          <PleaseWait />
        </SmallPage>
      );
    case 'done':
      return (
        <SmallPage
          session={session}
          title="Your address is confirmed"
          text={
            <>
              <strong className="font-medium text-ink">{outcome.email}</strong> is yours, and so is everything made with
              it.
            </>
          }
        >
          <ButtonLink to="/studio" className="mt-6 w-full">
            Go to the studio <Icon name="arrowRight" />
          </ButtonLink>
        </SmallPage>
      );
    case 'outdated':
      return (
        <SmallPage session={session} title="This link is no longer valid" text={outcome.text}>
          {session.user?.emailVerified ? (
            <p className="mt-4">Your address is confirmed already: there is nothing left to do.</p>
          ) : session.user ? (
            <SendAgain />
          ) : (
            session.status === 'guest' && (
              <ButtonLink to="/auth" search={{ next: '/profile' }} className="mt-6 w-full">
                Log in for a new link
              </ButtonLink>
            )
          )}
        </SmallPage>
      );
    case 'failed':
      return (
        <SmallPage session={session} title="That did not work" text={outcome.text}>
          <Button variant="primary" size="lg" className="mt-6 w-full" onClick={() => void verify()}>
            Try again
          </Button>
        </SmallPage>
      );
  }
}

function SendAgain() {
  const [outcome, setOutcome] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  if (outcome) {
    return (
      <p role="status" className="mt-4 [overflow-wrap:anywhere]">
        {outcome}
      </p>
    );
  }
  async function send() {
    setBusy(true);
    try {
      setOutcome((await api.auth.resendVerification()).message);
    } catch (error) {
      toast({ title: messages.requestFailed, description: messageOf(error), variant: 'destructive' });
    }
    setBusy(false);
  }
  return (
    <Button variant="primary" size="lg" className="mt-6 w-full" isBusy={isBusy} onClick={() => void send()}>
      {isBusy ? 'Sending…' : 'Send a new link'}
    </Button>
  );
}
