// npm test: everything, on a fresh clone too. Stops at the first part that fails.
import { build, installPackages, npm, requireNode } from './prepare.mjs';

requireNode();
installPackages();
npm(['run', '--silent', 'check']);
build();
npm(['run', '--silent', 'e2e']);
