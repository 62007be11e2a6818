// npm run markwright: the operator's command, with the settings of the server. Plain Node.
import { build, installPackages, requireNode } from './prepare.mjs';

requireNode();
installPackages();
build(process.argv[2] === 'serve' ? undefined : ['server']);
process.setSourceMapsEnabled(true);
await import('../apps/server/dist/markwright.js');
