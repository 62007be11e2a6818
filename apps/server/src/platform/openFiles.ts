/** Opens the store of files that the settings name. */
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { type FileStore, openDiskFiles } from './files.ts';

/** Returns the store of the settings, or the one named. Throws a StartError where it cannot be used. */
export async function openFileStore(
  { dataDir, s3 }: Pick<Config, 'dataDir' | 's3'>,
  log: Logger,
  kind: 'disk' | 's3' = s3 ? 's3' : 'disk',
): Promise<FileStore & { close(): void }> {
  if (kind === 'disk' || !s3) return { ...(await openDiskFiles(join(dataDir, 'files'))), close() {} };
  // Loaded here, because most installations need none of it.
  const { openS3Files } = await import('./s3Files.ts');
  return openS3Files(s3, log);
}
