/** Pictures with lines of letters, set with the font files themselves. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { findFontPath } from '@markwright/fonts/files';
import { createFontBook } from '@markwright/scene/text';
import sharp from 'sharp';
import type { Picture } from './studio.ts';

/** The font of the pages is a dependency of theirs. */
const require = createRequire(new URL('../apps/web/package.json', import.meta.url));
/** No font of the product's texts. */
const JETBRAINS_MONO = '@fontsource/jetbrains-mono/files/jetbrains-mono-latin-700-normal.woff2';
/** A book in which a file stands in for the regular face of Open Sans. */
const stand = { fontFamily: 'Open Sans', isBold: false, isItalic: false };
const standFile = 'open-sans-latin-400-normal.woff2';
const montserratBold = () => findFontPath('montserrat-latin-700-normal.woff2')!;

/** Returns the path data of a line, `size` px to the em, from x, y. */
function setLine(text: string, path: string, { size, x, y }: { size: number; x: number; y: number }): string {
  const book = createFontBook();
  book.add(standFile, new Uint8Array(readFileSync(path)));
  const { d } = book.outline({ ...stand, text })!;
  return `<path transform="translate(${x} ${y}) scale(${size})" d="${d}" fill-rule="evenodd"/>`;
}

/**
 * A JPEG of a mark with two lines: one in Montserrat Bold, and below it one in JetBrains Mono, which is no font of the
 * product. 900 x 500 px, capitals 50 px high.
 */
export async function letteredPicture(name: string, text: string): Promise<Picture> {
  const lines =
    setLine(text, montserratBold(), { size: 71, x: 60, y: 330 }) +
    setLine('Hand made', require.resolve(JETBRAINS_MONO), { size: 68, x: 60, y: 440 });
  const mark = '<path d="M60 60H220V220H60ZM100 100V180H180V100Z" fill-rule="evenodd"/>';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="500">
    <rect width="900" height="500" fill="#fff"/><g fill="#111">${mark}${lines}</g></svg>`;
  return { name, mimeType: 'image/jpeg', buffer: await sharp(Buffer.from(svg)).jpeg({ quality: 70 }).toBuffer() };
}
