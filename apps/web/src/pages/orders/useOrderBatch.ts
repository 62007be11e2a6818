/** A batch of orders: asked for, followed until it is made, and canceled. */
import { siteCalls } from '@markwright/contract/paths/siteCalls';
import type { Batch } from '@markwright/contract/schemas';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api.ts';
import { ordersApi } from '../../ordersApi.ts';
import { messageOf } from '../../request.ts';
import { refreshAllowance } from '../../session.tsx';

const POLL_MS = 1_000;

/** `first` is the batch as it was read with an order. */
export function useOrderBatch(first: Batch | null, onChange: () => void) {
  const client = useQueryClient();
  const [latest, setLatest] = useState<Batch | null>(first);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const id = latest?.id ?? first?.id;
  const query = useQuery<Batch>({
    queryKey: [siteCalls.batches.find.path, id],
    queryFn: ({ signal }) => api.batches.find({ params: { id: id! } }, { signal }),
    enabled: id !== undefined,
    refetchInterval: ({ state }) =>
      state.data === undefined || state.data.state === 'waiting' || state.data.state === 'making' ? POLL_MS : false,
  });
  async function run(work: () => Promise<Batch | null>): Promise<void> {
    setBusy(true);
    setFailure(undefined);
    try {
      setLatest(await work());
      refreshAllowance(client);
      onChange();
    } catch (error) {
      setFailure(messageOf(error));
    }
    setBusy(false);
  }
  return {
    batch: id === undefined ? undefined : (query.data ?? latest ?? undefined),
    isBusy,
    failure,
    make: (orders: readonly string[]) => run(() => ordersApi.makeTogether({ body: { orders: [...orders] } })),
    /** Cancels one that is not made, and deletes the others. */
    remove: () =>
      run(async () => {
        if (id !== undefined) await api.batches.remove({ params: { id } });
        return null;
      }),
  };
}
