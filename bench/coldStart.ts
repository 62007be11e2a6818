/**
 * Times cold starts of the built program as a node: against a database that others use and that is migrated, from the
 * start of its process to `/api/health`. One after the other, then all at once. Each has one worker for pictures.
 * Run: npm run build && npx tsx bench/coldStart.ts [--single 9] [--together 20]
 */
import { parseArgs } from 'node:util';
import { quantile } from './builtStudio.ts';
import { withNodes } from './serverNodes.ts';

const { values } = parseArgs({
  options: { single: { type: 'string', default: '9' }, together: { type: 'string', default: '20' } },
});
const BAR = { singleSeconds: 3, togetherSeconds: 60 };
/** So that twenty of them have no more connections than the database serves. */
const SMALL_POOL = { DATABASE_POOL: '3' };

await withNodes(async ({ start, end }) => {
  // The first one makes what all of them share.
  await end([await start(SMALL_POOL)]);

  const times: number[] = [];
  for (let i = 0; i < Number(values.single); i++) {
    const startTime = performance.now();
    const node = await start(SMALL_POOL);
    times.push((performance.now() - startTime) / 1000);
    await end([node]);
  }
  const median = quantile(times, 0.5);
  const longest = Math.max(...times);
  const isSingleMet = longest <= BAR.singleSeconds;
  console.log(
    `one node, ${times.length} times   median ${median.toFixed(2)} s, longest ${longest.toFixed(2)} s   ` +
      `bar ${BAR.singleSeconds} s   ${isSingleMet ? 'ok' : 'missed'}`,
  );

  const startTime = performance.now();
  const together = await Promise.all(Array.from({ length: Number(values.together) }, () => start(SMALL_POOL)));
  const seconds = (performance.now() - startTime) / 1000;
  const isTogetherMet = seconds <= BAR.togetherSeconds;
  console.log(
    `${together.length} nodes at once     all ready after ${seconds.toFixed(1)} s   bar ${BAR.togetherSeconds} s   ` +
      `${isTogetherMet ? 'ok' : 'missed'}`,
  );
  process.exitCode = isSingleMet && isTogetherMet ? 0 : 1;
});
