/** A maker in a list. */
import type { MakerCard } from '@markwright/contract/schemas';
import { Icon, type IconName } from '@markwright/controls';
import type { MachineMode } from '@markwright/scene';
import type { ReactNode } from 'react';
import { machineNames } from '../products/names.ts';
import { formatDistance, type Unit } from './distance.ts';
import { Photo } from './Photo.tsx';
import { materialWords, termsOf, townWords } from './words.ts';

const MAX_MATERIALS = 5;
const machineIcons: Readonly<Record<MachineMode, IconName>> = {
  laser: 'M10 2.5V9M7.5 2.5h5M3 16.5h14M10 12.5v.01M6.5 12 5 10.5M13.5 12l1.5-1.5M10 9.5 8.5 13h3z',
  uv: 'M5.5 7.5V3h9v4.5M5.5 14H3V7.5h14V14h-2.5M5.5 11.5h9V17h-9z',
  sublimation: 'toBottom',
  dtf: 'M4 3.5h12v9.5a2 2 0 0 1-2 2H6.5A2.5 2.5 0 0 1 4 12.5zM7 7.5h6M7 10.5h4M4 17h12',
};

type CardMaker = Omit<MakerCard, 'id' | 'place'> & { readonly place: MakerCard['place'] | null };

interface Props {
  readonly maker: CardMaker;
  readonly unit: Unit;
  /** Draws the name: in a list, as a link to the page. */
  name(name: string): ReactNode;
}

export function Card({ maker, unit, name }: Props) {
  const materials = materialWords(maker.materials);
  const more = materials.length - MAX_MATERIALS;
  const terms = termsOf(maker);
  return (
    <article className="relative grid grid-cols-[96px_minmax(0,1fr)] gap-4 sm:grid-cols-[168px_minmax(0,1fr)] sm:gap-5">
      <div className="aspect-[4/3] overflow-hidden rounded-control border border-line max-sm:aspect-square">
        {maker.photo ? (
          <Photo photo={maker.photo} alt="" sizes="(width < 640px) 96px, 168px" className="size-full" />
        ) : (
          <NoPhoto machine={maker.machines[0]} />
        )}
      </div>
      <div className="min-w-0">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <h3 className="text-lg [overflow-wrap:anywhere]">{name(maker.name)}</h3>
          {maker.distanceKm !== null && (
            <span className="measure text-graphite max-sm:order-last">{formatDistance(maker.distanceKm, unit)}</span>
          )}
        </div>
        <p className="text-graphite">{maker.place ? townWords(maker.place) : 'No place yet'}</p>
        <Machines machines={maker.machines} className="mt-2.5" />
        {materials.length > 0 && (
          <p className="mt-2 text-sm [overflow-wrap:anywhere]">
            {materials.slice(0, MAX_MATERIALS).join(', ')}
            {more > 0 && <span className="text-graphite"> and {more} more</span>}
          </p>
        )}
        {terms && <p className="mt-1 text-graphite text-sm">{terms}</p>}
      </div>
    </article>
  );
}

export function Machines({ machines, className = '' }: { machines: readonly MachineMode[]; className?: string }) {
  return (
    <ul aria-label="Machines" className={`flex flex-wrap gap-1.5 ${className}`}>
      {machines.map((machine) => (
        <li
          key={machine}
          className="inline-flex h-6 items-center gap-1.5 rounded-full border border-line bg-paper pr-2.5 pl-2 font-medium text-xs"
        >
          <Icon name={machineIcons[machine]} className="size-3.5 text-graphite" />
          {machineNames[machine]}
        </li>
      ))}
    </ul>
  );
}

/** Stands in for a photo. */
export function NoPhoto({ machine }: { machine: MachineMode | undefined }) {
  return (
    <div className="grid size-full place-items-center bg-bone text-edge">
      <Icon name={machine ? machineIcons[machine] : 'image'} className="size-8" strokeWidth={1} />
    </div>
  );
}
