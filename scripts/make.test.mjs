import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { root } from './prepare.mjs';

const make = (...args) =>
  promisify(execFile)(process.execPath, ['node_modules/tsx/dist/cli.mjs', 'scripts/make.ts', ...args], { cwd: root });

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
    const { stderr } = await make('--area', '40x50', ...paths);
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

test(
  'make traces the part of a picture that the composition shows',
  { tags: ['detail'] },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'make-'));
    try {
      // Two squares of 40 px, of which the right one is shown, straightened from a picture twice as wide.
      const square = { width: 40, height: 40, channels: 3, background: '#000000' };
      const png = await sharp({ create: { width: 320, height: 80, channels: 3, background: '#ffffff' } })
        .composite([40, 240].map((left) => ({ input: { create: square }, left, top: 20 })))
        .png()
        .toBuffer();
      writeFileSync(join(folder, 'squares.png'), png);
      const corners = [0, 1, 1, 0].map((x, i) => ({ x, y: i < 2 ? 0 : 1 }));
      const right = { x: 0.5, y: 0, width: 0.5, height: 1 };
      const artwork = { kind: 'artwork', designId: 'd', filename: 'squares.png', size: 100 };
      const ink = { x: 0.5, y: 0.25, width: 0.25, height: 0.5 };
      const elements = [{ ...artwork, aspect: 2, crop: right, ink, straighten: { corners, aspect: 4 } }];
      writeFileSync(join(folder, 'composition.json'), JSON.stringify({ version: 3, data: { elements } }));
      const { stderr } = await make('--area', '40x40', join(folder, 'composition.json'), join(folder, 'out.dxf'));
      expect(JSON.parse(stderr.slice(stderr.indexOf('{'))).layers).toEqual([
        expect.objectContaining({ id: 'engrave-c00', areaMm2: expect.closeTo(1600, -2), contours: 1 }),
      ]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  60_000,
);
