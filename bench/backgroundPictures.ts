/**
 * Makes pictures with true alpha for the bench of cut-outs: `tune` to work with, `unseen` to look at once, at the end.
 * Nothing that it reads is part of the product or of this repository. EMOJI is the folder `assets` of the npm package
 * @lobehub/fluent-emoji-3d 1.1.0 (objects of Microsoft's Fluent Emoji, MIT). PHOTOS is a folder into which Debian's
 * packages python3-skimage, python3-sklearn and mate-backgrounds are unpacked (`dpkg-deb -x`). Glass, seed heads and
 * hair are drawn here.
 * Run: npx tsx bench/backgroundPictures.ts EMOJI PHOTOS tune|unseen OUT
 * and then: npx tsx bench/background.ts OUT [folder of the model]
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { createRandom } from '../packages/straighten/test/camera.ts';

const WIDTH = 1024;
const HEIGHT = 768;
const [emoji, photos, part, out] = process.argv.slice(2);
if (!emoji || !photos || !out || (part !== 'tune' && part !== 'unseen')) {
  throw new Error('Usage: npx tsx bench/backgroundPictures.ts EMOJI PHOTOS tune|unseen OUT');
}

type Rgb = readonly [number, number, number];
type Random = () => number;

/** A picture before it is written. */
interface Spec {
  readonly name: string;
  readonly group: 'photo' | 'gradient' | 'plain' | 'glass';
  /** An emoji by its code, or a drawing. */
  readonly object: string | ((random: Random) => string);
  /** Of the object, in pixels. */
  readonly size: number;
  /** Of its middle, as shares of the picture. */
  readonly at?: readonly [number, number];
  readonly ground: (random: Random) => Promise<Uint8Array> | Uint8Array;
  /** Quality; without it, PNG for plain grounds and 90 for others. */
  readonly jpeg?: number;
  readonly hasShadow?: boolean;
}

