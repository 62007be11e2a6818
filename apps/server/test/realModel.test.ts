/**
 * The model that `npm run test:stress` fetched, on a drawn mug before a structured background: its mask, and the memory
 * it takes.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { expect, inject, test } from 'vitest';
import { isStress } from './campaign.ts';
import { createTestApp } from './server.ts';

const models = inject('models');
if (isStress && !models) console.log('The real model is left out: it could not be fetched, or was not to be.');
const MOST_BYTES = 1.2e9;

test.runIf(isStress && models)(
  'the real model finds an object before a photographed background, within its memory limit',
  async () => {
    const { picture, truth } = await mugOnGround();
    const server = await createTestApp({ models: models! });
    try {
      const headers = await server.signUp();
      const post = (url: string, payload: object) => server.app.inject({ method: 'POST', url, payload, headers });
      const form = new FormData();
      form.set('file', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'mug.png');
      const { id } = (await post('/api/designs/upload', form)).json();
      const answer = await post('/api/designs/remove-background', { designId: id });
      expect(answer.json()).toMatchObject({ modelUsed: 'isnet' });
      if (process.platform === 'linux') {
        const bytes = mostMemoryOf('modelWorker');
        expect(bytes).toBeGreaterThan(0.5e9);
        expect(bytes).toBeLessThan(MOST_BYTES);
      }
      const cut = (await server.app.inject({ url: answer.json().backgroundRemovedUrl })).rawPayload;
      const alpha = await sharp(cut).extractChannel(3).raw().toBuffer();
      let [both, either] = [0, 0];
      for (const [i, share] of alpha.entries()) {
        const [isInMask, isInTruth] = [share > 127, truth[i]! > 127];
        if (isInMask && isInTruth) both++;
        if (isInMask || isInTruth) either++;
      }
      expect(alpha.length).toBe(truth.length);
      expect(both / either).toBeGreaterThan(0.95);
    } finally {
      await server.close();
    }
  },
  180_000,
);

async function mugOnGround(): Promise<{ picture: Buffer; truth: Buffer }> {
  const [width, height] = [800, 600];
  const path = fileURLToPath(new URL('../src/catalogue/seed/pictures/mug-12oz-camp-navy.svg', import.meta.url));
  const mug = await sharp(path).resize(460, 460, { fit: 'inside' }).png().toBuffer();
  let seed = 11;
  const tone = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return 90 + (seed >>> 25);
  };
  const grain = Buffer.from(Array.from({ length: 16 * 12 * 3 }, tone));
  const ground = sharp(grain, { raw: { width: 16, height: 12, channels: 3 } }).resize(width, height, {
    kernel: 'cubic',
  });
  const clear = sharp({ create: { width, height, channels: 4, background: '#00000000' } });
  return {
    picture: await ground
      .composite([{ input: mug }])
      .png()
      .toBuffer(),
    truth: await clear
      .composite([{ input: mug }])
      .extractChannel(3)
      .raw()
      .toBuffer(),
  };
}

/** Returns the peak memory of a child process in bytes. */
function mostMemoryOf(program: string): number {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      if (!status.includes(`\nPPid:\t${process.pid}\n`)) continue;
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(program)) continue;
      return Number(/^VmHWM:\s*(\d+) kB/m.exec(status)?.[1]) * 1024;
    } catch {
      // A process that ended during the loop.
    }
  }
  throw new Error(`No ${program} runs.`);
}
