import { inflateRawSync } from 'node:zlib';

/** Reads the files of a ZIP by its central directory, apart from the program that wrote it. Throws for a name twice. */
export function unzip(zip: Buffer): Map<string, Buffer> {
  const end = zip.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));
  const files = new Map<string, Buffer>();
  for (let at = zip.readUInt32LE(end + 16), left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [nameLength, extraLength, noteLength] = [28, 30, 32].map((place) => zip.readUInt16LE(at + place)) as [
      number,
      number,
      number,
    ];
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const bytes = zip.subarray(start, start + zip.readUInt32LE(at + 20));
    if (files.has(name)) throw new Error(`The ZIP holds ${name} twice.`);
    files.set(name, zip.readUInt16LE(at + 10) === 8 ? inflateRawSync(bytes) : Buffer.from(bytes));
    at += 46 + nameLength + extraLength + noteLength;
  }
  return files;
}
