/**
 * `markwright backup`, `restore`, `move` and `files copy` as an operator runs them: beside a server, on other databases
 * and on a real S3 service, and everything is there again.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { S3Settings } from '../src/config.ts';
import { openDiskFiles } from '../src/platform/files.ts';
import { commandProgram } from './builtServer.ts';
import { putDatabase } from './dataFolder.ts';
import { readEverything } from './everything.ts';
import { hasS3, type S3Server, startS3 } from './s3Server.ts';
import { type ServerProcess, startServerProcess } from './serverProcess.ts';

const endings: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of endings.reverse()) await end();
});

type Settings = Record<string, string>;
const ADMIN = { email: 'admin@markwright.local', password: 'walnut-board' };

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'markwright-kit-'));
  endings.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs the command. Returns what it printed; fails when it does not end well. */
function markwright(parts: readonly string[], settings: Settings): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { PATH: process.env.PATH, ...settings };
    execFile(process.execPath, [commandProgram.entry, ...parts], { env }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${parts.join(' ')} ended with ${error.code}: ${stdout}${stderr}`));
      else resolve(stdout);
    });
  });
}

async function asSuperuser(...statements: string[]): Promise<void> {
  const client = new pg.Client({ ...inject('postgres'), database: 'postgres' });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** Makes an empty database as docs/operating.md says. */
async function newDatabase() {
  const template = inject('postgres');
  const name = `kit_${randomBytes(8).toString('hex')}`;
  await asSuperuser(`create role ${name} login`, `create database ${name} owner ${name}`);
  endings.push(() => asSuperuser(`drop database ${name} with (force)`, `drop role ${name}`));
  const parameters = new URLSearchParams({ host: template.host, port: String(template.port), user: name });
  return { connection: { ...template, database: name }, url: `postgres:///${name}?${parameters}` };
}

async function start(settings: Settings): Promise<ServerProcess> {
  const server = await startServerProcess(settings.DATA_DIR!, { ADMIN_PASSWORD: ADMIN.password, ...settings });
  endings.push(() => server.end('SIGTERM'));
  return server;
}

async function call<T>(server: ServerProcess, path: string, body: object | undefined, token = ''): Promise<T> {
  const isForm = body instanceof FormData;
  const response = await fetch(server.url + path, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && !isForm && { 'content-type': 'application/json' }),
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

const signIn = async (server: ServerProcess): Promise<string> =>
  (await call<{ token: string }>(server, '/api/auth/login', ADMIN)).token;

interface Upload {
  readonly id: string;
  readonly originalFileUrl: string;
}

async function upload(server: ServerProcess, token: string): Promise<Upload> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#fff', noise } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.append('file', new File([new Uint8Array(png)], 'badge.png', { type: 'image/png' }));
  return call<Upload>(server, '/api/designs/upload', form, token);
}

/** Returns the uploads of the administrator with the bytes that the server sends for each. */
async function readUploads(server: ServerProcess): Promise<Record<string, string>> {
  const token = await signIn(server);
  const list = await call<Upload[]>(server, '/api/designs', undefined, token);
  const contents: Record<string, string> = {};
  for (const { id, originalFileUrl } of list) {
    contents[id] = Buffer.from(await (await fetch(new URL(originalFileUrl, server.url))).arrayBuffer()).toString(
      'base64',
    );
  }
  return contents;
}

