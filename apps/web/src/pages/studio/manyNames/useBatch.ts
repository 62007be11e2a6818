/** Asks the server for a batch, and follows it. */
import { siteCalls } from '@markwright/contract/paths/siteCalls';
import type { Batch } from '@markwright/contract/schemas';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api.ts';
import { refreshAllowance, useSession } from '../../../session.tsx';
import { ask } from '../../../studioHost/ask.ts';
import { saveUrl } from '../../../ui/saveBlob.ts';

const LIST = [siteCalls.batches.list.path];
const POLL_MS = 1_000;

type BatchBody = Parameters<typeof api.batches.create>[0]['body'];

const isUnderWay = ({ state }: Batch): boolean => state === 'waiting' || state === 'making';

export function useBatches() {
  const client = useQueryClient();
  const { user } = useSession();
  const [activeId, setActiveId] = useState<string>();
  const [pending, setPending] = useState<'batch' | 'proof'>();
  const [problem, setProblem] = useState<string>();
  const query = useQuery<{ batches: Batch[] }>({
    queryKey: LIST,
    enabled: user !== undefined,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.batches.some(isUnderWay) ? POLL_MS : false),
  });
  const batches = user ? (query.data?.batches ?? []) : [];
  const refresh = () => {
    refreshAllowance(client);
    return client.invalidateQueries({ queryKey: LIST });
  };

  async function run(work: () => Promise<void>, what: typeof pending = 'batch'): Promise<void> {
    setProblem(undefined);
    setPending(what);
    try {
      await work();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setPending(undefined);
      await refresh();
    }
  }

  return {
    batches,
    active: batches.find(({ id }) => id === activeId),
    /** The request that is on its way to the server. */
    pending,
    problem,
    make: (body: BatchBody) =>
      run(async () => {
        const { id } = await ask(api.batches.create({ body }));
        setActiveId(id);
      }),
    /** Downloads the proof of a list. */
    saveProof: (body: BatchBody) =>
      run(async () => {
        const { url, filename } = await ask(api.batches.proof({ body }));
        saveUrl(url, filename);
      }, 'proof'),
    remove: (id: string) =>
      run(async () => {
        await ask(api.batches.remove({ params: { id } }));
        if (id === activeId) setActiveId(undefined);
      }),
    leave: () => setActiveId(undefined),
  };
}
