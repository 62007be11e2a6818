import { siteCalls } from '@markwright/contract/paths/siteCalls';
import type { SiteInfo, Subscription } from '@markwright/contract/schemas';
import {
  FOUNDING_OFFER,
  grantsPlan,
  isPaidPlanId,
  messages,
  PAID_PLAN_IDS,
  type PaidPlanId,
  type Plan,
  type PlanId,
  plans,
  WAITLIST_OFFER,
} from '@markwright/contract/words';
import { Button, Field, Icon, TextInput } from '@markwright/controls';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../api.ts';
import { Link, useNavigate, useSearchParams } from '../../navigation.tsx';
import { money, type Offer, plansBetterWithCode } from '../../plans/price.ts';
import { messageOf, statusOf } from '../../request.ts';
import { loadMe, type Session, useSession, useSubscription } from '../../session.tsx';
import { barLink } from '../../ui/barLink.ts';
import { formatAccountDay } from '../../ui/dates.ts';
import { toast } from '../../ui/notices.ts';
import { Page } from '../../ui/Page.tsx';
import { usePageHead } from '../../ui/pageHead.ts';
import { type Choice, follow, startCheckout, storeChoice, takeChoice } from './checkout.ts';
import { FreePlanCard, PlanCard } from './PlanCard.tsx';

export function PlansPage() {
  usePageHead({
    title: 'Plans | Markwright',
    description:
      'Designing is free. Plans from $9 a month for production SVG files and mockups without a watermark. Founding offer: $10 off each month of the first year.',
  });
  const session = useSession();
  const subscription = useSubscription(session);
  const site = useQuery<SiteInfo>({ queryKey: [siteCalls.site.info.path] });
  const running = subscription.data && grantsPlan(subscription.data.status) ? subscription.data : undefined;
  const isLoaded = session.status === 'guest' || (session.status === 'user' && !subscription.isPending);
  const buying = useBuying(session);
  const [code, setCode] = useState('');
  const offer: Offer = running?.isManaged ? 'none' : code.trim() ? 'waitlist' : 'founding';
  const planInAddress = usePlanInAddress();
  const chosenPlanButton = useFocusOnce(planInAddress !== undefined && isLoaded);

  const current = session.user && (subscription.data?.plan ?? session.user.subscriptionPlan);
  const isRenewing = running?.status === 'active' && !running.isCancelled;
  const cardProps = (plan: Plan) => ({
    plan,
    isCurrent: current === plan.id,
    isProcessing: buying.processing === plan.id,
    isDisabled: buying.processing !== undefined || !isLoaded || (isRenewing && current === plan.id),
    action: actionOf(plan, current, running),
    buttonRef: plan.id === planInAddress ? chosenPlanButton : undefined,
  });

  return (
    <Page session={session} links={null}>
      <main className="mx-auto w-full max-w-[1280px] flex-1 px-5 pt-6 pb-20 lg:px-10 lg:pt-8">
        <Link to="/studio" className={`${barLink} -ml-3 gap-1.5`}>
          <Icon name="arrowLeft" className="size-4" /> Back to the studio
        </Link>
        <h1 className="mt-6 text-2xl sm:text-4xl">Designing is free. Pay for the files.</h1>
        {/* As high for a customer as for everybody else: the plans stay where they are when the account is known. */}
        <div className="mt-3 min-h-28 sm:min-h-12">
          {running?.isManaged ? (
            <CurrentPlan
              subscription={running}
              isDisabled={buying.processing !== undefined}
              isBusy={buying.processing === 'portal'}
              onManage={buying.manage}
            />
          ) : (
            <p className="max-w-[64ch] text-graphite text-lg">
              Founding offer: {money(FOUNDING_OFFER.centsOff)} off every month of your first year, then the listed
              price. No commitment: cancel whenever you like.
            </p>
          )}
        </div>
        {subscription.isError && <PlanUnreadable onRetry={() => void subscription.refetch()} />}

        <ul aria-label="Plans" className="mt-10 grid gap-x-4 gap-y-6 sm:grid-cols-2 lg:grid-cols-4">
          <FreePlanCard {...cardProps(plans.free)} onChoose={() => showFreeNotice(running)} />
          {PAID_PLAN_IDS.map((id) => (
            <PlanCard
              key={id}
              {...cardProps(plans[id])}
              offer={offer}
              isHighlighted={planInAddress ? planInAddress === id : plans[id].popular}
              onChoose={() => void buying.choose({ plan: id, code })}
            />
          ))}
        </ul>
        <p className="mt-4 flex flex-wrap gap-x-6 gap-y-1 text-graphite">
          <span className="font-medium text-ink">In every paid plan</span>
          {['Unlimited background removals', 'No watermark', 'Cancel at any time'].map((what) => (
            <span key={what} className="flex items-center gap-1.5">
              <Icon name="check" className="size-4 text-success" /> {what}
            </span>
          ))}
        </p>

        {!running?.isManaged && (
          <CodeField
            code={code}
            problem={buying.codeProblem}
            isDisabled={buying.processing !== undefined}
            onChange={setCode}
          />
        )}
        <Terms />
        {site.data?.payments === 'test' && (
          <p className="mt-10 border-accent border-l-2 pl-3 text-graphite text-sm">
            This site takes no real payments yet. Choosing a plan opens a test checkout, and no money moves.
          </p>
        )}
        {site.data?.payments === 'none' && (
          <p className="mt-10 border-accent border-l-2 pl-3 text-graphite text-sm">{messages.paymentsNotSetUp}</p>
        )}
      </main>
    </Page>
  );
}

