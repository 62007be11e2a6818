// Part of npm run map. Fails when docs/asvs.md lacks a requirement of OWASP ASVS 5.0 at level 1 or 2 (without OAuth and
// WebRTC, which the product has not), or when a row is without a reason. Fails too when the list of requirements or
// SECURITY.md names a test that does not exist.
import { existsSync, readFileSync } from 'node:fs';

const DOCUMENT = 'docs/asvs.md';
const THREATS = 'SECURITY.md';
/** The numbers of the requirements in each section, from the published list. */
const sections = {
  1.1: [1, 2],
  1.2: [1, 2, 3, 4, 5, 6, 7, 8, 9],
  1.3: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  1.4: [1, 2, 3],
  1.5: [1, 2],
  2.1: [1, 2, 3],
  2.2: [1, 2, 3],
  2.3: [1, 2, 3, 4],
  2.4: [1],
  3.2: [1, 2],
  3.3: [1, 2, 3, 4],
  3.4: [1, 2, 3, 4, 5, 6],
  3.5: [1, 2, 3, 4, 5],
  3.7: [1, 2],
  4.1: [1, 2, 3],
  4.2: [1],
  4.3: [1, 2],
  4.4: [1, 2, 3, 4],
  5.1: [1],
  5.2: [1, 2, 3],
  5.3: [1, 2],
  5.4: [1, 2, 3],
  6.1: [1, 2, 3],
  6.2: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  6.3: [1, 2, 3, 4],
  6.4: [1, 2, 3, 4],
  6.5: [1, 2, 3, 4, 5],
  6.6: [1, 2, 3],
  6.8: [1, 2, 3, 4],
  7.1: [1, 2, 3],
  7.2: [1, 2, 3, 4],
  7.3: [1, 2],
  7.4: [1, 2, 3, 4, 5],
  7.5: [1, 2],
  7.6: [1, 2],
  8.1: [1, 2],
  8.2: [1, 2, 3],
  8.3: [1],
  8.4: [1],
  9.1: [1, 2, 3],
  9.2: [1, 2, 3, 4],
  11.1: [1, 2],
  11.2: [1, 2, 3],
  11.3: [1, 2, 3],
  11.4: [1, 2, 3, 4],
  11.5: [1],
  11.6: [1],
  12.1: [1, 2, 3],
  12.2: [1, 2],
  12.3: [1, 2, 3, 4],
  13.1: [1],
  13.2: [1, 2, 3, 4, 5],
  13.3: [1, 2],
  13.4: [1, 2, 3, 4, 5],
  14.1: [1, 2],
  14.2: [1, 2, 3, 4],
  14.3: [1, 2, 3],
  15.1: [1, 2, 3],
  15.2: [1, 2, 3],
  15.3: [1, 2, 3, 4, 5, 6, 7],
  16.1: [1],
  16.2: [1, 2, 3, 4, 5],
  16.3: [1, 2, 3, 4],
  16.4: [1, 2, 3],
  16.5: [1, 2, 3],
};
const STATES = ['Met', 'Not applicable', 'Operator', 'Open'];

const expected = new Set(
  Object.entries(sections).flatMap(([section, numbers]) => numbers.map((number) => `${section}.${number}`)),
);
const faults = [];
const counts = new Map();
const rowIds = new Set();
for (const line of readFileSync(DOCUMENT, 'utf8').split('\n')) {
  const cells = /^\| (\d+\.\d+\.\d+) \|(.*)\|$/.exec(line);
  if (!cells) continue;
  const [, id, rest] = cells;
  const [level, summary, state, reason] = rest.split(' | ').map((cell) => cell.trim());
  if (rowIds.has(id)) faults.push(`${id} stands there twice`);
  if (!expected.has(id)) faults.push(`${id} is no requirement of level 1 or 2`);
  rowIds.add(id);
  counts.set(state, (counts.get(state) ?? 0) + 1);
  if (!['1', '2'].includes(level) || !summary) faults.push(`${id} has no level or no summary`);
  if (!STATES.includes(state)) faults.push(`${id} is “${state}”, which is none of ${STATES.join(', ')}`);
  const tests = findTests(reason ?? '');
  if (state === 'Met' && tests.length === 0) faults.push(`${id} is met and names no test`);
  if (!reason) faults.push(`${id} gives no reason`);
  faults.push(...findMissing(id, tests));
}
for (const id of expected) if (!rowIds.has(id)) faults.push(`${id} has no row`);
for (const line of readFileSync(THREATS, 'utf8').split('\n')) {
  const row = /^\| (T\d+) \|.*\| (.*) \|$/.exec(line);
  if (row) faults.push(...findMissing(`${THREATS} ${row[1]}`, findTests(row[2])));
}

/** Finds the tests that a cell names by file and title. */
function findTests(cell) {
  return [...cell.matchAll(/`([^`]+)` “(.+?)”(?=;|$)/g)].map(([, path, title]) => ({ path, title }));
}

/** Returns a sentence for each test that does not exist. */
function findMissing(id, tests) {
  return tests.flatMap(({ path, title }) => (hasTest(path, title) ? [] : [`${id}: ${path} has no test “${title}”`]));
}

/** True when the file of tests has the title as a whole string. */
function hasTest(path, title) {
  if (!/\.(test|spec)\.(ts|tsx|mjs)$/.test(path) || !existsSync(path)) return false;
  const source = readFileSync(path, 'utf8').replaceAll("\\'", "'");
  return ["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote}`));
}

for (const fault of faults) console.error(fault.startsWith(THREATS) ? fault : `${DOCUMENT}: ${fault}`);
if (faults.length > 0) process.exit(1);
const summary = STATES.map((state) => `${counts.get(state) ?? 0} ${state.toLowerCase()}`).join(', ');
console.log(`ASVS: ${rowIds.size} requirements (${summary})`);
