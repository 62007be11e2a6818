import { siteCalls } from '@markwright/contract/paths/siteCalls';
import type { UsageStats } from '@markwright/contract/schemas';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { formatCount } from '../../ui/counts.ts';
import { formatAccountDay } from '../../ui/dates.ts';
import { Meter } from '../../ui/Meter.tsx';
import { Skeleton, Unreadable } from '../../ui/sections.tsx';

export const useUsage = () =>
  useQuery<UsageStats>({ queryKey: [siteCalls.users.stats.path], refetchOnMount: 'always' });

export function UsageCard({ query }: { query: UseQueryResult<UsageStats> }) {
  if (query.isPending) return <Skeleton lines={2} />;
  if (!query.data) {
    return <Unreadable what="Your usage could not be read." error={query.error} onRetry={() => void query.refetch()} />;
  }
  const { vectorsUsed, vectorsLimit, mockupsUsed, mockupsLimit, nextResetDate } = query.data;
  return (
    <div className="grid gap-5 p-5">
      <Bar name="Production exports" used={vectorsUsed} limit={vectorsLimit} />
      <Bar name="Image mockups" used={mockupsUsed} limit={mockupsLimit} />
      <p className="text-graphite">
        Both start again on <time dateTime={nextResetDate}>{formatAccountDay(nextResetDate)}</time>.
      </p>
    </div>
  );
}

function Bar({ name, used, limit }: { name: string; used: number; limit: number }) {
  const id = useId();
  const left = Math.max(0, limit - used);
  const words = limit === 0 ? 'Not part of your plan' : left === 0 ? 'All used' : `${formatCount(left)} left`;
  return (
    <div>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span id={id} className="font-medium">
          {name}
        </span>
        <span className="measure">
          {formatCount(used)} <span className="text-graphite">of {formatCount(limit)}</span>
        </span>
      </div>
      <Meter
        labelledBy={id}
        value={used}
        max={limit}
        text={`${formatCount(used)} of ${formatCount(limit)}. ${words}`}
        className="mt-2"
      />
      <p className={`mt-1.5 text-sm ${limit > 0 && left === 0 ? 'text-danger' : 'text-graphite'}`}>{words}</p>
    </div>
  );
}
