/** The audit trail: which administrator did what, to what, and when. */
import { calls } from '@markwright/contract/paths';
import type { AuditEntry } from '@markwright/contract/schemas';
import { Select } from '@markwright/controls';
import { useState } from 'react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Listing, usePages } from '../../ui/PagedList.tsx';
import { adminApi } from './adminApi.ts';
import { EventLine, toWords } from './EventLine.tsx';

const ALL = 'all';

export function AuditTrail() {
  const [kind, setKind] = useState(ALL);
  const query = usePages([calls.admin.audit.path, kind], (cursor, signal) =>
    adminApi.audit({ query: { ...cursor, ...(kind !== ALL && { kind }) } }, { signal }),
  );
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? [];
  const kinds = query.data?.pages[0]?.kinds ?? [];
  return (
    <>
      {/* Before the first page, too: the list must not move down when it comes. */}
      {(query.isPending || kinds.length > 0) && (
        <Select
          label="Kind of action"
          value={kind}
          onChange={setKind}
          options={[{ value: ALL, label: 'Everything' }, ...kinds.map((value) => ({ value, label: toName(value) }))]}
          className="mb-3 w-52"
        />
      )}
      <Listing
        query={query}
        failure="The audit trail could not be read."
        empty={
          <EmptyState title="No change yet">
            Every change that somebody makes in this portal comes here, with who made it and when.
          </EmptyState>
        }
        count={entries.length}
        noun={['action', 'actions']}
      >
        <ol className="divide-y divide-line">
          {entries.map((entry) => (
            <Line key={entry.id} entry={entry} />
          ))}
        </ol>
      </Listing>
    </>
  );
}

function Line({ entry }: { entry: AuditEntry }) {
  const { email, address, action, subject, detail, createdAt } = entry;
  const [kind = '', verb = ''] = action.split('.');
  return (
    <EventLine
      columns="md:grid-cols-[180px_minmax(0,1fr)_auto]"
      what={
        <span className="text-graphite">
          {toName(kind)} <span aria-hidden="true">·</span> {toWords(verb)}
        </span>
      }
      from={
        <span title={`From ${address}`} className="[overflow-wrap:anywhere]">
          {email}
        </span>
      }
      {...{ subject, detail, createdAt }}
    />
  );
}

const toName = (name: string): string => toWords(name).replace(/^./, (letter) => letter.toUpperCase());
