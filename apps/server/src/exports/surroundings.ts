/** The surroundings of a mockup, from the files that ship with the product. */
import { readFile } from 'node:fs/promises';
import { type MockupScene, stanceOf } from '@markwright/contract';
import type { DrawnProduct } from '../catalogue/tables.ts';
import type { DrawnSurroundings } from '../platform/ports/mediaJobs.ts';
import { findSiteFolders } from '../platform/site.ts';

/** Reads the picture that fits how a product's own picture shows it. */
export async function readSurroundings(scene: MockupScene, product: DrawnProduct): Promise<DrawnSurroundings> {
  const stance = stanceOf(product);
  return { picture: await readFile(`${findSiteFolders().surroundings}/${scene}-${stance}.webp`), stance };
}
