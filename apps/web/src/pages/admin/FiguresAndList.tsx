import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { TabLoading } from '../../ui/pageStates.tsx';
import { Unreadable } from '../../ui/sections.tsx';

interface FiguresAndListProps<Overview> {
  /** The path of the call that returns the figures. */
  readonly path: string;
  /** The beginning of the error message, when the figures do not load. */
  readonly failure: string;
  readonly list: ReactNode;
  children(overview: Overview): ReactNode;
}

/** A tab with figures, read anew at each visit, above a list. */
export function FiguresAndList<Overview>({ path, failure, list, children }: FiguresAndListProps<Overview>) {
  const query = useQuery<Overview>({ queryKey: [path], refetchOnMount: 'always' });
  // The list waits for the figures above it, which would push it down.
  if (query.isPending) return <TabLoading />;
  return (
    <div className="grid gap-8">
      {query.data ? (
        children(query.data)
      ) : (
        <div className="rounded-card border border-line bg-paper">
          <Unreadable what={failure} error={query.error} onRetry={() => void query.refetch()} />
        </div>
      )}
      {list}
    </div>
  );
}
