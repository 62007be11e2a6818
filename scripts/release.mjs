// npm run release: builds the product, writes its software bill of materials (CycloneDX) beside the built server, and
// checks licenses and known vulnerabilities. The last step asks the registry, so it needs the network.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findAuditFaults } from './audit.mjs';
import { findLicenseFaults, readBillOfMaterials } from './components.mjs';
import { build, installPackages, requireNode, root } from './prepare.mjs';

requireNode();
installPackages();
build();

const bill = readBillOfMaterials();
const path = join('apps', 'server', 'dist', 'sbom.cdx.json');
writeFileSync(join(root, path), `${JSON.stringify(bill, null, 2)}\n`);
console.log(`${path}: ${bill.components.length} packages`);
end('licenses', findLicenseFaults(bill.components));

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { cwd: root, encoding: 'utf8' });
end('audit', findAuditFaults(stdout));
console.log('This build can be released.');

/** Prints the result of a step. Ends the process after one with faults. */
function end(step, faults) {
  for (const fault of faults) console.error(`${step}: ${fault}`);
  if (faults.length > 0) {
    console.error(`This build cannot be released: the step "${step}" has to pass first.`);
    process.exit(1);
  }
  console.log(`${step}: nothing found`);
}
