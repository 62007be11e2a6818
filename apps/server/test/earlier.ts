/** Earlier versions of the server, built from the history of the repository. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newFolder } from './operator.ts';
import type { startServerProcess } from './serverProcess.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Returns false in a clone without the history that reaches back to a commit. */
export const hasCommit = (commit: string): boolean =>
  spawnSync('git', ['-C', root, 'cat-file', '-e', `${commit}^{commit}`]).status === 0;

/**
 * Builds the server of a commit in a folder of its own, with its own packages of the repository and the packages of
 * the registry that are there: it takes commits whose packages this version still has. Returns its program.
 */
export function buildEarlier(commit: string): NonNullable<Parameters<typeof startServerProcess>[2]> {
  const folder = newFolder();
  const parts = ['apps', 'packages', 'package.json', 'tsconfig.base.json'];
  const sources = execFileSync('git', ['-C', root, 'archive', commit, ...parts], { maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-xf', '-', '-C', folder], { input: sources });
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@markwright'), { recursive: true });
  const packages = join(root, 'node_modules');
  for (const name of readdirSync(packages)) {
    if (name !== '@markwright') symlinkSync(join(packages, name), join(modules, name));
  }
  for (const name of readdirSync(join(folder, 'packages'))) {
    symlinkSync(join(folder, 'packages', name), join(modules, '@markwright', name));
  }
  const server = join(folder, 'apps', 'server');
  const vite = join(packages, 'vite', 'bin', 'vite.js');
  execFileSync(process.execPath, [vite, 'build', '--logLevel', 'error'], { cwd: server });
  return { entry: join(server, 'dist', 'main.js'), execArgv: [] };
}
