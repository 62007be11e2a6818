/** The use of the storage: the disk and the limits, the files by kind, and who fills it, the largest first. */
import { calls } from '@markwright/contract/paths';
import type { StorageGauge, StorageOverview, StorageOwner } from '@markwright/contract/schemas';
import { NEARLY_FULL } from '@markwright/contract/words';
import { useId } from 'react';
import { formatBytes } from '../../ui/bytes.ts';
import { formatCount } from '../../ui/counts.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Meter } from '../../ui/Meter.tsx';
import { Listing, usePages } from '../../ui/PagedList.tsx';
import { adminApi } from './adminApi.ts';
import { FiguresAndList } from './FiguresAndList.tsx';

export const Storage = () => (
  <FiguresAndList<StorageOverview>
    path={calls.admin.storage.path}
    failure="The storage could not be read."
    list={<Owners />}
  >
    {(overview) => <Figures overview={overview} />}
  </FiguresAndList>
);

const fileWords = (files: number): string => `${formatCount(files)} ${files === 1 ? 'file' : 'files'}`;

function Figures({ overview }: { overview: StorageOverview }) {
  const { freeBytes, gauges, kinds } = overview;
  const storedBytes = kinds.reduce((sum, { bytes }) => sum + bytes, 0);
  return (
    <div className="overflow-clip rounded-card border border-line bg-paper">
      <Warning gauges={gauges} />
      <div className="grid lg:grid-cols-2">
        <section aria-label="Limits" className="min-w-0 p-5">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4">
            <h2 className="font-semibold">Limits</h2>
            {freeBytes !== null && <p className="text-graphite text-sm">{formatBytes(freeBytes)} free on the disk</p>}
          </div>
          <div className="mt-4 grid gap-4">
            {gauges.map((gauge) => (
              <Gauge key={gauge.name} gauge={gauge} />
            ))}
          </div>
        </section>
        <section aria-label="Files by kind" className="min-w-0 border-line p-5 max-lg:border-t lg:border-l">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4">
            <h2 className="font-semibold">By kind</h2>
            <p className="text-graphite text-sm">{formatBytes(storedBytes)} stored</p>
          </div>
          {kinds.length === 0 && <p className="mt-3 text-graphite">No file is stored yet.</p>}
          <dl className="mt-3 grid gap-2.5">
            {kinds.map(({ kind, bytes, files }) => (
              <div key={kind} className="grid grid-cols-[minmax(0,1fr)_auto_80px] items-baseline gap-3">
                <dt>{kindLabels[kind] ?? kind}</dt>
                <dd className="text-graphite text-sm">{fileWords(files)}</dd>
                <dd className="measure text-right">{formatBytes(bytes)}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </div>
  );
}

const gaugeLabels: Record<StorageGauge['name'], string> = {
  disk: 'Disk',
  total: 'All stored files',
  guests: 'Guests and unverified accounts',
  cache: 'Cache, emptied by itself',
};

const kindLabels: Record<string, string> = {
  uploads: 'Uploads',
  traces: 'Traces',
  cutouts: 'Cut-outs',
  exports: 'Exports',
  thumbnails: 'Pictures of saved designs',
  savedDesigns: 'Designs of shops’ customers',
  companyProducts: 'Companies’ own products',
  makerPhotos: 'Makers’ photos',
  fonts: 'Accounts’ own fonts',
  catalogue: 'Catalogue',
  cache: 'Cache',
  other: 'Other',
};

function Warning({ gauges }: { gauges: readonly StorageGauge[] }) {
  const names = gauges.filter(({ isNearlyFull }) => isNearlyFull).map(({ name }) => gaugeLabels[name]);
  if (names.length === 0) return null;
  return (
    <p role="alert" className="border-line border-b px-5 py-3 font-medium text-danger">
      {NEARLY_FULL * 100} % full or more: {names.join(', ')}. Uploads are refused when nothing is left.
    </p>
  );
}

function Gauge({ gauge: { name, usedBytes, limitBytes, isNearlyFull } }: { gauge: StorageGauge }) {
  const id = useId();
  const percent = limitBytes > 0 ? Math.floor((100 * usedBytes) / limitBytes) : 100;
  const words = `${formatBytes(usedBytes)} of ${formatBytes(limitBytes)}`;
  return (
    <div>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 id={id} className="font-normal">
          {gaugeLabels[name]}
        </h3>
        <p className={`text-sm tabular-nums ${isNearlyFull ? 'font-medium text-danger' : 'text-graphite'}`}>
          {words}, {percent} %
        </p>
      </div>
      <Meter labelledBy={id} value={usedBytes} max={limitBytes} text={words} className="mt-1.5" />
    </div>
  );
}

function Owners() {
  const query = usePages([calls.admin.storageOwners.path], (query, signal) =>
    adminApi.storageOwners({ query }, { signal }),
  );
  const owners = query.data?.pages.flatMap((page) => page.owners) ?? [];
  return (
    <section aria-label="Who fills the storage" className="min-w-0">
      <h2 className="mb-3 font-semibold">Who fills it</h2>
      <Listing
        query={query}
        failure="The list could not be read."
        empty={
          <EmptyState title="No file yet">
            Uploads, traces and exports are counted for the account that made them. The largest stands on top.
          </EmptyState>
        }
        count={owners.length}
        noun={['entry', 'entries']}
      >
        <table className="w-full border-collapse text-left">
          <thead className="border-line border-b text-graphite text-sm">
            <tr className="*:px-3 *:py-2.5 *:font-medium">
              <th scope="col" className="pl-5!">
                Account or network
              </th>
              <th scope="col" className="text-right max-md:hidden">
                Files
              </th>
              <th scope="col" className="pr-5! text-right">
                Size
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {owners.map((owner) => (
              <Owner key={`${owner.kind} ${owner.name}`} owner={owner} />
            ))}
          </tbody>
        </table>
      </Listing>
    </section>
  );
}

function Owner({ owner: { kind, name, bytes, files } }: { owner: StorageOwner }) {
  return (
    <tr className="align-baseline *:px-3 *:py-2.5">
      <td className="w-full pl-5! [overflow-wrap:anywhere]">
        <span className="font-medium">{ownerNames[kind] ?? name}</span>
        {kind === 'network' && (
          <span className="text-graphite text-sm max-md:block md:ml-2">guests and unverified accounts</span>
        )}
      </td>
      <td className="measure whitespace-nowrap text-right text-graphite max-md:hidden">{formatCount(files)}</td>
      <td className="measure whitespace-nowrap pr-5! text-right">{formatBytes(bytes)}</td>
    </tr>
  );
}

const ownerNames: Partial<Record<StorageOwner['kind'], string>> = { site: 'The studio itself', cache: 'Cache' };
