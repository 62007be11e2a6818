/**
 * The operator's kit in `deploy`: it parses, and names only settings, metrics and values that there are. nginx,
 * promtool and helm check their own parts where the machine has them (Debian: nginx-light, prometheus).
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { afterAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { SETTING_NAMES } from '../src/config.ts';
import { mails } from '../src/mail/tables.ts';
import type { Context } from '../src/platform/context.ts';
import { collectMetrics, createMetricsServer } from '../src/platform/metrics.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const deploy = join(root, 'deploy');
const read = (path: string): string => readFileSync(join(deploy, path), 'utf8');
const files = readdirSync(deploy, { recursive: true })
  .map(String)
  .filter((path) => /\.\w+$/.test(path));
const templates = files.filter((path) => path.includes('templates/') && path.endsWith('.yaml'));
const has = (program: string): boolean => spawnSync('which', [program]).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'markwright-deploy-'));
afterAll(() => rmSync(folder, { recursive: true }));

const operating = readFileSync(join(root, 'docs', 'operating.md'), 'utf8');
/** A setting, or the name of a file with its value. */
const isSetting = (name: string): boolean => SETTING_NAMES.includes(name.replace(/_FILE$/, ''));

interface Compose {
  readonly services: Readonly<Record<string, { image: string; environment?: Record<string, string> }>>;
}
const composeOf = (name: string): Compose => parse(read(name), { merge: true });

test('every file of data parses', () => {
  const plain = files.filter((path) => /\.ya?ml$/.test(path) && !templates.includes(path));
  expect(plain.length).toBeGreaterThan(5);
  for (const path of plain) expect(parse(read(path), { merge: true, strict: true }), path).toBeTypeOf('object');
  for (const path of templates) {
    // Without the lines that steer the template, and with any word for what it puts in.
    const text = read(path)
      .replace(/^\s*\{\{-?[^}]*\}\}\s*$/gm, '')
      .replace(/\{\{[^}]*\}\}/g, 'word');
    const documents = parseAllDocuments(text);
    for (const { errors } of documents) expect(errors, path).toEqual([]);
    for (const document of documents) expect(document.toJS(), path).toMatchObject({ kind: expect.any(String) });
  }
  expect(JSON.parse(read('grafana/markwright.json')).panels.length).toBeGreaterThan(10);
});

describe('settings', () => {
  test('each one that is documented exists, and the other way round', () => {
    const names = new Set([...operating.matchAll(/^\| `([A-Z][A-Z_0-9]+)` \|/gm)].map(([, name]) => name!));
    expect([...names].sort()).toEqual([...SETTING_NAMES].sort());
  });

  test.each(['compose.yml', 'compose.cluster.yml'])('%s sets no other, and says where values come from', (name) => {
    const servers = Object.entries(composeOf(name).services).filter(([, { image }]) => image.includes('MARKWRIGHT'));
    expect(servers.length).toBeGreaterThan(0);
    for (const [service, { environment }] of servers) {
      expect(
        Object.keys(environment!).filter((setting) => !isSetting(setting)),
        service,
      ).toEqual([]);
    }
    // A variable has a default, or the example of the file with variables names it.
    const example = [...read('cluster.env.example').matchAll(/^([A-Z_0-9]+)=/gm)].map(([, variable]) => variable!);
    const variables = [...read(name).matchAll(/\$\{([A-Z_0-9]+):\?\}/g)].map(([, variable]) => variable!);
    if (name === 'compose.yml') expect(variables).toEqual([]);
    else expect(variables.filter((variable) => !example.includes(variable))).toEqual([]);
    if (name !== 'compose.yml')
      expect(example.filter((variable) => !read(name).includes(`\${${variable}:`))).toEqual([]);
  });

  test('the servers of the cluster have every role, each once', () => {
    const roles = Object.values(composeOf('compose.cluster.yml').services).flatMap(
      ({ environment }) => environment?.ROLES?.split(',') ?? [],
    );
    expect([...new Set(roles)].sort()).toEqual(['jobs', 'media', 'web']);
    expect(roles.filter((role) => role === 'jobs')).toHaveLength(1);
  });

  test('servers keep connections longer than nginx does', () => {
    const seconds = Number(/keepalive_timeout (\d+)s/.exec(read('nginx/markwright.conf'))![1]);
    const { services } = composeOf('compose.cluster.yml');
    expect(Number(services['web-1']!.environment!.KEEP_ALIVE_SECONDS)).toBeGreaterThan(seconds);
    expect(Number(parse(read('helm/markwright/values.yaml')).settings.KEEP_ALIVE_SECONDS)).toBeGreaterThan(seconds);
  });

  test('the chart sets no other, and its templates use the values that there are', () => {
    const values = parse(read('helm/markwright/values.yaml'));
    const chart = [...Object.keys(values.settings), ...Object.keys(values.secret.values)];
    const all = files.filter((path) => path.includes('templates/')).map(read);
    const inPods = all.flatMap((text) => [...text.matchAll(/- name: ([A-Z_]+)$/gm)].map(([, name]) => name!));
    expect(inPods.length).toBeGreaterThan(3);
    expect([...chart, ...inPods].filter((name) => !isSetting(name))).toEqual([]);
    const paths = new Set(all.flatMap((text) => [...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, path]) => path!)));
    const valueAt = (path: string) => path.split('.').reduce((value, key) => value?.[key], values);
    expect([...paths].filter((path) => valueAt(path) === undefined)).toEqual([]);
    const leaves = (value: object, path: string): string[] =>
      Object.entries(value).flatMap(([key, inner]) =>
        inner && typeof inner === 'object' && !paths.has(`${path}${key}`)
          ? leaves(inner, `${path}${key}.`)
          : `${path}${key}`,
      );
    expect(leaves(values, '').filter((path) => !paths.has(path))).toEqual([]);
  });
});

