import { messages } from '@markwright/contract/words';
import { buttonClass, type Tab, Tabs } from '@markwright/controls';
import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense } from 'react';
import { useSession } from '../../session.tsx';
import { Page } from '../../ui/Page.tsx';
import { usePageHead } from '../../ui/pageHead.ts';
import { Skeleton } from '../../ui/sections.tsx';
import { isUnreachable, Unreachable } from '../../ui/Unreachable.tsx';
import { NotAdmin } from './NotAdmin.tsx';

/** Creates a tab whose code is loaded when it is first opened. */
function createRoom(value: string, label: string, load: () => Promise<ComponentType>): Tab<string> {
  const Room = lazy(async () => ({ default: await load() }));
  return {
    value,
    label,
    content: (
      <Suspense fallback={<Skeleton lines={4} />}>
        <Room />
      </Suspense>
    ),
  };
}

/** The tabs in their order. The portal opens on the first one, or on the one that `?room=` names. */
const rooms: readonly Tab<string>[] = [
  createRoom('catalogue', 'Catalogue', async () => (await import('./catalogue/Catalogue.tsx')).Catalogue),
  createRoom('users', 'Users & plans', async () => (await import('./UsersAndPlans.tsx')).UsersAndPlans),
  createRoom('makers', 'Makers', async () => (await import('./Makers.tsx')).Makers),
  createRoom('vectorizer', 'Vectorizer', async () => (await import('./Vectorizer.tsx')).VectorizerCard),
  createRoom('feedback', 'Feedback', async () => (await import('./Feedback.tsx')).Feedback),
  createRoom('waitlist', 'Waitlist', async () => (await import('./Waitlist.tsx')).Waitlist),
  createRoom('outbox', 'Outbox', async () => (await import('./Outbox.tsx')).Outbox),
  createRoom('storage', 'Storage', async () => (await import('./Storage.tsx')).Storage),
  createRoom('security', 'Security', async () => (await import('./SecurityEvents.tsx')).SecurityEvents),
  createRoom('audit', 'Audit trail', async () => (await import('./AuditTrail.tsx')).AuditTrail),
];

/** The portal of the administrator. The server refuses everybody else; the page only says so earlier. */
export function AdminPage() {
  usePageHead({ title: 'Admin Portal | Markwright' });
  const session = useSession();
  const [room, setRoom] = useRoom();
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
            <Tabs label="Rooms of the portal" value={room} onChange={setRoom} tabs={rooms} className="mt-5" />
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
      <Link to="/profile" hash="second-factor" className={buttonClass('primary', 'lg', 'mt-4')}>
        Set it up
      </Link>
    </div>
  );
}

/** Returns the room in the page's address, and a function that replaces it there. */
function useRoom(): [string, (room: string) => void] {
  const navigate = useNavigate();
  const search = useRouterState({ select: ({ location }) => location.search as { room?: unknown } });
  const roomInAddress = rooms.find(({ value }) => value === search.room);
  return [
    (roomInAddress ?? rooms[0])?.value ?? '',
    (room) => void navigate({ to: '/admin', search: { room }, replace: true, resetScroll: false }),
  ];
}
