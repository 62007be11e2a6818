/**
 * npx tsx scripts/landingPictures.ts: makes the pictures of the landing page again, with the product's own tracer and
 * renderer. The pictures are committed, so that a build needs neither. A test traces the customer's picture again and
 * compares.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Composition, FIRST_ARTWORK, textsOf } from '@markwright/scene';
import sharp from 'sharp';
import { findSeed } from '../apps/server/src/catalogue/variants.ts';
import { draw } from '../apps/server/src/media/draw.ts';
import { rasterize } from '../apps/server/src/media/rasterize.ts';
import { createFonts } from '../apps/server/src/platform/fonts.ts';
import { BADGE_FONT, drawBadge } from '../apps/web/src/pages/landing/pictures/badge.ts';
import { traceBadge } from '../apps/web/src/pages/landing/pictures/traceBadge.ts';

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const folder = at('apps/web/src/pages/landing/pictures');
const save = (name: string, content: string | Uint8Array) => writeFileSync(`${folder}/${name}`, content);

const SENT_PX = 260;
const book = await createFonts().bookFor(
  [BADGE_FONT, 'Inter'].map((fontFamily) => ({ text: 'A', fontFamily, isBold: true, isItalic: false })),
);

// The customer's picture: small, soft, strongly compressed.
const customer = await sharp(Buffer.from(drawBadge(book)))
  .resize(SENT_PX, SENT_PX)
  .blur(1.1)
  .jpeg({ quality: 70, chromaSubsampling: '4:2:0' })
  .toBuffer();
save('customer.jpg', customer);
// The same as a screen shows it: enlarged here, so that no browser has to do it.
save(
  'customerShown.webp',
  await sharp(customer)
    .resize(2 * SENT_PX, 2 * SENT_PX, { kernel: 'cubic' })
    .webp({ quality: 72, effort: 6 })
    .toBuffer(),
);

const pixels = await sharp(customer).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
const trace = traceBadge({ width: pixels.info.width, height: pixels.info.height, data: pixels.data });
save('trace.json', `${JSON.stringify(trace.picture, null, 2)}\n`);

type Mode = 'laser' | 'uv';
interface Mockup {
  readonly name: string;
  readonly productId: string;
  readonly machine: Mode;
  /** Size of the artwork, in percent of the artwork fitted into the print area. */
  readonly size?: number;
  readonly texts?: readonly { text: string; fontFamily: string; heightInches: number; y?: number }[];
  /** Draws the product or the mark alone: the demo moves one over the other. */
  readonly shows?: 'product' | 'mark';
  readonly crop: readonly [left: number, top: number, width: number, height: number];
  readonly widthPx: number;
}

const whole = [0, 0, 1, 1] as const;
/** The part around the tumbler, in fractions of its picture. */
const tumblerCrop = [0.31, 0.055, 0.38, 0.9] as const;
const mockups: readonly Mockup[] = [
  {
    name: 'tumbler',
    productId: 'tumbler-20oz-black',
    machine: 'laser',
    shows: 'product',
    crop: tumblerCrop,
    widthPx: 480,
  },
  {
    name: 'tumblerMark',
    productId: 'tumbler-20oz-black',
    machine: 'laser',
    shows: 'mark',
    size: 100,
    crop: [0.39243, 0.42499, 0.21514, 0.21514],
    widthPx: 240,
  },
  { name: 'coaster', productId: 'coaster-leather-round', machine: 'laser', size: 100, crop: whole, widthPx: 440 },
  { name: 'mug', productId: 'mug-11oz-white', machine: 'uv', size: 100, crop: whole, widthPx: 640 },
  { name: 'board', productId: 'cutting-board-walnut', machine: 'laser', size: 96, crop: whole, widthPx: 440 },
  { name: 'keychain', productId: 'keychain-brass-round', machine: 'laser', size: 100, crop: whole, widthPx: 440 },
  {
    name: 'petTag',
    productId: 'pet-tag-bone-aluminium',
    machine: 'laser',
    texts: [{ text: 'Biscuit', fontFamily: 'Lobster', heightInches: 0.4 }],
    crop: whole,
    widthPx: 640,
  },
];

const bare = {
  bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="1200"/>'),
  mediaType: 'image/svg+xml',
};