const sets: Record<'tune' | 'unseen', readonly Spec[]> = {
  tune: [
    { name: 'p01-owl', group: 'photo', object: '1f989', size: 540, ground: photo('coffee.png', { blur: 8 }) },
    { name: 'p02-chair', group: 'photo', object: '1fa91', size: 560, ground: photo('gravel.png', { tint: '#7f8a90' }) },
    { name: 'p03-cactus', group: 'photo', object: '1f335', size: 580, ground: photo('brick.png', { tint: '#c09a70' }) },
    { name: 'p04-umbrella', group: 'photo', object: '1f302', size: 560, ground: photo('flower.jpg', { blur: 5 }) },
    {
      name: 'p05-rooster',
      group: 'photo',
      object: '1f413',
      size: 560,
      ground: photo('grass.png', { tint: '#6f9050' }),
    },
    { name: 'p06-violin', group: 'photo', object: '1f3bb', size: 600, ground: photo('china.jpg', { blur: 7 }) },
    {
      name: 'p07-dandelion',
      group: 'photo',
      object: seedHead,
      size: 600,
      ground: photo('grass.png', { tint: '#4f7038', blur: 7 }),
    },
    {
      name: 'p08-hair',
      group: 'photo',
      object: hair('#5b3a22'),
      size: 620,
      ground: photo('chelsea.png', { blur: 10 }),
    },
    {
      name: 'g01-pear',
      group: 'gradient',
      object: '1f350',
      size: 540,
      ground: gradient([238, 236, 228], [150, 140, 120], 2),
    },
    {
      name: 'g02-feather',
      group: 'gradient',
      object: '1fab6',
      size: 600,
      ground: gradient([40, 46, 60], [120, 130, 150], 2),
    },
    {
      name: 'g03-dandelion',
      group: 'gradient',
      object: seedHead,
      size: 600,
      ground: gradient([90, 130, 180], [30, 60, 110], 2),
    },
    {
      name: 'g04-magnifier',
      group: 'gradient',
      object: '1f50d',
      size: 560,
      ground: gradient([225, 238, 245], [120, 160, 185], 3),
    },
    { name: 'x01-lens', group: 'glass', object: lens, size: 560, ground: gradient([240, 232, 220], [130, 110, 95], 2) },
    {
      name: 'x02-wine',
      group: 'glass',
      object: wineGlass('#7b1230'),
      size: 620,
      ground: photo('china.jpg', { blur: 9 }),
    },
    {
      name: 'x03-bottle',
      group: 'glass',
      object: bottle('#2f7a4a'),
      size: 640,
      ground: gradient([235, 240, 245], [140, 155, 175], 2),
    },
    {
      name: 'x04-tumbler',
      group: 'glass',
      object: tumbler,
      size: 520,
      ground: photo('brick.png', { tint: '#a07a5f', blur: 2 }),
    },
    { name: 's01-anchor', group: 'plain', object: '2693', size: 600, ground: solid([255, 255, 255]), jpeg: 75 },
    { name: 's02-snowflake', group: 'plain', object: '2744-fe0f', size: 600, ground: solid([255, 255, 255]), jpeg: 80 },
    { name: 's03-scooter', group: 'plain', object: '1f6f4', size: 600, ground: solid([255, 255, 255]) },
    { name: 's04-basket', group: 'plain', object: '1f9fa', size: 540, ground: solid([244, 236, 214]), jpeg: 85 },
    {
      name: 's05-monogram',
      group: 'plain',
      object: monogram('#8a1c2b'),
      size: 620,
      ground: solid([255, 255, 255]),
      jpeg: 70,
    },
    { name: 's06-hedgehog', group: 'plain', object: '1f994', size: 560, ground: solid([250, 250, 250]), jpeg: 85 },
    {
      name: 's07-boot',
      group: 'plain',
      object: '1f97e',
      size: 520,
      ground: gradient([252, 252, 252], [230, 231, 234], 2),
      jpeg: 88,
      hasShadow: true,
    },
    { name: 's08-rose', group: 'plain', object: '1f339', size: 620, ground: solid([18, 18, 22]), jpeg: 80 },
  ],
  unseen: [
    {
      name: 'p01-parrot',
      group: 'photo',
      object: '1f99c',
      size: 560,
      at: [0.55, 0.52],
      ground: photo('Garden.jpg', { blur: 6 }),
    },
    { name: 'p02-sofa', group: 'photo', object: '1f6cb-fe0f', size: 620, ground: photo('Wood.jpg') },
    { name: 'p03-camel', group: 'photo', object: '1f42b', size: 560, at: [0.45, 0.55], ground: photo('Dune.jpg') },
    { name: 'p04-trumpet', group: 'photo', object: '1f3ba', size: 580, ground: photo('Blinds.jpg', { blur: 3 }) },
    { name: 'p05-mushroom', group: 'photo', object: '1f344', size: 520, ground: photo('GreenMeadow.jpg', { blur: 4 }) },
    {
      name: 'p06-robot',
      group: 'photo',
      object: '1f916',
      size: 540,
      ground: photo('motorcycle_left.png', { blur: 10 }),
    },
    {
      name: 'p07-seeds',
      group: 'photo',
      object: seedHead,
      size: 560,
      at: [0.42, 0.5],
      ground: photo('Storm.jpg', { blur: 5 }),
    },
    {
      name: 'p08-hair',
      group: 'photo',
      object: hair('#c9a66b'),
      size: 620,
      ground: photo('YellowFlower.jpg', { blur: 12 }),
    },
    {
      name: 'g01-lemon',
      group: 'gradient',
      object: '1f34b',
      size: 540,
      ground: gradient([228, 234, 240], [140, 150, 170], 2),
    },
    {
      name: 'g02-pawn',
      group: 'gradient',
      object: '265f-fe0f',
      size: 560,
      ground: gradient([235, 225, 210], [120, 95, 75], 3),
    },
    {
      name: 'g03-palm',
      group: 'gradient',
      object: '1f334',
      size: 620,
      ground: gradient([250, 200, 150], [120, 90, 140], 2),
    },
    {
      name: 'g04-seeds',
      group: 'gradient',
      object: seedHead,
      size: 600,
      ground: gradient([60, 90, 70], [20, 40, 35], 2),
    },
    {
      name: 'x01-lens',
      group: 'glass',
      object: lens,
      size: 600,
      ground: gradient([215, 225, 240], [110, 125, 160], 2),
    },
    {
      name: 'x02-wine',
      group: 'glass',
      object: wineGlass('#c99b32'),
      size: 640,
      ground: photo('Garden.jpg', { blur: 10 }),
    },
    {
      name: 'x03-bottle',
      group: 'glass',
      object: bottle('#8a5a20'),
      size: 640,
      ground: gradient([245, 242, 235], [170, 160, 145], 2),
    },
    { name: 'x04-tumbler', group: 'glass', object: tumbler, size: 520, ground: photo('Wood.jpg', { blur: 1 }) },
    { name: 's01-wheel', group: 'plain', object: '1f3a1', size: 640, ground: solid([255, 255, 255]), jpeg: 80 },
    { name: 's02-web', group: 'plain', object: '1f578-fe0f', size: 620, ground: solid([60, 20, 25]), jpeg: 85 },
    { name: 's03-scissors', group: 'plain', object: '2702-fe0f', size: 580, ground: solid([255, 255, 255]) },
    { name: 's04-lobster', group: 'plain', object: '1f99e', size: 600, ground: solid([248, 248, 245]), jpeg: 75 },
    {
      name: 's05-monogram',
      group: 'plain',
      object: monogram('#153a6b'),
      size: 620,
      ground: solid([255, 255, 255]),
      jpeg: 75,
    },
    { name: 's06-rabbit', group: 'plain', object: '1f407', size: 560, ground: solid([255, 255, 255]), jpeg: 88 },
    {
      name: 's07-kettle',
      group: 'plain',
      object: '1f9ef',
      size: 560,
      ground: gradient([250, 250, 252], [226, 228, 232], 2),
      jpeg: 88,
      hasShadow: true,
    },
    { name: 's08-fern', group: 'plain', object: '1f33f', size: 600, ground: solid([235, 225, 240]), jpeg: 80 },
  ],
};

