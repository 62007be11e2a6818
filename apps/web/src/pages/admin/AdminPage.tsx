import { calls, type Endpoint } from '@markwright/contract/paths';
import { type AdminRole, messages } from '@markwright/contract/words';
import { buttonClass, lazyPart, type Tab, Tabs } from '@markwright/controls';
import { type ComponentType, Suspense } from 'react';
import { Link, useNavigate, useSearchParams } from '../../navigation.tsx';
import { useSession } from '../../session.tsx';
import { Page } from '../../ui/Page.tsx';
import { usePageHead } from '../../ui/pageHead.ts';
import { Skeleton } from '../../ui/sections.tsx';
import { isUnreachable, Unreachable } from '../../ui/Unreachable.tsx';
import { NotAdmin } from './NotAdmin.tsx';

interface Room {
  readonly tab: Tab<string>;
  /** The roles that see it: those of the call it begins with. */
  readonly roles: readonly AdminRole[];
}

/** Creates a room whose code is loaded when it is first opened. */
function createRoom(value: string, label: string, { roles = [] }: Endpoint, load: () => Promise<ComponentType>): Room {
  const Content = lazyPart(async () => ({ default: await load() }));
  const content = (
    <Suspense fallback={<Skeleton lines={4} />}>
      <Content />
    </Suspense>
  );
  return { tab: { value, label, content }, roles };
}

const { admin, catalogue, makers } = calls;

/** The rooms in their order. The portal opens on the first one, or on the one that `?room=` names. */
const rooms: readonly Room[] = [
  createRoom(
    'catalogue',
    'Catalogue',
    catalogue.adminProducts,
    async () => (await import('./catalogue/Catalogue.tsx')).Catalogue,
  ),
  createRoom('users', 'Users & plans', admin.users, async () => (await import('./UsersAndPlans.tsx')).UsersAndPlans),
  createRoom('makers', 'Makers', makers.adminList, async () => (await import('./Makers.tsx')).Makers),
  createRoom(
    'vectorizer',
    'Vectorizer',
    admin.vectorizerStatus,
    async () => (await import('./Vectorizer.tsx')).VectorizerCard,
  ),
  createRoom('feedback', 'Feedback', admin.feedback, async () => (await import('./Feedback.tsx')).Feedback),
  createRoom('waitlist', 'Waitlist', admin.waitlist, async () => (await import('./Waitlist.tsx')).Waitlist),
  createRoom('outbox', 'Outbox', admin.mails, async () => (await import('./Outbox.tsx')).Outbox),
  createRoom('storage', 'Storage', admin.storage, async () => (await import('./Storage.tsx')).Storage),
  createRoom(
    'administrators',
    'Administrators',
    admin.administrators,
    async () => (await import('./Administrators.tsx')).Administrators,
  ),
  createRoom(
    'security',
    'Security',
    admin.securityEvents,
    async () => (await import('./SecurityEvents.tsx')).SecurityEvents,
  ),
  createRoom('audit', 'Audit trail', admin.audit, async () => (await import('./AuditTrail.tsx')).AuditTrail),
];

/** Returns the tabs that a role sees. */
const tabsOf = (role: AdminRole | null | undefined): readonly Tab<string>[] =>
  rooms.filter(({ roles }) => role && roles.includes(role)).map(({ tab }) => tab);

/** The portal, with the rooms of the role. The server refuses everybody else; the page only says so earlier. */
export function AdminPage() {
  usePageHead({ title: 'Admin Portal | Markwright' });
  const session = useSession();
  const tabs = tabsOf(session.user?.adminRole);
  const [room, setRoom] = useRoom(tabs);
  return (
    <Page session={session}>
      {isUnreachable(session) ? (
        <Unreachable />
      ) : session.status !== 'loading' && !session.user?.isAdmin ? (
        <NotAdmin session={session} next="/admin" />
      ) : (
        <main className="mx-auto w-full max-w-[1280px] flex-1 px-5 py-8 lg:px-10">
          <h1 className="text-2xl">Admin Portal</h1>
          {session.user?.needsSecondFactor ? (
            <NeedsSecondFactor />
          ) : session.user ? (
            <Tabs label="Rooms of the portal" value={room} onChange={setRoom} tabs={tabs} className="mt-5" />
          ) : (
            <div role="status" className="mt-6">
              <span className="sr-only">Loading</span>
              <div className="ruler h-4 w-60 animate-pulse" aria-hidden="true" />
            </div>
          )}
        </main>
      )}
    </Page>
  );
}

function NeedsSecondFactor() {
  return (
    <div className="mt-6 max-w-[520px] rounded-card border border-line bg-paper p-5">
      <p>{messages.needsSecondFactor}</p>
      <Link to="/profile/security" className={buttonClass('primary', 'lg', 'mt-4')}>
        Set it up
      </Link>
    </div>
  );
}

/** Returns the room in the page's address, and a function that replaces it there. */
function useRoom(tabs: readonly Tab<string>[]): [string, (room: string) => void] {
  const navigate = useNavigate();
  const search = useSearchParams();
  const roomInAddress = tabs.find(({ value }) => value === search.room);
  return [
    (roomInAddress ?? tabs[0])?.value ?? '',
    (room) => void navigate({ to: '/admin', search: { room }, replace: true }),
  ];
}
