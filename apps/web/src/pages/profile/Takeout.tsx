/** Everything of the account as a file: asked for, watched while it is made, downloaded. */
import { siteCalls } from '@markwright/contract/paths/siteCalls';
import type { Takeout as State } from '@markwright/contract/schemas';
import { messages } from '@markwright/contract/words';
import { Button, buttonClass } from '@markwright/controls';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api.ts';
import { messageOf, statusOf } from '../../request.ts';
import { loadMe } from '../../session.tsx';
import { formatBytes } from '../../ui/bytes.ts';
import { formatTime } from '../../ui/dates.ts';
import { toast } from '../../ui/notices.ts';

const KEY = [siteCalls.users.findTakeout.path];
const POLL_MS = 1_000;

const isUnderWay = (takeout: State | undefined): boolean => takeout?.state === 'waiting' || takeout?.state === 'making';

export function Takeout() {
  const client = useQueryClient();
  const [isSending, setSending] = useState(false);
  const { data: takeout } = useQuery<State>({
    queryKey: KEY,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? POLL_MS : false),
  });

  async function run(work: () => Promise<unknown>): Promise<void> {
    setSending(true);
    try {
      await work();
      await client.invalidateQueries({ queryKey: KEY });
    } catch (error) {
      toast({ title: messages.requestFailed, description: messageOf(error), variant: 'destructive' });
      if (statusOf(error) === 401) await loadMe(client);
    }
    setSending(false);
  }
  const start = () => run(() => api.users.startTakeout());
  const remove = () => run(() => api.users.removeTakeout());
  const isBusy = isUnderWay(takeout);

  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-5">
      <div className="min-w-0 flex-[1_1_260px]">
        <h3 className="font-medium">Download your data</h3>
        <p className="text-graphite">One JSON file with everything we store: account, designs, exports, usage.</p>
        <p role="status" className="text-graphite empty:hidden">
          {isBusy && 'Your file is being made. You may leave this page.'}
          {takeout?.state === 'failed' && 'Your file could not be made because of a fault of ours. Please try again.'}
          {takeout?.state === 'done' &&
            takeout.deletedAt &&
            `Your file is here until ${formatTime(takeout.deletedAt)}.`}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {takeout?.state === 'done' && takeout.url ? (
          <>
            <Button size="lg" variant="ghost" isBusy={isSending} onClick={() => void start()}>
              Make it again
            </Button>
            <a className={buttonClass('primary', 'lg')} href={takeout.url} download={takeout.filename ?? ''}>
              Download ({formatBytes(takeout.sizeBytes ?? 0)})
            </a>
          </>
        ) : (
          <>
            {isBusy && (
              <Button size="lg" variant="ghost" disabled={isSending} onClick={() => void remove()}>
                Cancel
              </Button>
            )}
            <Button size="lg" icon="download" isBusy={isSending || isBusy} onClick={() => void start()}>
              Export my data
            </Button>
          </>
        )}
      </div>
    </div>
  );
}
