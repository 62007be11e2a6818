/**
 * A PostgreSQL server of our own, from the programs in an npm package. It is reachable only by a Unix socket in the
 * data folder, and is started, watched and stopped with this process. The caller holds the folder's lock, so a server
 * that already runs here is an orphan of a killed process.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Logger } from 'pino';
import { APP_ROLE, prepareAppRole } from './appRole.ts';
import { StartError } from './errors.ts';
import {
  type Account,
  type Binaries,
  type BinaryPackage,
  findBinaryPackage,
  prepareBinaries,
} from './postgresBinaries.ts';

interface Connection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

/** A running embedded database. */
export interface EmbeddedPostgres {
  /** Connects as the role of the running server, which reads and writes rows. */
  readonly connection: Connection;
  /** Connects as the superuser, who owns the tables and changes them. */
  readonly ownerConnection: Connection;
  /** The process id of the server; it changes after a crash. */
  readonly pid: number | undefined;
  /** Rolls back running transactions, writes everything to disk and ends the server. */
  stop(): Promise<void>;
}

/** The name of the superuser and of the database. */
const OWNER = 'markwright';
const PORT = 5432; // part of the socket's name; no port is opened
const START_LIMIT_MS = 20_000;
/** PostgreSQL's code for `cannot_connect_now`. */
const STARTING = '57P03';
/**
 * The time limits of a clean shutdown, then of one that rolls back running transactions. After both the server is
 * killed.
 */
const STOP_LIMITS_MS = [15_000, 5_000] as const;
const RESTART_PAUSE_MS = 500;
/** The longest path of a socket on the strictest system, without the terminating zero. */
const SOCKET_PATH_LIMIT = 103;

/**
 * Starts the server, and creates the database first when there is none. Throws a StartError with the reason when it
 * cannot.
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  log: Logger,
  binaryPackage: BinaryPackage = findBinaryPackage(),
  stopLimitsMs: readonly [number, number] = STOP_LIMITS_MS,
): Promise<EmbeddedPostgres> {
  const folder = join(dataDir, 'postgres');
  const account = chooseAccount(folder);
  const binaries = prepareBinaries(binaryPackage, dataDir, account);
  if (existsSync(folder)) {
    refuseOtherVersion(folder, binaries);
    await endOrphans(folder, log);
  } else {
    initialize(folder, binaries, account);
  }

  const socket = openSocketFolder(folder);
  const ownerConnection = connectionBy(socket.host, OWNER);
  const logPath = join(dataDir, 'postgres.log');
  let child: ChildProcess | undefined;
  let isStopping = false;

  function launch(): ChildProcess {
    const output = openSync(logPath, 'w', 0o600);
    const newChild = spawn(
      binaries.postgres,
      [
        ...['-D', pathSeenFrom(folder, account)],
        ...['-k', '.', '-p', String(PORT)],
        ...['-c', 'listen_addresses=', '-c', 'unix_socket_permissions=0700'],
        ...['-c', 'log_min_messages=fatal', '-c', 'log_min_error_statement=panic', '-c', 'timezone=UTC'],
      ],
      // A session of its own, so that Ctrl-C reaches only this process and running requests can still use the database.
      { ...account, cwd: folder, env: {}, detached: true, stdio: ['ignore', output, output] },
    );
    closeSync(output);
    newChild.once('exit', (code, signal) => {
      if (child !== newChild || isStopping) return;
      log.error({ code, signal, lastLine: readLastLine(logPath) }, 'the database ended; starting it again');
      relaunchSoon();
    });
    newChild.once('error', (error) => {
      if (child !== newChild || isStopping) return;
      log.error({ err: error }, 'the database does not start; starting it again');
      relaunchSoon();
    });
    return newChild;
  }

  /** Retries soon: the system may deny a process or a file only at this moment. */
  function relaunchSoon(): void {
    setTimeout(() => {
      if (isStopping) return;
      try {
        child = launch();
      } catch (error) {
        log.error({ err: error }, 'the database does not start; starting it again');
        relaunchSoon();
      }
    }, RESTART_PAUSE_MS);
  }

  async function startAndWait(): Promise<void> {
    const deadline = Date.now() + START_LIMIT_MS;
    // After a kill, child processes may linger and hold shared memory for a moment: retry until they are gone.
    while (true) {
      const newChild = launch();
      const failure = new Promise<'failed'>((resolve) => {
        newChild.once('error', () => resolve('failed'));
        newChild.once('exit', () => resolve('failed'));
      });
      const outcome = await Promise.race([failure, waitForAnswer(ownerConnection)]);
      if (outcome === 'answers') {
        child = newChild;
        if (newChild.exitCode !== null || newChild.signalCode !== null) continue;
        return;
      }
      if (outcome === 'silent' || Date.now() > deadline) {
        newChild.kill('SIGKILL');
        throw new StartError(`The database in ${folder} does not start: ${readLastLine(logPath)}`);
      }
      await pause(200);
    }
  }

  async function stop(): Promise<void> {
    isStopping = true;
    if (child) await endServer(child, folder, stopLimitsMs);
    socket.remove();
  }

  await startAndWait();
  try {
    await createDatabase(ownerConnection);
    await prepareAppRole(ownerConnection);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    connection: connectionBy(socket.host, APP_ROLE),
    ownerConnection,
    get pid() {
      return child?.pid;
    },
    stop,
  };
}

