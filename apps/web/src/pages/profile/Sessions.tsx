/** The account's sessions. */
import { siteCalls } from '@markwright/contract/paths/siteCalls';
import type { SessionInfo } from '@markwright/contract/schemas';
import { messages } from '@markwright/contract/words';
import { Button } from '@markwright/controls';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { formatAgo, formatTime } from '../../ui/dates.ts';
import type { Notice } from '../../ui/notices.ts';
import { Badge, Skeleton, Unreadable } from '../../ui/sections.tsx';
import { useAttempt } from '../../ui/useAttempt.ts';

const SESSIONS = [siteCalls.auth.sessions.path];

export const useSessions = () => useQuery<SessionInfo[]>({ queryKey: SESSIONS, refetchOnMount: 'always' });

export function Sessions({ query }: { query: UseQueryResult<SessionInfo[]> }) {
  const attempt = useAttempt();
  const [ending, setEnding] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  if (query.isPending) return <Skeleton lines={2} />;
  if (!query.data) {
    return (
      <Unreadable
        what="The list of devices could not be read."
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    );
  }
  const sessions = query.data;
  const others = sessions.filter(({ isCurrent }) => !isCurrent);

  /** Ends one session or all others, and reads the list again: it may have changed meanwhile. */
  async function end(what: string, act: () => Promise<Notice>) {
    setEnding(what);
    await attempt(messages.requestFailed, act);
    await query.refetch();
    setEnding(undefined);
  }
  const endOne = ({ id, device }: SessionInfo) =>
    end(id, async () => {
      await api.auth.endSession({ params: { id } });
      return { title: `Signed out: ${device}`, description: 'It needs the password again.' };
    });
  const endOthers = () =>
    end('others', async () => {
      const { ended } = await api.auth.endOtherSessions();
      return {
        title: ended === 1 ? 'One other device is signed out' : `${ended} other devices are signed out`,
        description: 'Only this device can use the account now.',
      };
    });

  return (
    <>
      <ul aria-label="Devices this account is signed in on">
        {sessions.map((session) => (
          <li
            key={session.id}
            className="flex min-h-[68px] flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line px-5 py-3 not-first:border-t"
          >
            <div className="min-w-0">
              <p className="font-medium [overflow-wrap:anywhere]">{session.device}</p>
              <p className="text-graphite text-sm" title={`Signed in ${formatTime(session.createdAt)}`}>
                {session.isCurrent ? 'In use now' : `Last used ${formatAgo(session.lastUsedAt, new Date())}`}
              </p>
            </div>
            {session.isCurrent ? (
              <Badge tone="good">This device</Badge>
            ) : (
              <Button
                aria-label={`Sign out ${session.device}`}
                isBusy={ending === session.id}
                disabled={ending !== undefined}
                onClick={() => void endOne(session)}
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <div className="border-line border-t px-5 py-4">
          <Button
            variant="danger"
            size="lg"
            isBusy={ending === 'others'}
            disabled={ending !== undefined}
            onClick={() => setAsking(true)}
          >
            Sign out everywhere else
          </Button>
        </div>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        title="Sign out everywhere else?"
        description="Only this device stays signed in. The others need the password again."
        action="Sign them out"
        cancel="Not now"
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          void endOthers();
          return true;
        }}
      />
    </>
  );
}
