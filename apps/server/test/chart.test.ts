/**
 * The Helm chart, rendered for several sets of values by Go's templates (`renderChart.go`), and every manifest checked:
 * by Kubernetes' own schemas, without unknown fields, and for what holds between manifests. Needs Debian's golang-go
 * and golang-github-masterminds-sprig-dev.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { IContainer, IPodTemplateSpec, IService } from 'kubernetes-models/v1';
import { afterAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { SETTING_NAMES } from '../src/config.ts';
import { isStress } from './campaign.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..', '..', '..');
const chart = join(root, 'deploy', 'helm', 'markwright');
const ownValues = parse(readFileSync(join(chart, 'values.yaml'), 'utf8'));
const goCode = '/usr/share/gocode';
const hasGo = existsSync('/usr/bin/go') && existsSync(join(goCode, 'src/github.com/Masterminds/sprig'));
if (isStress && !hasGo) console.log('The chart is not rendered: Go or its package sprig is missing.');

const folder = mkdtempSync(join(tmpdir(), 'markwright-chart-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Record<string, string>;
    readonly annotations?: Record<string, string>;
  };
  readonly spec: {
    readonly template: IPodTemplateSpec;
    readonly selector: { readonly matchLabels: Record<string, string> };
    // The fields of a single kind.
    readonly [field: string]: unknown;
  };
  readonly data?: Record<string, string>;
  readonly stringData?: Record<string, string>;
}

const program = join(folder, 'renderChart');

/** Renders the chart with values over its own. Throws with the words of the template when it cannot be. */
function render(values: object, release = 'shop'): Manifest[] {
  if (!existsSync(program)) {
    const env = { ...process.env, GO111MODULE: 'off', GOPATH: goCode, GOFLAGS: '', GOCACHE: join(folder, 'cache') };
    const build = spawnSync('go', ['build', '-o', program, join(here, 'renderChart.go')], { env, encoding: 'utf8' });
    if (build.status !== 0) throw new Error(build.stderr);
  }
  const output = spawnSync(program, [chart, release], { input: JSON.stringify(values), encoding: 'utf8' });
  if (output.status !== 0) throw new Error(output.stderr);
  return Object.entries<string>(JSON.parse(output.stdout)).flatMap(([path, text]) =>
    parseAllDocuments(text, { strict: true, uniqueKeys: true }).flatMap((document) => {
      expect(document.errors, path).toEqual([]);
      return document.toJS() ?? [];
    }),
  );
}

const secretValues = { DATABASE_URL: 'postgres://…', SECRET_KEY: '0'.repeat(64), ADMIN_PASSWORD: '"quoted": {x}' };
/** Sets of values for the chart, with the manifests that each adds to those of the default values, and removes. */
const sets: readonly (readonly [name: string, values: object, more: string[], less: string[]])[] = [
  ['its own', {}, [], []],
  ['a fixed number of servers', { web: { replicas: 5, autoscaling: { enabled: false } } }, [], ['HPA web']],
  ['servers for pictures', { media: { enabled: true } }, ['Deployment media'], []],
  [
    'servers for pictures by their queue',
    { media: { enabled: true, autoscaling: { enabled: true } } },
    ['Deployment media', 'HPA media'],
    [],
  ],
  ['a secret of the chart', { secret: { create: true, name: 'keys', values: secretValues } }, ['Secret'], []],
  ['no ingress', { ingress: { enabled: false } }, [], ['Ingress']],
  ['no network policy', { networkPolicy: { enabled: false } }, [], ['NetworkPolicy']],
  ['a monitor', { podMonitor: { enabled: true, interval: '30s' } }, ['PodMonitor'], []],
  ['a longer stop', { web: { shutdownDelaySeconds: 30 } }, [], []],
];
const plain = [
  ...['ConfigMap', 'Deployment jobs', 'Deployment web', 'HPA web', 'Ingress', 'Job', 'NetworkPolicy'],
  ...['PodDisruptionBudget', 'Service'],
];

function nameKind({ kind, metadata: { name } }: Manifest): string {
  const part = name.replace(/^shop-/, '');
  if (kind === 'Deployment') return `${kind} ${part}`;
  return kind === 'HorizontalPodAutoscaler' ? `HPA ${part}` : kind;
}

const podsOf = (manifests: readonly Manifest[]): { name: string; kind: string; pod: IPodTemplateSpec }[] =>
  manifests.flatMap(({ kind, metadata, spec }) =>
    ['Deployment', 'Job'].includes(kind) ? { name: metadata.name, kind, pod: spec.template } : [],
  );
const containerOf = ({ spec }: IPodTemplateSpec): IContainer => {
  expect(spec!.containers).toHaveLength(1);
  return spec!.containers[0]!;
};
const settingOf = (pod: IPodTemplateSpec, name: string): string | undefined =>
  containerOf(pod).env?.find((setting) => setting.name === name)?.value;
