/** Picture files for the tests, of three kinds that customers send. */
import sharp from 'sharp';

/** A badge a shop might send: a ring, a mountain and a bar. Black on clear, 400 x 300. */
const badge = (ink: string) => `
  <path fill="${ink}" fill-rule="evenodd" d="M200 20a130 130 0 1 0 .01 0zM200 42a108 108 0 1 1-.01 0z"/>
  <path fill="${ink}" d="M118 208 178 112 206 156 226 128 282 208z"/>
  <path fill="${ink}" d="M150 222h100v14H150z"/>`;

const page = (content: string, width = 400, height = 300) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 400 300">${content}</svg>`;

/** Draws a picture at its first use, and returns the same bytes to every test of the worker. */
function drawOnce(draw: () => Promise<Buffer>): () => Promise<Buffer> {
  let picture: Promise<Buffer> | undefined;
  return () => {
    picture ??= draw();
    return picture;
  };
}

/**
 * A phone's picture of the badge printed on paper: turned a little, uneven light, soft focus, sensor noise, JPEG at
 * quality 80 with halved color, lying on its side with an EXIF orientation of 6. Upright it is `width` pixels wide and
 * three quarters of that high; a trace of it takes as long as it has pixels.
 */
export async function photographOfLogo(width = 1200): Promise<Buffer> {
  const height = 0.75 * width;
  const print = await sharp(Buffer.from(page(badge('#1b1a1f'), width, height)))
    .flatten({ background: '#e9e4d8' })
    .rotate(2.5, { background: '#e9e4d8' })
    .resize(width, height, { fit: 'cover' })
    .blur(1.1)
    .removeAlpha()
    .raw()
    .toBuffer();
  let seed = 20261121;
  const noise = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32 - 0.5;
  };
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const light = 1.06 - 0.22 * Math.hypot(x / width - 0.3, y / height - 0.25);
      const grain = (noise() + noise()) * 12;
      for (let channel = 0; channel < 3; channel++, i++) {
        print[i] = Math.min(255, Math.max(0, print[i]! * light + grain));
      }
    }
  }
  return sharp(print, { raw: { width, height, channels: 3 } })
    .rotate(-90)
    .jpeg({ quality: 80, chromaSubsampling: '4:2:0' })
    .withMetadata({ orientation: 6 })
    .toBuffer();
}

/** The badge as a designer exports it: 400 x 300, antialiased, on a clear ground. */
export const logoPng = drawOnce(() =>
  sharp(Buffer.from(page(badge('#14213d'))))
    .png()
    .toBuffer(),
);

/** The badge among crumbs of two to seven pixels, as old prints have them. */
export const speckledPng = drawOnce(() => {
  const crumbs = Array.from({ length: 60 }, (_, i) => {
    const side = 1 + (i % 6) / 2;
    return `<rect x="${4 + ((i * 61) % 392)}" y="${4 + ((i * 97) % 292)}" width="${side}" height="${side}"/>`;
  });
  return sharp(Buffer.from(page(badge('#14213d') + crumbs.join(''), 800, 600)))
    .flatten({ background: '#ffffff' })
    .png()
    .toBuffer();
});

/** The badge as a vector: three plain paths, one behind a transform. */
export function logoSvg(): Buffer {
  return Buffer.from(page(`<g transform="translate(10 5) scale(.95)">${badge('#000000')}</g>`));
}

/** A poster in three flat colors that touch: a navy field, a red ring on it, a gold half within. */
export const posterPng = drawOnce(() => {
  const content = `
    <rect x="20" y="20" width="360" height="260" fill="#14213d"/>
    <circle cx="200" cy="150" r="100" fill="#c8102e"/>
    <path fill="#f6c915" d="M200 90a60 60 0 0 1 0 120zM230 40h30v20h-30z"/>`;
  return sharp(Buffer.from(page(content, 600, 450)))
    .flatten({ background: '#ffffff' })
    .png()
    .toBuffer();
});

/** A sign turned by 7 degrees on rough plaster, which a laser would engrave, too. */
export const tiltedSignPng = drawOnce(() =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="700">
      <filter id="plaster"><feTurbulence baseFrequency="0.05" numOctaves="2" seed="7"/></filter>
      <rect width="1000" height="700" fill="#c9bfab"/>
      <rect width="1000" height="700" filter="url(#plaster)" opacity="0.5"/>
      <g transform="rotate(7 500 350)" fill="#111">
        <path d="M180 190H820V510H180ZM210 220V480H790V220Z" fill-rule="evenodd"/>
        <path d="M260 270H420V430H260ZM470 270H740V330H470ZM470 370H740V430H470Z"/>
      </g></svg>`),
  )
    .flatten({ background: '#fff' })
    .png()
    .toBuffer(),
);

/** Returns a PNG file of a drawing, as `dropFile` takes it. `content` is SVG inside a picture of `size` pixels. */
export async function pngFile(name: string, content: string, size = { width: 800, height: 600 }) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}">${content}</svg>`;
  return { name, mimeType: 'image/png', buffer: await sharp(Buffer.from(svg)).png().toBuffer() };
}

/** A frame with bars in it, twice as wide as high, turned clockwise by 7°: 1000 × 700. */
export const tiltedSign = (name: string) =>
  pngFile(
    name,
    `<rect width="1000" height="700" fill="#fff"/>
      <g transform="rotate(7 500 350)" fill="#111">
        <path d="M180 190H820V510H180ZM210 220V480H790V220Z" fill-rule="evenodd"/>
        <path d="M260 270H420V430H260ZM470 270H740V330H470ZM470 370H740V430H470Z"/>
      </g>`,
    { width: 1000, height: 700 },
  );
