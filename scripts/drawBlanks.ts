/**
 * npx tsx scripts/drawBlanks.ts [id…]: draws the pictures of the base products that a generator draws, all of them or
 * those named, and prints their print areas as `seed/products.ts` of the server holds them.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { blanks } from './blanks/catalogue.ts';
import { coatedPictures } from './blanks/coats.ts';

const folder = fileURLToPath(new URL('../apps/server/src/catalogue/seed/pictures/', import.meta.url));
const ids = process.argv.slice(2);

for (const { productId, draw } of blanks) {
  if (ids.length > 0 && !ids.includes(productId)) continue;
  const drawing = draw();
  const svg = drawing.toSvg();
  writeFileSync(`${folder}${productId}.svg`, svg);
  console.log(productId, svg.length, JSON.stringify(drawing.printArea), JSON.stringify(drawing.surface ?? 'flat'));
}

for (const [name, draw] of coatedPictures) {
  if (ids.length > 0 && !ids.includes(name)) continue;
  const svg = draw();
  writeFileSync(`${folder}${name}.svg`, svg);
  console.log(name, svg.length);
}