/** A photograph that fills the frame; gray ones take a tint. */
function photo(file: string, { tint, blur }: { tint?: string; blur?: number } = {}): () => Promise<Uint8Array> {
  return async () => {
    const path = [
      'usr/lib/python3/dist-packages/skimage/data',
      'usr/lib/python3/dist-packages/sklearn/datasets/images',
      'usr/share/backgrounds/mate/nature',
    ].map((folder) => join(photos!, folder, file));
    let image = sharp(path.find((candidate) => existsSync(candidate))).resize(WIDTH, HEIGHT, { fit: 'cover' });
    if (blur) image = image.blur(blur);
    const data = new Uint8Array(await image.toColourspace('srgb').removeAlpha().raw().toBuffer());
    if (!tint) return data;
    const factors = [1, 3, 5].map((at) => Number.parseInt(tint.slice(at, at + 2), 16) / 128);
    return data.map((value, i) => Math.min(255, value * factors[i % 3]!));
  };
}

function solid(color: Rgb): (random: Random) => Uint8Array {
  return gradient(color, color, 0);
}

/** A gradient from corner to corner with Gaussian noise. */
function gradient(from: Rgb, to: Rgb, noise: number): (random: Random) => Uint8Array {
  return (random) => {
    const data = new Uint8Array(WIDTH * HEIGHT * 3);
    for (let y = 0, i = 0; y < HEIGHT; y++) {
      for (let x = 0; x < WIDTH; x++) {
        const t = (0.6 * y) / HEIGHT + (0.4 * x) / WIDTH;
        for (let k = 0; k < 3; k++, i++) {
          const value = from[k]! * (1 - t) + to[k]! * t + (noise ? noise * normal(random) : 0);
          data[i] = Math.max(0, Math.min(255, Math.round(value)));
        }
      }
    }
    return data;
  };
}

const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());

const draw = (body: string, width = 600, height = 600): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">${body}</svg>`;

