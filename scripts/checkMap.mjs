// Fails when a document names a path that does not exist, leaves out a decision or a setting, or when the newest
// version of the changelog is not the one of the packages, or neither it nor the one before is the database's oldest.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listSources } from './sources.mjs';

// Decisions and change logs keep the names of their day.
const documents = listSources(/\.md$/).filter((path) => !/CHANGELOG\.md$|^docs\/decisions\/\d/.test(path));
const faults = [];

/** A path in backticks is relative to the root or to a folder that holds the document. Placeholders are not checked. */
const ROOTED = /^(packages|apps|docs|e2e|scripts|bench|\.ci|\.vscode)\//;
const isPlaceholder = (path) => /[*<>…{}]|NNNN/.test(path);

/** True when the path exists at the root or below one of the folders around the document. */
function isThere(path, document) {
  for (let folder = dirname(document); ; folder = dirname(folder)) {
    if (existsSync(join(folder, path))) return true;
    if (folder === '.') return false;
  }
}

for (const document of documents) {
  const text = readFileSync(document, 'utf8');
  const quotes = [...text.matchAll(/`([^`\s]+)`/g)].map((match) => match[1]);
  const paths = quotes.filter((path) => ROOTED.test(path) && !isPlaceholder(path));
  if (document === 'docs/map.md' && paths.length === 0) faults.push('docs/map.md names no path at all');
  for (const path of new Set(paths)) if (!isThere(path, document)) faults.push(`${document}: there is no ${path}`);

  const links = [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map((match) => match[1]);
  for (const link of new Set(links)) {
    if (/^[a-z]+:/.test(link)) continue;
    if (!existsSync(join(dirname(document), link))) faults.push(`${document}: the link to ${link} leads nowhere`);
  }
}

// Each decision has a number of its own, the headings of all decisions, and a line in the index with its title.
const FORM =
  /^# (\d+)\. ([^\n]+)\n\nDate: \d{4}-\d\d-\d\d\. Status: [^\n]+\.\n\n## Context\n.*\n## Decision\n.*\n## Consequences\n/s;
const folder = 'docs/decisions';
const index = readFileSync(`${folder}/README.md`, 'utf8');
const numbers = new Set();
for (const name of readdirSync(folder).filter((file) => file !== 'README.md')) {
  const digits = /^(\d{4})-[a-z0-9-]+\.md$/.exec(name)?.[1];
  const [, number, title] = FORM.exec(readFileSync(`${folder}/${name}`, 'utf8')) ?? [];
  if (!digits || Number(digits) !== Number(number)) faults.push(`${folder}/${name} has not the form of the others`);
  else if (numbers.has(digits)) faults.push(`${folder}/${name}: the number ${digits} is taken`);
  else if (!index.includes(`[${title}](${name})`)) faults.push(`${folder}/README.md does not list [${title}](${name})`);
  numbers.add(digits);
}

// Each setting has a line in the operator's table.
const settings = readFileSync('apps/server/src/config.ts', 'utf8').matchAll(/^ {4}([A-Z][A-Z_]+): /gm);
const operating = readFileSync('docs/operating.md', 'utf8');
for (const [, name] of settings) {
  if (!operating.includes(`| \`${name}\` |`)) faults.push(`docs/operating.md does not list the setting ${name}`);
}

// The server writes the version of its package into the OpenAPI document.
const [newest, beforeNewest = newest] = [...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(
  ([, number]) => number,
);
for (const file of ['package.json', 'apps/server/package.json', 'apps/web/package.json']) {
  const { version } = JSON.parse(readFileSync(file, 'utf8'));
  if (version !== newest) faults.push(`${file} has version ${version}, the newest in CHANGELOG.md is ${newest}`);
}
// Servers of two versions work on one database: those of the newest and of the one before, or, while the next one is
// written, those of the next and of the newest.
const oldest = /OLDEST_VERSION = '(.+)'/.exec(readFileSync('apps/server/src/platform/oldestVersion.ts', 'utf8'))?.[1];
if (oldest !== newest && oldest !== beforeNewest) {
  faults.push(`apps/server/src/platform/oldestVersion.ts names ${oldest}, neither ${newest} nor ${beforeNewest}`);
}

for (const fault of faults) console.error(fault);
process.exit(faults.length > 0 ? 1 : 0);
