/** Chooses the adapters: the one place that asks which database there is. */
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { MediaPool } from './media/pool.ts';
import type { Db } from './platform/database.ts';
import type { FileStore } from './platform/files.ts';
import type { Fonts } from './platform/fonts.ts';
import type { SignedUrls } from './platform/signedUrls.ts';

/** What the areas work with, handed to every use case as its first argument. */
export interface Deps {
  readonly config: Config;
  readonly log: Logger;
  readonly db: Db;
  readonly files: FileStore;
  readonly media: MediaPool;
  readonly urls: SignedUrls;
  readonly fonts: Fonts;
  readonly now: () => Date;
}
