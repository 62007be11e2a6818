/** The profile: the links to its tabs, each with an address of its own, and the tab that is open. */
import { messages } from '@markwright/contract/words';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useAddress } from '../../navigation.tsx';
import { loadMe, type Session, useSession } from '../../session.tsx';
import { AccessDenied } from '../../ui/AccessDenied.tsx';
import { ButtonLink, HomeLink } from '../../ui/links.tsx';
import { Page } from '../../ui/Page.tsx';
import { usePageHead } from '../../ui/pageHead.ts';
import { TabLoading } from '../../ui/pageStates.tsx';
import { isUnreachable, Unreachable } from '../../ui/Unreachable.tsx';
import { OwnAccountContext } from './account.ts';

const tabs = [
  { to: '/profile', name: 'Account' },
  { to: '/profile/plan', name: 'Plan and usage' },
  { to: '/profile/files', name: 'My files' },
  { to: '/profile/products', name: 'Products' },
  { to: '/profile/shop', name: 'Shop' },
  { to: '/profile/maker', name: 'Maker page' },
  { to: '/profile/security', name: 'Security' },
] as const;

export function ProfilePage({ children }: { children: ReactNode }) {
  const session = useSession();
  const path = useAddress().pathname.replace(/\/$/, '');
  const tab = tabs.find(({ to }) => to === path) ?? tabs[0];
  usePageHead({ title: tab === tabs[0] ? 'Profile | Markwright' : `${tab.name} | Markwright` });
  useFreshAccount(session);
  return (
    <Page session={session}>
      <Content session={session} path={tab.to}>
        {children}
      </Content>
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

function Content({ session, path, children }: { session: Session; path: string; children: ReactNode }) {
  const { status, user } = session;
  if (status === 'loading') {
    return (
      <Frame path={path}>
        <TabLoading />
      </Frame>
    );
  }
  if (isUnreachable(session)) return <Unreachable />;
  if (!user) {
    const { title, description } = messages.profileAccessDenied;
    return (
      <AccessDenied
        title={`${title}, ${description}`}
        text="Your plan, your usage and your data are behind your login."
      >
        <ButtonLink to="/auth" search={{ next: path }}>
          Log in
        </ButtonLink>
        <HomeLink />
      </AccessDenied>
    );
  }
  // The key makes another account another page, so that no text typed for one stays for the other.
  return (
    <OwnAccountContext key={user.id} value={{ user, session }}>
      <Frame path={path}>{children}</Frame>
    </OwnAccountContext>
  );
}

function Frame({ path, children }: { path: string; children: ReactNode }) {
  return (
    <main className="mx-auto w-full max-w-[1040px] flex-1 px-5 py-8 lg:px-10 lg:py-12">
      <h1 className="text-2xl">Profile</h1>
      <div className="mt-4 grid gap-x-12 gap-y-6 md:mt-6 md:grid-cols-[176px_minmax(0,1fr)]">
        <TabLinks path={path} />
        <div className="min-w-0">{children}</div>
      </div>
    </main>
  );
}

/** The links to the tabs: a column at the left, or a row that scrolls sideways on a narrow page. */
function TabLinks({ path }: { path: string }) {
  const row = useRef<HTMLUListElement>(null);
  // On a narrow screen the open tab's link may lie past the edge. Only the row moves, never the page.
  useEffect(() => {
    const link = row.current?.querySelector<HTMLElement>(`a[href="${path}"]`);
    if (!row.current || !link) return;
    row.current.scrollLeft = link.offsetLeft - (row.current.clientWidth - link.offsetWidth) / 2;
  }, [path]);
  return (
    <nav aria-label="Profile" className="min-w-0">
      <ul
        ref={row}
        className="relative -mx-5 flex gap-5 overflow-x-auto px-5 shadow-[inset_0_-1px_0_var(--line)] [scrollbar-width:none] md:sticky md:top-20 md:-ml-3 md:mr-0 md:grid md:gap-0.5 md:overflow-visible md:px-0 md:shadow-none"
      >
        {tabs.map(({ to, name }) => (
          <li key={to} className="shrink-0">
            <Link
              to={to}
              isExact
              className="flex h-11 items-center whitespace-nowrap border-transparent border-b-2 font-medium text-graphite hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:border-accent aria-[current=page]:text-ink md:h-9 md:rounded-control md:border-b-0 md:px-3 md:font-normal md:aria-[current=page]:bg-ink/6 md:aria-[current=page]:font-medium md:hover:bg-ink/4"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