describe('metrics', () => {
  const stats = { running: 0, queued: 0, done: 0, failed: 0, killed: 0 };
  const app = { addHook() {}, decorate: (_: string, registry: Registry) => Object.assign(app, { registry }) } as object;
  collectMetrics(app as FastifyInstance, { media: { stats: () => stats } } as unknown as Context, async () => ({}));
  const { registry } = app as { registry: Registry };
  createMetricsServer(registry);
  const names = new Set(
    registry.getMetricsAsArray().flatMap(({ name, type }) => {
      return String(type) === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${name}_${part}`) : name;
    }),
  );
  const rules: { alert: string; expr: string }[] = parse(read('prometheus/markwright.rules.yml')).groups.flatMap(
    ({ rules }: { rules: object[] }) => rules,
  );
  const panels: { targets: { expr: string }[] }[] = JSON.parse(read('grafana/markwright.json')).panels;
  const expressions = [
    ...rules.map(({ expr }) => expr),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];

  test('dashboard and alerts name those that the server gives', () => {
    expect(names.size).toBeGreaterThan(20);
    for (const expression of expressions) {
      const bare = expression
        .replace(/\{[^}]*\}/g, ' ')
        .replace(/\[\w+\]/g, ' ')
        .replace(/\bby \([^)]*\)/g, ' ');
      const words = [...bare.matchAll(/\b[a-z_][a-z_0-9]*\b(?!\s*\()/g)]
        .map(([name]) => name)
        .filter((name) => name !== 'by');
      const metrics = words.filter((name) => !/^e\d+$/.test(name));
      expect(metrics.length, expression).toBeGreaterThan(0);
      expect(
        metrics.filter((name) => name !== 'up' && !names.has(name)),
        expression,
      ).toEqual([]);
    }
  });

  test('they ask for states that there are', () => {
    const statesOf = (metric: string) =>
      expressions.flatMap((text) =>
        [...text.matchAll(/(\w+)\{state=~?"([\w|]+)"/g)].flatMap(([, name, states]) =>
          name === metric ? states!.split('|') : [],
        ),
      );
    expect(statesOf('media_jobs').length).toBeGreaterThan(5);
    expect(statesOf('media_jobs').filter((state) => !(state in stats))).toEqual([]);
    expect(statesOf('mails').filter((state) => !mails.state.enumValues.includes(state as 'sent'))).toEqual([]);
  });

  test('the page for operators says what to do about each alert', () => {
    expect(rules.length).toBeGreaterThan(5);
    expect(rules.filter(({ alert }) => !operating.includes(`| \`${alert}\` |`))).toEqual([]);
    const rows = [...operating.matchAll(/^\| `(Markwright\w+)` \|/gm)].map(([, name]) => name);
    expect(rows.filter((name) => !rules.some(({ alert }) => alert === name))).toEqual([]);
  });
});

test('the image copies what there is, and runs as nobody else', () => {
  const dockerfile = read('Dockerfile');
  const sources = [...dockerfile.matchAll(/^COPY (?:--from=build )?(.+) \S+$/gm)].flatMap(([, paths]) =>
    paths!.split(' ').map((path) => path.replace('/build/', '')),
  );
  expect(sources.length).toBeGreaterThan(10);
  const isMade = (path: string) => /(^|\/)(dist|node_modules)$/.test(path);
  expect(sources.filter((path) => !isMade(path) && !existsSync(join(root, path)))).toEqual([]);
  expect(/^USER (\d+)/m.exec(dockerfile)![1]).toBe('10001');
});

/** Runs a program and returns what it said, when it found a fault. */
function faultOf(program: string, ...parts: string[]): string | undefined {
  const { status, stdout, stderr } = spawnSync(program, parts, { encoding: 'utf8' });
  return status === 0 ? undefined : stdout + stderr;
}

test.runIf(has('nginx'))('nginx takes its settings', () => {
  // It looks for the names of the servers.
  const site = read('nginx/markwright.conf').replace(/web-\d:/g, '127.0.0.1:');
  writeFileSync(join(folder, 'site.conf'), site);
  const main = `pid ${folder}/pid; error_log stderr; events {} http { access_log off; include ${folder}/site.conf; }`;
  writeFileSync(join(folder, 'nginx.conf'), main);
  expect(faultOf('nginx', '-t', '-p', folder, '-c', join(folder, 'nginx.conf'))).toBeUndefined();
});

test.runIf(has('promtool'))('Prometheus takes its settings and rules', () => {
  expect(faultOf('promtool', 'check', 'config', join(deploy, 'prometheus', 'prometheus.yml'))).toBeUndefined();
});

test.runIf(has('docker-compose')).each(['compose.yml', 'compose.cluster.yml'])('Compose takes %s', (name) => {
  // Its first version does not know the name of a project.
  writeFileSync(join(folder, name), read(name).replace(/^name:.*$/m, ''));
  writeFileSync(join(folder, 'variables'), read('cluster.env.example').replace(/=$/gm, '=some-word'));
  const parts = ['--env-file', join(folder, 'variables'), '-f', join(folder, name), 'config', '--quiet'];
  expect(faultOf('docker-compose', ...parts)).toBeUndefined();
});

test.runIf(has('helm'))('helm takes the chart', () => {
  expect(faultOf('helm', 'lint', '--strict', join(deploy, 'helm', 'markwright'))).toBeUndefined();
  expect(faultOf('helm', 'template', join(deploy, 'helm', 'markwright'))).toBeUndefined();
});
