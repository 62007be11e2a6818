/** What tests of the operator's command share: the command, databases and stores of their own, calls of a server. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import sharp from 'sharp';
import { inject } from 'vitest';
import type { S3Settings } from '../src/config.ts';
import { commandProgram } from './builtServer.ts';
import { type ServerProcess, startServerProcess } from './serverProcess.ts';

/** What is to be done at the end. */
export const endings: (() => unknown)[] = [];
/** Ends and removes everything that was made, the last one first. */
export async function endAll(): Promise<void> {
  for (let end = endings.pop(); end; end = endings.pop()) await end();
}

export type Settings = Record<string, string>;
export const ADMIN = { email: 'admin@markwright.local', password: 'walnut-board' };

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'markwright-kit-'));
  endings.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs the command. Returns what it printed; fails when it does not end well. */
export function markwright(parts: readonly string[], settings: Settings): Promise<string> {
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
export async function newDatabase() {
  const template = inject('postgres');
  const name = `kit_${randomBytes(8).toString('hex')}`;
  await asSuperuser(`create role ${name} login`, `create database ${name} owner ${name}`);
  endings.push(() => asSuperuser(`drop database ${name} with (force)`, `drop role ${name}`));
  const parameters = new URLSearchParams({ host: template.host, port: String(template.port), user: name });
  return { connection: { ...template, database: name }, url: `postgres:///${name}?${parameters}` };
}

export async function start(settings: Settings): Promise<ServerProcess> {
  const server = await startServerProcess(settings.DATA_DIR!, { ADMIN_PASSWORD: ADMIN.password, ...settings });
  endings.push(() => server.end('SIGTERM'));
  return server;
}

export async function call<T>(server: ServerProcess, path: string, body: object | undefined, token = ''): Promise<T> {
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

export const signIn = async (server: ServerProcess): Promise<string> =>
  (await call<{ token: string }>(server, '/api/auth/login', ADMIN)).token;

interface Upload {
  readonly id: string;
  readonly originalFileUrl: string;
}

export async function upload(server: ServerProcess, token: string): Promise<Upload> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#fff', noise } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.append('file', new File([new Uint8Array(png)], 'badge.png', { type: 'image/png' }));
  return call<Upload>(server, '/api/designs/upload', form, token);
}

/** Returns the uploads of the administrator with the bytes that the server sends for each. */
export async function readUploads(server: ServerProcess): Promise<Record<string, string>> {
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

/** Returns the settings of the server for a store on S3. */
export const toSettings = ({ endpoint, bucket, prefix, credentials }: S3Settings, key: string): Settings => ({
  FILES: 's3',
  S3_ENDPOINT: endpoint!.origin,
  S3_BUCKET: bucket,
  S3_PREFIX: prefix.slice(0, -1),
  S3_ACCESS_KEY_ID: credentials!.accessKeyId,
  S3_SECRET_ACCESS_KEY: credentials!.secretAccessKey,
  SECRET_KEY: key,
});
