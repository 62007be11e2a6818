/**
 * A simulation of servers that share a database and a store: what so many of them serve, and what bounds them. It knows
 * the processor time of each call by measurement (`servers.ts`), and draws the rest: calls come at random, wait for the
 * one thread that answers, for a core of the database, and for a process that works on pictures.
 */
import { createRandom } from '../apps/server/test/campaign.ts';
import { quantile } from './builtStudio.ts';

/** Processor time of a call, ms. */
export interface CallCost {
  readonly web: number;
  readonly workers: number;
  readonly database: number;
}

/** A kind of call, and how many of them one person makes in a visit. */
export interface CallKind {
  readonly name: string;
  readonly cost: CallCost;
  readonly inVisit: number;
  /** Objects that are written to the store and read from it. */
  readonly objects: number;
}

/** What the servers stand on. */
export interface Machines {
  readonly nodes: number;
  /** Processes for pictures of each server: one for each of its cores but the one that answers. */
  readonly workers: number;
  readonly databaseCores: number;
  readonly databaseConnections: number;
  /** Requests a second that the store takes for one prefix. */
  readonly storeRequests: number;
}

/** Connections of a server besides its pool: locks, and listening for news. */
const CONNECTIONS_BESIDES = 2;
/** Connections that PostgreSQL and its operator keep for themselves. */
const CONNECTIONS_APART = 10;
/** A pool larger than this waits for the database's cores. */
const MOST_POOL = 10;
/** Below it, a server's calls wait for connections. */
const LEAST_POOL = 3;
/** Share of the bound at which the waits are drawn. */
const LOAD = 0.7;
const VISITS = 3_000;

export interface Forecast {
  /** The most visits a minute, by each bound. */
  readonly bounds: Readonly<Record<'answering' | 'pictures' | 'database' | 'store', number>>;
  readonly limit: string;
  readonly visitsAMinute: number;
  /** The 95th percentile of calls without and with pictures, at 0.7 of the bound, ms. */
  readonly waits: { readonly plain: number; readonly pictures: number };
  readonly settings: string;
}

/** Computes what machines serve. Cost: one pass over some 100,000 calls. */
export function forecast(kinds: readonly CallKind[], machines: Machines): Forecast {
  const { nodes, workers, databaseCores, storeRequests } = machines;
  const inVisit = (part: (kind: CallKind) => number) => kinds.reduce((sum, kind) => sum + kind.inVisit * part(kind), 0);
  const aMinute = (capacityMs: number, demandMs: number) => (60_000 * capacityMs) / demandMs;
  const bounds = {
    answering: aMinute(
      nodes,
      inVisit(({ cost }) => cost.web),
    ),
    pictures: aMinute(
      nodes * workers,
      inVisit(({ cost }) => cost.workers),
    ),
    database: aMinute(
      databaseCores,
      inVisit(({ cost }) => cost.database),
    ),
    store: (60 * storeRequests) / inVisit(({ objects }) => objects),
  };
  const [limit, most] = Object.entries(bounds).reduce((a, b) => (b[1] < a[1] ? b : a));
  return {
    bounds,
    limit,
    visitsAMinute: most,
    waits: drawWaits(kinds, machines, LOAD * most),
    settings: chooseSettings(machines),
  };
}

/** Returns the settings by which all servers together stay within the connections of the database. */
function chooseSettings({ nodes, workers, databaseConnections }: Machines): string {
  const each = Math.floor((databaseConnections - CONNECTIONS_APART) / nodes) - CONNECTIONS_BESIDES;
  const pool = each >= LEAST_POOL ? `DATABASE_POOL=${Math.min(MOST_POOL, each)}` : 'PgBouncer, DATABASE_DIRECT_URL';
  return `WORKERS=${workers}, ${pool}`;
}

/** A place with some servers of its own, that are taken in the order of arrival. */
function createStation(count: number) {
  const freeAt = new Float64Array(count);
  return (arrival: number, ms: number): number => {
    let first = 0;
    for (let i = 1; i < count; i++) if (freeAt[i]! < freeAt[first]!) first = i;
    freeAt[first] = Math.max(arrival, freeAt[first]!) + ms;
    return freeAt[first]!;
  };
}

/**
 * Draws the calls of visits that come at a rate, in the order of their arrival. Durations vary as those of an
 * exponential law with the measured mean, which is worse than what was measured.
 */
function drawWaits(kinds: readonly CallKind[], machines: Machines, visitsAMinute: number): Forecast['waits'] {
  const random = createRandom(machines.nodes);
  const exponential = (mean: number) => -mean * Math.log(1 - random());
  const calls = kinds.flatMap((kind) =>
    Array.from({ length: Math.round(VISITS * kind.inVisit) }, () => ({
      kind,
      arrival: (random() * VISITS * 60_000) / visitsAMinute,
    })),
  );
  calls.sort((a, b) => a.arrival - b.arrival);
  const answering = Array.from({ length: machines.nodes }, () => createStation(1));
  const database = createStation(machines.databaseCores);
  const pictures = createStation(machines.nodes * machines.workers);
  const plain: number[] = [];
  const heavy: number[] = [];
  for (const { kind, arrival } of calls) {
    const answer = answering[Math.floor(random() * machines.nodes)]!;
    let end = answer(arrival, exponential(kind.cost.web));
    end = database(end, exponential(kind.cost.database));
    if (kind.cost.workers > 0) end = pictures(end, exponential(kind.cost.workers));
    (kind.cost.workers > 0 ? heavy : plain).push(end - arrival);
  }
  return { plain: quantile(plain, 0.95), pictures: quantile(heavy, 0.95) };
}