test('backup beside a running server, restore on another database, and the move to a service', async () => {
  const [first, second, backup] = [newFolder(), newFolder(), join(newFolder(), 'today')];
  putDatabase(first);
  const server = await start({ DATA_DIR: first });
  await upload(server, await signIn(server));
  const uploads = await readUploads(server);
  expect(Object.keys(uploads)).toHaveLength(1);
  expect(await markwright(['backup', backup], { DATA_DIR: first })).toMatch(
    /has \d+ rows of \d+ tables, and \d+ files/,
  );
  await server.end('SIGTERM');
  expect(await markwright(['verify', backup], {})).toBe('The backup is whole.\n');

  // From the embedded database and a disk to the same, made anew.
  await markwright(['restore', backup], { DATA_DIR: second });
  expect(readFileSync(join(second, 'secret'), 'utf8')).toBe(readFileSync(join(first, 'secret'), 'utf8'));
  const anewServer = await start({ DATA_DIR: second });
  expect(await readUploads(anewServer)).toEqual(uploads);
  await anewServer.end('SIGTERM');
  expect(await markwright(['doctor', '--deep'], { DATA_DIR: second })).not.toContain('WRONG');

  // From there to a database of one's own.
  const { url } = await newDatabase();
  const settings = { DATA_DIR: second, DATABASE_URL: url };
  expect(await markwright(['move'], settings)).toMatch(/All \d+ tables are in the database of DATABASE_URL/);
  expect(existsSync(join(second, 'postgres'))).toBe(false);
  await expect(markwright(['move'], settings)).rejects.toThrow('There is no database in');
  expect(await markwright(['doctor', '--deep'], settings)).not.toContain('WRONG');
  const last = await start(settings);
  expect(await readUploads(last)).toEqual(uploads);
  await upload(last, await signIn(last));
});

describe.runIf(hasS3)('with a real S3 service', () => {
  let service: S3Server;
  beforeAll(async () => {
    service = await startS3();
  });
  afterAll(() => service?.stop());

  const toSettings = ({ endpoint, bucket, prefix, credentials }: S3Settings, key: string): Settings => ({
    FILES: 's3',
    S3_ENDPOINT: endpoint!.origin,
    S3_BUCKET: bucket,
    S3_PREFIX: prefix.slice(0, -1),
    S3_ACCESS_KEY_ID: credentials!.accessKeyId,
    S3_SECRET_ACCESS_KEY: credentials!.secretAccessKey,
    SECRET_KEY: key,
  });

  test('files go to S3 and back, and a backup of S3 is restored to a disk and to another bucket', async () => {
    const [folder, other, backup] = [newFolder(), newFolder(), join(newFolder(), 'today')];
    const { url, connection } = await newDatabase();
    const disk = { DATA_DIR: folder, DATABASE_URL: url };
    const onDisk = await start(disk);
    const token = await signIn(onDisk);
    for (let count = 0; count < 20; count++) await upload(onDisk, token);
    const uploads = await readUploads(onDisk);
    const key = readFileSync(join(folder, 'secret'), 'utf8').trim();
    const onService = { ...disk, ...toSettings(service.newStore(), key) };
    // Once beside the server, and again after its end for what came meanwhile.
    await markwright(['files', 'copy', '--from', 'disk', '--to', 's3'], onService);
    await upload(onDisk, token);
    await onDisk.end('SIGTERM');
    expect(await markwright(['files', 'copy', '--from', 'disk', '--to', 's3'], onService)).toMatch(
      / \d of them are new/,
    );
    rmSync(join(folder, 'files'), { recursive: true });
    const server = await start(onService);
    const all = await readUploads(server);
    expect(all).toMatchObject(uploads);
    expect(Object.keys(all)).toHaveLength(21);
    await markwright(['backup', backup], onService);
    await server.end('SIGTERM');
    const everything = await readEverything(connection);

    // Back to the disk.
    await markwright(['files', 'copy', '--from', 's3', '--to', 'disk'], onService);
    expect(await markwright(['doctor', '--deep'], disk)).not.toContain('WRONG');
    // The backup into another bucket and another database, and onto a disk.
    const anew = await newDatabase();
    const elsewhere = { DATA_DIR: other, DATABASE_URL: anew.url, ...toSettings(service.newStore(), key) };
    await markwright(['restore', backup], elsewhere);
    const copy = await readEverything(anew.connection);
    for (const table of ['users', 'designs', 'stored_files', 'sequences', 'security']) {
      expect(copy[table], table).toEqual(everything[table]);
    }
    expect(await markwright(['doctor', '--deep'], elsewhere)).not.toContain('WRONG');
    expect(await readUploads(await start(elsewhere))).toEqual(all);
    const copies = await openDiskFiles(join(backup, 'files'));
    const own = await openDiskFiles(join(folder, 'files'));
    for await (const { key: name } of own.list('')) {
      expect(Buffer.from((await copies.get(name))!.bytes).equals((await own.get(name))!.bytes), name).toBe(true);
    }
  });
});
