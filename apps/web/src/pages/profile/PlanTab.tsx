import { useAllowance, useSubscription } from '../../session.tsx';
import { TabLoading } from '../../ui/pageStates.tsx';
import { Section } from '../../ui/sections.tsx';
import { useFirstShown } from '../../ui/useFirstShown.ts';
import { useOwnAccount } from './account.ts';
import { SubscriptionCard } from './SubscriptionCard.tsx';
import { UsageCard, useUsage } from './UsageCard.tsx';

export function PlanTab() {
  const { session } = useOwnAccount();
  const subscription = useSubscription(session);
  const usage = useUsage();
  useAllowance(session); // stores the renewed token of the reply
  // Shown together: one card that came later would push the other down.
  if (!useFirstShown(subscription.isPending || usage.isPending)) return <TabLoading />;
  return (
    <>
      <Section title="Subscription" text="Your plan, and when it renews or ends.">
        <SubscriptionCard query={subscription} />
      </Section>
      <Section title="Usage this month" text="Exporting the same design again costs nothing.">
        <UsageCard query={usage} />
      </Section>
    </>
  );
}
