import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

const KEY = 'a1'.repeat(32);

test('without settings the server listens on loopback only and keeps its data in the repository', () => {
  const config = readConfig({});
  expect(config).toMatchObject({ port: 3000, host: '127.0.0.1', databaseUrl: undefined, publicUrl: undefined });
  expect(config.dataDir).toMatch(/[/\\]data$/);
  expect(config.dataDir).not.toContain('apps');
});

test('an empty setting counts as none', () => {
  expect(readConfig({ PORT: '', HOST: '  ', PUBLIC_URL: '' })).toEqual(readConfig({}));
});

test('reports every problem at once, each in a sentence that names its setting', () => {
  const problems = problemsOf({
    PORT: '70000',
    HOST: 'not a host',
    PUBLIC_URL: 'studio.example.com',
    DATABASE_URL: 'mysql://db',
    ADMIN_EMAIL: 'admin',
    ADMIN_PASSWORD: 'short',
    SUPPORT_EMAIL: '@',
    MODEL_DOWNLOAD: 'no',
    WORKERS: 'many',
    LOG_LEVEL: 'loud',
  });
  const names = [
    'PORT',
    'HOST',
    'PUBLIC_URL',
    'DATABASE_URL',
    'ADMIN_EMAIL',
    'ADMIN_PASSWORD',
    'SUPPORT_EMAIL',
    'MODEL_DOWNLOAD',
    'WORKERS',
    'LOG_LEVEL',
  ];
  expect(problems.map((problem) => problem.split(' ')[0])).toEqual(names);
  for (const problem of problems) expect(problem).toMatch(/^[A-Z_]+ (must|may) .*\.$/);
});

test.each<Record<string, string>>([
  { PORT: '-1' },
  { PORT: '80.5' },
  { PORT: '0x50' },
  { PORT: '3000 ' },
  { PORT: '٣' },
  { HOST: 'http://x' },
  { HOST: 'a\nb' },
  { PUBLIC_URL: 'javascript:alert(1)' },
  { PUBLIC_URL: 'https://studio.example.com/path' },
  { PUBLIC_URL: 'https://studio.example.com/?q' },
  { PUBLIC_URL: 'https://me:secret@studio.example.com' },
  { DATABASE_URL: 'localhost:5432' },
  { ADMIN_PASSWORD: 'x'.repeat(129) },
  { ADMIN_SECOND_FACTOR: 'yes' },
  { MIN_PASSWORD_LENGTH: '5' },
  { MIN_PASSWORD_LENGTH: '8', ADMIN_PASSWORD: '1234567' },
  { IDLE_TIMEOUT_HOURS: '0' },
  { IDLE_TIMEOUT_HOURS: '721' },
  { WORKERS: '0' },
  { METRICS_PORT: 'on' },
  { METRICS_HOST: 'a b' },
  { TRUSTED_PROXIES: 'balancer.example' },
  { TRUSTED_PROXIES: '10.0.0.0/33' },
  { TRUSTED_PROXIES: '10.0.0.1,,10.0.0.2' },
  { TRUSTED_PROXIES: '*' },
  { ADMIN_PASSWORD: 'walnut-board', ADMIN_PASSWORD_RESET: 'maybe' },
  { ADMIN_PASSWORD_RESET: 'yes' },
  { PAYMENTS: 'real' },
  { PAYMENTS: 'test', STRIPE_SECRET_KEY: 'sk_test_a', STRIPE_WEBHOOK_SECRET: 'whsec_a' },
  { WORKERS: '65' },
  { VECTORIZER_API_ID: 'vk1' },
  { VECTORIZER_API_SECRET: 'secret' },
  { VECTORIZER_API_ID: 'a:b', VECTORIZER_API_SECRET: 'secret' },
  { VECTORIZER_API_ID: 'vk1', VECTORIZER_API_SECRET: 'two words' },
  { VECTORIZER_API_URL: 'http://vectorizer.example/api/v1' },
  { VECTORIZER_API_URL: 'ftp://vectorizer.example' },
  { VECTORIZER_API_URL: 'https://me:secret@vectorizer.example' },
  { VECTORIZER_API_URL: 'https://vectorizer.example/?key=1' },
  { DATABASE_POOL: '1' },
  { MIGRATE: 'off' },
  { ROLES: 'jobs' },
  { ROLES: 'web,kitchen', DATABASE_URL: 'postgres://db/studio' },
  { MIGRATE: 'never' },
  { DATABASE_DIRECT_URL: 'postgres://db/studio' },
  { DATABASE_URL: 'postgres://db/studio', DATABASE_DIRECT_URL: 'db' },
  { FILES: 'tape' },
  { FILES: 's3', SECRET_KEY: KEY },
  { FILES: 's3', S3_BUCKET: 'studio' },
  { S3_BUCKET: 'studio' },
  { S3_BUCKET: 'Studio!', FILES: 's3', SECRET_KEY: KEY },
  { S3_ENDPOINT: 's3.example.com' },
  { S3_ENDPOINT: 'https://s3.example.com/bucket' },
  { S3_REGION: 'eu central' },
  { S3_PREFIX: '/files' },
  { S3_PREFIX: 'a/../b' },
  { S3_ACCESS_KEY_ID: 'id' },
  { S3_SECRET_ACCESS_KEY: 'secret' },
  { S3_FORCE_PATH_STYLE: 'yes' },
  { SECRET_KEY: 'abc' },
  { SECRET_KEY: KEY.toUpperCase() },
  { SECRET_KEY: `${KEY},` },
])('rejects %j', (environment) => {
  expect(problemsOf(environment)).toHaveLength(1);
});

