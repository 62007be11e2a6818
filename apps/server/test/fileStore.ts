/** The contract of every file store. Each implementation runs the same suite. */
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { FileStore, ListedFile } from '../src/platform/files.ts';

export function describeFileStore(name: string, open: () => Promise<FileStore>): void {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const keysOf = async (files: FileStore, prefix: string, after?: string): Promise<string[]> => {
    const keys: string[] = [];
    for await (const { key } of files.list(prefix, after)) keys.push(key);
    return keys;
  };

  describe(`file store: ${name}`, () => {
    test('returns what was put, with its media type', async () => {
      const files = await open();
      await files.put('designs/a/original.png', bytes('one'), 'image/png');
      expect(await files.get('designs/a/original.png')).toEqual({ bytes: bytes('one'), mediaType: 'image/png' });
      const openedFile = await files.open('designs/a/original.png');
      expect(openedFile).toMatchObject({ sizeBytes: 3, mediaType: 'image/png' });
      expect(Buffer.concat(await openedFile!.stream.toArray()).toString()).toBe('one');
      expect(await files.has('designs/a/original.png')).toBe(true);
    });

    test('stores an empty file and a large one completely', async () => {
      const files = await open();
      const large = new Uint8Array(3_000_000).map((_, i) => (i * 7919) >> 3);
      await files.put('a/empty.svg', new Uint8Array(), 'image/svg+xml');
      await files.put('a/large.png', large, 'image/png');
      expect((await files.get('a/empty.svg'))?.bytes).toHaveLength(0);
      expect(Buffer.compare((await files.get('a/large.png'))!.bytes, large)).toBe(0);
    });

    test('returns undefined for a missing key', async () => {
      const files = await open();
      await files.put('there/x.png', bytes('x'), 'image/png');
      for (const key of ['nowhere.png', 'there/y.png', 'there/x.png/deeper.png', 'there.png']) {
        expect(await files.get(key)).toBeUndefined();
        expect(await files.open(key)).toBeUndefined();
        expect(await files.has(key)).toBe(false);
        await files.delete(key);
      }
    });

    test('replaces a file, and deletes it', async () => {
      const files = await open();
      await files.put('a.svg', bytes('old'), 'image/svg+xml');
      await files.put('a.svg', bytes('new'), 'image/svg+xml');
      expect((await files.get('a.svg'))?.bytes).toEqual(bytes('new'));
      await files.delete('a.svg');
      expect(await files.get('a.svg')).toBeUndefined();
      expect(await keysOf(files, '')).toEqual([]);
    });

    test('lists complete files by prefix', async () => {
      const files = await open();
      for (const key of ['designs/a/1.png', 'designs/a/2.png', 'designs/b/1.png', 'exports/1.png']) {
        await files.put(key, bytes(key), 'image/png');
      }
      expect(await keysOf(files, 'designs/a/')).toEqual(['designs/a/1.png', 'designs/a/2.png']);
      expect(await keysOf(files, '')).toHaveLength(4);
      expect(await keysOf(files, 'none/')).toEqual([]);
    });

    test('lists in the order of keys, from any key on', async () => {
      const files = await open();
      const keys = ['a-b.png', 'a/1.png', 'a/1/0.png', 'a/10.png', 'a/2.png', 'a0.png', 'b/c/d.png', 'b/c.png'].sort();
      for (const key of keys) await files.put(key, bytes(key), 'image/png');
      expect(await keysOf(files, '')).toEqual(keys);
      // A key that was deleted meanwhile is a place too.
      for (const after of [...keys, 'a/11.png', 'b', 'c']) {
        expect(await keysOf(files, '', after), after).toEqual(keys.filter((key) => key > after));
        expect(await keysOf(files, 'a/', after), after).toEqual(
          keys.filter((key) => key > after && key.startsWith('a/')),
        );
      }
    });

    test('a reader sees a complete version while a key is overwritten', async () => {
      const files = await open();
      const versions = ['a', 'b', 'c', 'd'].map((letter) => bytes(letter.repeat(200_000)));
      await files.put('x.svg', versions[0]!, 'image/svg+xml');
      const writes = versions.map((version) => files.put('x.svg', version, 'image/svg+xml'));
      for (let i = 0; i < 20; i++) {
        const content = new TextDecoder().decode((await files.get('x.svg'))!.bytes);
        expect(content).toHaveLength(200_000);
        expect(new Set(content).size).toBe(1);
      }
      await Promise.all(writes);
      expect(await keysOf(files, '')).toEqual(['x.svg']);
    });

    test.each([
      '',
      '.png',
      '../x.png',
      'a/../x.png',
      'a/..',
      '/etc/passwd.png',
      'a//b.png',
      'a/./b.png',
      'a\\..\\b.png',
      'a%2f..%2fb.png',
      'a\0.png',
      'a b.png',
      'ä.png',
      'x.html',
      'x.exe',
      'x',
      `${'a'.repeat(200)}.png`,
    ])('refuses the key %j', async (key) => {
      const files = await open();
      await expect(files.put(key, bytes('x'), 'image/png')).rejects.toThrow(RangeError);
      await expect(files.get(key)).rejects.toThrow(RangeError);
      await expect(files.open(key)).rejects.toThrow(RangeError);
      await expect(files.has(key)).rejects.toThrow(RangeError);
      await expect(files.delete(key)).rejects.toThrow(RangeError);
    });

    test('refuses a media type that the key does not have', async () => {
      const files = await open();
      await expect(files.put('x.png', bytes('<svg/>'), 'image/svg+xml')).rejects.toThrow(RangeError);
      expect(await files.get('x.png')).toBeUndefined();
    });

    test('returns the time of a put', async () => {
      const files = await open();
      await files.put('a/x.png', bytes('x'), 'image/png');
      const file = await files.stat('a/x.png');
      expect(file!.sizeBytes).toBe(1);
      const age = Date.now() - file!.modifiedAt.getTime();
      expect(Math.abs(age)).toBeLessThan(60_000);
      expect(await files.stat('a/y.png')).toBeUndefined();
      await expect(files.stat('../x.png')).rejects.toThrow(RangeError);
    });

    test('lists sizes and times, and deletes many files', async () => {
      const files = await open();
      const keys = Array.from({ length: 30 }, (_, i) => `a/${i}.png`);
      for (const [i, key] of keys.entries()) await files.put(key, new Uint8Array(i), 'image/png');
      const listing = new Map<string, ListedFile>();
      for await (const file of files.list('a/')) listing.set(file.key, file);
      expect([...listing.keys()].sort()).toEqual([...keys].sort());
      for (const key of keys) {
        const file = await files.stat(key);
        expect(listing.get(key)!.sizeBytes).toBe(file!.sizeBytes);
        // A service may tell whole seconds in one of its replies, and parts of them in another.
        const difference = listing.get(key)!.modifiedAt.getTime() - file!.modifiedAt.getTime();
        expect(Math.abs(difference)).toBeLessThan(1000);
      }
      expect(listing.get('a/7.png')!.sizeBytes).toBe(7);
      await files.deleteMany([...keys.slice(1), 'a/none.png', 'none/x.png']);
      expect(await keysOf(files, '')).toEqual([keys[0]]);
      await expect(files.deleteMany(['../x.png'])).rejects.toThrow(RangeError);
    });

    test('a file that nobody reads to its end does no harm', async () => {
      const files = await open();
      await files.put('a.png', new Uint8Array(100_000), 'image/png');
      for (let i = 0; i < 300; i++) {
        const { stream } = (await files.open('a.png'))!;
        if (i % 10 === 0) await once(stream, 'readable');
        stream.destroy();
        await once(stream, 'close');
      }
      expect((await files.get('a.png'))?.bytes).toHaveLength(100_000);
    });

    test('belongs to the installation that wrote its id first', async () => {
      const files = await open();
      expect(await files.readInstallation()).toBeUndefined();
      await Promise.all(Array.from({ length: 20 }, (_, i) => files.writeInstallation(`id-${i}`)));
      const id = await files.readInstallation();
      expect(id).toMatch(/^id-\d+$/);
      await files.writeInstallation('another');
      expect(await files.readInstallation()).toBe(id);
      expect(await keysOf(files, '')).toEqual([]);
    });

    test('passes its check', async () => {
      await (await open()).check();
    });
  });
}
