import { expect, test, vi } from 'vitest';
import {
  createFolderUpload,
  type FolderFile,
  noticeOf,
  type Outcome,
  readChosen,
  readFolderTable,
  refusalOf,
  summaryOf,
} from './folderUpload.ts';

const pictures = (count: number, size = 10): FolderFile[] =>
  Array.from({ length: count }, (_, i) => ({
    file: new File([new Uint8Array(size)], `${i}.png`, { type: 'image/png' }),
    path: `Mugs/${i}.png`,
  }));

const explain = (error: unknown) => ({
  message: String((error as Error).message),
  isOver: (error as Error).message === 'Authentication required',
});

function setUp(
  files: FolderFile[],
  send: (files: readonly FolderFile[], signal: AbortSignal) => Promise<readonly (Outcome | undefined)[]>,
  batch = { files: 4, bytes: 1_000 },
  concurrency = 2,
) {
  return createFolderUpload(files, { batch, concurrency, send, explain });
}

const allUploaded = (files: readonly FolderFile[]): Outcome[] =>
  files.map(() => ({ state: 'uploaded', category: 'Mugs' }));

test('sends every file once, in batches within the limits', async () => {
  const sentPaths: string[] = [];
  const sizes: number[] = [];
  const upload = setUp(pictures(11, 300), async (files) => {
    sizes.push(files.length);
    sentPaths.push(...files.map(({ path }) => path));
    return allUploaded(files);
  });
  await upload.run();
  expect(new Set(sentPaths).size).toBe(11);
  expect(sentPaths).toHaveLength(11);
  expect(Math.max(...sizes)).toBe(3); // 900 of 1,000 bytes
  expect(upload.getState()).toMatchObject({ isRunning: false, doneCount: 11 });
  expect(summaryOf(upload.getState().lines)).toBe('11 products uploaded successfully across 1 category: Mugs');
});

test('skips files whose media type is not that of a picture', async () => {
  const send = vi.fn(async (files: readonly FolderFile[]) => allUploaded(files));
  const upload = setUp(
    [
      { file: new File(['x'], 'prices.txt', { type: 'text/plain' }), path: 'Mugs/prices.txt' },
      { file: new File(['x'], 'scan'), path: 'Mugs/scan' },
    ],
    send,
  );
  await upload.run();
  expect(send.mock.calls.flatMap(([files]) => files.map(({ path }) => path))).toEqual(['Mugs/scan']);
  expect(upload.getState().lines[0]).toMatchObject({ state: 'skipped', message: 'This is no picture.' });
});

test('puts back the running batches when it is stopped, and sends only the rest when it is resumed', async () => {
  const sentPaths: string[] = [];
  let isStuck = true;
  const upload = setUp(
    pictures(6),
    (files, signal) => {
      sentPaths.push(...files.map(({ path }) => path));
      if (!isStuck || files[0]!.path === 'Mugs/0.png') return Promise.resolve(allUploaded(files));
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    },
    { files: 2, bytes: 1_000 },
    1,
  );
  const first = upload.run();
  await expect.poll(() => sentPaths).toHaveLength(4);
  upload.stop();
  await first;
  expect(upload.getState()).toMatchObject({ isRunning: false, doneCount: 2 });
  expect(upload.getState().lines.map(({ state }) => state)).toEqual([
    'uploaded',
    'uploaded',
    'waiting',
    'waiting',
    'waiting',
    'waiting',
  ]);
  isStuck = false;
  await upload.run();
  expect(upload.getState().doneCount).toBe(6);
  expect(sentPaths.filter((path) => path === 'Mugs/0.png')).toHaveLength(1);
});

test('sends files without an outcome again, up to a limit', async () => {
  let calls = 0;
  const upload = setUp(pictures(3), async (files) => {
    calls++;
    return files.map(({ path }, at) =>
      at === 0 && path !== 'Mugs/2.png' ? { state: 'uploaded' as const, category: 'Mugs' } : undefined,
    );
  });
  await upload.run();
  expect(calls).toBe(2 + 4);
  expect(upload.getState().lines.map(({ state }) => state)).toEqual(['uploaded', 'uploaded', 'failed']);
  expect(summaryOf(upload.getState().lines)).toBe('2 products uploaded successfully across 1 category: Mugs, 1 failed');
});