test('trusts a proxy on this machine behind a public address, and where the operator says so', () => {
  expect(readConfig({}).trustedProxies).toEqual([]);
  expect(readConfig({ PUBLIC_URL: 'https://studio.example.com' }).trustedProxies).toEqual(['127.0.0.0/8', '::1/128']);
  const ranges = { TRUSTED_PROXIES: '10.0.0.5, 192.168.0.0/16 ,fd00::/8' };
  expect(readConfig(ranges).trustedProxies).toEqual(['10.0.0.5', '192.168.0.0/16', 'fd00::/8']);
});

test.each([
  [{}, true],
  [{ PUBLIC_URL: 'http://studio.example.com' }, true],
  [{ PUBLIC_URL: 'https://localhost:8443' }, true],
  [{ PUBLIC_URL: 'https://studio.example.com' }, false],
  [{ PUBLIC_URL: 'https://studio.example.com', PAYMENTS: 'test' }, true],
] as [Record<string, string>, boolean][])('with %j the test checkout stands in: %s', (environment, isThere) =>
  expect(readConfig(environment).hasTestCheckout).toBe(isThere),
);

test('the vectorizing service needs both keys, and defaults to its public address', () => {
  expect(readConfig({}).vectorizer).toBeUndefined();
  const keys = { VECTORIZER_API_ID: 'vk1', VECTORIZER_API_SECRET: 'secret' };
  expect(readConfig(keys).vectorizer).toEqual({
    id: 'vk1',
    secret: 'secret',
    url: new URL('https://api.vectorizer.ai/api/v1'),
  });
  const here = readConfig({ ...keys, VECTORIZER_API_URL: 'http://127.0.0.1:4100/api/v1' });
  expect(here.vectorizer?.url.href).toBe('http://127.0.0.1:4100/api/v1');
});

test('a setting is read from a file, and never from both', () => {
  const folder = mkdtempSync(join(tmpdir(), 'markwright-config-'));
  const file = join(folder, 'key');
  writeFileSync(file, `${KEY}\n`);
  expect(readConfig({ SECRET_KEY_FILE: file }).secretKeys).toEqual([Buffer.from(KEY, 'hex')]);
  expect(problemsOf({ SECRET_KEY_FILE: file, SECRET_KEY: KEY })).toEqual([
    'SECRET_KEY and SECRET_KEY_FILE must not be set together.',
  ]);
  expect(problemsOf({ PORT_FILE: folder })).toEqual([
    `PORT_FILE must name a file that the server may read, not "${folder}".`,
  ]);
  writeFileSync(file, 'hunter2');
  expect(problemsOf({ SECRET_KEY_FILE: file }).join()).not.toContain('hunter2');
  rmSync(folder, { recursive: true });
});

test('files lie in the data folder, or on S3 under one key for all servers', () => {
  expect(readConfig({})).toMatchObject({ s3: undefined, secretKeys: undefined });
  const least = { FILES: 's3', S3_BUCKET: 'studio', SECRET_KEY: KEY };
  expect(readConfig(least).s3).toEqual({
    endpoint: undefined,
    bucket: 'studio',
    region: 'us-east-1',
    prefix: '',
    credentials: undefined,
    forcePathStyle: false,
  });
  const own = { S3_ENDPOINT: 'http://10.0.0.7:9000', S3_PREFIX: 'a/b', S3_REGION: 'home' };
  const credentials = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };
  expect(readConfig({ ...least, ...own, ...credentials }).s3).toEqual({
    endpoint: new URL('http://10.0.0.7:9000'),
    bucket: 'studio',
    region: 'home',
    prefix: 'a/b/',
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    forcePathStyle: true,
  });
  expect(readConfig({ ...least, ...own, S3_FORCE_PATH_STYLE: 'false' }).s3?.forcePathStyle).toBe(false);
  const old = 'b2'.repeat(32);
  expect(readConfig({ SECRET_KEY: `${KEY},${old}` }).secretKeys?.map((key) => key.toString('hex'))).toEqual([KEY, old]);
});

test('an error message never repeats a password', () => {
  expect(problemsOf({ DATABASE_URL: 'postgre://me:hunter2@db' }).join()).not.toContain('hunter2');
  expect(problemsOf({ DATABASE_URL: 'postgres://db', DATABASE_DIRECT_URL: 'pg://me:hunter2@db' }).join()).not.toContain(
    'hunter2',
  );
  expect(problemsOf({ ADMIN_PASSWORD: 'zzz' }).join()).not.toContain('zzz');
  expect(problemsOf({ VECTORIZER_API_URL: 'https://me:hunter2@v.example' }).join()).not.toContain('hunter2');
  const keys = { VECTORIZER_API_ID: 'hunter 2', VECTORIZER_API_SECRET: 'hunter 3' };
  expect(problemsOf(keys).join()).not.toContain('hunter');
  const s3 = { S3_ENDPOINT: 'https://me:hunter2@s3.example', S3_SECRET_ACCESS_KEY: 'hunter 3', SECRET_KEY: 'hunter4' };
  expect(problemsOf(s3).join()).not.toContain('hunter');
});
