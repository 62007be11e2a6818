/**
 * npx tsx scripts/samplePictures.ts [NAME…]: makes the sample pictures of the studio's empty state again, each with its
 * thumbnail. All three are drawings of our own. The pictures are committed, so that a build needs no renderer.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { rasterize } from '../apps/server/src/media/rasterize.ts';
import { createFonts } from '../apps/server/src/platform/fonts.ts';
import { clipArt } from './samples/clipArt.ts';
import { drawLogo, drawPaper, LOGO_FONTS, LOGO_HEIGHT, LOGO_WIDTH, lightAt } from './samples/logo.ts';
import { canvasAt, renderPortrait } from './samples/portrait.ts';

const folder = fileURLToPath(new URL('../apps/web/src/samples/', import.meta.url));
const THUMBNAIL_PX = 160;
/** The blur of a phone that focused on something else, as a standard deviation in pixels. */
const BLUR_PX = 2;
const CLIP_ART_PX = 800;
/** The portrait is rendered this much larger, which smooths its edges. */
const REDUCTION = 1.5;

/** Photographs the printed logo. */
async function makeLogo(): Promise<Buffer> {
  const book = await createFonts().bookFor(
    LOGO_FONTS.map((fontFamily) => ({ text: 'A', fontFamily, isBold: true, isItalic: false })),
  );
  const logo = await rasterize({ svg: drawLogo(book), widthPx: LOGO_WIDTH });
  const paper = await rasterize({ svg: drawPaper(), widthPx: LOGO_WIDTH });
  const size = { width: LOGO_WIDTH, height: LOGO_HEIGHT, channels: 3 } as const;
  const print = await sharp(Buffer.from(paper.png))
    .composite([{ input: Buffer.from(logo.png) }])
    .removeAlpha()
    .blur(BLUR_PX)
    .raw()
    .toBuffer();
  const lit = print.map((level, i) => {
    const pixel = Math.floor(i / size.channels);
    const [x, y] = [pixel % LOGO_WIDTH, Math.floor(pixel / LOGO_WIDTH)];
    return Math.min(255, 14 + level * 0.94 * lightAt(x / LOGO_WIDTH, y / LOGO_HEIGHT));
  });
  return sharp(lit, { raw: size }).jpeg({ quality: 74, chromaSubsampling: '4:2:0', mozjpeg: true }).toBuffer();
}

async function makeClipArt(): Promise<Buffer> {
  const { png } = await rasterize({ svg: clipArt, widthPx: CLIP_ART_PX });
  return sharp(png).png({ palette: true, colors: 128, dither: 0, effort: 10 }).toBuffer();
}

async function makePortrait(): Promise<Buffer> {
  const { rgb, width, height } = renderPortrait();
  const { data, info } = await sharp(rgb, { raw: { width, height, channels: 3 } })
    .resize(Math.round(width / REDUCTION))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const painting = data.map((level, i) => {
    const pixel = Math.floor(i / info.channels);
    const grain = canvasAt(pixel % info.width, Math.floor(pixel / info.width));
    return Math.min(255, Math.max(0, level + grain));
  });
  const raw = { width: info.width, height: info.height, channels: 3 } as const;
  return sharp(painting, { raw }).jpeg({ quality: 84, mozjpeg: true }).toBuffer();
}

const samples = [
  { name: 'logo', type: 'jpg', make: makeLogo },
  { name: 'clipArt', type: 'png', make: makeClipArt },
  { name: 'portrait', type: 'jpg', make: makePortrait },
] as const;

const names = process.argv.slice(2);
for (const { name, type, make } of samples) {
  if (names.length > 0 && !names.includes(name)) continue;
  const picture = await make();
  const thumbnail = await sharp(picture)
    .resize(THUMBNAIL_PX, THUMBNAIL_PX, { fit: type === 'png' ? 'contain' : 'cover', background: '#0000' })
    .webp({ quality: 68, alphaQuality: 70, effort: 6 })
    .toBuffer();
  writeFileSync(`${folder}${name}.${type}`, picture);
  writeFileSync(`${folder}${name}Thumbnail.webp`, thumbnail);
  console.log(name, picture.length, thumbnail.length);
}
