/**
 * The waiting jobs of a pool: which one runs next, and how many one caller may have. It knows no processes and no
 * clock.
 *
 * Fairness: the queue takes one job of each caller in turn (round robin), so a caller with many jobs does not delay
 * the others.
 */
export interface JobQueue<J> {
  /** How many jobs wait. */
  readonly length: number;
  /** Adds a job at the end of its caller's jobs. Nothing is added when the caller's share or the queue is full. */
  add(caller: string, job: J): 'added' | 'callerIsFull' | 'queueIsFull';
  /** Takes out the job that runs next; undefined when none waits. Its caller's share stays used until `release`. */
  take(): J | undefined;
  /** Removes a waiting job and releases its share. Returns false when the job does not wait any more. */
  dequeue(caller: string, job: J): boolean;
  /** Ends the use of a caller's share by one job that was taken. */
  release(caller: string): void;
}

/** `callerLimit` counts the waiting and the running jobs of one caller; `queueLimit` counts all waiting jobs. */
export function createJobQueue<J>({
  queueLimit,
  callerLimit,
}: {
  readonly queueLimit: number;
  readonly callerLimit: number;
}): JobQueue<J> {
  /** Callers in the order of their turns, each with its waiting jobs. */
  const jobsOf = new Map<string, J[]>();
  /** How many jobs each caller has, waiting and running. */
  const shares = new Map<string, number>();
  let length = 0;

  const release = (caller: string): void => {
    const left = (shares.get(caller) ?? 1) - 1;
    if (left > 0) shares.set(caller, left);
    else shares.delete(caller);
  };

  return {
    get length() {
      return length;
    },
    add(caller, job) {
      const share = shares.get(caller) ?? 0;
      if (share >= callerLimit) return 'callerIsFull';
      if (length >= queueLimit) return 'queueIsFull';
      shares.set(caller, share + 1);
      const jobs = jobsOf.get(caller);
      if (jobs) jobs.push(job);
      else jobsOf.set(caller, [job]);
      length++;
      return 'added';
    },
    take() {
      const [turn] = jobsOf;
      if (!turn) return undefined;
      const [caller, jobs] = turn;
      const job = jobs.shift();
      jobsOf.delete(caller);
      if (jobs.length > 0) jobsOf.set(caller, jobs); // its next turn comes after all others
      length--;
      return job;
    },
    dequeue(caller, job) {
      const jobs = jobsOf.get(caller);
      const position = jobs?.indexOf(job) ?? -1;
      if (!jobs || position < 0) return false;
      jobs.splice(position, 1);
      if (jobs.length === 0) jobsOf.delete(caller);
      length--;
      release(caller);
      return true;
    },
    release,
  };
}
