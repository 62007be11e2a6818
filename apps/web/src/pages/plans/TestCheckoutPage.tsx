/** Stands in for the payment provider's checkout and portal while no provider is set up. */
import { siteCalls } from '@markwright/contract/paths/siteCalls';
import type { Subscription, TestCheckout, TestOutcome } from '@markwright/contract/schemas';
import { grantsPlan, plans } from '@markwright/contract/words';
import { Button } from '@markwright/controls';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { api } from '../../api.ts';
import { Link, useNavigate, useSearchParams } from '../../navigation.tsx';
import { money } from '../../plans/price.ts';
import { messageOf, statusOf } from '../../request.ts';
import { refreshAccount, type Session, useSession, useSubscription } from '../../session.tsx';
import { formatAccountDay } from '../../ui/dates.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { NoticeCard, NoticePlace } from '../../ui/NoticeCard.tsx';
import { toast } from '../../ui/notices.ts';
import { Page } from '../../ui/Page.tsx';
import { usePageHead } from '../../ui/pageHead.ts';
import { follow } from './checkout.ts';
import { Figures } from './Figures.tsx';

export function TestCheckoutPage() {
  usePageHead({ title: 'Test checkout | Markwright' });
  const session = useSession();
  const search = useSearchParams();
  const id = search.session === undefined ? undefined : String(search.session);
  const here = id === undefined ? '/test-checkout' : `/test-checkout?session=${encodeURIComponent(id)}`;
  return (
    <Page session={session} links={null}>
      <section aria-label="What this page is" className="bg-ink px-4 py-2 text-center text-bone text-sm">
        <p>
          <strong className="font-semibold">Test checkout.</strong> No card, and no money moves.
        </p>
      </section>
      <NoticePlace>
        {session.status === 'guest' ? (
          <NoticeCard
            title="Sign in to go on"
            actions={
              <ButtonLink to="/auth" search={{ next: here }}>
                Sign In
              </ButtonLink>
            }
          >
            <p className="mt-2 text-graphite">A checkout belongs to the account that opened it.</p>
          </NoticeCard>
        ) : session.status === 'loading' ? (
          <Waiting />
        ) : id === undefined ? (
          <Portal session={session} />
        ) : (
          <Checkout key={id} id={id} wasDeclined={search.declined !== undefined} />
        )}
      </NoticePlace>
    </Page>
  );
}

function Waiting() {
  return (
    <div role="status" className="w-full max-w-[440px] animate-pulse rounded-control bg-paper p-8">
      <span className="sr-only">Loading</span>
      <div className="h-6 w-2/3 rounded-control bg-ink/6" />
      <div className="mt-6 h-40 rounded-control bg-ink/6" />
      <div className="mt-6 h-10 rounded-control bg-ink/6" />
    </div>
  );
}

const plansLink = <ButtonLink to="/plans">See the plans</ButtonLink>;

function Checkout({ id, wasDeclined }: { id: string; wasDeclined: boolean }) {
  const checkout = useQuery<TestCheckout>({
    queryKey: [siteCalls.billing.testCheckout.path.replace(':id', encodeURIComponent(id))],
    // Another tab may have ended the checkout.
    staleTime: 0,
  });
  if (checkout.isPending) return <Waiting />;
  if (checkout.isError) {
    const isUnknown = statusOf(checkout.error) === 404;
    return (
      <NoticeCard
        title={isUnknown ? 'There is no such checkout' : 'The checkout did not load'}
        icon="warning"
        tone="bad"
        actions={
          <>
            {isUnknown ? null : (
              <Button variant="primary" size="lg" isBusy={checkout.isFetching} onClick={() => void checkout.refetch()}>
                Try again
              </Button>
            )}
            <ButtonLink to="/plans" variant={isUnknown ? 'primary' : 'secondary'}>
              See the plans
            </ButtonLink>
          </>
        }
      >
        <p role="alert" className="mt-2 text-graphite">
          {messageOf(checkout.error)}
        </p>
      </NoticeCard>
    );
  }
  if (checkout.data.state === 'cancelled') {
    return (
      <NoticeCard title="This checkout is over" actions={plansLink}>
        <p className="mt-2 text-graphite">It was canceled, or a newer one took its place. Nothing was charged.</p>
      </NoticeCard>
    );
  }
  return <OpenCheckout checkout={checkout.data} wasDeclined={wasDeclined} />;
}

