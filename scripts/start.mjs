// npm start: from a fresh clone to the printed address.
import { spawn } from 'node:child_process';
import { build, installPackages, requireNode, root } from './prepare.mjs';

requireNode();
installPackages();
build();

const server = spawn(process.execPath, ['apps/server/dist/main.js'], { cwd: root, stdio: 'inherit' });
// The terminal's Ctrl-C reaches both; a signal sent to this process alone is handed on.
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill('SIGTERM'));
process.on('SIGINT', () => {});
server.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
