/**
 * The image of deploy/Dockerfile, built by buildah on a base that debootstrap makes from Debian, and run without root
 * and without writing to its root file system: a picture is uploaded, traced and exported in it. The same as the
 * service of deploy/compose.yml, and as the servers of deploy/compose.cluster.yml with services from Debian's packages,
 * by docker-compose and Podman. Needs root, Debian's packages buildah and debootstrap, for Compose podman, netavark,
 * iptables, aardvark-dns, runc and docker-compose, and npm packages from a registry; `IMAGE_TEST=1` asks for it.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isStress } from './campaign.ts';

const scripts = fileURLToPath(new URL('../../../scripts', import.meta.url));

describe.runIf(isStress && process.env.IMAGE_TEST === '1')('the image', () => {
  let store: string;
  beforeAll(() => {
    store = mkdtempSync('/var/tmp/markwright-images-');
    run('buildImage.sh', store);
  }, 1_800_000);
  afterAll(() => rmSync(store, { recursive: true, force: true }));

  function run(script: string, ...parameters: string[]): string {
    const options = { encoding: 'utf8', maxBuffer: 1e8, env: { ...process.env, IMAGE_STORE: store } } as const;
    const { status, stdout, stderr } = spawnSync('sh', [join(scripts, script), ...parameters], options);
    expect(status, `${stdout}${stderr}`.slice(-5_000)).toBe(0);
    return stdout;
  }

  test.each([
    ['tryImage.sh', 'The image works'],
    ['tryCompose.sh', 'Compose works'],
    ['tryCluster.sh', 'The cluster works'],
  ])('%s: does the main job as nobody', (script, words) => expect(run(script)).toContain(words), 1_800_000);
});
