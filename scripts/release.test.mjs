import { expect, test } from 'vitest';
import { findAuditFaults } from './audit.mjs';
import { findLicenseFaults, readBillOfMaterials } from './components.mjs';

const component = (name, ...licenses) => ({ 'bom-ref': name, licenses });

test('a license like the GPL and a missing one are faults, and a choice of another one is none', () => {
  const faults = findLicenseFaults([
    component('mit@1.0.0', { license: { id: 'MIT' } }),
    component('library@1.0.0', { license: { id: 'LGPL-3.0-or-later' } }),
    component('choice@1.0.0', { expression: '(MIT OR GPL-3.0-or-later)' }),
    component('both@1.0.0', { expression: '(MIT AND GPL-3.0-or-later)' }),
    component('exception@1.0.0', { expression: 'GPL-2.0-only WITH Classpath-exception-2.0' }),
    component('network@1.0.0', { license: { id: 'AGPL-3.0-only' } }),
    component('own@1.0.0', { license: { name: 'GPL v3' } }),
    component('none@1.0.0'),
  ]);
  expect(faults.map((fault) => fault.split('@')[0])).toEqual(['both', 'exception', 'network', 'own', 'none']);
});

test('the bill of materials has what the product runs with, and no tool of its development', {
  tags: ['detail'],
}, () => {
  const { bomFormat, components, dependencies } = readBillOfMaterials();
  expect(bomFormat).toBe('CycloneDX');
  const names = new Set(components.map((one) => one['bom-ref'].replace(/(.)@[^@]*$/, '$1')));
  for (const name of ['fastify', 'sharp', 'zod', 'pg', 'react', '@resvg/resvg-js', 'clipper2-ts', 'fontkit', 'saxes']) {
    expect(names, name).toContain(name);
  }
  for (const name of ['vitest', 'vite', 'typescript', '@biomejs/biome', 'knip'])
    expect(names, name).not.toContain(name);
  expect(findLicenseFaults(components)).toEqual([]);
  const ids = new Set(components.map((one) => one['bom-ref']));
  for (const { ref, dependsOn } of dependencies) {
    for (const id of [ref, ...dependsOn]) expect(ids.has(id) || id.startsWith('markwright@'), id).toBe(true);
  }
});

test('an audit stops at a high vulnerability, and when the registry cannot be asked', () => {
  const metadata = { vulnerabilities: {} };
  const report = (severity) => ({ vulnerabilities: { x: { name: 'x', severity, range: '<2' } }, metadata });
  expect(findAuditFaults(JSON.stringify(report('moderate')))).toEqual([]);
  expect(findAuditFaults(JSON.stringify(report('high')))).toEqual(['x <2 has a known vulnerability (high)']);
  const offline = { message: 'request to https://registry.npmjs.org/-/npm/v1/security/audits/quick failed' };
  expect(findAuditFaults(JSON.stringify(offline))).toEqual([
    `the registry could not be asked for known vulnerabilities (${offline.message}). Try again with a network.`,
  ]);
  const refusal = { message: '405 Method Not Allowed - POST https://mirror.example/audit', statusCode: 405 };
  expect(findAuditFaults(JSON.stringify(refusal))).toEqual([
    `the registry could not be asked for known vulnerabilities (${refusal.message}). ` +
      'This registry refuses "npm audit": try again, or set npm_config_registry to one that answers.',
  ]);
  // npm could not be started.
  expect(findAuditFaults(null)).toEqual([expect.stringContaining('npm printed no report')]);
  expect(findAuditFaults('')).toEqual([expect.stringContaining('npm printed no report')]);
});
