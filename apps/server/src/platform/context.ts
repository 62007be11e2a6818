import type { VectorizerMode } from '@markwright/contract';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Db } from './database.ts';
import type { Jobs } from './jobs.ts';
import type { BackgroundModels } from './ports/backgroundModels.ts';
import type { MailTransport } from './ports/mailTransport.ts';
import type { MediaPool } from './ports/mediaPool.ts';
import type { Payments } from './ports/payments.ts';
import type { VectorizerService } from './ports/vectorizerService.ts';
import type { SecretBox } from './secretBox.ts';
import type { SignedUrls } from './signedUrls.ts';
import type { Spans } from './spans.ts';
import type { CountedFiles } from './storage.ts';

/** The parameters of an argon2id hash. `memoryCost` is in KiB. */
export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/**
 * The services that the areas work with. Every use case takes it as its first argument; `openContext.ts` creates it.
 */
export interface Context {
  readonly config: Config;
  readonly log: Logger;
  readonly db: Db;
  readonly files: CountedFiles;
  readonly media: MediaPool;
  /** For backgrounds that are not plain. */
  readonly backgroundModels: BackgroundModels;
  readonly urls: SignedUrls;
  readonly payments: Payments;
  /** Encrypts secrets for the database with a key of the data folder. */
  readonly secretBox: SecretBox;
  /** The cost of a password hash: `PASSWORD_COST` everywhere but in tests. */
  readonly passwordCost: PasswordCost;
  /** Delivers mails. To send one, queue it with `queueMail`. */
  readonly mail: MailTransport;
  readonly jobs: Jobs;
  readonly spans: Spans;
  /** The service of the paid tier; undefined when its keys are not set. */
  readonly vectorizer: VectorizerService | undefined;
  /** The minimum time between two traces of one caller, by tier; 0 turns pacing off. */
  readonly vectorizerPaceMs: Readonly<Record<VectorizerMode, number>>;
  /**
   * The site's origin, without a slash at the end. Links in mails and return addresses for the payment provider begin
   * with it.
   */
  readonly origin: string;
  readonly now: () => Date;
}
