/** Writes TIFF files of four inks and named spot colors, which no library here can name. By the TIFF 6.0 standard. */
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';

export interface TiffPicture {
  readonly width: number;
  readonly height: number;
  /** The rows of a strip. */
  readonly rowsPerStrip: number;
  /**
   * Strips from the top; the last one has the rest of the rows. Row by row, `4 + spots.length` bytes a pixel: cyan,
   * magenta, yellow, black, then each spot color; 255 is full ink. The writer turns the spots over in place.
   */
  readonly bands: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** The names of the spot colors in the order of their samples, and the inks that show them, each 0…1. */
  readonly spots: readonly { readonly name: string; readonly look: readonly number[] }[];
  readonly dpi: number;
  /** The color profile (ICC) that the four inks are meant by. */
  readonly profile?: Uint8Array | undefined;
}

/** On a thread of Node's pool. */
const compress = promisify<Uint8Array, Buffer>(deflate);

const [SHORT, LONG, RATIONAL, UNDEFINED] = [3, 4, 5, 7] as const;
const SIZES: Readonly<Record<number, number>> = { [SHORT]: 2, [LONG]: 4, [RATIONAL]: 8, [UNDEFINED]: 1 };
const ADOBE_DEFLATE = 8;
const SEPARATED = 5;
const INK_SET_CMYK = 1;
const PER_INCH = 2;
const PHOTOSHOP = 0x8649;
const ICC_PROFILE = 0x8773;

/**
 * Writes a TIFF: separated, 8 bits a sample, compressed by Deflate. Photoshop and the programs that follow it read the
 * spot colors' names, looks and kind from the image resources. They store a spot channel turned over (0 is full ink),
 * while the four inks are as they are; so does this writer. Cost: linear, a Deflate of all samples.
 */
export async function writeTiff(picture: TiffPicture): Promise<Uint8Array> {
  const { width, height, rowsPerStrip, bands, spots, dpi, profile } = picture;
  const count = 4 + spots.length;
  const strips: Uint8Array[] = [];
  for await (const samples of bands) {
    for (let i = 0; i < samples.length; i += count)
      for (let k = 4; k < count; k++) samples[i + k] = 255 - samples[i + k]!;
    strips.push(await compress(samples));
  }

  const offsets: number[] = [];
  let end = 8;
  for (const strip of strips) {
    offsets.push(end);
    end += strip.length + (strip.length % 2); // words begin at even places
  }
  const shorts = (n: number) => new Array<number>(count).fill(n);
  const fields: Field[] = [
    [0x0100, LONG, [width]],
    [0x0101, LONG, [height]],
    [0x0102, SHORT, shorts(8)],
    [0x0103, SHORT, [ADOBE_DEFLATE]],
    [0x0106, SHORT, [SEPARATED]],
    [0x0111, LONG, offsets],
    [0x0112, SHORT, [1]], // the first row is the top
    [0x0115, SHORT, [count]],
    [0x0116, LONG, [rowsPerStrip]],
    [0x0117, LONG, strips.map(({ length }) => length)],
    [0x011a, RATIONAL, [dpi]],
    [0x011b, RATIONAL, [dpi]],
    [0x011c, SHORT, [1]], // the samples of a pixel are together
    [0x0128, SHORT, [PER_INCH]],
    [0x014c, SHORT, [INK_SET_CMYK]],
    ...(spots.length > 0 ? [[0x0152, SHORT, spots.map(() => 0)] as const] : []), // not alpha: of no kind TIFF knows
    ...(spots.length > 0 ? [[PHOTOSHOP, UNDEFINED, writeResources(spots)] as const] : []),
    ...(profile ? [[ICC_PROFILE, UNDEFINED, profile] as const] : []),
  ];
  const directory = writeDirectory(fields, end);
  const head = Buffer.alloc(8);
  head.write('II', 0, 'latin1');
  head.writeUInt16LE(42, 2);
  head.writeUInt32LE(end, 4);
  return Buffer.concat([head, ...strips.flatMap((strip) => [strip, Buffer.alloc(strip.length % 2)]), directory]);
}

type Field = readonly [tag: number, type: number, values: readonly number[] | Uint8Array];

function writeDirectory(fields: readonly Field[], start: number): Buffer {
  const table = Buffer.alloc(2 + 12 * fields.length + 4);
  table.writeUInt16LE(fields.length, 0);
  const long: Buffer[] = [];
  let next = start + table.length;
  for (const [i, [tag, type, values]] of fields.entries()) {
    const at = 2 + 12 * i;
    table.writeUInt16LE(tag, at);
    table.writeUInt16LE(type, at + 2);
    table.writeUInt32LE(values.length, at + 4);
    const bytes = writeValues(type, values);
    if (bytes.length <= 4) {
      bytes.copy(table, at + 8);
      continue;
    }
    table.writeUInt32LE(next, at + 8);
    const even = Buffer.concat([bytes, Buffer.alloc(bytes.length % 2)]);
    long.push(even);
    next += even.length;
  }
  return Buffer.concat([table, ...long]);
}

function writeValues(type: number, values: readonly number[] | Uint8Array): Buffer {
  const bytes = Buffer.alloc(values.length * SIZES[type]!);
  for (const [i, value] of values.entries()) {
    if (type === UNDEFINED) bytes.writeUInt8(value, i);
    else if (type === SHORT) bytes.writeUInt16LE(value, 2 * i);
    else if (type === LONG) bytes.writeUInt32LE(value, 4 * i);
    else {
      bytes.writeUInt32LE(Math.round(value * DENOMINATOR), 8 * i);
      bytes.writeUInt32LE(DENOMINATOR, 8 * i + 4);
    }
  }
  return bytes;
}

const DENOMINATOR = 1000;

/**
 * Writes Photoshop's image resources, big-endian: the names of the channels (0x03EE, and 0x0415 in Unicode), and their
 * color and kind (0x03EF, and 0x0435 of later versions). Kind 2 is a spot color.
 */
function writeResources(spots: TiffPicture['spots']): Uint8Array {
  const names = spots.map(({ name }) => pascalText(name));
  const unicode = spots.map(({ name }) => {
    const text = `${name}\0`;
    const units = Buffer.from(text, 'utf16le').swap16();
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    return Buffer.concat([length, units]);
  });
  const display = spots.map(({ look }) => writeDisplay(look));
  const version = Buffer.from([0, 0, 0, 1]);
  return Buffer.concat([
    writeResource(0x03ee, Buffer.concat(names)),
    writeResource(0x03ef, Buffer.concat(display.flatMap((info) => [info, Buffer.alloc(1)]))),
    writeResource(0x0415, Buffer.concat(unicode)),
    writeResource(0x0435, Buffer.concat([version, ...display])),
  ]);
}

function writeDisplay(look: readonly number[]): Buffer {
  const info = Buffer.alloc(13);
  const CMYK = 2;
  info.writeUInt16BE(CMYK, 0);
  // Photoshop counts these from full ink down.
  for (const [i, share] of look.entries()) info.writeUInt16BE(Math.round((1 - share) * 65535), 2 + 2 * i);
  const OPACITY = 100;
  const SPOT = 2;
  info.writeUInt16BE(OPACITY, 10);
  info.writeUInt8(SPOT, 12);
  return info;
}

function writeResource(id: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.write('8BIM', 0, 'latin1');
  head.writeUInt16BE(id, 4);
  // Bytes 6 and 7: an empty name.
  head.writeUInt32BE(data.length, 8);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

function pascalText(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1').subarray(0, 255);
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}
