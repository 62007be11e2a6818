import { Section } from '../../ui/sections.tsx';
import { useOwnAccount } from './account.ts';
import { SubscriptionCard } from './SubscriptionCard.tsx';
import { UsageCard } from './UsageCard.tsx';

export function PlanTab() {
  const { session } = useOwnAccount();
  return (
    <>
      <Section title="Subscription" text="Your plan, and when it renews or ends.">
        <SubscriptionCard session={session} />
      </Section>
      <Section title="Usage this month" text="Exporting the same design again costs nothing.">
        <UsageCard session={session} />
      </Section>
    </>
  );
}
