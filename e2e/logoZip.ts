/** Four logos that a list of names may bring, and a ZIP of them. */
import { type Zippable, zipSync } from 'fflate';
import sharp from 'sharp';

/** Logos on clear pictures of 200 x 200: what is black of them, and its share of the box around it. */
export const LOGOS = {
  'Acme.png': { ink: '<rect x="40" y="70" width="120" height="60"/>', aspect: 2, share: 1 },
  'Béta Ltd.png': { ink: '<rect x="80" y="20" width="40" height="160"/>', aspect: 1 / 4, share: 1 },
  'gamma.png': { ink: '<circle cx="100" cy="100" r="70"/>', aspect: 1, share: Math.PI / 4 },
  'delta.png': { ink: '<path d="M40 160L100 40L160 160Z"/>', aspect: 1, share: 1 / 2 },
} as const;

export const drawLogo = (ink: string) =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400" viewBox="0 0 200 200">${ink}</svg>`),
  )
    .png()
    .toBuffer();

/** Returns the logos in a folder, and more files beside it. */
export async function zipLogos(more: Zippable = {}): Promise<Buffer> {
  const logos = await Promise.all(
    Object.entries(LOGOS).map(async ([name, { ink }]) => [`logos/${name}`, new Uint8Array(await drawLogo(ink))]),
  );
  return Buffer.from(zipSync({ ...Object.fromEntries(logos), ...more }));
}
