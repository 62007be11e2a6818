// npm run dev: runs the server from its sources and restarts it when they change; serves the pages with hot reloading.
import { spawn } from 'node:child_process';
import { installPackages, requireNode, root } from './prepare.mjs';

requireNode();
installPackages();

const env = { ...process.env, API_URL: `http://127.0.0.1:${process.env.PORT || 3000}` };
const programs = [
  ['node_modules/tsx/dist/cli.mjs', ['watch', '--clear-screen=false', 'apps/server/src/main.ts'], root],
  [`${root}/node_modules/vite/bin/vite.js`, [], `${root}/apps/web`],
].map(([program, args, cwd]) => spawn(process.execPath, [program, ...args], { cwd, env, stdio: 'inherit' }));

const stop = () => {
  for (const program of programs) program.kill('SIGTERM');
};
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
for (const program of programs) {
  program.on('exit', (code) => {
    process.exitCode ??= code ?? 0;
    stop();
  });
}
