import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { describeFileStore } from '../../test/fileStore.ts';
import { backgroundJobs } from '../schedule.ts';
import type { Context } from './context.ts';
import { openDiskFiles, sweepUnfinished } from './files.ts';

const disk = vi.hoisted(() => ({ says: {} as Record<string, string | undefined> }));
// Other files share these modules: they are imported again with the mock here, and without it after this file.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.doUnmock('node:fs/promises');
  vi.resetModules();
});
vi.mock('node:fs/promises', async (importOriginal) => {
  const real = await importOriginal<typeof import('node:fs/promises')>();
  const failing = (syscall: 'mkdir' | 'open' | 'rm' | 'statfs') => {
    return (...args: unknown[]) => {
      // For nested folders Node looks for the parent that it could not create, and reports only that it is missing.
      const isNested = typeof args[1] === 'object' && args[1] !== null && 'recursive' in args[1];
      const code = disk.says[syscall] && syscall === 'mkdir' && isNested ? 'ENOENT' : disk.says[syscall];
      if (code) return Promise.reject(Object.assign(new Error(code), { code, syscall }));
      return (real[syscall] as (...args: unknown[]) => unknown)(...args);
    };
  };
  return { ...real, mkdir: failing('mkdir'), open: failing('open'), rm: failing('rm'), statfs: failing('statfs') };
});
afterEach(() => {
  disk.says = {};
});

const folders: string[] = [];
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'markwright-files-'));
  folders.push(folder);
  return folder;
}
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

describeFileStore('disk', async () => openDiskFiles(join(await newFolder(), 'files')));

test('a stored file is there for the next process', async () => {
  const folder = await newFolder();
  await (await openDiskFiles(folder)).put('a/b.svg', new Uint8Array([1]), 'image/svg+xml');
  expect(await (await openDiskFiles(folder)).get('a/b.svg')).toMatchObject({ mediaType: 'image/svg+xml' });
});

test('a half-written file of a killed process is never listed, and is swept', async () => {
  const folder = await newFolder();
  const files = await openDiskFiles(folder);
  await files.put('a/whole.png', new Uint8Array([1]), 'image/png');
  await mkdir(join(folder, 'b'));
  await writeFile(join(folder, 'a', 'half.png.6a1d.part'), 'ha');
  await writeFile(join(folder, 'b', 'half.png.6a1e.part'), 'ha');

  const keys: string[] = [];
  for await (const { key } of files.list('')) keys.push(key);
  expect(keys).toEqual(['a/whole.png']);
  await sweepUnfinished(folder);
  expect((await readdir(folder, { recursive: true })).sort()).toEqual(['a', 'a/whole.png', 'b']);
});

test('a half-written file of a killed server is swept while others write', async () => {
  const dataDir = await newFolder();
  const now = new Date();
  const hoursAgo = (hours: number): Date => new Date(now.getTime() - hours * 60 * 60 * 1000);
  const files = ['files/a/old.png.6a1d.part', 'files/a/young.png.6a1e.part', 'incoming/old.part', 'files/a/whole.png'];
  await mkdir(join(dataDir, 'incoming'));
  await mkdir(join(dataDir, 'files', 'a'), { recursive: true });
  for (const path of files) {
    await writeFile(join(dataDir, path), 'ha');
    await utimes(join(dataDir, path), hoursAgo(0), hoursAgo(path.includes('young') ? 0.5 : 2));
  }
  const sweeps = backgroundJobs({ config: { dataDir }, now: () => now, log: { error() {} } } as unknown as Context);
  await sweeps.find(({ name }) => name === 'housekeeping')!.run({}, new AbortController().signal);
  expect(files.filter((path) => existsSync(join(dataDir, path)))).toEqual([files[1], files[3]]);
});

test('foreign files in the folder are not listed', async () => {
  const folder = await newFolder();
  const files = await openDiskFiles(folder);
  await files.put('a/ours.png', new Uint8Array([1]), 'image/png');
  await writeFile(join(folder, 'a', '.DS_Store'), '');
  await writeFile(join(folder, 'a', 'notes (copy).txt'), '');

  const keys: string[] = [];
  for await (const { key } of files.list('a/')) keys.push(key);
  expect(keys).toEqual(['a/ours.png']);
});

test('a failed write leaves nothing behind', async () => {
  const folder = await newFolder();
  const files = await openDiskFiles(folder);
  await mkdir(join(folder, 'x.png')); // a folder has the name of the file, so the rename fails
  await expect(files.put('x.png', new Uint8Array([1]), 'image/png')).rejects.toThrow();
  expect(await readdir(folder)).toEqual(['x.png']);
});

test.each([
  [{ mkdir: 'ENOSPC' }, { code: 'storageFull', message: expect.stringContaining('nearly full') }],
  [
    { open: 'EROFS', rm: 'EROFS' },
    { code: 'storageFull', message: expect.stringContaining('cannot be written') },
  ],
  [{ open: 'EMFILE' }, { code: 'unavailable', retryAfterSeconds: 3 }],
  [{ statfs: 'EIO' }, { code: 'unavailable', retryAfterSeconds: 3 }],
  [{ statfs: 'ENOENT' }, { code: 'unavailable', retryAfterSeconds: 3 }],
])('a disk that fails with %o throws an AppError, and works when it can', async (failures, refusal) => {
  const files = await openDiskFiles(await newFolder());
  disk.says = failures;
  await expect(files.put('a/b.png', new Uint8Array([1]), 'image/png')).rejects.toMatchObject(refusal);
  disk.says = {};
  await files.put('a/b.png', new Uint8Array([1]), 'image/png');
});