/** A seed head: hundreds of stalks from a core, each with a crown of fine hairs. */
function seedHead(random: Random): string {
  const parts: string[] = [];
  parts.push(
    `<path d="M300 300 C 306 420 296 500 ${290 + 20 * random()} 600" stroke="#8a9a55" stroke-width="7" fill="none"/>`,
  );
  const count = 220 + Math.floor(60 * random());
  for (let s = 0; s < count; s++) {
    const angle = 2 * Math.PI * random();
    const reach = 250 * Math.sqrt(random() * 0.92 + 0.08);
    const [x, y] = [300 + reach * Math.cos(angle), 300 + reach * Math.sin(angle)];
    const gray = 205 + Math.floor(50 * random());
    const color = `rgb(${gray},${gray},${gray - 8})`;
    parts.push(
      `<path d="M${300 + 30 * Math.cos(angle)} ${300 + 30 * Math.sin(angle)}L${x} ${y}" stroke="${color}" stroke-width="${0.7 + 0.6 * random()}"/>`,
    );
    const crown = 16 + Math.floor(8 * random());
    for (let h = 0; h < crown; h++) {
      const turn = angle + (h / (crown - 1) - 0.5) * 2.6;
      const length = 22 + 14 * random();
      parts.push(
        `<path d="M${x} ${y}L${x + length * Math.cos(turn)} ${y + length * Math.sin(turn)}" stroke="${color}" stroke-width="${0.5 + 0.5 * random()}"/>`,
      );
    }
  }
  parts.push('<circle cx="300" cy="300" r="38" fill="#7a6a40"/>');
  return draw(parts.join(''));
}

/** A head and shoulders with loose hair. */
function hair(color: string): (random: Random) => string {
  return (random) => {
    const parts = [
      '<path d="M120 600 Q150 450 300 445 Q450 450 480 600Z" fill="#4a6d8c"/>',
      '<rect x="260" y="380" width="80" height="90" rx="30" fill="#d9a585"/>',
      `<ellipse cx="300" cy="255" rx="150" ry="165" fill="${color}"/>`,
    ];
    for (let s = 0; s < 900; s++) {
      const angle = Math.PI * (0.95 + 1.1 * random());
      const [x, y] = [300 + 120 * Math.cos(angle), 250 + 130 * Math.sin(angle)];
      const spread = 40 + 70 * random() ** 2;
      const [ex, ey] = [
        x + spread * Math.cos(angle) + 30 * normal(random),
        y + 120 * random() + spread * Math.sin(angle),
      ];
      const light = 0.75 + 0.5 * random();
      const shade = [1, 3, 5].map((at) =>
        Math.min(255, Math.round(light * Number.parseInt(color.slice(at, at + 2), 16))),
      );
      parts.push(
        `<path d="M${x} ${y}Q${x + 40 * Math.cos(angle)} ${y + 40 * Math.sin(angle)} ${ex} ${ey}" stroke="rgb(${shade})" stroke-width="${0.6 + 1.1 * random()}" fill="none"/>`,
      );
    }
    parts.push(
      '<ellipse cx="300" cy="290" rx="105" ry="125" fill="#e2b091"/>',
      '<circle cx="262" cy="270" r="9" fill="#222"/><circle cx="338" cy="270" r="9" fill="#222"/>',
      '<path d="M265 350Q300 372 335 350" stroke="#a04a45" stroke-width="8" fill="none"/>',
    );
    return draw(parts.join(''));
  };
}

/** A loupe of clear glass: a solid ring and handle, and a lens through which the ground shows. */
function lens(random: Random): string {
  const clear = 0.15 + 0.2 * random();
  return draw(`<defs><radialGradient id="g" cx=".4" cy=".35"><stop offset="0" stop-color="#fff" stop-opacity="${clear * 0.6}"/>
<stop offset=".8" stop-color="#cfe4ee" stop-opacity="${clear}"/><stop offset="1" stop-color="#8fb0c0" stop-opacity="${clear * 2}"/></radialGradient>
<linearGradient id="m" x2="1" y2="1"><stop offset="0" stop-color="#6f7680"/><stop offset="1" stop-color="#23272d"/></linearGradient></defs>
<path d="M385 385L560 560" stroke="#5b3417" stroke-width="52" stroke-linecap="round"/>
<circle cx="240" cy="240" r="186" fill="url(#g)"/><circle cx="240" cy="240" r="198" fill="none" stroke="url(#m)" stroke-width="34"/>
<path d="M120 190Q150 115 225 100" stroke="#fff" stroke-opacity=".85" stroke-width="14" stroke-linecap="round" fill="none"/>`);
}

