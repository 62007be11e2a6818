import { TabLoading } from '../../ui/pageStates.tsx';
import { Section } from '../../ui/sections.tsx';
import { useFirstShown } from '../../ui/useFirstShown.ts';
import { ApiKeys, useApiKeys } from './ApiKeys.tsx';
import { useOwnAccount } from './account.ts';
import { useSecondFactor } from './codes.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { SecondFactor } from './SecondFactor.tsx';
import { Sessions, useSessions } from './Sessions.tsx';

export function SecurityTab() {
  const { email } = useOwnAccount().user;
  const secondFactor = useSecondFactor();
  const sessions = useSessions();
  const apiKeys = useApiKeys();
  // Shown together: a card that came later would push the others down.
  if (!useFirstShown(secondFactor.isPending || sessions.isPending || apiKeys.isPending)) return <TabLoading />;
  return (
    <>
      <Section title="Second factor" text="A code from your phone, after the password.">
        <SecondFactor email={email} query={secondFactor} />
      </Section>
      <Section title="Password" text="Changing it signs out every other device.">
        <PasswordForm email={email} />
      </Section>
      <Section title="Signed in" text="The devices that use this account.">
        <Sessions query={sessions} />
      </Section>
      <Section title="API keys" text="For programs that make files or read designs in your name.">
        <ApiKeys email={email} query={apiKeys} />
      </Section>
    </>
  );
}
