/** Local makers near a town or near the reader. */
import { siteCalls } from '@markwright/contract/paths/siteCalls';
import type { MakerCard } from '@markwright/contract/schemas';
import { Button, buttonClass, SegmentedControl, Select } from '@markwright/controls';
import { MACHINE_MODES, type MachineMode } from '@markwright/scene';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '../../api.ts';
import { Card } from '../../makers/Card.tsx';
import { formatDistance, ownUnit, reachesIn, type Unit } from '../../makers/distance.ts';
import { searchTowns } from '../../makers/searchTowns.ts';
import { TownInput } from '../../makers/TownInput.tsx';
import { townWords } from '../../makers/words.ts';
import { Link } from '../../navigation.tsx';
import { machineNames } from '../../products/names.ts';
import { messageOf } from '../../request.ts';
import { useSession } from '../../session.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { Page } from '../../ui/Page.tsx';
import { usePageHead } from '../../ui/pageHead.ts';
import { TextLink, textLinkClass } from '../../ui/TextLink.tsx';
import { Attribution } from './Attribution.tsx';
import { Rings } from './Rings.tsx';
import { isAnywhere, round, type Search, useSearch, type Where } from './where.ts';

export function MakersPage() {
  usePageHead({
    title: 'Local makers | Markwright',
    description: 'Find somebody near you with a laser, a UV printer or a sublimation press who takes orders.',
  });
  const session = useSession();
  const [unit] = useState(ownUnit);
  const search = useSearch(unit);
  return (
    <Page session={session}>
      <main className="mx-auto w-full max-w-[1180px] flex-1 px-5 pt-10 pb-14 lg:px-10 lg:pt-16">
        <h1 className="text-2xl sm:text-4xl">Somebody near you can make it.</h1>
        <p className="mt-3 max-w-[58ch] text-graphite text-lg">
          People with a laser, a UV printer or a press who take orders. Look around a town, then write to them.
        </p>
        <SearchBar {...search} unit={unit} />
        <Results search={search} unit={unit} onReach={(reach) => search.change({ reach })} />
        <Attribution />
      </main>
    </Page>
  );
}

function SearchBar({ where, machine, reach, change, unit }: ReturnType<typeof useSearch> & { unit: Unit }) {
  const all = reachesIn(unit);
  const town = where && { name: where.isOwn ? `Near ${where.name}` : where.name, region: '', country: '' };
  return (
    <search className="crop-marks mt-9 block rounded-control bg-paper p-4 sm:p-6">
      <div className="flex flex-wrap gap-2">
        <TownInput
          label="Town"
          search={searchTowns}
          placeholder="A town, e.g. Lyon"
          value={town ?? null}
          onChange={(town) =>
            change({
              where: town
                ? { lat: round(town.lat), lon: round(town.lon), name: townWords(town), isOwn: false }
                : undefined,
            })
          }
          className="min-w-0 flex-[1_1_280px]"
        />
        <OwnPosition isUsed={where?.isOwn ?? false} onFound={(where) => change({ where })} />
      </div>
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-3">
        <SegmentedControl
          label="Machine"
          value={machine ?? 'any'}
          options={[
            { value: 'any', label: 'Any machine' },
            ...MACHINE_MODES.map((value) => ({ value, label: machineNames[value] })),
          ]}
          onChange={(value) => change({ machine: MACHINE_MODES.find((one) => one === value) })}
          className="max-sm:w-full"
        />
        <Select
          label="Distance"
          value={reach.value}
          disabled={!where}
          options={all}
          onChange={(value) => change({ reach: all.find((one) => one.value === value)! })}
          className="w-44 max-sm:w-full"
        />
      </div>
    </search>
  );
}

/**
 * Asks the browser for its position after a press, never before. The position that is sent is rounded to a kilometer.
 */
