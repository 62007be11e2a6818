/**
 * The image of deploy/Dockerfile, built by buildah on a base that debootstrap makes from Debian, and run without root
 * and without writing to its root file system: a picture is uploaded and traced in it. Needs root, Debian's packages
 * buildah and debootstrap, and npm packages from a registry; `IMAGE_TEST=1` asks for it.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isStress } from './campaign.ts';

const script = fileURLToPath(new URL('../../../scripts/tryImage.sh', import.meta.url));

test.runIf(isStress && process.env.IMAGE_TEST === '1')(
  'is built, and does the main job as nobody',
  () => {
    const { status, stdout, stderr } = spawnSync('sh', [script], { encoding: 'utf8', maxBuffer: 1e8 });
    expect(status, `${stdout}${stderr}`.slice(-5_000)).toBe(0);
    expect(stdout).toContain('The image works');
  },
  1_800_000,
);