for (const { name, productId, machine, size, texts = [], shows, crop, widthPx } of mockups) {
  const product = findSeed(productId)!;
  const [printWidthInches, printHeightInches] = product.dimensions.split('x').map(Number) as [number, number];
  const composition = Composition.parse({
    machine,
    productId,
    elements: [
      ...(size ? [{ kind: 'artwork', designId: 'badge', size }] : []),
      ...texts.map((text, i) => ({ kind: 'text', id: `t${i}`, ...text })),
    ],
  });
  const drawing = await draw({
    composition: shows === 'product' ? { ...composition, elements: textsOf(composition) } : composition,
    product: {
      pictureAspect: 1,
      printArea: product.printArea,
      printWidthInches,
      printHeightInches,
      finish: { material: product.material, markColor: product.markColor },
      picture:
        shows === 'mark'
          ? bare
          : {
              bytes: readFileSync(at(`apps/server/src/catalogue/seed/pictures/${productId}.svg`)),
              mediaType: 'image/svg+xml',
            },
    },
    artworks: size
      ? [{ id: FIRST_ARTWORK, picture: { svg: machine === 'laser' ? trace.laserSvg : trace.colorSvg } }]
      : [],
    target: { kind: 'preview' },
  });
  if (!('svg' in drawing)) throw new Error('A preview is an SVG');
  const side = 2 * Math.round(widthPx / crop[2]);
  const { png } = await rasterize({ svg: drawing.svg, widthPx: side });
  const [left, top, width, height] = crop.map((part) => Math.round(part * side)) as [number, number, number, number];
  const webp = await sharp(png)
    .extract({ left, top, width, height })
    .resize(Math.round(width / 2))
    .webp({ quality: 74, alphaQuality: 70, effort: 6 })
    .toBuffer();
  save(`${name}.webp`, webp);
  console.log(name, width, height, webp.length);
}

// The picture shown where the page is shared: the divider and the tumbler on the page's own ground.
const SOCIAL = { width: 1200, height: 630 } as const;
const headline = (text: string, x: number, y: number, em: number) => {
  const line = book.outline({ text, fontFamily: 'Inter', isBold: true, isItalic: false });
  if (!line) throw new Error('Inter is not loaded');
  return `<path fill="#1a1815" fill-rule="evenodd" transform="translate(${x} ${y}) scale(${em})" d="${line.d}"/>`;
};
const dataUrl = (type: string, bytes: Uint8Array) =>
  `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`;
const toPng = (name: string) => sharp(`${folder}/${name}`).png().toBuffer();
const side = 470;
const [left, top] = [420, 80];
const vector = trace.picture.layers.map(({ color, d }) => `<path fill="${color}" d="${d}"/>`).join('');
const social = `<svg xmlns="http://www.w3.org/2000/svg" width="${SOCIAL.width}" height="${SOCIAL.height}">
<rect width="1200" height="630" fill="#f6f3ec"/>
${headline('Blurry logo in.', 60, 240, 44)}${headline('Machine-ready', 60, 300, 44)}${headline('file out.', 60, 352, 44)}${headline('Markwright', 60, 550, 26)}
<rect x="${left}" y="${top}" width="${side}" height="${side}" fill="#fbf8f1"/>
<svg x="${left}" y="${top}" width="${side}" height="${side}" viewBox="0 0 ${SENT_PX} ${SENT_PX}">${vector}</svg>
<svg x="${left}" y="${top}" width="${side / 2}" height="${side}" viewBox="0 0 ${SENT_PX / 2} ${SENT_PX}"><image href="${dataUrl('jpeg', customer)}" width="${SENT_PX}" height="${SENT_PX}"/></svg>
<path d="M${left + side / 2} ${top}v${side}" stroke="#1a1815" stroke-width="3"/>
<rect x="${left}" y="${top}" width="${side}" height="${side}" fill="none" stroke="#8b8276"/>
<path d="M${left} ${top - 20}v-14M${left + side} ${top - 20}v-14M${left - 20} ${top}h-14M${left + side + 20} ${top}h14M${left} ${top + side + 20}v14M${left + side} ${top + side + 20}v14M${left - 20} ${top + side}h-14M${left + side + 20} ${top + side}h14" stroke="#8b8276"/>
<image href="${dataUrl('png', await toPng('tumbler.webp'))}" x="960" y="64" width="210" height="497"/>
<image href="${dataUrl('png', await toPng('tumblerMark.webp'))}" x="1014" y="277" width="102" height="102"/>
</svg>`;
const { png: socialPng } = await rasterize({ svg: social, widthPx: SOCIAL.width });
writeFileSync(at('apps/web/public/social.jpg'), await sharp(socialPng).jpeg({ quality: 84, mozjpeg: true }).toBuffer());
