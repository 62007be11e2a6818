// Type-checks the root's files and every workspace, two compilers at a time, and prints their errors.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';

// The kernels of tracer and matting are checked with a looser rule for array indexes of their own. So all other
// workspaces see only their declarations.
for (const kernels of ['vectorizer', 'matting']) {
  const declarations = ['-p', `packages/${kernels}/tsconfig.build.json`, '--emitDeclarationOnly'];
  const { status } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', ...declarations], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
}

const projects = [
  '.',
  ...['packages', 'apps'].flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`)),
];
const queue = projects.filter((project) => existsSync(`${project}/tsconfig.json`));
let hasFailed = false;

async function work() {
  for (let project = queue.shift(); project; project = queue.shift()) {
    // The compiler's state is kept for the next run: a third of the time when little changed.
    const stateFile = `.build/types/${project === '.' ? 'root' : project}.tsbuildinfo`;
    const args = ['-p', project, '--incremental', '--tsBuildInfoFile', stateFile];
    const child = spawn(process.execPath, ['node_modules/typescript/bin/tsc', ...args], { stdio: 'inherit' });
    const code = await new Promise((resolve) => child.on('exit', resolve));
    if (code !== 0) {
      console.error(`types: ${project} does not compile`);
      hasFailed = true;
    }
  }
}

await Promise.all([work(), work()]);
process.exit(hasFailed ? 1 : 0);
