// npm test: everything, on a fresh clone too. Stops at the first part that fails.
import { join } from 'node:path';
import { fetchModel } from './model.mjs';
import { build, installPackages, npm, requireNode, root } from './prepare.mjs';

requireNode();
installPackages();
// Before the check: some of the server's tests read the built pages, and would be left out without them.
build();
// The tests with the real network are left out, and say so, where it cannot be had.
if (process.env.MODEL_DOWNLOAD !== 'off') await fetchModel({ folder: join(root, '.build', 'models') });
npm(['run', '--silent', 'check']);
npm(['run', '--silent', 'e2e']);
