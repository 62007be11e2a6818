// The first steps of `npm start` and `npm test`: install missing packages, build what changed. Plain Node.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const LEAST_NODE = [20, 20];

/** Ends the process with a sentence when this Node is too old for the product. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1])) return;
  console.error(`Markwright needs Node ${LEAST_NODE.join('.')} or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

/** Installs the packages of the lock file, unless they are installed. */
export function installPackages() {
  if (isInstalled()) return;
  console.log('Installing packages…');
  npm(['ci', '--no-audit', '--no-fund', '--loglevel=error']);
}

/**
 * Returns true when the lock file that npm leaves after an install matches ours. An interrupted install leaves none.
 */
function isInstalled() {
  const note = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(note)) return false;
  const lockedPackages = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const installedPackages = JSON.parse(readFileSync(note, 'utf8')).packages;
  return Object.entries(lockedPackages).every(([path, { version, optional, link }]) => {
    if (path === '') return true;
    // An optional package may be missing, for example another platform's programs.
    return installedPackages[path] ? link || installedPackages[path].version === version : optional;
  });
}

/** Builds the pages, the server, or both: each when one of its sources has changed since its last build. */
export function build(apps = ['web', 'server']) {
  const packages = join(root, 'packages');
  const sharedSources = readdirSync(packages).map((name) => join(packages, name, 'src'));
  for (const app of apps) {
    const folder = join(root, 'apps', app);
    const stamp = join(folder, 'dist', '.markwright-sources');
    const sourcesHash = hashOf([join(root, 'package-lock.json'), ...sharedSources, ...sourcesOf(folder)]);
    if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sourcesHash) continue;
    console.log(`Building ${app === 'web' ? 'the pages' : 'the server'}…`);
    npm(['run', '--silent', 'build', '--workspace', `@markwright/${app}`], 'quiet');
    writeFileSync(stamp, sourcesHash);
  }
}

const sourcesOf = (folder) =>
  ['src', 'public', 'index.html', 'vite.config.ts', 'package.json']
    .map((name) => join(folder, name))
    .filter(existsSync);

/** Returns a hash of the contents of files and folders, without tests. */
function hashOf(paths) {
  const hash = createHash('sha256');
  const visit = (path) => {
    if (statSync(path).isDirectory()) {
      for (const name of readdirSync(path).sort()) visit(join(path, name));
    } else if (!/\.test\.tsx?$/.test(path)) {
      hash.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0');
    }
  };
  for (const path of paths) visit(path);
  return hash.digest('hex');
}

/** Returns the npm that started this process, as a program and its first arguments. */
export const npmCommand = () =>
  process.env.npm_execpath ? [process.execPath, [process.env.npm_execpath]] : ['npm', []];

/** Runs npm in the root. When npm fails, prints its output and ends the process with its exit code. */
export function npm(args, loudness = 'loud') {
  const [program, first] = npmCommand();
  const quiet = loudness === 'quiet';
  const { status, stdout, stderr, error } = spawnSync(program, [...first, ...args], {
    cwd: root,
    stdio: quiet ? 'pipe' : 'inherit',
    encoding: 'utf8',
  });
  if (status === 0) return;
  if (quiet) console.error(`${stdout}${stderr}`);
  if (error) console.error(error.message);
  console.error(`npm ${args.join(' ')} failed.`);
  process.exit(status ?? 1);
}
