import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import pino from 'pino';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { holdDatabaseProgram } from '../../test/builtServer.ts';
import { stressTest } from '../../test/campaign.ts';
import { copyDatabase, putDatabase } from '../../test/dataFolder.ts';
import { isAlive, processesIn, signal } from '../../test/machine.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embeddedPostgres.ts';
import { StartError } from './errors.ts';
import { lockFolder } from './folderLock.ts';
import { findBinaryPackage, prepareBinaries } from './postgresBinaries.ts';

interface Holder {
  readonly child: ChildProcess;
  readonly report: { connection: pg.ClientConfig; pid: number; refused?: string };
}

const log = pino({ level: 'silent' });
const soon = { timeout: 60_000, interval: 50 };
const isRoot = process.getuid?.() === 0;
const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

function newFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'markwright-pg-'));
  endings.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder with a database that has been used before, for a test that is not about its creation. */
function newFolderWithDatabase(): string {
  const folder = newFolder();
  putDatabase(folder);
  return folder;
}

async function start(folder: string, binaries = findBinaryPackage()): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres(folder, log, binaries);
  endings.push(() => server.stop());
  return server;
}

/** Starts a second process that holds the folder. */
async function hold(folder: string): Promise<Holder> {
  const child = spawn(process.execPath, [holdDatabaseProgram.entry, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endings.push(() => end(child, 'SIGTERM'));
  const [line] = await once(createInterface(child.stdout!), 'line');
  return { child, report: JSON.parse(line) };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}

async function query(
  connection: pg.ClientConfig,
  text: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection);
  await client.connect();
  return client
    .query(text, values)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

describe('the embedded database', () => {
  test('is created once, keeps its rows, and stops with its owner', async () => {
    const folder = newFolder();
    const first = await startEmbeddedPostgres(folder, log);
    await query(first.ownerConnection, 'create table t (word text)');
    await query(first.ownerConnection, "insert into t values ('Größe')");
    await first.stop();
    expect(isAlive(first.pid!)).toBe(false);

    const second = await start(folder);
    expect(await query(second.ownerConnection, 'select word from t')).toEqual([{ word: 'Größe' }]);
    const [settings] = await query(
      second.ownerConnection,
      `select current_setting('listen_addresses') as addresses, current_setting('fsync') as fsync,
        current_setting('server_encoding') as encoding, current_setting('timezone') as timezone`,
    );
    expect(settings).toEqual({ addresses: '', fsync: 'on', encoding: 'UTF8', timezone: 'UTC' });
  });

  test('opens no port, and only its owner may read its folder', async () => {
    const folder = newFolderWithDatabase();
    const server = await start(folder);
    const cluster = statSync(join(folder, 'postgres'));
    expect(cluster.mode & 0o777).toBe(0o700);
    expect(readdirSync(join(folder, 'postgres'))).toContain('.s.PGSQL.5432');
    if (isRoot) {
      expect(cluster.uid).not.toBe(0);
      expect(statSync(`/proc/${server.pid}`).uid).toBe(cluster.uid);
    }
    const sockets = readFileSync('/proc/net/tcp', 'utf8') + readFileSync('/proc/net/tcp6', 'utf8');
    const inodes = readdirSync(`/proc/${server.pid}/fd`).flatMap((fd) => {
      const link = statSync(`/proc/${server.pid}/fd/${fd}`, { throwIfNoEntry: false });
      return link?.isSocket() ? [String(link.ino)] : [];
    });
    expect(inodes.length).toBeGreaterThan(0);
    for (const inode of inodes) expect(sockets).not.toMatch(new RegExp(` ${inode} `));
  });

  test.runIf(isRoot && process.platform === 'linux')(
    'runs as root below a folder that other users cannot enter',
    { tags: ['detail'] },
    async () => {
      const closedFolder = newFolder();
      chmodSync(closedFolder, 0o700);
      const folder = join(closedFolder, 'inner', 'data');
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const server = await start(folder);
      expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    },
  );

  stressTest('is reachable in a folder whose path is longer than a socket’s may be', async () => {
    const folder = join(newFolder(), 'd'.repeat(100), 'e'.repeat(100));
    mkdirSync(folder, { recursive: true });
    const server = await start(folder);
    expect(server.connection.host.length).toBeLessThan(90);
    expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
    expect(existsSync(server.connection.host)).toBe(false);
  });

  stressTest('does not need npm’s install scripts', async () => {
    const source = findBinaryPackage();
    const bare = newFolder();
    cpSync(source.folder, bare, { recursive: true, verbatimSymlinks: true });
    const links = JSON.parse(readFileSync(join(bare, 'native', 'pg-symlinks.json'), 'utf8')) as { target: string }[];
    for (const { target } of links) rmSync(join(bare, target));
    for (const program of ['postgres', 'initdb']) chmodSync(join(bare, 'native', 'bin', program), 0o644);

    const version = `0.0.0-test-${process.pid}`;
    const account = isRoot ? { uid: 65534, gid: 65534 } : undefined;
    const home = newFolder();
    const binaries = prepareBinaries({ folder: bare, version }, home, account);
    const copy = join(binaries.postgres, '..', '..');
    endings.push(() => rmSync(copy, { recursive: true, force: true }));
    expect(binaries.postgres.startsWith(bare)).toBe(false);
    expect(statSync(copy).mode & 0o777).toBe(0o755);
    expect(prepareBinaries({ folder: bare, version }, home, account)).toEqual(binaries);

    rmSync(join(copy, 'lib', 'libicuuc.so.60'), { force: true }); // as a cleaner of temporary folders might
    expect(prepareBinaries({ folder: bare, version }, home, account)).toEqual(binaries);
    expect(existsSync(join(copy, 'lib', 'libicuuc.so.60'))).toBe(true);
  });

  stressTest('starts an interrupted creation again', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'postgres.new', 'base'), { recursive: true });
    writeFileSync(join(folder, 'postgres.new', 'PG_VERSION'), '18\n');
    const server = await start(folder);
    expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(existsSync(join(folder, 'postgres.new'))).toBe(false);
  });

  test('leaves another version’s database alone', async () => {
    const folder = newFolderWithDatabase();
    writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '15\n');
    await expect(startEmbeddedPostgres(folder, log)).rejects.toThrow(/made by PostgreSQL 15/);
  });

  stressTest('restarts after a crash, with all acknowledged rows', async () => {
    const folder = newFolderWithDatabase();
    const server = await start(folder);
    await query(server.ownerConnection, 'create table t (n int)');
    await query(server.ownerConnection, 'insert into t values (7)');
    const { pid } = server;
    process.kill(pid!, 'SIGKILL');
    await vi.waitFor(async () => expect(await query(server.ownerConnection, 'select n from t')).toEqual([{ n: 7 }]), {
      timeout: 60_000,
      interval: 50,
    });
    expect(server.pid).not.toBe(pid);
  });

  stressTest('retries until it can be restarted', async () => {
    const folder = newFolderWithDatabase();
    const messages: string[] = [];
    const capturingLog = pino({ level: 'error' }, { write: (line) => void messages.push(JSON.parse(line).msg) });
    const server = await startEmbeddedPostgres(folder, capturingLog);
    endings.push(() => server.stop());
    rmSync(join(folder, 'postgres.log'));
    mkdirSync(join(folder, 'postgres.log')); // a file that cannot be opened
    process.kill(server.pid!, 'SIGKILL');
    await vi.waitFor(
      () => expect(messages.filter((line) => /does not start/.test(line)).length).toBeGreaterThan(1),
      soon,
    );
    rmSync(join(folder, 'postgres.log'), { recursive: true });
    await vi.waitFor(async () => expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }]), soon);
  });

  stressTest('kills all processes when they are frozen, and keeps all acknowledged rows', async () => {
    const folder = newFolderWithDatabase();
    const server = await startEmbeddedPostgres(folder, log, findBinaryPackage(), [200, 200]);
    await query(server.ownerConnection, 'create table t (n int)');
    await query(server.ownerConnection, 'insert into t values (7)');
    const processes = processesIn(join(folder, 'postgres'));
    expect(processes.length).toBeGreaterThan(1);
    signal(processes, 'SIGSTOP');
    await server.stop();
    await vi.waitFor(() => expect(processes.filter(isAlive)).toEqual([]), soon);
    expect(await query((await start(folder)).ownerConnection, 'select n from t')).toEqual([{ n: 7 }]);
  });
});

