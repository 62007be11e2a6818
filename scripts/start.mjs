// npm start: from a fresh clone to the printed address. The server runs in this process, so signals reach it.
import { fetchModelBeside } from './model.mjs';
import { build, installPackages, requireNode } from './prepare.mjs';

requireNode();
installPackages();
build();

// npm runs a script through a shell. A signal to npm ends that shell and does not reach us: so the shell's end counts
// as the signal.
const parent = process.ppid;
if (process.env.npm_lifecycle_event) {
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGTERM'), 500).unref();
}

fetchModelBeside();
process.setSourceMapsEnabled(true);
await import('../apps/server/dist/main.js');
