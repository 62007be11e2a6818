/**
 * The image of deploy/Dockerfile, built by buildah on a base that debootstrap makes from Debian, and run without root
 * and without writing to its root file system: a picture is uploaded and traced in it. The same as the service of
 * deploy/compose.yml, by docker-compose and Podman. Needs root, Debian's packages buildah and debootstrap, for Compose
 * podman, runc and docker-compose, and npm packages from a registry; `IMAGE_TEST=1` asks for it.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isStress } from './campaign.ts';

const scripts = fileURLToPath(new URL('../../../scripts', import.meta.url));

test.runIf(isStress && process.env.IMAGE_TEST === '1').each([
  ['tryImage.sh', 'The image works'],
  ['tryCompose.sh', 'Compose works'],
])(
  '%s: the image is built, and does the main job as nobody',
  (script, words) => {
    const { status, stdout, stderr } = spawnSync('sh', [join(scripts, script)], { encoding: 'utf8', maxBuffer: 1e8 });
    expect(status, `${stdout}${stderr}`.slice(-5_000)).toBe(0);
    expect(stdout).toContain(words);
  },
  1_800_000,
);