function OpenCheckout({ checkout, wasDeclined }: { checkout: TestCheckout; wasDeclined: boolean }) {
  const { id, email, state, isChange, priceCents, discountCents, discountMonths } = checkout;
  const plan = plans[checkout.plan];
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const ending = useMutation({
    mutationFn: async (outcome: TestOutcome) => {
      const { url } = await api.billing.endTestCheckout({ params: { id }, body: { outcome } });
      if (outcome !== 'decline') refreshAccount(queryClient);
      await follow(url, navigate);
    },
    onError: (error) =>
      toast({ title: 'The checkout could not go on', description: messageOf(error), variant: 'destructive' }),
  });
  const pendingChoice = ending.isPending ? ending.variables : undefined;
  const due = money(priceCents - discountCents);
  const isPaid = state === 'paid';

  // Moves the focus after every decline, so that screen readers read the notice again.
  const declineNotice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (wasDeclined && !ending.isPending) declineNotice.current?.focus();
  }, [wasDeclined, ending.isPending]);

  return (
    <NoticeCard title={isChange ? `Change to ${plan.name}` : `Subscribe to ${plan.name}`}>
      <p className="mt-1 text-graphite [overflow-wrap:anywhere]">{email}</p>
      {wasDeclined && !isPaid && (
        <div
          ref={declineNotice}
          tabIndex={-1}
          role="alert"
          className="mt-5 rounded-control border border-danger p-3 text-danger"
        >
          The card was declined and nothing was charged. Try again, or choose another way.
        </div>
      )}
      <Figures
        className="mt-5 border-line border-t"
        rows={[
          [`${plan.name}, one month`, money(priceCents)],
          ...(discountCents > 0
            ? [[`Discount, the first ${discountMonths} months`, `−${money(discountCents)}`] as const]
            : []),
          ['Production exports a month', plan.vectors],
          ['Image mockups a month', plan.mockups],
        ]}
      />
      <div className="flex items-baseline justify-between border-ink border-t pt-3">
        <span className="font-semibold">{isChange ? 'A month' : 'Due today'}</span>
        <span className="font-semibold text-2xl tabular-nums tracking-tight">{due}</span>
      </div>
      <p className="mt-1 text-graphite text-sm">
        {isChange
          ? 'A larger plan begins at once, a smaller one when the paid month is over.'
          : discountCents > 0
            ? `${due} a month for ${discountMonths} months, then ${money(priceCents)}. Cancel whenever you like.`
            : `${money(priceCents)} every month until you cancel.`}
      </p>
      <div className="mt-6 grid gap-2">
        <Button
          variant="primary"
          size="lg"
          isBusy={pendingChoice === 'success'}
          disabled={ending.isPending}
          onClick={() => ending.mutate('success')}
        >
          {isPaid ? 'Paid: go on' : isChange ? 'Confirm the change' : `Pay ${due}`}
        </Button>
        {!isPaid && (
          <>
            <Button
              size="lg"
              isBusy={pendingChoice === 'decline'}
              disabled={ending.isPending}
              onClick={() => ending.mutate('decline')}
            >
              Let the card be declined
            </Button>
            <Button
              variant="ghost"
              size="lg"
              isBusy={pendingChoice === 'cancel'}
              disabled={ending.isPending}
              onClick={() => ending.mutate('cancel')}
            >
              Cancel and go back
            </Button>
          </>
        )}
      </div>
    </NoticeCard>
  );
}

type Change = 'cancel' | 'resume' | 'failPayment' | 'payAgain' | 'end';