stressTest('waits for a server that replays a long log after a crash', async () => {
  const folder = newFolderWithDatabase();
  const first = await startEmbeddedPostgres(folder, log);
  const { ownerConnection: connection } = first;
  await query(connection, 'alter system set hot_standby = off');
  await first.stop();
  // While this file exists, the server keeps reading and rejects connections.
  const { uid, gid } = statSync(join(folder, 'postgres'));
  for (const name of ['standby.signal', 'promote']) {
    writeFileSync(join(folder, `${name}.new`), '');
    chownSync(join(folder, `${name}.new`), uid, gid);
  }
  renameSync(join(folder, 'standby.signal.new'), join(folder, 'postgres', 'standby.signal'));

  vi.useFakeTimers({ toFake: ['Date'] });
  endings.push(() => vi.useRealTimers());
  const connects = vi.spyOn(pg.Client.prototype, 'connect');
  endings.push(() => connects.mockRestore());
  const starting = start(folder);
  const readErrorCode = () =>
    query(connection, 'select').then(
      () => undefined,
      (error: { code?: string }) => error.code,
    );
  await vi.waitFor(async () => expect(await readErrorCode()).toBe('57P03'), { timeout: 60_000 });
  for (let minute = 0; minute < 6; minute++) {
    const before = connects.mock.calls.length;
    vi.setSystemTime(Date.now() + 15_000);
    await Promise.race([
      starting,
      vi.waitFor(() => expect(connects.mock.calls.length).toBeGreaterThan(before + 2), { timeout: 60_000 }),
    ]);
  }
  expect(await readErrorCode()).toBe('57P03');
  renameSync(join(folder, 'promote.new'), join(folder, 'postgres', 'promote'));
  process.kill(Number.parseInt(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10), 'SIGUSR1');
  expect(await query((await starting).connection, 'select 1 as one')).toEqual([{ one: 1 }]);
});

