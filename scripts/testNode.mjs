// npm run test:node -- 24 [command…]: runs `npm test`, or another command, on another version of Node. Its program
// comes from the npm package `node` and is kept in .build.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { npm, root } from './prepare.mjs';

const [version, ...command] = process.argv.slice(2);
if (!/^\d+(\.\d+){0,2}$/.test(version ?? '')) {
  console.error('Name a version of Node: npm run test:node -- 24');
  process.exit(1);
}
const folder = join(root, '.build', `node-${version}`);
const program = join(folder, 'node_modules', 'node', 'bin', 'node');
if (!existsSync(program)) {
  npm(['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--loglevel=error', `node@${version}`]);
}
const [name = 'npm', ...args] = command.length > 0 ? command : ['npm', 'test'];
// The npm that runs this one runs that one, too; what it starts finds the other Node first.
const { npm_execpath: npmPath, ...environment } = process.env;
const isNpm = name === 'npm' && npmPath;
const { status } = spawnSync(isNpm ? program : name, [...(isNpm ? [npmPath] : []), ...args], {
  cwd: root,
  stdio: 'inherit',
  env: { ...environment, PATH: [join(program, '..'), process.env.PATH].join(delimiter) },
});
process.exit(status ?? 1);
