import { Section } from '../../ui/sections.tsx';
import { Account } from './Account.tsx';
import { useOwnAccount } from './account.ts';
import { OwnData } from './OwnData.tsx';

export function AccountTab() {
  const { user, session } = useOwnAccount();
  return (
    <>
      <Section title="Account" text="The address you log in with, and your name here.">
        <Account user={user} />
      </Section>
      <Section title="Your data" text="Download it, or delete it with your account.">
        <OwnData user={user} logout={session.logout} />
      </Section>
    </>
  );
}
