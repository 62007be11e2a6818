import { messages } from '@markwright/contract';
import { buttonClass, type Tab, Tabs } from '@markwright/editor';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '../../session.tsx';
import { AccessDenied } from '../../ui/AccessDenied.tsx';
import { Page } from '../../ui/Page.tsx';
import { usePageHead } from '../../ui/page.ts';
import { isUnreachable, Unreachable } from '../../ui/Unreachable.tsx';
import { Outbox } from './Outbox.tsx';

type Room = 'outbox';
const rooms: readonly Tab<Room>[] = [{ value: 'outbox', label: 'Outbox', content: <Outbox /> }];

/** The server answers nobody but the administrator; the page only says so sooner. */
export function AdminPage() {
  usePageHead({ title: 'Admin Portal | Markwright' });
  const session = useSession();
  const [room, setRoom] = useState<Room>('outbox');
  const denied = messages.adminAccessDenied;
  return (
    <Page session={session}>
      {isUnreachable(session) ? (
        <Unreachable />
      ) : session.status !== 'loading' && !session.user?.isAdmin ? (
        <AccessDenied title={`${denied.title}: ${denied.description}`}>
          {!session.user && (
            <Link to="/auth" search={{ next: '/admin' }} className={buttonClass('primary', 'lg')}>
              Log in
            </Link>
          )}
          <Link to="/" className={buttonClass(session.user ? 'primary' : 'ghost', 'lg')}>
            Home
          </Link>
        </AccessDenied>
      ) : (
        <main className="mx-auto w-full max-w-[1280px] flex-1 px-5 py-8 lg:px-10">
          <h1 className="text-2xl">Admin Portal</h1>
          {session.user ? (
            <Tabs<Room> label="Rooms of the portal" value={room} onChange={setRoom} tabs={rooms} className="mt-5" />
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
