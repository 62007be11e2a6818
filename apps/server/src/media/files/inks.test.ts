import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createInkProfile } from '../../../test/inkProfile.ts';
import { convertColors } from './inks.ts';

it('removes its file, and those that killed processes left an hour ago, but no others', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'inks-'));
  vi.stubEnv('TMPDIR', folder);
  try {
    const longAgo = new Date(Date.now() - 61 * 60 * 1000);
    const names = ['markwright-0ae1f447-f2eb.icc', 'markwright-now.icc', 'shop.icc'];
    for (const name of names) await writeFile(join(folder, name), '');
    for (const name of [names[0]!, names[2]!]) await utimes(join(folder, name), longAgo, longAgo);
    expect(await convertColors([0xff0000], createInkProfile({}))).toHaveLength(4);
    expect((await readdir(folder)).sort()).toEqual([names[1], names[2]]);
  } finally {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  }
});