const hasLabels = (pod: IPodTemplateSpec, labels: Record<string, string>): boolean =>
  Object.entries(labels).every(([key, value]) => pod.metadata?.labels?.[key] === value);

/** Prometheus' operator defines this kind. Kubernetes has no schema of it. */
const isForeign = ({ kind }: Manifest): boolean => kind === 'PodMonitor';
/** `batch/v1` and `Job` are the class `Job` of `kubernetes-models/batch/v1`. */
const moduleOf = ({ apiVersion }: Manifest): string => `kubernetes-models/${apiVersion}`;

describe.runIf(isStress && hasGo)('the chart', () => {
  test.each(sets)('with %s is rendered to the manifests that it should be', (_, values, more, less) => {
    const kinds = render(values).map(nameKind);
    expect(kinds.sort()).toEqual([...plain.filter((kind) => !less.includes(kind)), ...more].sort());
  });

  test.each(sets)('with %s follows the schemas of Kubernetes', (_, values) => {
    const load = createRequire(import.meta.url);
    for (const manifest of render(values).filter((one) => !isForeign(one))) {
      const Kind = load(moduleOf(manifest))[manifest.kind] as new (data: object) => { validate(): void };
      expect(() => new Kind(manifest).validate(), manifest.kind).not.toThrow();
    }
  });

  test('has no field that Kubernetes does not know', () => {
    // The schemas let unknown fields pass, the compiler does not.
    const manifests = sets.flatMap(([, values]) => render(values)).filter((one) => !isForeign(one));
    const lines = manifests.map(
      (manifest, place) =>
        `export const m${place}: import('${moduleOf(manifest)}').I${manifest.kind} = ${JSON.stringify(manifest)};`,
    );
    const file = join(here, `.chart-${process.pid}.ts`);
    writeFileSync(file, lines.join('\n'));
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--ignoreConfig'];
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const { status, stdout } = spawnSync(process.execPath, [compiler, ...options, file], { encoding: 'utf8' });
    rmSync(file);
    expect([status, stdout]).toEqual([0, '']);
  }, 120_000);

  test.each(sets)('with %s names only what there is', (_, values) => {
    const manifests = render(values);
    const namesOf = (kind: string) => manifests.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name);
    const pods = podsOf(manifests);
    const deployments = manifests.filter(({ kind }) => kind === 'Deployment');
    for (const { metadata, spec } of deployments) {
      expect(hasLabels(spec.template, spec.selector.matchLabels), metadata.name).toBe(true);
      // Each has pods of its own.
      expect(pods.filter(({ pod }) => hasLabels(pod, spec.selector.matchLabels))).toHaveLength(1);
    }
    const secret = (values as { secret?: { name: string } }).secret?.name ?? ownValues.secret.name;
    for (const { name, pod } of pods) {
      const container = containerOf(pod);
      const sources = container.envFrom!.flatMap(({ configMapRef, secretRef }) => [
        configMapRef?.name,
        secretRef?.name,
      ]);
      expect(sources.filter(Boolean), name).toEqual([namesOf('ConfigMap')[0], secret]);
      const volumes = pod.spec!.volumes!.map((volume) => volume.name).sort();
      expect(container.volumeMounts!.map((mount) => mount.name).sort(), name).toEqual(volumes);
    }
    const webPods = deployments.filter(({ metadata }) => metadata.name === 'shop-web').map(({ spec }) => spec.template);
    const ports = containerOf(webPods[0]!).ports!.map((port) => port.name);
    const services = manifests.filter(({ kind }) => kind === 'Service') as unknown as IService[];
    for (const { spec } of services) {
      expect(pods.filter(({ pod }) => hasLabels(pod, spec!.selector!)).map(({ name }) => name)).toEqual(['shop-web']);
      expect(spec!.ports!.filter(({ targetPort }) => !ports.includes(targetPort as string))).toEqual([]);
    }
    const serviceOf = /"service":\{"name":"([^"]+)","port":\{"name":"([^"]+)"/;
    for (const ingress of manifests.filter(({ kind }) => kind === 'Ingress')) {
      const [, service, port] = serviceOf.exec(JSON.stringify(ingress))!;
      expect(namesOf('Service')).toContain(service);
      expect(services[0]!.spec!.ports!.map(({ name }) => name)).toContain(port);
    }
    for (const { spec } of manifests.filter(({ kind }) => kind === 'HorizontalPodAutoscaler')) {
      const target = spec.scaleTargetRef as { name: string };
      const deployment = deployments.find(({ metadata }) => metadata.name === target.name);
      // Two that say how many there are would undo each other's work.
      expect(deployment?.spec).not.toHaveProperty('replicas');
      expect(spec.minReplicas).toBeLessThanOrEqual(spec.maxReplicas as number);
    }
    for (const { spec } of manifests.filter(({ kind }) => kind === 'PodDisruptionBudget')) {
      expect(pods.filter(({ pod }) => hasLabels(pod, spec.selector.matchLabels)).map(({ name }) => name)).toEqual([
        'shop-web',
      ]);
      const scale = manifests.find(({ kind, metadata }) => kind.endsWith('scaler') && metadata.name === 'shop-web');
      const web = deployments.find(({ metadata }) => metadata.name === 'shop-web')!;
      // At least one may go, or no machine is ever emptied.
      expect(spec.minAvailable).toBeLessThan((scale?.spec.minReplicas ?? web.spec.replicas) as number);
    }
    for (const { kind, spec } of manifests.filter(({ kind }) => ['NetworkPolicy', 'PodMonitor'].includes(kind))) {
      const selector = (spec.podSelector ?? spec.selector) as { matchLabels: Record<string, string> };
      expect(pods.filter(({ pod }) => hasLabels(pod, selector.matchLabels)).length, kind).toBe(deployments.length);
      const portNames = [...JSON.stringify(spec).matchAll(/"port":"(\w+)"/g)].map(([, port]) => port!);
      expect(portNames.length).toBeGreaterThan(0);
      expect(portNames.filter((port) => !ports.includes(port))).toEqual([]);
    }
  });

  test.each(sets)('with %s has every role, and only settings that there are', (_, values) => {
    const manifests = render(values);
    const pods = podsOf(manifests).filter(({ kind }) => kind === 'Deployment');
    const roles = pods.flatMap(({ pod }) => settingOf(pod, 'ROLES')!.split(','));
    expect(roles.sort()).toEqual(['jobs', 'media', 'web']);
    const settings = manifests.flatMap(({ data, stringData }) => Object.keys({ ...data, ...stringData }));
    const own = pods.flatMap(({ pod }) => containerOf(pod).env!.map(({ name }) => name));
    expect([...settings, ...own].filter((name) => !SETTING_NAMES.includes(name))).toEqual([]);
    const { secret } = values as { secret?: { values: object } };
    if (secret) expect(manifests.find(({ kind }) => kind === 'Secret')!.stringData).toMatchObject(secret.values);
  });

  test.each(sets)('with %s runs servers that may do little and stop in time', (_, values) => {
    for (const { name, kind, pod } of podsOf(render(values))) {
      const container = containerOf(pod);
      expect(pod.spec, name).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(container.securityContext, name).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container.resources, name).toMatchObject({
        requests: { cpu: expect.any(String), memory: expect.any(String) },
        limits: { memory: expect.any(String) },
      });
      if (kind === 'Job') continue;
      const { httpGet: live } = container.livenessProbe!;
      const { httpGet: ready } = container.readinessProbe!;
      // Not the other way round: a store that is away would restart every server.
      expect([live!.path, ready!.path]).toEqual(['/api/health', '/api/ready']);
      const ports = container.ports!.map((port) => port.name);
      for (const probe of [live, ready, container.startupProbe!.httpGet]) expect(ports).toContain(probe!.port);
      const dockerfile = readFileSync(join(root, 'deploy', 'Dockerfile'), 'utf8');
      expect(container.ports!.find((port) => port.name === 'http')!.containerPort).toBe(
        Number(/PORT=(\d+)/.exec(dockerfile)![1]),
      );
      expect(String(container.ports!.find((port) => port.name === 'metrics')!.containerPort)).toBe(
        settingOf(pod, 'METRICS_PORT'),
      );
      // The delay, 20 s for running calls, and the end of the background jobs.
      const delay = Number(settingOf(pod, 'SHUTDOWN_DELAY_SECONDS'));
      expect(pod.spec!.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(delay + 40);
      expect(container.volumeMounts!.map((mount) => mount.mountPath).sort(), name).toEqual(['/data', '/tmp']);
    }
  });

  test('starts servers anew when a setting or a secret changes, and only then', () => {
    const sums = (values: object) => podsOf(render(values)).map(({ pod }) => JSON.stringify(pod.metadata?.annotations));
    const secret = { create: true, values: secretValues };
    expect(sums({ secret })).toEqual(sums({ secret, ingress: { enabled: false } }));
    for (const change of [
      { settings: { LOG_LEVEL: 'warn' } },
      { secret: { create: true, values: { SMTP_URL: 'x' } } },
    ]) {
      const [before, after] = [sums({ secret }), sums({ secret, ...change })];
      expect(after.filter((sum, place) => sum && sum === before[place])).toEqual([]);
    }
  });

  test('keeps two releases of a namespace apart', () => {
    const [one, two] = ['shop', 'trial'].map((release) => render({}, release));
    const names = (all: Manifest[]) => all.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(names(one!).filter((name) => names(two!).includes(name))).toEqual([]);
    for (const { spec } of two!.filter(({ kind }) => kind === 'Deployment')) {
      expect(podsOf(one!).filter(({ pod }) => hasLabels(pod, spec.selector.matchLabels))).toEqual([]);
    }
  });
});
