import fc from 'fast-check';
import { type Zippable, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { readPictureZip, ZipRefused } from './readPictureZip.ts';

const text = (words: string) => new TextEncoder().encode(words);
const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const JPG = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 1]);
const SVG = text('\ufeff<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>');
const zipOf = (files: Zippable) => zipSync(files);
const namesIn = (zip: Uint8Array) => readPictureZip(zip).pictures.map(({ name }) => name);
const refusalOf = (zip: Uint8Array): string => {
  try {
    readPictureZip(zip);
  } catch (error) {
    if (error instanceof ZipRefused) return error.message;
    throw error;
  }
  return '';
};

describe('a ZIP of pictures', () => {
  it('has its pictures by their bytes, deflated or stored, in folders or not', () => {
    const zip = zipOf({ 'a.png': [PNG, { level: 0 }], 'logos/b.jpeg': [JPG, { level: 9 }], 'logos/old/c.svg': SVG });
    const { pictures, problems } = readPictureZip(zip);
    expect(pictures).toEqual([
      { name: 'a.png', type: 'image/png', bytes: PNG },
      { name: 'b.jpeg', type: 'image/jpeg', bytes: JPG },
      { name: 'c.svg', type: 'image/svg+xml', bytes: SVG },
    ]);
    expect(problems).toEqual([]);
  });

  it('names what is no picture, and takes the others', () => {
    const files = {
      ...{ 'a.png': PNG, 'fake.png': text('MZ this is a program'), 'notes.txt': text('hello'), 'empty.png': text('') },
      ...{ 'more.zip': zipOf({ 'b.png': PNG }), 'page.svg': text('<html><script>') },
    };
    const { pictures, problems } = readPictureZip(zipOf(files));
    expect(pictures.map(({ name }) => name)).toEqual(['a.png']);
    expect(problems).toEqual([
      '“fake.png” is no PNG, JPG or SVG.',
      '“notes.txt” is no PNG, JPG or SVG.',
      '“empty.png” is no PNG, JPG or SVG.',
      '“more.zip” is a ZIP in the ZIP.',
      '“page.svg” is no PNG, JPG or SVG.',
    ]);
  });

  it('says nothing of the files of systems', () => {
    const zip = zipOf({
      ...{ 'logos/': text(''), 'logos/a.png': PNG, '__MACOSX/logos/._a.png': PNG, 'logos/.DS_Store': text('x') },
      ...{ 'Thumbs.db': text('x'), 'logos/desktop.ini': text('x') },
    });
    expect(readPictureZip(zip)).toMatchObject({ pictures: [{ name: 'a.png' }], problems: [] });
  });

  it('takes paths for names alone', () => {
    const zip = zipOf({
      ...{ '../../etc/passwd.png': PNG, '/root/b.png': PNG, 'C:\\Windows\\c.png': PNG },
      ...{ 'd\u202egnp.exe\u0000.png': PNG },
    });
    expect(namesIn(zip)).toEqual(['passwd.png', 'b.png', 'c.png', 'dgnp.exe.png']);
  });

  it('reads names of other alphabets, also where the archive does not say that they are UTF-8', () => {
    const names = ['Łódź.png', 'Ζεύς.png', '株式会社.png', 'شركة.png', 'Zoë.png', '🦊.png'];
    const zip = zipOf(Object.fromEntries(names.map((name) => [name, PNG])));
    expect(namesIn(zip)).toEqual(names);
    for (let at = 0; at < zip.length - 4; at++) {
      const signature = new DataView(zip.buffer, zip.byteOffset + at).getUint32(0, true);
      if (signature === 0x04034b50) zip[at + 7] = zip[at + 7]! & ~8;
    }
    expect(namesIn(zip)).toEqual(names);
    // As a Mac writes it: a letter and its accent apart.
    expect(namesIn(zipOf({ 'Zoe\u0308.png': PNG }))).toEqual(['Zoë.png']);
  });

  it('keeps pictures of one name, of which the list takes the first', () => {
    expect(namesIn(zipOf({ 'a/acme.png': PNG, 'b/acme.png': JPG }))).toEqual(['acme.png', 'acme.png']);
  });
});

describe('a ZIP is refused', () => {
  it('where it is none, or has no picture', () => {
    expect(refusalOf(PNG)).toBe('This file is no ZIP.');
    expect(refusalOf(text(''))).toBe('This file is no ZIP.');
    for (const zip of [zipOf({}), zipOf({ 'a.txt': text('hello') }), zipOf({ 'a/': text('') })]) {
      expect(refusalOf(zip)).toBe('This ZIP has no PNG, JPG or SVG.');
    }
  });

  it('where it is cut off, wherever', () => {
    const zip = zipOf({ 'a.png': [PNG, { level: 0 }], 'b.svg': SVG });
    for (let length = 4; length < zip.length; length++) {
      expect(refusalOf(zip.subarray(0, length)), String(length)).toBe(
        'This ZIP is cut off. Download or make it again.',
      );
    }
  });

  it('where it unpacks to much more than it is, whatever it says of its sizes', { tags: ['detail'] }, () => {
    const zeros = new Uint8Array(19 * 1024 * 1024);
    zeros.set(PNG);
    const bomb = zipOf({ 'a.png': [zeros, { level: 9 }] });
    expect(bomb.length).toBeLessThan(100_000);
    expect(refusalOf(bomb)).toContain('more than 100 times its size');
    // The sizes in its heads say one byte.
    const liar = bomb.slice();
    const view = new DataView(liar.buffer);
    view.setUint32(22, 1, true);
    for (let at = 0; at < liar.length - 4; at++) {
      if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 1, true);
    }
    expect(refusalOf(liar)).toContain('more than 100 times its size');
    // Of which none is a picture.
    const text = zipOf(
      Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`${i}`, [zeros.slice(8), { level: 9 }]])),
    );
    expect(refusalOf(text)).toContain('more than 100 times its size');
  });

  it('where it has thousands of files, or too many pictures', () => {
    const many = (count: number, bytes: Uint8Array) =>
      zipOf(Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}.png`, [bytes, { level: 0 }]])));
    expect(refusalOf(many(5_000, text('no')))).toContain('more than 2,000 files');
    expect(refusalOf(many(501, PNG))).toContain('more than 500 pictures');
    expect(namesIn(many(500, PNG))).toHaveLength(500);
  });

  it('names a picture that is too large', () => {
    const noise = new Uint8Array(20 * 1024 * 1024 + 1);
    noise.set(PNG);
    const { pictures, problems } = readPictureZip(zipOf({ 'a.png': [noise, { level: 0 }], 'b.png': PNG }));
    expect(pictures.map(({ name }) => name)).toEqual(['b.png']);
    expect(problems).toEqual(['“a.png” is larger than 20 MB.']);
  });

  it('or read, with any of its bytes changed: never anything else', () => {
    const zip = zipOf({ 'a.png': PNG, 'b.svg': [SVG, { level: 9 }], 'c.jpg': [JPG, { level: 0 }] });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(zip.length - 1), fc.nat(255)), { maxLength: 12 }), (changes) => {
        const noise = zip.slice();
        for (const [at, byte] of changes) noise[at] = byte;
        const refusal = refusalOf(noise);
        if (refusal === '') expect(readPictureZip(noise).pictures.length).toBeGreaterThan(0);
        else expect(refusal).toMatch(/^This (?:ZIP|file) .*\.$/);
      }),
    );
  });
});
