// Waits until a Prometheus beside deploy/compose.cluster.yml reads all servers and has evaluated all alerts of deploy,
// none of them with an error, and asks it for a metric. For scripts/tryCluster.sh. Run: tryPrometheus.mjs URL
import { readFileSync } from 'node:fs';

const [url] = process.argv.slice(2);
const SERVERS = ['web-1:9090', 'web-2:9090', 'worker:9090'];
const rules = readFileSync(new URL('../deploy/prometheus/markwright.rules.yml', import.meta.url), 'utf8');
const ALERTS = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name).sort();
const CALLS = 'sum(http_request_seconds_count{job="markwright"})';
/** Prometheus reads and evaluates every 15 s. */
const TRIES = 90;

async function read(path) {
  const { data } = await (await fetch(`${url}/api/v1/${path}`)).json();
  return data;
}

/** Returns what is missing; undefined when nothing is. */
async function findMissing() {
  const { activeTargets } = await read('targets');
  const up = activeTargets.filter(({ health }) => health === 'up').map(({ labels }) => labels.instance);
  if (up.sort().join() !== SERVERS.join()) return `of ${SERVERS} only ${up} are up`;
  const { groups } = await read('rules');
  const goodRules = groups.flatMap((group) => group.rules.filter(({ health }) => health === 'ok'));
  const names = goodRules.map(({ name }) => name).sort();
  if (names.join() !== ALERTS.join()) return `of ${ALERTS} only ${names} are evaluated`;
  const { result } = await read(`query?query=${encodeURIComponent(CALLS)}`);
  return Number(result[0]?.value[1]) > 0 ? undefined : `${CALLS} is ${JSON.stringify(result)}`;
}

for (let tries = 1; ; tries++) {
  const missing = await findMissing().catch((error) => `no answer: ${error.cause ?? error}`);
  if (missing === undefined) break;
  if (tries === TRIES) throw new Error(missing);
  await new Promise((resolve) => setTimeout(resolve, 1000));
}
