/** Orders that wait for the same blank: which of them are made together, and their package on its way. */
import { calls } from '@markwright/contract/paths';
import type { OrderGroup } from '@markwright/contract/schemas';
import { exportsForBatch } from '@markwright/contract/words';
import { Button, Icon } from '@markwright/controls';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { machineWords } from '../../orders/words.ts';
import { ordersApi } from '../../ordersApi.ts';
import { BatchCard } from '../../ui/BatchCard.tsx';
import { useOrderBatch } from './useOrderBatch.ts';

/** Shows nothing while no two orders share a blank. */
export function Together() {
  const client = useQueryClient();
  const query = useQuery<{ groups: OrderGroup[] }>({
    queryKey: [calls.orders.groups.path],
    queryFn: ({ signal }) => ordersApi.groups({ signal }),
    refetchOnMount: 'always',
  });
  const making = useOrderBatch(null, () => void client.invalidateQueries({ queryKey: [calls.orders.groups.path] }));
  const groups = query.data?.groups ?? [];
  if (groups.length === 0 && !making.batch) return null;
  return (
    <section aria-label="Make together" className="mt-6 grid gap-3">
      {making.batch && (
        <div className="rounded-card border border-line bg-paper px-4 py-2 sm:px-5">
          <BatchCard batch={making.batch} onRemove={() => void making.remove()} />
        </div>
      )}
      {groups.map((group) => (
        <Group key={`${group.productName} ${group.machine}`} {...{ group, making }} />
      ))}
    </section>
  );
}

/** `4 files, 1 production export` */
function sayCost(files: number): string {
  const exports = exportsForBatch(files, undefined);
  return `${files} ${files === 1 ? 'file' : 'files'}, ${exports} production ${exports === 1 ? 'export' : 'exports'}`;
}

interface GroupProps {
  readonly group: OrderGroup;
  readonly making: ReturnType<typeof useOrderBatch>;
}

function Group({ group, making }: GroupProps) {
  const { productName, machine, orders } = group;
  const [leftOutIds, setLeftOutIds] = useState<ReadonlySet<string>>(new Set());
  const choice = orders.filter(({ id }) => !leftOutIds.has(id));
  const pieces = choice.reduce((sum, { quantity }) => sum + quantity, 0);
  const files = choice.reduce((sum, order) => sum + order.files, 0);
  const total = orders.reduce((sum, { quantity }) => sum + quantity, 0);
  const toggle = (id: string, isChosen: boolean) => {
    const next = new Set(leftOutIds);
    if (isChosen) next.delete(id);
    else next.add(id);
    setLeftOutIds(next);
  };
  return (
    <details className="group rounded-card border border-line bg-paper">
      <summary className="flex min-h-12 cursor-pointer items-center gap-x-3 rounded-card px-4 py-3 focus-visible:outline-2 focus-visible:outline-accent sm:px-5">
        <Icon name="chevronRight" className="size-4 shrink-0 transition-transform group-open:rotate-90" />
        <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
          <span className="font-medium">
            {orders.length} orders for {productName} wait
          </span>
          <span className="text-graphite">: make these {total} together</span>
        </span>
        <span className="text-graphite text-sm">{machineWords[machine]}</span>
      </summary>
      <div className="border-line border-t px-4 py-3 sm:px-5">
        <ul className="max-h-96 divide-y divide-line overflow-auto">
          {orders.map(({ id, number, quantity, customerName, files: different, pictureUrl }) => (
            <li key={id}>
              <label className="flex min-h-12 cursor-pointer items-center gap-3 py-1.5">
                <input
                  type="checkbox"
                  checked={!leftOutIds.has(id)}
                  onChange={({ target }) => toggle(id, target.checked)}
                  className="size-5 shrink-0 accent-accent"
                />
                <img
                  src={pictureUrl}
                  alt=""
                  loading="lazy"
                  className="size-10 rounded-control border border-line bg-white object-contain"
                />
                <span className="min-w-0 [overflow-wrap:anywhere]">
                  <span className="block">
                    <span className="measure">{number}</span> · {customerName}
                  </span>
                  <span className="block text-graphite text-sm">
                    {quantity} {quantity === 1 ? 'piece' : 'pieces'}
                    {different > 1 && `, ${different} different`}
                  </span>
                </span>
              </label>
            </li>
          ))}
        </ul>
        {making.failure && (
          <p role="alert" className="mt-2 text-danger">
            {making.failure}
          </p>
        )}
        <div className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <p className="text-graphite text-sm">
            A file for each different piece, a list and a job sheet. {sayCost(files)}.
          </p>
          <Button
            variant="primary"
            size="lg"
            disabled={choice.length === 0}
            isBusy={making.isBusy}
            onClick={() => void making.make(choice.map(({ id }) => id))}
          >
            Make these {pieces} together
          </Button>
        </div>
      </div>
    </details>
  );
}
