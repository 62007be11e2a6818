// npm run licenses: fails when a package that the product runs with has no license, or one like the GPL.
import { findLicenseFaults, readBillOfMaterials } from './components.mjs';

const { components } = readBillOfMaterials();
const faults = findLicenseFaults(components);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log(`${components.length} packages, none under the GPL or the like`);
