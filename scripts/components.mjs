// The packages that the product runs with, as a CycloneDX software bill of materials, and their licenses.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

/** Licenses that would bind the whole product. LGPL and MPL bind only changes of the package itself. */
const BINDING = /^(A?GPL|SSPL|OSL|EUPL)\b/i;

const npm = (...args) =>
  execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'ignore'] });

/**
 * Returns the bill of materials. `npm sbom --omit dev` leaves out a package that the product needs when some part of
 * the repository also has it for its tests (sharp, zod). So `npm ls` says which packages of all are needed.
 */
export function readBillOfMaterials() {
  const lines = npm('ls', '--omit=dev', '--all', '--parseable', '--long').trim().split('\n');
  // A line is `path:name@version`, for a workspace with the path of its source after that.
  const runtimeIds = new Set(lines.map((line) => line.split(':')[1]));
  const bill = JSON.parse(npm('sbom', '--sbom-format', 'cyclonedx'));
  return {
    ...bill,
    components: bill.components.filter((component) => runtimeIds.has(component['bom-ref'])).map(withLicense),
    dependencies: bill.dependencies
      .filter(({ ref }) => runtimeIds.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((id) => runtimeIds.has(id)) })),
  };
}

/** Adds the license of a component whose package names none (png-js) and has the text of the MIT license beside it. */
function withLicense(component) {
  if (component.licenses?.length > 0) return component;
  const folder = join(root, 'node_modules', component.group ?? '', component.name);
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => /^licen[cs]e(\.\w+)?$/i.test(name)) : [];
  const isMit = files.some((name) => /^\s*(The )?MIT License/i.test(readFileSync(join(folder, name), 'utf8')));
  return isMit ? { ...component, licenses: [{ license: { id: 'MIT' } }] } : component;
}

/** Returns a sentence for each component without a license, or with one that would bind the whole product. */
export function findLicenseFaults(components) {
  return components.flatMap(({ 'bom-ref': id, licenses = [] }) => {
    const names = licenses.map(({ license, expression }) => license?.id ?? license?.name ?? expression);
    if (names.length === 0) return [`${id} names no license`];
    return names.filter((name) => !isFree(name)).map((name) => `${id} is licensed under ${name}`);
  });
}

/** True when the product may be used under one of the alternatives of a license expression. */
function isFree(expression) {
  const alternatives = expression.replace(/[()]/g, ' ').split(/\sOR\s/i);
  return alternatives.some((terms) => terms.split(/\s(?:AND|WITH)\s/i).every((name) => !BINDING.test(name.trim())));
}
