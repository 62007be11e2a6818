/** ICC profiles for tests: a CMYK printer of version 2 whose table is written here. */

/** The share of each ink for a lightness of 0…1. `usual` prints light colors with little ink, as printers do. */
const inksOf = { usual: (light: number) => 1 - light, flooded: () => 1, bare: () => 0 } as const;

interface TestProfile {
  readonly name?: string;
  readonly space?: string;
  readonly kind?: string;
  readonly inks?: keyof typeof inksOf;
}

/** Returns the bytes of a profile. Its colors become cyan, magenta and yellow of the same share. */
export function createInkProfile({
  name = 'Shop UV',
  space = 'CMYK',
  kind = 'prtr',
  inks = 'usual',
}: TestProfile = {}) {
  const tags: [string, Buffer][] = [
    ['desc', writeText(name)],
    ['cprt', Buffer.concat([Buffer.from('text\0\0\0\0None\0'), Buffer.alloc(3)])],
    ['wtpt', writePoint(0.9642, 1, 0.8249)],
    ['A2B0', writeTable(4, 3, (at) => [at[0]! * 255, 128, 128])],
    ['B2A0', writeTable(3, 4, ([light = 0]) => [...Array(3).fill(255 * inksOf[inks](light)), 0])],
  ];
  const head = Buffer.alloc(132 + 12 * tags.length);
  head.writeUInt32BE(0x02400000, 8);
  head.write(kind, 12);
  head.write(space, 16);
  head.write('Lab ', 20);
  head.write('acsp', 36);
  [0.9642, 1, 0.8249].forEach((value, i) => void head.writeInt32BE(Math.round(value * 65_536), 68 + 4 * i));
  head.writeUInt32BE(tags.length, 128);
  let at = head.length;
  for (const [i, [tag, bytes]] of tags.entries()) {
    head.write(tag, 132 + 12 * i);
    head.writeUInt32BE(at, 136 + 12 * i);
    head.writeUInt32BE(bytes.length, 140 + 12 * i);
    at += bytes.length;
  }
  head.writeUInt32BE(at, 0);
  return Buffer.concat([head, ...tags.map(([, bytes]) => bytes)]);
}

function writeText(text: string): Buffer {
  const bytes = Buffer.alloc(12 + text.length + 1 + 78 + ((4 - ((text.length + 91) % 4)) % 4));
  bytes.write('desc');
  bytes.writeUInt32BE(text.length + 1, 8);
  bytes.write(text, 12, 'latin1');
  return bytes;
}

function writePoint(...values: number[]): Buffer {
  const bytes = Buffer.alloc(20);
  bytes.write('XYZ ');
  for (const [i, value] of values.entries()) bytes.writeInt32BE(Math.round(value * 65_536), 8 + 4 * i);
  return bytes;
}

/** Writes a table of 8 bits (`mft1`) with two points along each input, 0 and 1. */
function writeTable(inputs: number, outputs: number, toOutputs: (at: readonly number[]) => readonly number[]): Buffer {
  const head = Buffer.alloc(48);
  head.write('mft1');
  head.set([inputs, outputs, 2], 8);
  for (const i of [0, 4, 8]) head.writeInt32BE(65_536, 12 + 4 * i);
  const straight = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
  const places = Array.from({ length: 2 ** inputs }, (_, n) =>
    Array.from({ length: inputs }, (_value, i) => (n >> (inputs - 1 - i)) & 1),
  );
  const grid = Buffer.from(places.flatMap((at) => [...toOutputs(at)]));
  const bytes = Buffer.concat([head, ...Array(inputs).fill(straight), grid, ...Array(outputs).fill(straight)]);
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}
