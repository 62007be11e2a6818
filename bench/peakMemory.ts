import { readFileSync } from 'node:fs';

/**
 * Returns the most memory that this process has had, MB. Of `resourceUsage` it would be that of the process which
 * started it, where that was larger: Linux counts until a new program takes the place of the old one.
 */
export function peakMegabytes(): number {
  try {
    const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))!;
    return Number(kilobytes) / 1024;
  } catch {
    return process.resourceUsage().maxRSS / 1024;
  }
}
