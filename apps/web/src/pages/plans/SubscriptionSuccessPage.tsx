import type { billing, CallReply } from '@markwright/contract/schemas';
import { messages } from '@markwright/contract/words';
import { Button, Spinner } from '@markwright/controls';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../../api.ts';
import { useSearchParams } from '../../navigation.tsx';
import { messageOf } from '../../request.ts';
import { refreshAccount, useSession } from '../../session.tsx';
import { formatAccountDay } from '../../ui/dates.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { NoticeCard, NoticePlace } from '../../ui/NoticeCard.tsx';
import { Page } from '../../ui/Page.tsx';
import { usePageHead } from '../../ui/pageHead.ts';
import { isUnreachable, Unreachable } from '../../ui/Unreachable.tsx';
import { Figures } from './Figures.tsx';

export function SubscriptionSuccessPage() {
  usePageHead({ title: 'Your subscription | Markwright' });
  const session = useSession();
  const queryClient = useQueryClient();
  const search = useSearchParams();
  const sessionId = search.session_id === undefined ? '' : String(search.session_id);
  const isSignedIn = session.status === 'user';
  const verification = useQuery({
    queryKey: ['verified', sessionId],
    queryFn: () => api.billing.verifySubscription({ body: { sessionId } }),
    enabled: isSignedIn && sessionId !== '',
  });
  const { isSuccess } = verification;
  useEffect(() => {
    if (isSuccess) refreshAccount(queryClient);
  }, [isSuccess, queryClient]);

  if (sessionId !== '' && isUnreachable(session)) {
    return (
      <Page session={session} links={null}>
        <Unreachable />
      </Page>
    );
  }
  return (
    <Page session={session} links={null}>
      <NoticePlace>
        {sessionId === '' ? (
          <Failure
            problem={messages.noSessionId}
            detail="This address names no payment. If you have paid, your profile shows the plan."
          />
        ) : session.status === 'guest' ? (
          <Failure
            problem={messages.verifyFailed}
            detail="You are not signed in. Sign in to the account that paid."
            signIn={`/subscription-success?session_id=${encodeURIComponent(sessionId)}`}
          />
        ) : verification.isError ? (
          <Failure
            problem={messages.verifyFailed}
            detail={detailOf(verification.error)}
            isBusy={verification.isFetching}
            onRetry={() => void verification.refetch()}
          />
        ) : verification.data ? (
          <Welcome {...verification.data} />
        ) : (
          <Verifying />
        )}
      </NoticePlace>
    </Page>
  );
}

/** Returns the server's message where it says more than the text of the card. */
function detailOf(error: unknown): string {
  const sentence = messageOf(error, '');
  const isPayment = sentence === messages.verifyFailed || sentence === '';
  return isPayment ? 'This checkout is not paid, or it belongs to another account. Nothing was changed.' : sentence;
}

function Verifying() {
  return (
    <div role="status" className="grid justify-items-center gap-4 text-graphite">
      <Spinner className="size-8 text-accent" />
      <h1 className="font-normal font-sans text-base tracking-normal">Verifying your subscription…</h1>
    </div>
  );
}

interface FailureProps {
  readonly problem: string;
  readonly detail?: string;
  /** The page to return to after signing in. */
  readonly signIn?: string;
  readonly isBusy?: boolean;
  onRetry?(): void;
}

function Failure({ problem, detail, signIn, isBusy = false, onRetry }: FailureProps) {
  return (
    <NoticeCard
      title={messages.subscriptionError}
      icon="warning"
      tone="bad"
      actions={
        <>
          <ButtonLink to="/plans">Return to Plans</ButtonLink>
          {signIn && (
            <ButtonLink to="/auth" search={{ next: signIn }} variant="secondary">
              Sign In
            </ButtonLink>
          )}
          {onRetry && (
            <Button size="lg" isBusy={isBusy} onClick={onRetry}>
              Try again
            </Button>
          )}
        </>
      }
    >
      <div role="alert">
        <p className="mt-3">{problem}</p>
        {detail && <p className="mt-1 text-graphite">{detail}</p>}
      </div>
    </NoticeCard>
  );
}

function Welcome({ planName, limits, nextResetDate }: CallReply<typeof billing.verifySubscription>) {
  return (
    <NoticeCard
      title={`Welcome to ${planName}`}
      icon="check"
      tone="good"
      actions={
        <>
          <ButtonLink to="/studio">Open the studio</ButtonLink>
          <ButtonLink to="/profile/plan" variant="secondary">
            View your profile
          </ButtonLink>
        </>
      }
    >
      <p role="status" className="mt-1 text-graphite">
        Your subscription is active, and so is everything below.
      </p>
      <Figures
        className="mt-5 border-line border-y"
        rows={[
          ['Plan', planName],
          ['Production exports a month', limits.vectors],
          ['Image mockups a month', limits.mockups],
          ['Background removals', 'Unlimited'],
          ['Credits reset on', formatAccountDay(nextResetDate)],
        ]}
      />
    </NoticeCard>
  );
}