/** Returns the plan in the page's address: `/subscribe?plan=pro`. */
function usePlanInAddress(): PaidPlanId | undefined {
  const search = useSearchParams();
  return isPaidPlanId(search.plan) ? search.plan : undefined;
}

/** Moves the focus to a button once, when it can be pressed. */
function useFocusOnce(isReady: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isReady) button.current?.focus();
  }, [isReady]);
  return button;
}

type Processing = PlanId | 'portal' | undefined;

/** Starts the checkout of a chosen plan, one at a time. A guest signs in first. */
function useBuying(session: Session) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [processing, setProcessing] = useState<Processing>();
  const [codeProblem, setCodeProblem] = useState<string>();

  async function openAddress(what: Processing, ask: () => Promise<string>, onFailure: (error: unknown) => void) {
    setProcessing(what);
    setCodeProblem(undefined);
    try {
      await follow(await ask(), navigate);
    } catch (error) {
      onFailure(error);
      setProcessing(undefined);
    }
  }

  async function signInFirst(choice: Choice) {
    storeChoice(choice);
    await navigate({ to: '/auth', search: { next: `/subscribe?plan=${choice.plan}`, tab: 'signup' } });
  }

  async function choose(choice: Choice): Promise<void> {
    if (session.status === 'guest') return signInFirst(choice);
    await openAddress(
      choice.plan,
      () => startCheckout(choice),
      (error) => {
        const description = messageOf(error, messages.noCheckoutUrl);
        if (choice.code.trim() && statusOf(error) === 400) setCodeProblem(description);
        if (statusOf(error) === 401) void loadMe(queryClient); // signed out elsewhere: the page is then a guest's
        toast({ title: messages.checkoutFailed, description, variant: 'destructive' });
      },
    );
  }

  // After signing in, the checkout of a guest's choice starts by itself. A plan in the address alone starts nothing.
  const latestChoose = useRef(choose);
  latestChoose.current = choose;
  useEffect(() => {
    if (session.status === 'loading') return;
    const choice = takeChoice();
    if (choice && session.status === 'user') void latestChoose.current(choice);
  }, [session.status]);

  // The browser's Back restores the page as it was left, with a button that is still busy.
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => event.persisted && setProcessing(undefined);
    addEventListener('pageshow', onShow);
    return () => removeEventListener('pageshow', onShow);
  }, []);

  const manage = () =>
    void openAddress(
      'portal',
      async () => (await api.billing.portal()).url,
      (error) =>
        toast({ title: 'Your plan cannot be managed now', description: messageOf(error), variant: 'destructive' }),
    );
  return { processing, codeProblem, choose, manage };
}

