/** The audit trail: which administrator did what, to what, and when. */
import { calls } from '@markwright/contract/paths';
import type { AuditEntry } from '@markwright/contract/schemas';
import { Select } from '@markwright/controls';
import { useState } from 'react';
import { api } from '../../api.ts';
import { formatAgo, formatTime } from '../../ui/dates.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Listing, usePages } from '../../ui/PagedList.tsx';

const ALL = 'all';

export function AuditTrail() {
  const [kind, setKind] = useState(ALL);
  const query = usePages([calls.admin.audit.path, kind], (cursor, signal) =>
    api.admin.audit({ query: { ...cursor, ...(kind !== ALL && { kind }) } }, { signal }),
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
    <li className="grid gap-x-6 gap-y-0.5 px-5 py-3 md:grid-cols-[180px_minmax(0,1fr)_auto]">
      <span className="text-graphite">
        {toName(kind)} <span aria-hidden="true">·</span> {toWords(verb)}
      </span>
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <span className="font-medium">{subject}</span>
        {detail && <span className="text-graphite text-sm"> {toSentence(detail)}</span>}
      </span>
      <span className="flex flex-wrap gap-x-3 text-graphite text-sm md:justify-end">
        <span title={`From ${address}`} className="[overflow-wrap:anywhere]">
          {email}
        </span>
        <time dateTime={createdAt} title={formatTime(createdAt)} className="whitespace-nowrap md:w-28 md:text-right">
          {formatAgo(createdAt, new Date())}
        </time>
      </span>
    </li>
  );
}

/** Turns `bulkUpload` into `bulk upload`. */
const toWords = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
const toName = (name: string): string => toWords(name).replace(/^./, (letter) => letter.toUpperCase());

/**
 * Turns `{from: 'free', to: 'paid', files: 3}` into `from free to paid, files 3`. Writes objects and lists as JSON.
 */
function toSentence({ from, to, ...rest }: Record<string, unknown>): string {
  const say = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
  const change = from === undefined || to === undefined ? [] : [`from ${say(from)} to ${say(to)}`];
  return [...change, ...Object.entries(rest).map(([name, value]) => `${toWords(name)} ${say(value)}`)].join(', ');
}
