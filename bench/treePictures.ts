/**
 * Draws seeded pictures for the comparison of two trees: flat art, line art, ramps and photographs, some of them as
 * scanned or compressed as JPEG.
 */
import sharp from 'sharp';

export interface Picture {
  readonly name: string;
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/svg+xml';
  readonly bytes: Buffer;
}

/** Returns a generator of numbers 0 ≤ r < 1: a linear congruential one (Numerical Recipes' constants). */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const svgPage = (content: string, width: number, height: number) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 400 300">${content}</svg>`,
  );

const BADGE = `
  <path fill-rule="evenodd" d="M200 20a130 130 0 1 0 .01 0zM200 42a108 108 0 1 1-.01 0z"/>
  <path d="M118 208 178 112 206 156 226 128 282 208z"/>
  <path d="M150 222h100v14H150z"/>`;

const POSTER = `
  <rect x="20" y="20" width="360" height="260" fill="#14213d"/>
  <circle cx="200" cy="150" r="100" fill="#c8102e"/>
  <path fill="#f6c915" d="M200 90a60 60 0 0 1 0 120zM230 40h30v20h-30z"/>`;

const RAMPS = `
  <defs>
    <linearGradient id="a"><stop stop-color="#0b3d91"/><stop offset="1" stop-color="#7fd1ff"/></linearGradient>
    <radialGradient id="b"><stop stop-color="#fff3b0"/><stop offset="1" stop-color="#d1495b"/></radialGradient>
  </defs>
  <rect x="30" y="30" width="160" height="240" fill="url(#a)"/>
  <circle cx="285" cy="150" r="88" fill="url(#b)"/>`;

/** Draws random stars, rings and bars in up to six colors. */
function drawScatter(seed: number): string {
  const random = createRandom(seed);
  const colors = ['#d2281e', '#1e46c8', '#149646', '#000000', '#fac828', '#963caa'];
  return Array.from({ length: 14 }, () => {
    const [x, y, r] = [40 + random() * 320, 40 + random() * 220, 10 + random() * 35];
    const fill = colors[Math.floor(random() * colors.length)];
    const kind = random();
    if (kind < 0.35) return `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"/>`;
    if (kind < 0.6) {
      return `<rect x="${x - r}" y="${y - r / 3}" width="${2 * r}" height="${(2 * r) / 3}" fill="${fill}" transform="rotate(${random() * 90} ${x} ${y})"/>`;
    }
    const points = Array.from({ length: 10 }, (_, i) => {
      const [angle, reach] = [(i * Math.PI) / 5, i % 2 ? r / 2.2 : r];
      return `${(x + reach * Math.sin(angle)).toFixed(2)},${(y - reach * Math.cos(angle)).toFixed(2)}`;
    });
    return `<polygon points="${points.join(' ')}" fill="${fill}"/>`;
  }).join('');
}

/** Draws curled pen lines of several widths. */
function drawLines(seed: number): string {
  const random = createRandom(seed);
  return Array.from({ length: 9 }, () => {
    const at = () => `${(20 + random() * 360).toFixed(1)} ${(20 + random() * 260).toFixed(1)}`;
    return `<path d="M${at()}C${at()} ${at()} ${at()}S${at()} ${at()}" fill="none" stroke="#111" stroke-width="${(1.5 + random() * 5).toFixed(2)}" stroke-linecap="round"/>`;
  }).join('');
}

/** Draws hills in haze: smooth noise in three octaves, with more colors than any palette. */
function drawPhotograph(seed: number, width: number, height: number): Promise<Buffer> {
  const random = createRandom(seed);
  const waves = Array.from({ length: 9 }, (_, i) => ({
    fx: (random() - 0.5) * 2 ** (i / 3) * 9,
    fy: (random() - 0.5) * 2 ** (i / 3) * 9,
    phase: random() * 6.3,
    size: 60 / 2 ** (i / 3),
  }));
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let channel = 0; channel < 3; channel++, i++) {
        let value = 120 + 20 * channel;
        for (const { fx, fy, phase, size } of waves) {
          value += size * Math.sin((fx * x) / width + (fy * y) / height + phase + channel * 0.4);
        }
        data[i] = Math.max(0, Math.min(255, value + (random() - 0.5) * 8));
      }
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}

/** Softens a picture and adds sensor noise, as a scanner does. */
async function scan(picture: Buffer, seed: number): Promise<Buffer> {
  const { data, info } = await sharp(picture)
    .flatten({ background: '#f4f1ea' })
    .blur(0.8)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const random = createRandom(seed);
  for (let i = 0; i < data.length; i++) data[i] = Math.max(0, Math.min(255, data[i]! + (random() - 0.5) * 12));
  return sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
    .png()
    .toBuffer();
}

/** Draws fifteen pictures, the same bytes on every run of one version of sharp. */
export async function drawPictures(): Promise<Picture[]> {
  const draw = (content: string, width: number, background?: string) => {
    const image = sharp(svgPage(content, width, (width * 3) / 4));
    return (background ? image.flatten({ background }) : image).png().toBuffer();
  };
  const jpeg = async (png: Promise<Buffer>, quality: number) =>
    sharp(await png)
      .flatten({ background: '#ffffff' })
      .jpeg({ quality, chromaSubsampling: '4:2:0' })
      .toBuffer();
  const png = (name: string, bytes: Buffer): Picture => ({ name, mediaType: 'image/png', bytes });
  const lossy = (name: string, bytes: Buffer): Picture => ({ name, mediaType: 'image/jpeg', bytes });
  return [
    png('badge on clear', await draw(BADGE, 800)),
    png('badge, small', await draw(BADGE, 96, '#ffffff')),
    lossy('badge, JPEG', await jpeg(draw(BADGE, 480, '#ffffff'), 55)),
    png('badge, scanned', await scan(await draw(BADGE, 600, '#ffffff'), 3)),
    png('poster', await draw(POSTER, 1000, '#ffffff')),
    lossy('poster, JPEG', await jpeg(draw(POSTER, 500), 60)),
    png('ramps', await draw(RAMPS, 600, '#ffffff')),
    lossy('ramps, JPEG', await jpeg(draw(RAMPS, 480, '#ffffff'), 75)),
    png('scatter on clear', await draw(drawScatter(7), 700)),
    png('scatter, scanned', await scan(await draw(drawScatter(8), 500, '#ffffff'), 4)),
    png('lines', await draw(drawLines(9), 640, '#ffffff')),
    png('lines, scanned', await scan(await draw(drawLines(10), 512, '#ffffff'), 5)),
    lossy('photograph', await jpeg(drawPhotograph(11, 560, 420), 80)),
    png('photograph, small', await drawPhotograph(12, 160, 200)),
    {
      name: 'vector',
      mediaType: 'image/svg+xml',
      bytes: svgPage(`<g transform="translate(10 5) scale(.95)">${drawScatter(13)}</g>`, 400, 300),
    },
  ];
}