/** A stemmed glass, half full: the wine is dense, the glass is clear with bright and dark outlines. */
function wineGlass(wine: string): (random: Random) => string {
  return (random) => {
    const clear = 0.14 + 0.16 * random();
    return draw(
      `<defs><linearGradient id="b"><stop offset="0" stop-color="#e8f2f6" stop-opacity="${clear * 2.4}"/>
<stop offset=".2" stop-color="#fff" stop-opacity="${clear}"/><stop offset=".8" stop-color="#dbe8ee" stop-opacity="${clear}"/>
<stop offset="1" stop-color="#b5c8d2" stop-opacity="${clear * 2.4}"/></linearGradient></defs>
<path d="M70 20Q40 300 200 330Q360 300 330 20Z" fill="url(#b)"/>
<path d="M64 160Q70 310 200 322Q330 310 336 160Z" fill="${wine}" fill-opacity=".92"/>
<ellipse cx="200" cy="160" rx="136" ry="16" fill="${wine}" fill-opacity=".75"/>
<path d="M70 20Q40 300 200 330Q360 300 330 20" fill="none" stroke="#eef5f8" stroke-opacity=".8" stroke-width="7"/>
<ellipse cx="200" cy="20" rx="130" ry="13" fill="none" stroke="#eef5f8" stroke-opacity=".75" stroke-width="5"/>
<path d="M190 328L186 560Q120 566 90 590H310Q280 566 214 560L210 328Z" fill="#d5e2e8" fill-opacity=".62"/>
<path d="M100 60Q90 180 130 250" stroke="#fff" stroke-opacity=".7" stroke-width="12" fill="none" stroke-linecap="round"/>`,
      400,
    );
  };
}

/** A colored bottle: tinted glass with a label, a cap and highlights. */
function bottle(tint: string): (random: Random) => string {
  return (random) => {
    const dense = 0.5 + 0.2 * random();
    return draw(
      `<path d="M75 20H125V170Q180 200 180 270V560Q180 590 150 590H50Q20 590 20 560V270Q20 200 75 170Z" fill="${tint}" fill-opacity="${dense}"/>
<path d="M75 20H125V170Q180 200 180 270V560Q180 590 150 590H50Q20 590 20 560V270Q20 200 75 170Z" fill="none" stroke="${tint}" stroke-width="9" stroke-opacity=".92"/>
<rect x="68" y="4" width="64" height="46" rx="6" fill="#b08a3e"/><rect x="24" y="330" width="152" height="150" fill="#f2ead8"/>
<rect x="46" y="365" width="108" height="14" fill="#5a3d22"/><rect x="60" y="400" width="80" height="8" fill="#8a7a60"/>
<path d="M44 250Q40 420 46 550" stroke="#fff" stroke-opacity=".6" stroke-width="11" fill="none" stroke-linecap="round"/>`,
      200,
    );
  };
}

/** A tumbler with a drink and ice, clear above. */
function tumbler(random: Random): string {
  const clear = 0.16 + 0.14 * random();
  return draw(
    `<path d="M30 20L60 470H340L370 20Z" fill="#e6f0f5" fill-opacity="${clear}"/>
<path d="M43 215L60 455H340L357 215Z" fill="#b8641a" fill-opacity=".88"/>
<rect x="120" y="170" width="100" height="100" rx="14" transform="rotate(14 170 220)" fill="#f2f8fb" fill-opacity=".6"/>
<path d="M30 20L60 470H340L370 20" fill="none" stroke="#f2f7fa" stroke-opacity=".82" stroke-width="10"/>
<path d="M60 470H340V430H58Z" fill="#dfe9ee" fill-opacity=".7"/>
<ellipse cx="200" cy="20" rx="170" ry="14" fill="none" stroke="#f2f7fa" stroke-opacity=".75" stroke-width="6"/>`,
    400,
    490,
  );
}