function actionOf({ id, name }: Plan, current: PlanId | undefined, running: Subscription | undefined): string {
  if (id === 'free' && id === current) return 'Stay on Free';
  if (id === 'free' || !running) return `Choose ${name}`;
  if (id !== current) return running.isManaged ? `Change to ${name}` : `Choose ${name}`;
  if (running.isCancelled) return `Keep ${name}`;
  return running.status === 'past_due' ? 'Pay again' : 'Your plan';
}

function showFreeNotice(running: Subscription | undefined): void {
  toast(
    running?.isManaged
      ? {
          title: 'Cancel to go back to Free',
          description: 'Press Manage. Your plan stays until the month you paid for is over.',
        }
      : {
          title: 'Free needs no checkout',
          description: `Open the studio and design. ${plans.free.mockups} image mockups a month are yours.`,
        },
  );
}

interface CurrentPlanProps {
  readonly subscription: Subscription;
  readonly isDisabled: boolean;
  readonly isBusy: boolean;
  onManage(): void;
}

function CurrentPlan({ subscription, isDisabled, isBusy, onManage }: CurrentPlanProps) {
  const { plan, status, periodEnd, isCancelled } = subscription;
  const day = periodEnd && formatAccountDay(periodEnd);
  const isLate = status === 'past_due';
  return (
    <div
      className={`flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-l-2 py-1 pl-4 ${isLate ? 'border-danger' : 'border-accent'}`}
    >
      <p>
        You are on <strong className="font-semibold">{plans[plan].name}</strong>.{' '}
        <span className={isLate ? 'text-danger' : 'text-graphite'}>
          {isLate && 'The last payment failed; it is tried again for some days. '}
          {day && (isCancelled ? `It ends on ${day}.` : !isLate && `It renews on ${day}.`)}
        </span>
      </p>
      <Button size="lg" isBusy={isBusy} disabled={isDisabled} onClick={onManage}>
        Manage
      </Button>
    </div>
  );
}

function PlanUnreadable({ onRetry }: { onRetry(): void }) {
  return (
    <div role="alert" className="mt-8 flex flex-wrap items-center gap-x-4 gap-y-2 border-danger border-l-2 py-1 pl-4">
      <p>Your plan could not be read just now.</p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}

interface CodeFieldProps {
  readonly code: string;
  readonly problem: string | undefined;
  readonly isDisabled: boolean;
  onChange(code: string): void;
}

function CodeField({ code, problem, isDisabled, onChange }: CodeFieldProps) {
  const better = plansBetterWithCode().map(({ name }) => name);
  return (
    <div className="mt-8 grid gap-x-8 gap-y-3 sm:grid-cols-[240px_minmax(0,1fr)] sm:items-start">
      <Field label="Waitlist code" error={problem}>
        {(control) => (
          <TextInput
            {...control}
            value={code}
            disabled={isDisabled}
            onChange={(event) => onChange(event.target.value)}
            maxLength={40}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            className="h-10 font-mono"
          />
        )}
      </Field>
      <p className="max-w-[60ch] text-graphite text-sm sm:pt-6">
        A code takes {WAITLIST_OFFER.percentOff}% off the first {WAITLIST_OFFER.months} months, in place of the founding
        offer.
        {better.length > 0 && ` It saves more on ${better.join(' and ')}; on every other plan the founding offer does.`}
      </p>
    </div>
  );
}

const terms = [
  [
    'What counts',
    'One file of one design. The same file again in the same month costs nothing. Mockups of text alone are free; production files always count.',
  ],
  [
    'When the month starts',
    'On the day of the month you subscribed. What is left does not carry over. A file that fails does not count.',
  ],
  [
    'Changing and ending',
    'A larger plan starts at once, a smaller one when the paid month is over. A canceled plan stays until then.',
  ],
] as const;

function Terms() {
  return (
    <dl className="mt-14 grid gap-x-10 gap-y-6 border-line border-t pt-8 sm:grid-cols-3">
      {terms.map(([name, text]) => (
        <div key={name}>
          <dt className="font-semibold">{name}</dt>
          <dd className="mt-1 text-graphite text-sm">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