test('goes on after a failed batch, and gives up when the session has ended', async () => {
  const upload = setUp(
    pictures(6),
    async (files) => {
      if (files[0]!.path === 'Mugs/0.png') throw new Error('Network error');
      return allUploaded(files);
    },
    { files: 2, bytes: 1_000 },
    1,
  );
  await upload.run();
  expect(upload.getState().lines.map(({ state }) => state)).toEqual([
    'failed',
    'failed',
    'uploaded',
    'uploaded',
    'uploaded',
    'uploaded',
  ]);
  expect(upload.getState().lines[0]!.message).toBe('Network error');

  const over = setUp(
    pictures(6),
    async () => {
      throw new Error('Authentication required');
    },
    { files: 2, bytes: 1_000 },
    1,
  );
  await over.run();
  expect(over.getState().lines.map(({ state }) => state)).toEqual([
    'failed',
    'failed',
    'waiting',
    'waiting',
    'waiting',
    'waiting',
  ]);
});

test('shows the reason of a failed upload, and nothing after a stop', async () => {
  const failingUpload = setUp(pictures(4), async () => {
    throw new Error('The disk is full.');
  });
  await failingUpload.run();
  expect(noticeOf(failingUpload.getState())).toEqual({
    title: 'Bulk upload failed',
    description: 'The disk is full.',
    variant: 'destructive',
  });

  let sentCount = 0;
  const over = setUp(
    pictures(4),
    async (files) => {
      if (sentCount++ > 0) throw new Error('Authentication required');
      return allUploaded(files);
    },
    { files: 2, bytes: 1_000 },
    1,
  );
  await over.run();
  expect(noticeOf(over.getState())).toMatchObject({
    title: 'Bulk upload failed',
    description: 'Authentication required',
  });

  const stoppedUpload = setUp(pictures(4), async (files) => allUploaded(files), { files: 1, bytes: 1_000 }, 1);
  stoppedUpload.subscribe(() => stoppedUpload.stop());
  await stoppedUpload.run();
  expect(stoppedUpload.getState().doneCount).toBeLessThan(4);
  expect(noticeOf(stoppedUpload.getState())).toBeUndefined();
});

test('names each category once in the summary, in order', () => {
  const line = (state: 'uploaded' | 'failed' | 'duplicate', category?: string) => ({ path: 'x', state, category });
  expect(
    summaryOf([
      line('uploaded', 'Signs'),
      line('uploaded', 'Mugs'),
      line('uploaded', 'Mugs'),
      line('failed'),
      line('duplicate', 'Hats'),
    ]),
  ).toBe('3 products uploaded successfully across 2 categories: Mugs, Signs, 1 failed');
  expect(summaryOf([line('failed')])).toBe('0 products uploaded successfully, 1 failed');
});

test('refuses a folder without files and one with too many', () => {
  const folderOf = (count: number) => readChosen(Array<File>(count).fill(new File([], 'mug.png')));
  expect(refusalOf(folderOf(0))?.title).toBe('There is no file in it');
  expect(refusalOf(folderOf(20_000))).toBeUndefined();
  expect(refusalOf(folderOf(20_001))?.title).toBe('Too many files at once');
});

test('the table of a folder is read before anything is sent: its fields go with the pictures, or its faults are said', async () => {
  const table = (text: string): FolderFile => ({ file: new File([text], 'products.csv'), path: 'Mugs/Products.csv' });
  const { files } = await readFolderTable([...pictures(2), table('file,material\n1,slate')]);
  expect(files!.map(({ path, fields }) => [path, fields])).toEqual([
    ['Mugs/0.png', undefined],
    ['Mugs/1.png', { material: 'slate' }],
  ]);
  const { problems } = await readFolderTable([...pictures(2), table('file,material\n1,cheese\n7.png,slate')]);
  expect(problems).toHaveLength(2);
  expect((await readFolderTable([...pictures(1), table('file'), table('file')])).problems).toHaveLength(1);
  const plain = pictures(2);
  expect((await readFolderTable(plain)).files).toBe(plain);
});
