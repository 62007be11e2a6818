/** The one way a mail leaves: written to the database with what it tells of, sent by a job afterwards. */
import type { Deps } from '../deps.ts';
import type { Db } from '../platform/database.ts';
import { newId } from '../platform/ids.ts';
import { mails } from '../platform/schema.ts';

/** A mail in words. Recipient and reply address are canonical; the sender is a setting. */
export interface Letter {
  readonly kind: string;
  readonly to: string;
  readonly replyTo?: string | undefined;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** What it tells of, when that must be told once only: a second letter with the same key is dropped. */
  readonly key?: string | undefined;
}

/** A connection or a running transaction: with the latter, no mail is written when the rest is rolled back. */
type Writer = Pick<Db, 'insert'>;

/** Writes a letter down. It goes out within seconds, or stays in the outbox when there is no mail server. */
export async function queueMail(deps: Deps, writer: Writer, letter: Letter): Promise<void> {
  const { to, ...rest } = letter;
  await writer
    .insert(mails)
    .values({ id: newId(), recipient: to, ...rest, state: 'queued', createdAt: deps.now() })
    .onConflictDoNothing({ target: mails.key });
}
