import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { root } from './prepare.mjs';

test('make writes a machine’s file of a composition, and prints its report', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'make-'));
  try {
    const elements = [{ kind: 'artwork', designId: 'd', filename: 'ring.svg', size: 100 }];
    writeFileSync(join(folder, 'composition.json'), JSON.stringify({ version: 3, data: { elements } }));
    writeFileSync(
      join(folder, 'ring.svg'),
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle cx="4.5" cy="4.5" r="4.5"/></svg>',
    );
    const paths = [join(folder, 'composition.json'), join(folder, 'out.dxf')];
    const { stderr } = await promisify(execFile)(
      process.execPath,
      ['node_modules/tsx/dist/cli.mjs', 'scripts/make.ts', '--area', '40x50', ...paths],
      { cwd: root },
    );
    expect(JSON.parse(stderr.slice(stderr.indexOf('{')))).toMatchObject({
      widthMm: 40,
      heightMm: 50,
      layers: [{ id: 'engrave-c00', areaMm2: expect.closeTo(400 * Math.PI, 0), contours: 1, openEnds: 0 }],
    });
    const dxf = readFileSync(paths[1], 'utf8');
    expect(dxf).toContain('ENGRAVE-C00');
    expect(dxf.endsWith('EOF\r\n')).toBe(true);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 60_000);