const changes: Record<Change, { name: string; note: string }> = {
  cancel: { name: 'Cancel the plan', note: 'It stays until the paid month is over.' },
  resume: { name: 'Resume the plan', note: 'It goes on after the paid month.' },
  failPayment: { name: 'Let a payment fail', note: 'As when a card has run out.' },
  payAgain: { name: 'Pay again', note: 'As when the card works once more.' },
  end: { name: 'End it now', note: 'As when every attempt to charge the card has failed.' },
};

/** Returns the actions that the subscription's state allows. */
const changesOf = ({ status, isCancelled }: Subscription): readonly Change[] => [
  isCancelled ? 'resume' : 'cancel',
  status === 'past_due' ? 'payAgain' : 'failPayment',
  'end',
];

function Portal({ session }: { session: Session }) {
  const subscription = useSubscription(session);
  const queryClient = useQueryClient();
  const mutation = useMutation({
    mutationFn: (change: Change) => api.billing.changeTestSubscription({ body: { change } }),
    onSuccess: (after) => {
      queryClient.setQueryData([siteCalls.billing.subscription.path], after);
      refreshAccount(queryClient);
    },
    onError: (error) =>
      toast({ title: 'The subscription could not be changed', description: messageOf(error), variant: 'destructive' }),
  });
  if (subscription.isPending) return <Waiting />;
  if (subscription.isError) {
    return (
      <NoticeCard
        title="Your subscription did not load"
        icon="warning"
        tone="bad"
        actions={
          <Button
            variant="primary"
            size="lg"
            isBusy={subscription.isFetching}
            onClick={() => void subscription.refetch()}
          >
            Try again
          </Button>
        }
      >
        <p role="alert" className="mt-2 text-graphite">
          {messageOf(subscription.error)}
        </p>
      </NoticeCard>
    );
  }
  const { plan, status, periodEnd, isCancelled, isManaged } = subscription.data;
  if (!isManaged || !grantsPlan(status)) {
    return (
      <NoticeCard title="No subscription runs" actions={plansLink}>
        <p className="mt-2 text-graphite">Choose a plan, and it can be changed and canceled here.</p>
      </NoticeCard>
    );
  }
  return (
    <NoticeCard title={`Your ${plans[plan].name} subscription`}>
      <Figures
        className="mt-4 border-line border-y"
        rows={[
          ['Status', <Standing key="status" subscription={subscription.data} />],
          [isCancelled ? 'Ends on' : 'Renews on', periodEnd ? formatAccountDay(periodEnd) : '—'],
          ['Listed price a month', money(plans[plan].priceCents)],
        ]}
      />
      <ul className="divide-y divide-line">
        <Line note="A larger or a smaller one.">
          <ButtonLink to="/plans" className="w-full sm:w-44">
            Change the plan
          </ButtonLink>
        </Line>
        {changesOf(subscription.data).map((change) => (
          <Line key={change} note={changes[change].note}>
            <Button
              size="lg"
              variant={change === 'end' ? 'danger' : 'secondary'}
              isBusy={mutation.isPending && mutation.variables === change}
              disabled={mutation.isPending}
              onClick={() => mutation.mutate(change)}
              className="w-full sm:w-44"
            >
              {changes[change].name}
            </Button>
          </Line>
        ))}
      </ul>
      <Link to="/profile/plan" className="mt-5 inline-flex min-h-6 items-center underline underline-offset-4">
        Back to your profile
      </Link>
    </NoticeCard>
  );
}

function Standing({ subscription: { status, isCancelled } }: { subscription: Subscription }) {
  if (status === 'past_due') return <span className="text-danger">Payment failed</span>;
  return isCancelled ? <span>Canceled</span> : <span className="text-success">Active</span>;
}

function Line({ note, children }: { note: string; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <span className="min-w-0 flex-1 basis-full sm:basis-32 text-graphite text-sm">{note}</span>
      {children}
    </li>
  );
}
