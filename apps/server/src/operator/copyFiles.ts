/** Files from one store to another. */
import { hash } from 'node:crypto';
import type { FileStore } from '../platform/files.ts';
import type { Progress } from './progress.ts';

export interface CopyOptions {
  /** Called with the SHA-256 of each file before the target writes it. Throws to refuse the file. */
  onContent?(key: string, sha256: string): void;
  readonly progress?: Progress | undefined;
}

interface CopyResult {
  /** The files of the source. */
  readonly count: number;
  readonly sizeBytes: number;
  /** Those that had to be copied. */
  readonly copiedCount: number;
}

/** A service far away answers many questions at a time. More would only fill the memory: a file has up to 60 MB. */
const PARALLEL = 8;

/**
 * Copies every file that the target lacks, or has in another size, or from before the source's last change. So a copy
 * that was broken off goes on, and a second one takes what changed. Files that the target alone has stay. A file that
 * is deleted meanwhile is left out. The stores themselves see to it that a file is whole or not there.
 */
export async function copyFiles(
  from: Pick<FileStore, 'list' | 'get'>,
  to: Pick<FileStore, 'stat' | 'put'>,
  { onContent, progress }: CopyOptions = {},
): Promise<CopyResult> {
  let count = 0;
  let sizeBytes = 0;
  let copiedCount = 0;
  const source = from.list('')[Symbol.asyncIterator]();
  async function work(): Promise<void> {
    for (;;) {
      const { done, value: file } = await source.next();
      if (done) return;
      const copy = await to.stat(file.key);
      const isCopied = copy && copy.sizeBytes === file.sizeBytes && copy.modifiedAt > file.modifiedAt;
      if (!isCopied) {
        const content = await from.get(file.key);
        if (!content) continue;
        onContent?.(file.key, hash('sha256', content.bytes));
        await to.put(file.key, content.bytes, content.mediaType);
        copiedCount++;
      }
      count++;
      sizeBytes += file.sizeBytes;
      progress?.say(`${count} files, ${megabytes(sizeBytes)}`);
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return { count, sizeBytes, copiedCount };
}

/** Returns a size for people. */
export const megabytes = (sizeBytes: number): string => `${Math.ceil(sizeBytes / 1e6).toLocaleString('en-US')} MB`;
