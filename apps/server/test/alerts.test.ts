/** The alerts of the kit, each fed with figures that must fire it and with figures of a good day, by promtool. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';

const path = fileURLToPath(new URL('../../../deploy/prometheus/markwright.rules.yml', import.meta.url));
const hasPromtool = spawnSync('which', ['promtool']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'markwright-alerts-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Series by name, each with its values in promtool's form, one a minute: `1x5` stays, `0+2x5` grows. */
type Series = Readonly<Record<string, string>>;
interface Case {
  readonly fires: Series;
  readonly isCalm: Series;
  /** The minute of the look. */
  readonly minute: number;
}

const up = (name: string): string => `up{job="markwright",instance="${name}"}`;
const calls = (status: number): string => `http_request_seconds_count{status="${status}"}`;
const reads = (le: string): string => `http_request_seconds_bucket{method="GET",le="${le}"}`;
const jobs = (state: string, instance = 'a'): string => `media_jobs{state="${state}",instance="${instance}"}`;
const ofServer = (name: string): string => `${name}{job="markwright",instance="a"}`;

const cases: Readonly<Record<string, Case>> = {
  MarkwrightServerDown: {
    fires: { [up('a')]: '1x3 0x20', [up('b')]: '1x23' },
    // A restart is none.
    isCalm: { [up('a')]: '1x3 0x1 1x20', [up('b')]: '1x23' },
    minute: 10,
  },
  MarkwrightAllDown: {
    fires: { [up('a')]: '0x20', [up('b')]: '0x20' },
    isCalm: { [up('a')]: '0x20', [up('b')]: '1x20' },
    minute: 10,
  },
  MarkwrightFaults: {
    fires: { [calls(500)]: '0+1x60', [calls(200)]: '0+100x60' },
    isCalm: { [calls(500)]: '0+1x60', [calls(200)]: '0+400x60' },
    minute: 40,
  },
  MarkwrightUnavailable: {
    fires: { [calls(503)]: '0+10x60', [calls(200)]: '0+100x60' },
    isCalm: { [calls(503)]: '0+3x60', [calls(200)]: '0+100x60' },
    minute: 40,
  },
  MarkwrightSlow: {
    fires: { [reads('1')]: '0+18x60', [reads('5')]: '0+20x60', [reads('+Inf')]: '0+20x60' },
    isCalm: { [reads('1')]: '0+20x60', [reads('5')]: '0+20x60', [reads('+Inf')]: '0+20x60' },
    minute: 40,
  },
  MarkwrightQueueLong: {
    fires: { [jobs('queued')]: '25x60', [jobs('queued', 'b')]: '0x60' },
    isCalm: { [jobs('queued')]: '15x60', [jobs('queued', 'b')]: '0x60' },
    minute: 30,
  },
  MarkwrightWorkersKilled: { fires: { [jobs('killed')]: '0+2x60' }, isCalm: { [jobs('killed')]: '40x60' }, minute: 50 },
  MarkwrightMailsWaiting: {
    fires: { 'mails{state="queued"}': '30x60' },
    isCalm: { 'mails{state="queued"}': '30x25 2x35' },
    minute: 50,
  },
  MarkwrightMailsFailed: {
    fires: { 'mails{state="failed"}': '0+1x400' },
    isCalm: { 'mails{state="failed"}': '40x400' },
    minute: 390,
  },
  MarkwrightEventLoopSlow: {
    fires: { [ofServer('nodejs_eventloop_lag_p99_seconds')]: '0.8x60' },
    isCalm: { [ofServer('nodejs_eventloop_lag_p99_seconds')]: '0.03x60' },
    minute: 30,
  },
  MarkwrightMemoryGrows: {
    fires: { [ofServer('process_resident_memory_bytes')]: '1900000000x60' },
    isCalm: { [ofServer('process_resident_memory_bytes')]: '500000000x60' },
    minute: 50,
  },
  MarkwrightRestarts: {
    fires: { [ofServer('process_start_time_seconds')]: '0+300x60' },
    isCalm: { [ofServer('process_start_time_seconds')]: '300x20 900x40' },
    minute: 40,
  },
};

test('every alert has its figures here', () => {
  const names = parse(readFileSync(path, 'utf8')).groups.flatMap(({ rules }: { rules: { alert: string }[] }) =>
    rules.map(({ alert }) => alert),
  );
  expect(Object.keys(cases).sort()).toEqual(names.sort());
});

test.runIf(hasPromtool).each(Object.entries(cases))('%s fires when it should, and not on a good day', (name, one) => {
  const look = (series: Series, samples: object[]) => ({
    interval: '1m',
    input_series: Object.entries(series).map(([series, values]) => ({ series, values })),
    promql_expr_test: [
      {
        expr: `count(ALERTS{alertname="${name}",alertstate="firing"})`,
        eval_time: `${one.minute}m`,
        exp_samples: samples,
      },
    ],
  });
  const tests = [look(one.fires, [{ labels: '{}', value: 1 }]), look(one.isCalm, [])];
  const file = join(folder, `${name}.yml`);
  writeFileSync(file, stringify({ rule_files: [path], evaluation_interval: '1m', tests }));
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
  expect(status, stdout + stderr).toBe(0);
});
