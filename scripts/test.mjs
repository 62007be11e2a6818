// npm test: everything, on a fresh clone too. Stops at the first part that fails.
import { build, installPackages, npm, requireNode } from './prepare.mjs';

requireNode();
installPackages();
// Before the check: some of the server's tests read the built pages, and would be left out without them.
build();
npm(['run', '--silent', 'check']);
npm(['run', '--silent', 'e2e']);
