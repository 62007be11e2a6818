/**
 * npx tsx scripts/drawSurroundings.ts [id…]: draws the surroundings that mockups stand in, all of them or those named:
 * the pictures that the server composes, and the small ones of the chooser. It takes some minutes of processor time.
 */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { write } from './surroundings/camera.ts';
import { surroundings } from './surroundings/settings.ts';

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const folder = at('apps/server/src/catalogue/seed/surroundings');
const smallFolder = at('apps/web/src/pages/studio/scenes');
/** Of a tile on a screen of double density. */
const SMALL_PX = 208;
const ids = process.argv.slice(2);

mkdirSync(folder, { recursive: true });
for (const { id, ...views } of surroundings) {
  if (ids.length > 0 && !ids.includes(id)) continue;
  for (const view of ['standing', 'lying'] as const) {
    const path = `${folder}/${id}-${view}.webp`;
    await write(await views[view](), path);
    await sharp(path).resize(SMALL_PX, SMALL_PX).webp({ quality: 70 }).toFile(`${smallFolder}/${id}-${view}.webp`);
    console.log(id, view);
  }
}
