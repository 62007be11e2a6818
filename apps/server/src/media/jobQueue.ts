/**
 * The waiting jobs of a pool: which one runs next, and how many one caller may have. It knows no processes and no
 * clock.
 *
 * Lanes: guests never hold all processes, and accounts go first where both could begin.
 *
 * Fairness in a lane: next is the caller who has used the least processor time of late. Callers who used about the same
 * take turns (round robin). So neither many jobs nor expensive ones of one caller delay the others.
 */
import type { Lane } from '../platform/ports/mediaPool.ts';

/** A caller as the queue knows it. */
export interface QueuedCaller {
  readonly name: string;
  readonly lane: Lane;
  /** The processor time that the caller has used of late. */
  readonly debtMs: number;
}

/** The waiting jobs of all callers. */
export interface JobQueue<J> {
  /** The number of waiting jobs. */
  readonly length: number;
  /** Adds a job at the end of its caller's jobs. Nothing is added when the caller's share or the lane is full. */
  add(caller: QueuedCaller, job: J): 'added' | 'callerIsFull' | 'queueIsFull';
  /** Lists the lanes of which a job may begin while `reserve` processes are spoken for, first the one that is next. */
  openLanes(reserve: number): Lane[];
  /** Takes out the job that runs next; undefined when none may. Its caller's share stays used until `release`. */
  take(): J | undefined;
  /** Removes a waiting job and releases its share. Returns false when the job does not wait any more. */
  dequeue(caller: QueuedCaller, job: J): boolean;
  /** Ends the use of a share by a job that was taken, and adds its cost to what its caller has used. */
  release(caller: QueuedCaller, costMs: number): void;
  /** Removes all waiting jobs and returns them. */
  drain(): J[];
  /** Returns each waiting job with its place in its lane, 1 for the next one. */
  places(): ReadonlyMap<J, number>;
}

export interface JobQueueSettings {
  /** The number of processes. */
  readonly size: number;
  /** The waiting jobs of one lane. */
  readonly queueLimit: number;
  /** The waiting and the running jobs of one caller. */
  readonly callerLimit: number;
}

/** The jobs of one caller in a lane, and the processor time that it has used. */
interface CallerJobs<J> {
  readonly waiting: J[];
  running: number;
  debtMs: number;
}
export type Turn<J> = readonly [name: string, jobs: CallerJobs<J>];
interface LaneJobs<J> {
  /** The callers with waiting or running jobs, in the order of their turns. */
  readonly callers: Map<string, CallerJobs<J>>;
  waiting: number;
  running: number;
}

/** The cost of a job that has not ended yet, for the order of callers. */
const TYPICAL_JOB_MS = 2_000;
/** Callers whose use differs by less take turns. */
const SIMILAR_MS = 1_000;

/** Creates an empty queue. */
export function createJobQueue<J>({ size, queueLimit, callerLimit }: JobQueueSettings): JobQueue<J> {
  const createLane = (): LaneJobs<J> => ({ callers: new Map(), waiting: 0, running: 0 });
  const lanes: Readonly<Record<Lane, LaneJobs<J>>> = { account: createLane(), guest: createLane() };
  const most: Readonly<Record<Lane, number>> = { account: size, guest: Math.max(1, size - 1) };

  /** Returns the lanes that may begin a job if `reserve` more were running: first the one with fewer running jobs. */
  const openLanes = (reserve = 0): Lane[] =>
    (['account', 'guest'] as const)
      .filter((name) => lanes[name].running + reserve < most[name])
      .sort((a, b) => lanes[a].running - lanes[b].running);

  function nextLane(): LaneJobs<J> | undefined {
    const name = openLanes().find((one) => lanes[one].waiting > 0);
    return name && lanes[name];
  }

  function forgetIfDone({ callers }: LaneJobs<J>, name: string): void {
    const jobs = callers.get(name);
    if (jobs && jobs.running === 0 && jobs.waiting.length === 0) callers.delete(name);
  }

  return {
    get length() {
      return lanes.account.waiting + lanes.guest.waiting;
    },
    add({ name, lane: laneName, debtMs }, job) {
      const lane = lanes[laneName];
      const jobs = lane.callers.get(name) ?? { waiting: [], running: 0, debtMs };
      if (jobs.waiting.length + jobs.running >= callerLimit) return 'callerIsFull';
      if (lane.waiting >= queueLimit) return 'queueIsFull';
      jobs.waiting.push(job);
      jobs.debtMs = Math.max(jobs.debtMs, debtMs);
      lane.callers.set(name, jobs);
      lane.waiting++;
      return 'added';
    },
    openLanes(reserve) {
      return openLanes(reserve);
    },
    take() {
      const lane = nextLane();
      const name = lane && nextCaller([...lane.callers]);
      const jobs = lane?.callers.get(name ?? '');
      if (!lane || name === undefined || !jobs) return undefined;
      lane.callers.delete(name);
      lane.callers.set(name, jobs); // its next turn comes after all others
      jobs.running++;
      lane.running++;
      lane.waiting--;
      return jobs.waiting.shift();
    },
    dequeue({ name, lane: laneName }, job) {
      const lane = lanes[laneName];
      const jobs = lane.callers.get(name);
      const position = jobs?.waiting.indexOf(job) ?? -1;
      if (!jobs || position < 0) return false;
      jobs.waiting.splice(position, 1);
      lane.waiting--;
      forgetIfDone(lane, name);
      return true;
    },
    release({ name, lane: laneName }, costMs) {
      const lane = lanes[laneName];
      const jobs = lane.callers.get(name);
      if (!jobs || jobs.running === 0) return;
      jobs.running--;
      jobs.debtMs += costMs;
      lane.running--;
      forgetIfDone(lane, name);
    },
    drain() {
      return Object.values(lanes).flatMap((lane) => {
        lane.waiting = 0;
        return [...lane.callers].flatMap(([name, jobs]) => {
          const waitingJobs = jobs.waiting.splice(0);
          forgetIfDone(lane, name);
          return waitingJobs;
        });
      });
    },
    places() {
      const places = new Map<J, number>();
      for (const lane of Object.values(lanes)) {
        for (const [index, job] of inOrderOfTurns([...lane.callers]).entries()) places.set(job, index + 1);
      }
      return places;
    },
  };
}

/** Lists the waiting jobs of a lane in the order in which they run, should no others come. */
export function inOrderOfTurns<J>(callers: readonly Turn<J>[]): J[] {
  const jobs: J[] = [];
  let turns = callers.map(([name, of]): Turn<J> => [name, { ...of, waiting: [...of.waiting] }]);
  for (;;) {
    const name = nextCaller(turns);
    const next = turns.find((turn) => turn[0] === name);
    if (!next) return jobs;
    jobs.push(next[1].waiting.shift()!);
    next[1].running++;
    turns = [...turns.filter((turn) => turn !== next), next];
  }
}

/** Returns the caller whose job is next: who used the least, and among equals who had a turn the longest ago. */
function nextCaller<J>(turns: readonly Turn<J>[]): string | undefined {
  let next: { name: string; use: number } | undefined;
  for (const [name, { waiting, running, debtMs }] of turns) {
    const use = Math.floor((debtMs + running * TYPICAL_JOB_MS) / SIMILAR_MS);
    if (waiting.length > 0 && (!next || use < next.use)) next = { name, use };
  }
  return next?.name;
}