const connectionBy = (host: string, user: string): Connection => ({ host, port: PORT, user, database: OWNER });

/**
 * Reaches the database of a server that runs on this folder, from another process. Only the user who runs it may use
 * its socket (and root). Throws a StartError when the socket is not there, as while the server starts.
 */
export function reachEmbeddedPostgres(
  dataDir: string,
): Pick<EmbeddedPostgres, 'connection' | 'ownerConnection' | 'stop'> {
  const folder = join(dataDir, 'postgres');
  if (!existsSync(join(folder, `.s.PGSQL.${PORT}`))) {
    throw new StartError('The server is starting or stopping just now. Please try again in a moment.');
  }
  const socket = openSocketFolder(folder);
  return {
    connection: connectionBy(socket.host, APP_ROLE),
    ownerConnection: connectionBy(socket.host, OWNER),
    stop: async () => socket.remove(),
  };
}

/**
 * Chooses the account that runs the database, because PostgreSQL refuses to run as root: the owner of the folder, and
 * for a new database a service account.
 */
function chooseAccount(folder: string): Account | undefined {
  if (process.platform === 'win32') {
    throw new StartError('The embedded database runs on Linux and macOS. Set DATABASE_URL to a PostgreSQL server.');
  }
  const own = process.getuid?.();
  const folderStat = statSync(folder, { throwIfNoEntry: false });
  if (folderStat && folderStat.uid !== own) {
    if (own !== 0)
      throw new StartError(`The database in ${folder} belongs to another user. Start Markwright as that user.`);
    return { uid: folderStat.uid, gid: folderStat.gid };
  }
  if (own !== 0) return undefined;
  if (folderStat)
    throw new StartError(
      `The database in ${folder} belongs to root, and PostgreSQL refuses to run as root. Give it to another user: chown -R.`,
    );
  return findServiceAccount();
}

