// npm run admin: commands for the operator, with the settings of the server. Plain Node.
import { build, installPackages, requireNode } from './prepare.mjs';

requireNode();
installPackages();
build(['server']);
process.setSourceMapsEnabled(true);
await import('../apps/server/dist/admin.js');
