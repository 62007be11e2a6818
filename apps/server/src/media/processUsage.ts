/**
 * Reads the usage of a worker process from outside its main thread, which native code may hold for minutes. Linux
 * shows it in /proc; elsewhere a thread of the process sends heartbeats (`serveJobs.ts`).
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';

/** A reading of a process. */
export interface ProcessUsage {
  /** Processor time of all its threads since its start, user and system. */
  readonly processorMs: number;
  readonly residentBytes: number;
  /** How long its main thread has waited for a processor that others had; 0 where that is not known. */
  readonly waitMs: number;
}

/** Reads what one process has used; undefined when the process is gone. */
export type ReadUsage = () => Promise<ProcessUsage | undefined>;

export const hasProc: boolean = existsSync('/proc/self/stat');

/** Length of a clock tick in /proc: Linux shows 100 a second to programs on every machine that Node runs on. */
const TICK_MS = 10;

/** Reads a process's usage from /proc. */
export async function readProc(pid: number | undefined): Promise<ProcessUsage | undefined> {
  const [stat, status, schedstat] = await Promise.all(
    ['stat', 'status', 'schedstat'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
  );
  // The second field is the program's name in parentheses and may hold spaces. utime and stime are fields 14 and 15.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  const residentKb = /^VmRSS:\s*(\d+) kB/m.exec(status ?? '')?.[1];
  if (!fields || fields.length < 13 || residentKb === undefined) return undefined;
  return {
    processorMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
    residentBytes: Number(residentKb) * 1024,
    // The second field, in ns. Some kernels have no such file.
    waitMs: Number(schedstat?.split(' ')[1] ?? 0) / 1e6,
  };
}

/** Reads the newest heartbeat of a process. The first reading waits for the first heartbeat, or the stream's end. */
export function readHeartbeats(heartbeats: Readable): ReadUsage {
  let text = '';
  let newest: ProcessUsage | undefined;
  const first = new Promise<void>((resolve) => {
    heartbeats.on('close', resolve);
    heartbeats.on('data', (data: Buffer) => {
      text += data.toString();
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      const [processorMs, residentBytes] = (lines.at(-1) ?? '').split(' ').map(Number);
      if (!Number.isFinite(processorMs) || !Number.isFinite(residentBytes)) return;
      newest = { processorMs: processorMs!, residentBytes: residentBytes!, waitMs: 0 };
      resolve();
    });
  });
  heartbeats.on('error', () => {}); // its end is heard by `close`
  return async () => {
    await first;
    return newest;
  };
}
