/**
 * npx tsx scripts/sceneSheet.ts: draws each scene of a mockup with a tumbler, a mug, a slate coaster and a T-shirt in
 * it, by the renderer of mockups, into `docs/screenshots/scenes.webp`: for a look at all of them after a change.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MOCKUP_SCENES, stanceOf } from '@markwright/contract';
import { Composition, FIRST_ARTWORK } from '@markwright/scene';
import sharp from 'sharp';
import { findSeed } from '../apps/server/src/catalogue/variants.ts';
import { draw } from '../apps/server/src/media/draw.ts';
import { traceBadge } from '../apps/web/src/pages/landing/pictures/traceBadge.ts';

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const CELL_PX = 360;
const ids = ['tumbler-20oz-black', 'mug-11oz-white', 'coaster-slate-square', 'tshirt-cotton-white'];

const badge = await sharp(at('apps/web/src/pages/landing/pictures/customer.jpg'))
  .ensureAlpha()
  .raw()
  .toBuffer({ resolveWithObject: true });
const logo = traceBadge({ width: badge.info.width, height: badge.info.height, data: badge.data });
const aspect = logo.picture.width / logo.picture.height;

const cells: { input: Buffer; left: number; top: number }[] = [];
for (const [row, scene] of MOCKUP_SCENES.entries()) {
  for (const [column, productId] of ids.entries()) {
    const seed = findSeed(productId)!;
    const [printWidthInches = 1, printHeightInches = 1] = seed.dimensions.split('x').map(Number);
    const { material, markColor, printArea, surface, machines } = seed;
    const [machine] = machines;
    const artwork = { kind: 'artwork', id: FIRST_ARTWORK, designId: 'sheet', aspect, size: 85 };
    const bytes = readFileSync(at(`apps/server/src/catalogue/seed/pictures/${productId}.svg`));
    const stance = stanceOf(seed);
    const drawing = await draw({
      composition: Composition.parse({ machine, productId, elements: [artwork] }),
      product: {
        picture: { bytes: new Uint8Array(bytes), mediaType: 'image/svg+xml' },
        pictureAspect: 1,
        ...{ printArea, printWidthInches, printHeightInches, finish: { material, markColor }, surface },
      },
      artworks: [{ id: FIRST_ARTWORK, picture: { svg: machine === 'laser' ? logo.laserSvg : logo.colorSvg } }],
      target: { kind: 'mockup' },
      surroundings: {
        picture: readFileSync(at(`apps/server/src/catalogue/seed/surroundings/${scene}-${stance}.webp`)),
        stance,
      },
    });
    if (!('png' in drawing)) throw new Error('A mockup is a PNG.');
    const input = await sharp(drawing.png).resize(CELL_PX, CELL_PX).png().toBuffer();
    cells.push({ input, left: column * CELL_PX, top: row * CELL_PX });
  }
}
const sheet = { width: ids.length * CELL_PX, height: MOCKUP_SCENES.length * CELL_PX, channels: 3 } as const;
await sharp({ create: { ...sheet, background: '#ffffff' } })
  .composite(cells)
  .webp({ quality: 70, effort: 6 })
  .toFile(at('docs/screenshots/scenes.webp'));
