import type { User } from '@markwright/contract/schemas';
import { messages } from '@markwright/contract/words';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { loadMe, type Session, useSession } from '../../session.tsx';
import { AccessDenied } from '../../ui/AccessDenied.tsx';
import { ButtonLink, HomeLink } from '../../ui/links.tsx';
import { Page } from '../../ui/Page.tsx';
import { usePageHead } from '../../ui/pageHead.ts';
import { Section, Skeleton } from '../../ui/sections.tsx';
import { isUnreachable, Unreachable } from '../../ui/Unreachable.tsx';
import { Account } from './Account.tsx';
import { OwnData } from './OwnData.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { SecondFactor } from './SecondFactor.tsx';
import { Sessions } from './Sessions.tsx';
import { SubscriptionCard } from './SubscriptionCard.tsx';
import { UsageCard } from './UsageCard.tsx';

/** Loaded after the rest: its forms are much of the page, and few of the visitors are shops. */
const ProductManagement = lazy(() =>
  import('./company/ProductManagement.tsx').then((part) => ({ default: part.ProductManagement })),
);
const LocalMaker = lazy(() => import('./maker/LocalMaker.tsx').then((part) => ({ default: part.LocalMaker })));

export function ProfilePage() {
  usePageHead({ title: 'Profile | Markwright' });
  const session = useSession();
  useFreshAccount(session);
  return (
    <Page session={session}>
      <Content session={session} />
    </Page>
  );
}

/**
 * Reads the account again when the tab is shown. Its address may have been confirmed elsewhere, or its session ended.
 */
function useFreshAccount({ user }: Session): void {
  const client = useQueryClient();
  const wasLoaded = useRef(user !== undefined); // otherwise the account is being read already
  useEffect(() => {
    const onVisible = () => {
      if (document.visibilityState === 'visible') void loadMe(client);
    };
    if (wasLoaded.current) onVisible();
    document.addEventListener('visibilitychange', onVisible);
    return () => document.removeEventListener('visibilitychange', onVisible);
  }, [client]);
}

function Content({ session }: { session: Session }) {
  if (session.status === 'loading') return <Frame isBusy />;
  if (isUnreachable(session)) return <Unreachable />;
  if (!session.user) {
    const { title, description } = messages.profileAccessDenied;
    return (
      <AccessDenied
        title={`${title}, ${description}`}
        text="Your plan, your usage and your data are behind your login."
      >
        <ButtonLink to="/auth" search={{ next: '/profile' }}>
          Log in
        </ButtonLink>
        <HomeLink />
      </AccessDenied>
    );
  }
  // The key makes another account another page, so that no text typed for one stays for the other.
  return <Frame key={session.user.id} user={session.user} session={session} />;
}

type FrameProps = { isBusy: true; user?: never; session?: never } | { isBusy?: never; user: User; session: Session };

function Frame({ user, session }: FrameProps) {
  return (
    <main className="mx-auto w-full max-w-[1040px] flex-1 px-5 py-10 lg:px-10 lg:py-14">
      <h1 className="text-2xl">Profile</h1>
      <div className="mt-6 grid">
        <Section title="Account" text="Your address and your name here.">
          {user ? <Account user={user} /> : <Skeleton lines={3} />}
        </Section>
        <Section title="Subscription" text="What you are on, and until when.">
          {user ? <SubscriptionCard session={session} /> : <Skeleton lines={2} />}
        </Section>
        <Section title="Usage this month" text="The same thing exported again costs nothing.">
          {user ? <UsageCard session={session} /> : <Skeleton lines={2} />}
        </Section>
        {user && (
          <>
            <Section title="Product management" text="What your studio shows, and how your shop sells.">
              <Suspense fallback={<Skeleton lines={5} />}>
                <ProductManagement />
              </Suspense>
            </Section>
            <Section id="local-maker" title="Local maker" text="Be found by people near you.">
              <Suspense fallback={<Skeleton lines={5} />}>
                <LocalMaker />
              </Suspense>
            </Section>
            <Section title="Password" text="A new one signs every other place out.">
              <PasswordForm email={user.email} />
            </Section>
            <Section id="second-factor" title="Second factor" text="A code after the password.">
              <SecondFactor email={user.email} />
            </Section>
            <Section title="Signed in" text="The places that can use this account.">
              <Sessions />
            </Section>
            <Section title="Your data" text="It is yours to take, and to take down.">
              <OwnData user={user} logout={session.logout} />
            </Section>
          </>
        )}
      </div>
    </main>
  );
}