function findServiceAccount(): Account {
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const userName of ['postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find((line) => line.startsWith(`${userName}:`))?.split(':') ?? [];
    if (Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new StartError(
    'PostgreSQL refuses to run as root, and there is no user "nobody" to run it as. Start Markwright as another user.',
  );
}

/**
 * Returns the path by which the database's programs reach their own folder. Another account may not enter the folders
 * above it (root's home is closed). But the programs start inside it, and Linux lets a process name its working
 * directory.
 */
function pathSeenFrom(folder: string, account: Account | undefined): string {
  return account && process.platform === 'linux' ? '/proc/self/cwd' : folder;
}

/**
 * Creates a database in a temporary folder and renames that when it is complete, so a database in its place is never
 * incomplete.
 */
function initialize(folder: string, binaries: Binaries, account: Account | undefined): void {
  const temporary = `${folder}.new`;
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary, { mode: 0o700 });
  if (account) chownSync(temporary, account.uid, account.gid);
  const { status, stderr, error } = spawnSync(
    binaries.initdb,
    [
      ...['-D', pathSeenFrom(temporary, account), '-U', OWNER, '--auth=trust', '-E', 'UTF8'],
      // PostgreSQL's own collation: the same on every machine, whatever its system library is.
      ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ],
    { ...account, cwd: temporary, env: {}, encoding: 'utf8', timeout: 120_000 },
  );
  if (status !== 0) {
    throw new StartError(`The database could not be made in ${temporary}: ${(stderr || error?.message || '').trim()}`);
  }
  renameSync(temporary, folder);
}

function refuseOtherVersion(folder: string, binaries: Binaries): void {
  const version = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
  if (version !== binaries.majorVersion) {
    throw new StartError(
      `The database in ${folder} was made by PostgreSQL ${version}, and this program brings ${binaries.majorVersion}. Move it with pg_dump first.`,
    );
  }
}

/**
 * Stops a server whose owner was killed. It is not reused: a server that we start is our child, so we notice when it
 * ends, and it has the current settings. It has no clients any more, so it ends immediately, with all acknowledged rows
 * on disk.
 */
async function endOrphans(folder: string, log: Logger): Promise<void> {
  const startMs = Date.now();
  const orphans = findServers(folder);
  if (orphans.length > 0) log.warn({ pids: orphans }, 'ending the database a killed process left behind');
  for (let pids = orphans, lastSignal = ''; pids.length > 0; pids = findServers(folder)) {
    const seconds = (Date.now() - startMs) / 1000;
    if (seconds > 15) throw new StartError(`A database server (process ${pids[0]}) holds ${folder} and does not end.`);
    // Signals first the main process, which ends the others; when that is not enough, all of them.
    const signal = seconds < 5 ? 'SIGINT' : seconds < 10 ? 'SIGQUIT' : 'SIGKILL';
    const main = readPidFile(folder);
    if (signal !== lastSignal) signalTo(signal === 'SIGINT' && main && pids.includes(main) ? [main] : pids, signal);
    lastSignal = signal;
    await pause(20);
  }
  // Deletes old lock files: the process id in one may belong to another program by now, or to the server that a running
  // folder was copied from. PostgreSQL would take that for a server of this folder, and refuse to start, as it does for
  // a file that was cut off.
  for (const name of [PID_FILE, SOCKET_LOCK]) {
    const pid = readPidFile(folder, name);
    if (pid === undefined || isRunning(pid)) rmSync(join(folder, name), { force: true });
  }
}

const PID_FILE = 'postmaster.pid';
const SOCKET_LOCK = `.s.PGSQL.${PORT}.lock`;

/** Returns the process id in a lock file of the folder. That process may have ended long ago. */
function readPidFile(folder: string, name = PID_FILE): number | undefined {
  const pidFile = join(folder, name);
  const pid = existsSync(pidFile) ? Number.parseInt(readFileSync(pidFile, 'utf8'), 10) : Number.NaN;
  return pid > 1 ? pid : undefined;
}

/**
 * Lists the database's processes that work in this folder, which is their working directory. On other systems than
 * Linux, lists the process of the pid file.
 */
function findServers(folder: string): number[] {
  if (process.platform !== 'linux') {
    const pid = readPidFile(folder);
    const name = pid && spawnSync('ps', ['-p', String(pid), '-o', 'comm='], { encoding: 'utf8' }).stdout;
    return pid && name && /postgres/.test(name) ? [pid] : [];
  }
  const realFolder = realpathSync(folder);
  return readdirSync('/proc').flatMap((name) => {
    try {
      // A zombie process has no working folder: its links cannot be read.
      const isServer =
        readlinkSync(`/proc/${name}/cwd`) === realFolder &&
        /\/postgres( \(deleted\))?$/.test(readlinkSync(`/proc/${name}/exe`));
      return isServer ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

function signalTo(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It ended meanwhile.
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Returns the folder of the socket: the database's folder, or a short link to it when that path is too long. */
function openSocketFolder(folder: string): { host: string; remove: () => void } {
  if (Buffer.byteLength(join(folder, `.s.PGSQL.${PORT}`)) <= SOCKET_PATH_LIMIT)
    return { host: folder, remove: () => {} };
  const short = mkdtempSync(join(tmpdir(), 'markwright-'));
  const host = join(short, 'db');
  symlinkSync(folder, host);
  return { host, remove: () => rmSync(short, { recursive: true, force: true }) };
}

/**
 * Waits until the server answers. Returns `silent` when it gave no answer within the limit. Every reply that it is
 * starting extends the limit: after a crash it replays its log, however long that takes.
 */
async function waitForAnswer(connection: pg.ClientConfig): Promise<'answers' | 'silent'> {
  let deadline = Date.now() + START_LIMIT_MS;
  while (Date.now() < deadline) {
    const client = new pg.Client({ ...connection, database: 'postgres', connectionTimeoutMillis: 2_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      return 'answers';
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === STARTING) deadline = Date.now() + START_LIMIT_MS;
      await pause(15);
    } finally {
      await client.end().catch(() => {});
    }
  }
  return 'silent';
}

async function createDatabase(connection: Connection): Promise<void> {
  const client = new pg.Client({ ...connection, database: 'postgres' });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [connection.database]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(connection.database)}`);
  } finally {
    await client.end();
  }
}

async function endServer(
  child: ChildProcess,
  folder: string,
  [stopMs, quitMs]: readonly [number, number],
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGINT');
  const quitTimer = setTimeout(() => child.kill('SIGQUIT'), stopMs);
  // A frozen server handles neither signal, and its helpers do not notice its end. What it acknowledged is in its log,
  // which the next start replays.
  const killTimer = setTimeout(() => signalTo(findServers(folder), 'SIGKILL'), stopMs + quitMs);
  await exit;
  clearTimeout(quitTimer);
  clearTimeout(killTimer);
}

function readLastLine(logPath: string): string {
  try {
    return readFileSync(logPath, 'utf8').trim().split('\n').at(-1) || 'it said nothing';
  } catch (error) {
    return `what it said cannot be read: ${error}`;
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
