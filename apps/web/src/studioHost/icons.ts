/** The editor's port for the library of icons: the files that the build made, each fetched when it is first needed. */

import start from 'virtual:icon-library';
import { type IconEntry, type IconIndexFile, outlineIn, readIconIndex, sliceOf } from '@markwright/scene/icons';

/** Both reject without a connection, and ask again at the next call. */
export const readIndex = once(async () => readIconIndex(await readFile<IconIndexFile>('index')));

const slices = new Map<number, () => Promise<readonly string[]>>();

/** Returns the outlines of icons by their ids. Icons that lie side by side come in one file. */
export async function readOutlines(icons: readonly IconEntry[]): Promise<ReadonlyMap<string, string>> {
  const outlines = new Map<string, string>();
  await Promise.all(
    icons.map(async (icon) => {
      const number = sliceOf(icon);
      let read = slices.get(number);
      if (!read) {
        read = once(() => readFile<readonly string[]>(String(number)));
        slices.set(number, read);
      }
      const outline = outlineIn(await read(), icon);
      if (outline !== undefined) outlines.set(icon.id, outline);
    }),
  );
  return outlines;
}

async function readFile<T>(name: string): Promise<T> {
  const response = await fetch(`${start}${name}.json`);
  if (!response.ok) throw new Error('The icons did not load.');
  return response.json();
}

/** Calls a function once, and again after it has failed. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= make().catch((error: unknown) => {
      result = undefined;
      throw error;
    });
    return result;
  };
}