function OwnPosition({ isUsed: isActive, onFound }: { isUsed: boolean; onFound(where: Where): void }) {
  const [state, setState] = useState<'busy' | { failure: string }>();
  async function find() {
    setState('busy');
    try {
      const { coords } = await new Promise<GeolocationPosition>((resolve, reject) =>
        navigator.geolocation.getCurrentPosition(resolve, reject, { timeout: 15_000, maximumAge: 600_000 }),
      );
      const position = { lat: round(coords.latitude), lon: round(coords.longitude) };
      const { name } = await api.makers.nearestPlace({ query: position });
      setState(undefined);
      onFound({ ...position, name, isOwn: true });
    } catch (error) {
      setState({ failure: failureOf(error) });
    }
  }
  return (
    <>
      <Button
        size="lg"
        icon="center"
        isBusy={state === 'busy'}
        aria-pressed={isActive}
        onClick={() => void find()}
        className={buttonClass('secondary', 'lg', 'h-11 max-sm:w-full')}
      >
        Use my position
      </Button>
      {typeof state === 'object' && (
        <p role="alert" className="w-full text-danger">
          {state.failure}
        </p>
      )}
    </>
  );
}

const DENIED = 1;

function failureOf(error: unknown): string {
  if (error instanceof Error) return messageOf(error);
  const isDenied = (error as GeolocationPositionError).code === DENIED;
  return isDenied
    ? 'Your browser does not tell us where you are. Type a town instead.'
    : 'Your position could not be found. Type a town instead.';
}

interface ResultsProps {
  readonly search: Search;
  readonly unit: Unit;
  onReach(reach: Search['reach']): void;
}

