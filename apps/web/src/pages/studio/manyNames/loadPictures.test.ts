import { zipSync } from 'fflate';
import { describe, expect, it, vi } from 'vitest';
import { type PictureFile, readPictureZip } from '../../../studioHost/pictureZip/readPictureZip.ts';
import { loadPictures, type PictureProgress, type TracedPicture } from './loadPictures.ts';

const HEAD = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const png = (...pixels: number[]) => Uint8Array.from([...HEAD, ...pixels]);
const fileOf = (name: string, bytes: Uint8Array<ArrayBuffer>) => new File([bytes], name);

function createLoader(
  trace = async ({ name, bytes }: PictureFile): Promise<TracedPicture> => ({
    ...{ designId: `design ${bytes.at(-1)}`, filename: name, aspect: 1, thumbUrl: '' },
    artwork: { width: 1, height: 1, shapes: [] },
  }),
) {
  const host = {
    readZip: async (file: Blob) => readPictureZip(new Uint8Array(await file.arrayBuffer())),
    trace: vi.fn(trace),
  };
  const byHash = new Map<string, TracedPicture>();
  const controller = new AbortController();
  const progress: PictureProgress[] = [];
  const options = {
    signal: controller.signal,
    byHash,
    onProgress: (step: PictureProgress) => void progress.push(step),
  };
  const load = (...files: File[]) => loadPictures(files, host, options);
  const namesOf = async (...files: File[]) =>
    [...(await load(...files)).pictures].map(([key, { designId, filename }]) => [key, filename, designId]);
  return { load, namesOf, host, progress, controller };
}

describe('the pictures of a list', () => {
  it('come from a ZIP and from files, and count as they are traced', async () => {
    const { namesOf, progress } = createLoader();
    const zip = fileOf('logos.zip', Uint8Array.from(zipSync({ 'Acme Inc.png': png(1), 'b/beta.png': png(2) })));
    expect(await namesOf(zip, fileOf('gamma.jpg', png(3)))).toEqual([
      ['acmeinc', 'Acme Inc.png', 'design 1'],
      ['beta', 'beta.png', 'design 2'],
      ['gamma', 'gamma.jpg', 'design 3'],
    ]);
    expect(progress).toEqual([0, 1, 2, 3].map((done) => ({ done, total: 3 })));
  });

  it('are uploaded once for the same bytes, under several names and when they are chosen again', async () => {
    const { namesOf, host } = createLoader();
    const files = [fileOf('a.png', png(1)), fileOf('b.png', png(1))];
    const both = [
      ['a', 'a.png', 'design 1'],
      ['b', 'b.png', 'design 1'],
    ];
    expect(await namesOf(...files)).toEqual(both);
    expect(await namesOf(...files)).toEqual(both);
    expect(host.trace).toHaveBeenCalledTimes(1);
  });

  it('of one name: the first is taken, and the other is named unless it is the same', async () => {
    const { load, host } = createLoader();
    const { pictures, problems } = await load(
      ...[fileOf('acme.png', png(1)), fileOf('ACME.jpg', png(2)), fileOf('Acme.svg', png(1)), fileOf('.png', png(4))],
    );
    expect([...pictures.keys()]).toEqual(['acme']);
    expect(problems).toEqual([
      'ACME.jpg: acme.png has the same name in a list, and is taken.',
      '.png: A list cannot name this file. Give it a name.',
    ]);
    expect(host.trace).toHaveBeenCalledTimes(1);
  });

  it('that fail are named, and the others are taken', async () => {
    const { load, progress } = createLoader(async ({ name, bytes }) => {
      if (bytes.at(-1) === 2) throw new Error('The picture is damaged.');
      return { designId: name, filename: name, aspect: 1, thumbUrl: '', artwork: { width: 1, height: 1, shapes: [] } };
    });
    const { pictures, problems } = await load(
      ...[fileOf('a.png', png(1)), fileOf('b.png', png(2)), fileOf('c.txt', Uint8Array.from([1]))],
      ...[fileOf('d.zip', Uint8Array.from([0x50, 0x4b, 3, 4])), fileOf('e.png', png(5))],
    );
    expect([...pictures.keys()]).toEqual(['a', 'e']);
    expect(problems).toEqual([
      'c.txt: This is no PNG, JPG, SVG or ZIP.',
      'd.zip: This ZIP is cut off. Download or make it again.',
      'b.png: The picture is damaged.',
    ]);
    expect(progress.at(-1)).toEqual({ done: 3, total: 3 });
  });

  it('stay as far as they are loaded when the person cancels, without a word', async () => {
    const { load, controller, host } = createLoader();
    const trace = host.trace.getMockImplementation()!;
    host.trace.mockImplementation(async (picture) => {
      if (picture.bytes.at(-1) !== 2) return trace(picture);
      controller.abort();
      throw controller.signal.reason;
    });
    const { pictures, problems } = await load(...[1, 2, 3].map((i) => fileOf(`${i}.png`, png(i))));
    expect([...pictures.keys()]).toEqual(['1']);
    expect(problems).toEqual([]);
    expect(host.trace).toHaveBeenCalledTimes(2);
  });
});
