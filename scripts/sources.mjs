/** Shared by the checks of text: which files they read, and how they print their findings. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Returns the paths of the tree's files, tracked or new, that match the pattern. Test data is left out. */
export function listSources(pattern) {
  return execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
    .split('\n')
    .filter((path) => pattern.test(path) && !path.includes('fixtures/') && existsSync(path));
}

/**
 * Prints places (`path:line text`) and ends the process with 1 when there are any. With `--count`, prints their number
 * by folder and never fails.
 */
export function reportPlaces(places) {
  if (!process.argv.includes('--count')) {
    for (const place of places) console.error(place);
    process.exit(places.length > 0 ? 1 : 0);
  }
  const counts = new Map();
  for (const place of places) {
    const [folder] = /^((packages|apps|docs)\/[^/:]+|[^/:]+)/.exec(place);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  for (const [folder, count] of [...counts].sort((a, b) => b[1] - a[1])) print(count, folder);
  print(places.length, 'in all');
}

const print = (count, name) => console.log(`${String(count).padStart(5)}  ${name}`);