function useMakers({ where, machine, reach }: Search, isEnabled: boolean) {
  const position = where && { lat: where.lat, lon: where.lon };
  const query = { ...position, ...(position && reach.km && { km: reach.km }), ...(machine && { machine }) };
  return useInfiniteQuery({
    queryKey: [siteCalls.makers.find.path, query],
    queryFn: ({ pageParam, signal }) => api.makers.find({ query: { ...query, from: pageParam } }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    placeholderData: (before) => before,
    refetchOnMount: 'always',
    enabled: isEnabled,
  });
}

function Results({ search, unit, onReach }: ResultsProps) {
  const { where } = search;
  const [activeId, setActiveId] = useState<string>();
  const anywhere = reachesIn(unit).find(isAnywhere)!;
  const near = useMakers(search, true);
  const isEmpty = near.data?.pages[0]?.total === 0 && !near.isPlaceholderData;
  // Nobody is within reach: shows the nearest makers beyond it.
  const isFarther = isEmpty && where !== undefined && !isAnywhere(search.reach);
  const far = useMakers({ ...search, reach: anywhere }, isFarther);
  const query = isFarther ? far : near;
  const makers = query.data?.pages.flatMap((page) => page.makers) ?? [];
  const total = query.data?.pages[0]?.total ?? 0;

  if (near.isPending || (isFarther && far.isPending)) return <Waiting />;
  if (!query.data) {
    return (
      <div role="alert" className="mt-10 flex flex-wrap items-center justify-between gap-4">
        <p>
          The makers could not be read. <span className="text-graphite">{messageOf(query.error)}</span>
        </p>
        <Button icon="refresh" onClick={() => void query.refetch()}>
          Retry
        </Button>
      </div>
    );
  }
  const [nearest] = makers;
  return (
    <div className="mt-10" aria-busy={query.isFetching}>
      <div role="status">
        <h2 className="text-lg">{headingOf(search, total, isFarther)}</h2>
      </div>
      {isFarther && nearest && (
        <p className="mt-1 max-w-[64ch] text-graphite">
          The nearest is {formatDistance(nearest.distanceKm ?? 0, unit)} away. Those who ship say so.{' '}
          <button type="button" className={textLinkClass} onClick={() => onReach(anywhere)}>
            Search at any distance
          </button>
        </p>
      )}
      {makers.length === 0 ? (
        <NoMakers search={search} />
      ) : (
        <div className={`mt-5 grid gap-x-12 ${where ? 'lg:grid-cols-[minmax(0,1fr)_320px]' : ''}`}>
          <ul aria-label="Makers" className="border-line border-t">
            {makers.map((maker) => (
              <Line key={maker.id} maker={maker} where={where} unit={unit} onActivate={setActiveId} />
            ))}
          </ul>
          {where && (
            <div className="hidden lg:block">
              <figure className="sticky top-20 rounded-card border border-line bg-paper p-5">
                <Rings from={where} makers={makers} unit={unit} activeId={activeId} />
                <figcaption className="mt-3 text-center text-graphite text-sm">
                  Around {placeOf(where)}, as the crow flies
                </figcaption>
              </figure>
            </div>
          )}
        </div>
      )}
      {query.hasNextPage && (
        <Button size="lg" className="mt-6" isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show more makers
        </Button>
      )}
      {makers.length > 0 && (
        <ListYourself question={isFarther ? `You have a machine near ${placeOf(where)}?` : 'You make things, too?'} />
      )}
    </div>
  );
}

function headingOf({ where, reach, machine }: Search, total: number, isFarther: boolean): string {
  const makers = `${total === 1 ? 'maker' : 'makers'}${machine ? ` with ${withMachine[machine]}` : ''}`;
  if (!where) return total === 0 ? `No ${makers} yet` : 'New here';
  const place = placeOf(where);
  const within = isAnywhere(reach) ? 'from' : `${reach.label.toLowerCase()} of`;
  if (isFarther || total === 0) {
    return isAnywhere(reach)
      ? `No ${makers} yet`
      : `Nobody ${machine ? `with ${withMachine[machine]} ` : ''}${within} ${place} yet`;
  }
  return isAnywhere(reach) ? `${total} ${makers}, nearest to ${place} first` : `${total} ${makers} ${within} ${place}`;
}

/** Returns `you`, or the name of the town without its region and country. */
const placeOf = ({ isOwn, name }: Where): string => (isOwn ? 'you' : (name.split(',')[0] ?? ''));

const withMachine: Readonly<Record<MachineMode, string>> = {
  laser: 'a laser',
  uv: 'a UV printer',
  sublimation: 'a sublimation press',
  dtf: 'a DTF printer',
};

interface LineProps {
  readonly maker: MakerCard;
  readonly where: Where | undefined;
  readonly unit: Unit;
  onActivate(id: string | undefined): void;
}

function Line({ maker, where, unit, onActivate }: LineProps) {
  return (
    <li
      className="group border-line border-b py-5"
      onPointerEnter={() => onActivate(maker.id)}
      onPointerLeave={() => onActivate(undefined)}
      onFocus={() => onActivate(maker.id)}
      onBlur={() => onActivate(undefined)}
    >
      <Card
        maker={maker}
        unit={unit}
        name={(name) => (
          <Link
            to={`/makers/${maker.id}`}
            search={where ? { lat: String(where.lat), lon: String(where.lon) } : {}}
            className="decoration-edge underline-offset-4 after:absolute after:inset-0 group-hover:underline"
          >
            {name}
          </Link>
        )}
      />
    </li>
  );
}

/** Suggests other ways, when there is no maker at all. */
function NoMakers({ search }: { search: Search }) {
  return (
    <div className="mt-5 grid gap-x-12 gap-y-8 border-line border-t pt-8 md:grid-cols-2">
      <Suggestion title="Have it made anyway" action={<ButtonLink to="/studio">Open the studio</ButtonLink>}>
        Any workshop with {search.machine ? withMachine[search.machine] : 'a laser or a printer'} can work from your
        file. The studio exports it at its true size, ready for the machine.
      </Suggestion>
      <Suggestion
        title="Be the first one"
        action={
          <ButtonLink to="/profile/maker" variant="secondary">
            List your workshop
          </ButtonLink>
        }
      >
        You have a machine and take orders? A page with your town, your materials and six photos takes some minutes.
        Customers write to you by a form; your address stays yours.
      </Suggestion>
    </div>
  );
}

function Suggestion({ title, action, children }: { title: string; action: ReactNode; children: ReactNode }) {
  return (
    <section>
      <h3 className="font-semibold">{title}</h3>
      <p className="mt-1.5 mb-5 max-w-[52ch] text-graphite">{children}</p>
      {action}
    </section>
  );
}

function ListYourself({ question }: { question: string }) {
  return (
    <p className="mt-10 text-graphite">
      {question} <TextLink to="/profile/maker">List your workshop</TextLink>
    </p>
  );
}

function Waiting() {
  return (
    <div role="status" className="mt-10 grid gap-5">
      <span className="sr-only">Loading</span>
      {[0, 1, 2].map((line) => (
        <div key={line} className="grid grid-cols-[96px_minmax(0,1fr)] gap-5 sm:grid-cols-[168px_minmax(0,1fr)]">
          <span className="aspect-[4/3] animate-pulse rounded-control bg-ink/6" />
          <span className="grid content-start gap-3 pt-1">
            <span className="h-5 w-2/5 animate-pulse rounded-control bg-ink/6" />
            <span className="h-4 w-3/5 animate-pulse rounded-control bg-ink/6" />
          </span>
        </div>
      ))}
    </div>
  );
}
