import type { Subscription } from '@markwright/contract/schemas';
import { messages, plans, subscriptionRefreshed } from '@markwright/contract/words';
import { Button } from '@markwright/controls';
import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { api } from '../../api.ts';
import { messageOf, statusOf } from '../../request.ts';
import { loadMe, refreshAccount } from '../../session.tsx';
import { formatAccountDay } from '../../ui/dates.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { toast } from '../../ui/notices.ts';
import { Badge, Skeleton, Unreadable } from '../../ui/sections.tsx';

export function SubscriptionCard({ query }: { query: UseQueryResult<Subscription> }) {
  if (query.isPending) return <Skeleton lines={2} />;
  if (!query.data) {
    return <Unreadable what="Your plan could not be read." error={query.error} onRetry={() => void query.refetch()} />;
  }
  return <Card subscription={query.data} />;
}

const statuses: Record<Subscription['status'], { tone: ComponentProps<typeof Badge>['tone']; name: string }> = {
  active: { tone: 'good', name: 'Active' },
  past_due: { tone: 'bad', name: 'Payment due' },
  inactive: { tone: 'quiet', name: 'Inactive' },
};

function Card({ subscription }: { subscription: Subscription }) {
  const plan = plans[subscription.plan];
  const status = statuses[subscription.status];
  const isFree = plan.id === 'free';
  return (
    <div className="p-5">
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={isFree ? 'quiet' : 'accent'}>{plan.name}</Badge>
        <Badge tone={status.tone}>{status.name}</Badge>
      </div>
      <p className="mt-3">{plan.description}</p>
      <p className="text-graphite">{renewalWords(subscription)}</p>
      <div className="mt-5 flex flex-wrap gap-2">
        <ButtonLink to="/plans" variant={isFree ? 'primary' : 'secondary'}>
          {isFree ? 'See the plans' : 'Manage Subscription'}
        </ButtonLink>
        {subscription.isManaged && <PortalButton />}
        <SyncButton />
      </div>
    </div>
  );
}

/** Returns a sentence about the renewal or the end of the subscription. */
function renewalWords({ plan, status, periodEnd, isCancelled }: Subscription): string {
  const day = periodEnd && formatAccountDay(periodEnd);
  if (status === 'past_due') {
    return 'Your last payment did not go through. Your plan goes on for some days while we try the card again.';
  }
  if (day && isCancelled) return `Canceled. Ends on ${day}.`;
  if (day) return `Renews on ${day}.`;
  return plan === 'free' ? 'Free of charge, with no end date.' : 'It has no end date.';
}

function PortalButton() {
  const [isBusy, setBusy] = useState(false);
  async function open() {
    setBusy(true);
    try {
      window.location.assign((await api.billing.portal()).url);
    } catch (error) {
      setBusy(false);
      toast({ title: messages.requestFailed, description: messageOf(error), variant: 'destructive' });
    }
  }
  return (
    <Button size="lg" isBusy={isBusy} onClick={() => void open()}>
      Card and invoices
    </Button>
  );
}

function SyncButton() {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  async function sync() {
    setBusy(true);
    try {
      const { success, plan } = await api.billing.refreshSubscription();
      toast(
        success
          ? subscriptionRefreshed(plans[plan].name)
          : { ...messages.noActiveSubscription, variant: 'destructive' as const },
      );
      refreshAccount(client);
    } catch (error) {
      toast({ ...messages.refreshFailed, variant: 'destructive' });
      if (statusOf(error) === 401) await loadMe(client);
    }
    setBusy(false);
  }
  return (
    <Button size="lg" variant="ghost" icon="refresh" isBusy={isBusy} onClick={() => void sync()}>
      Sync Credits
    </Button>
  );
}
