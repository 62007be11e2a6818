/** The search for makers: place, machine, distance. The page's address has it all but the reader's own position. */
import { MACHINE_MODES, type MachineMode } from '@markwright/scene';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ANYWHERE, type Reach, reachesIn, type Unit } from '../../makers/distance.ts';
import { useNavigate, useSearchParams } from '../../navigation.tsx';

export interface Where {
  readonly lat: number;
  readonly lon: number;
  /** `Paris, Île-de-France, France` */
  readonly name: string;
  /** True when it is the reader's own position, not a chosen town. */
  readonly isOwn: boolean;
}

export interface Search {
  readonly where: Where | undefined;
  readonly machine: MachineMode | undefined;
  readonly reach: Reach;
}

const USUAL_KM = '100';
/** The address parameter for the reader's own position. The position itself stays in this tab's memory. */
const OWN = 'me';
const POSITION = ['the reader’s position'];

/** Reads the search from the address, and returns the function that changes it. */
export function useSearch(unit: Unit): Search & { change(to: Partial<Search>): void } {
  const client = useQueryClient();
  const navigate = useNavigate();
  const params = useSearchParams();
  const { data: own } = useQuery<Where | null>({ queryKey: POSITION, enabled: false, initialData: null });

  const [lat, lon] = [toDegrees(params.lat, 90), toDegrees(params.lon, 180)];
  const name = String(params.near ?? '').slice(0, 200);
  const where =
    name === OWN
      ? (own ?? undefined)
      : lat === undefined || lon === undefined || name === ''
        ? undefined
        : { lat, lon, name, isOwn: false };
  const machine = MACHINE_MODES.find((one) => one === params.machine);
  const all = reachesIn(unit);
  const reach =
    all.find(({ value }) => value === String(params.within)) ?? all.find(({ value }) => value === USUAL_KM)!;

  const search = { where, machine, reach };
  return {
    ...search,
    change(to) {
      const next = { ...search, ...to };
      if (next.where?.isOwn) client.setQueryData(POSITION, next.where);
      void navigate({
        to: '/makers',
        replace: true,
        search: {
          ...(next.where?.isOwn
            ? { near: OWN }
            : next.where && { near: next.where.name, lat: String(next.where.lat), lon: String(next.where.lon) }),
          ...(next.machine && { machine: next.machine }),
          ...(next.reach.value !== USUAL_KM && { within: next.reach.value }),
        },
      });
    },
  };
}

/** Reads degrees from the address and rounds them. Undefined beyond `limit` on either side of 0. */
export function toDegrees(value: unknown, limit: number): number | undefined {
  // The router turns some texts into numbers.
  const number = value === undefined || value === '' ? Number.NaN : Number(value);
  return Math.abs(number) <= limit ? round(number) : undefined;
}

/** Rounds degrees to about a kilometer: the server need not know more. */
export const round = (degrees: number): number => Math.round(degrees * 100) / 100;

export const isAnywhere = ({ value }: Reach): boolean => value === ANYWHERE;