describe('a data folder', () => {
  test('belongs to one process: a second one is told which, immediately', async () => {
    const folder = newFolderWithDatabase();
    const first = await hold(folder);
    const second = await hold(folder);
    expect(second.report.refused).toBe(
      `Markwright is already running on this data folder (${folder}, process ${first.child.pid}). Stop it first, or set DATA_DIR to another folder.`,
    );
    expect(() => lockFolder(folder)).toThrow(StartError);
    expect(await query(first.report.connection, 'select 1 as one')).toEqual([{ one: 1 }]);

    await end(first.child, 'SIGTERM');
    expect(isAlive(first.report.pid)).toBe(false);
    lockFolder(folder).release();
  });

  stressTest('goes to exactly one of eight processes that start simultaneously', async () => {
    const folder = newFolder();
    const holders = await Promise.all(Array.from({ length: 8 }, () => hold(folder)));
    expect(holders.filter(({ report }) => report.refused === undefined)).toHaveLength(1);
    for (const { report } of holders) if (report.refused) expect(report.refused).toContain('already running');
  });

  test('is free again when its process was killed, and no acknowledged row is lost', { tags: ['detail'] }, async () => {
    const folder = newFolderWithDatabase();
    const first = await hold(folder);
    await query(first.report.connection, 'create table t (n int)');
    for (let n = 0; n < 50; n++) await query(first.report.connection, 'insert into t values ($1)', [n]);
    await end(first.child, 'SIGKILL');
    expect(isAlive(first.report.pid)).toBe(true); // the database outlives its owner …

    const second = await hold(folder);
    // … until the next owner stops it. It gives the folder free a moment before its process is gone.
    await vi.waitFor(() => expect(isAlive(first.report.pid)).toBe(false), { timeout: 10_000 });
    expect(await query(second.report.connection, 'select count(*)::int as n from t')).toEqual([{ n: 50 }]);
  });

  stressTest('is free again when process and database were killed together', async () => {
    const folder = newFolderWithDatabase();
    const first = await hold(folder);
    await query(first.report.connection, 'create table t (n int)');
    await query(first.report.connection, 'insert into t values (7)');
    await end(first.child, 'SIGKILL');
    process.kill(first.report.pid, 'SIGKILL');
    const second = await hold(folder);
    expect(await query(second.report.connection, 'select n from t')).toEqual([{ n: 7 }]);
  });

  stressTest('ignores a pid file whose process is another program by now', async () => {
    const folder = newFolderWithDatabase();
    const bystander = spawn('sleep', ['60']);
    endings.push(() => end(bystander, 'SIGKILL'));
    writeFileSync(
      join(folder, 'postgres', 'postmaster.pid'),
      `${bystander.pid}\n${folder}\n0\n5432\n.\n\n0 0\nready\n`,
    );
    // PostgreSQL itself refuses while that process lives, so our code must have deleted the pid file.
    await start(folder);
    expect(isAlive(bystander.pid!)).toBe(true);
  });

  stressTest('starts after kills whose process ids other programs of the same user have by now', async () => {
    const folder = newFolderWithDatabase();
    const cluster = join(folder, 'postgres');
    const { uid, gid } = statSync(cluster);
    const bystander = spawn('sleep', ['3600'], { uid, gid });
    endings.push(() => end(bystander, 'SIGKILL'));
    const rounds = 50;
    for (let round = 0; round < rounds; round++) {
      const holder = await hold(folder);
      const { connection, pid } = holder.report;
      await query(connection, 'create table if not exists t (n int)');
      await query(connection, 'insert into t values ($1)', [round]);
      await end(holder.child, 'SIGKILL');
      process.kill(pid, 'SIGKILL');
      await vi.waitFor(() => expect(processesIn(cluster)).toEqual([]), soon);
      for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
        const path = join(cluster, name);
        writeFileSync(path, readFileSync(path, 'utf8').replace(/^\d+/, String(bystander.pid)));
      }
    }
    const { ownerConnection: connection } = await start(folder);
    expect(await query(connection, 'select count(*)::int as n from t')).toEqual([{ n: rounds }]);
    expect(isAlive(bystander.pid!)).toBe(true);
  });

  stressTest('that was copied while it ran starts beside the running one', async () => {
    const folder = newFolderWithDatabase();
    const running = await start(folder);
    await query(running.ownerConnection, 'create table t (n int)');
    await query(running.ownerConnection, 'insert into t values (7)');
    await query(running.ownerConnection, 'checkpoint');
    const copy = newFolder();
    copyDatabase(join(folder, 'postgres'), join(copy, 'postgres'));
    expect(readdirSync(join(copy, 'postgres'))).toContain('.s.PGSQL.5432.lock');

    const second = await start(copy);
    expect(await query(second.ownerConnection, 'select n from t')).toEqual([{ n: 7 }]);
    await query(running.ownerConnection, 'insert into t values (8)');
    expect(isAlive(running.pid!)).toBe(true);
  });

  stressTest('starts when a kill cut its lock files off', async () => {
    const folder = newFolderWithDatabase();
    for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) writeFileSync(join(folder, 'postgres', name), '');
    const { connection } = await start(folder);
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});
