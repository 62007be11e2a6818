/**
 * Reads the PNGs our server writes to straight RGBA, byte for byte what the server's tracer reads. A canvas would not
 * do: it multiplies colors by alpha and rounds, and private browsing blurs what is read back from it.
 */

export interface Bitmap {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** The number of channels by color type: gray, RGB, gray with alpha, RGBA. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 };

/**
 * Reads a PNG. Returns undefined for forms that the server does not write: a depth other than 8 bits, interlaced rows,
 * a palette, a clear color, damaged data.
 */
export async function readPng(bytes: Uint8Array<ArrayBuffer>): Promise<Bitmap | undefined> {
  if (SIGNATURE.some((byte, i) => bytes[i] !== byte)) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let header: { width: number; height: number; channels: number } | undefined;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const start = at + 8;
    if (start + length > bytes.length || type === 'tRNS' || type === 'PLTE') return undefined;
    if (type === 'IHDR') {
      const channels = CHANNELS[view.getUint8(start + 9)];
      const isPlain = view.getUint8(start + 8) === 8 && view.getUint8(start + 12) === 0;
      if (!channels || !isPlain) return undefined;
      header = { width: view.getUint32(start), height: view.getUint32(start + 4), channels };
    }
    if (type === 'IDAT') chunks.push(bytes.subarray(start, start + length));
    if (type === 'IEND') break;
    at = start + length + 4;
  }
  if (!header) return undefined;
  const { width, height, channels } = header;
  const rows = await inflate(chunks, (width * channels + 1) * height);
  if (!rows) return undefined;
  return unfilter(rows, width, height, channels);
}

/** Inflates chunks. Returns undefined when the result is damaged or not exactly `size` bytes. */
async function inflate(chunks: Uint8Array<ArrayBuffer>[], size: number): Promise<Uint8Array | undefined> {
  const stream = new Blob(chunks).stream().pipeThrough(new DecompressionStream('deflate'));
  const out = new Uint8Array(size);
  const reader = stream.getReader();
  let offset = 0;
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return offset === size ? out : undefined;
      if (offset + value.length > size) return undefined;
      out.set(value, offset);
      offset += value.length;
    }
  } catch {
    return undefined;
  }
}

/** Undoes the filters: rows hold differences to the pixel before, the row above, or both (PNG, section 9). */
function unfilter(rows: Uint8Array, width: number, height: number, channels: number): Bitmap | undefined {
  const stride = width * channels;
  const data = new Uint8Array(width * height * 4);
  let above = new Uint8Array(stride);
  let row = new Uint8Array(stride);
  for (let y = 0, at = 0, to = 0; y < height; y++) {
    const filter = rows[at++]!;
    if (filter > 4) return undefined;
    for (let i = 0; i < stride; i++, at++) {
      const left = i >= channels ? row[i - channels]! : 0;
      const up = above[i]!;
      let guess = 0;
      if (filter === 1) guess = left;
      else if (filter === 2) guess = up;
      else if (filter === 3) guess = (left + up) >> 1;
      else if (filter === 4) guess = paeth(left, up, i >= channels ? above[i - channels]! : 0);
      row[i] = rows[at]! + guess;
    }
    for (let i = 0; i < stride; i += channels, to += 4) {
      const isGray = channels < 3;
      data[to] = row[i]!;
      data[to + 1] = row[isGray ? i : i + 1]!;
      data[to + 2] = row[isGray ? i : i + 2]!;
      data[to + 3] = channels % 2 === 0 ? row[i + channels - 1]! : 255;
    }
    [above, row] = [row, above];
  }
  return { width, height, data };
}

function paeth(left: number, up: number, corner: number): number {
  const byLeft = Math.abs(up - corner);
  const byUp = Math.abs(left - corner);
  const byCorner = Math.abs(left + up - 2 * corner);
  return byLeft <= byUp && byLeft <= byCorner ? left : byUp <= byCorner ? up : corner;
}