function monogram(color: string): () => string {
  return () =>
    draw(`<g fill="none" stroke="${color}"><circle cx="300" cy="300" r="270" stroke-width="12"/>
<circle cx="300" cy="300" r="246" stroke-width="3"/><path d="M170 430V170L300 360L430 170V430" stroke-width="34"/>
<path d="M120 470H480" stroke-width="5"/></g><g fill="${color}"><circle cx="300" cy="115" r="16"/><circle cx="300" cy="505" r="10"/></g>`);
}

/** Returns the object as straight RGBA, as large as it shows. */
async function renderObject({ object, size }: Spec, random: Random) {
  const image =
    typeof object === 'string'
      ? sharp(join(emoji!, `${object}.webp`))
      : sharp(Buffer.from(object(random)), { density: 144 });
  const { data, info } = await image
    .ensureAlpha()
    .trim({ background: { r: 0, g: 0, b: 0, alpha: 0 }, threshold: 1 })
    .resize(size, size, { fit: 'inside', kernel: 'lanczos3' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

async function writePicture(spec: Spec, seed: number) {
  const random = createRandom(seed);
  const object = await renderObject(spec, random);
  const picture = new Uint8Array(await spec.ground(random));
  const truth = new Uint8Array(WIDTH * HEIGHT * 4);
  const [cx, cy] = spec.at ?? [0.5, 0.5];
  const [left, top] = [Math.round(WIDTH * cx - object.width / 2), Math.round(HEIGHT * cy - object.height / 2)];
  const place = (dx: number, dy: number, visit: (from: number, to: number) => void) => {
    for (let y = Math.max(0, -top - dy); y < Math.min(object.height, HEIGHT - top - dy); y++) {
      for (let x = Math.max(0, -left - dx); x < Math.min(object.width, WIDTH - left - dx); x++) {
        visit(y * object.width + x, (top + y + dy) * WIDTH + left + x + dx);
      }
    }
  };
  if (spec.hasShadow) {
    const shadow = Buffer.alloc(WIDTH * HEIGHT);
    place(14, 18, (from, to) => {
      shadow[to] = object.data[4 * from + 3]!;
    });
    const soft = await sharp(shadow, { raw: { width: WIDTH, height: HEIGHT, channels: 1 } })
      .blur(22)
      .toColourspace('b-w')
      .raw()
      .toBuffer();
    for (let i = 0; i < picture.length; i++) picture[i] = picture[i]! * (1 - (0.3 * soft[Math.floor(i / 3)]!) / 255);
  }
  place(0, 0, (from, to) => {
    const share = object.data[4 * from + 3]! / 255;
    for (let k = 0; k < 3; k++) {
      picture[3 * to + k] = Math.round(object.data[4 * from + k]! * share + picture[3 * to + k]! * (1 - share));
    }
    truth.set(object.data.subarray(4 * from, 4 * from + 4), 4 * to);
  });
  const isPng = spec.group === 'plain' && !spec.jpeg;
  const file = `${spec.name}.${isPng ? 'png' : 'jpg'}`;
  const image = sharp(picture, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } });
  await (isPng ? image.png() : image.jpeg({ quality: spec.jpeg ?? 90, chromaSubsampling: '4:2:0' })).toFile(
    join(out!, file),
  );
  await sharp(truth, { raw: { width: WIDTH, height: HEIGHT, channels: 4 } })
    .webp({ lossless: true, exact: true })
    .toFile(join(out!, `${spec.name}.true.webp`));
  return { name: spec.name, group: spec.group, file };
}

mkdirSync(out, { recursive: true });
const list = [];
for (const [i, spec] of sets[part].entries()) list.push(await writePicture(spec, (part === 'tune' ? 100 : 900) + i));
writeFileSync(join(out, 'list.json'), `${JSON.stringify(list, null, 1)}\n`);
console.log(`${list.length} pictures`);
