/**
 * One installation has one database, one store of files and one signing key. The database and the store hold its id,
 * and the database a fingerprint of its key. Together with a foreign database, the files of another installation would
 * be orphans, and sweeps would delete them.
 */
import { eq } from 'drizzle-orm';
import type { Db } from './database.ts';
import { StartError } from './errors.ts';
import type { FileStore } from './files.ts';
import { newId } from './ids.ts';
import { fingerprintOf, type SigningKeys } from './secret.ts';
import { installation, storedFiles } from './tables.ts';

type Identity = Pick<FileStore, 'place' | 'readInstallation' | 'writeInstallation'>;

/**
 * Compares database, files and key, and joins those that belong to nothing yet. One server at a time may call it.
 * Throws a StartError when they belong to different installations.
 */
export async function pairInstallation(db: Db, files: Identity, keys: SigningKeys): Promise<void> {
  const [newRow] = await db
    .insert(installation)
    .values({ id: newId(), keyFingerprint: fingerprintOf(keys.current) })
    .onConflictDoNothing()
    .returning();
  const row = newRow ?? (await readRow(db));
  const idOfFiles = await files.readInstallation();
  if (idOfFiles === undefined) {
    // A database that knows of files once had them elsewhere. An update from before the id is the exception.
    const knowsFiles = !newRow && (await db.select({ key: storedFiles.key }).from(storedFiles).limit(1)).length > 0;
    if (knowsFiles) throw filesMissing(files.place, row.id);
    await files.writeInstallation(row.id);
  } else if (idOfFiles !== row.id) throw foreignFiles(files.place);
  await compareKey(db, row.keyFingerprint, keys);
}

/** Throws when the files belong to another installation than the database. */
export async function checkInstallation(db: Db, files: Identity): Promise<void> {
  if ((await files.readInstallation()) !== (await readRow(db)).id) throw foreignFiles(files.place);
}

/** Lets the next start take any key, where the old one is lost. */
export async function forgetKey(db: Db): Promise<void> {
  await db.update(installation).set({ keyFingerprint: FORGOTTEN });
}

const FORGOTTEN = '';

async function readRow(db: Db) {
  const [row] = await db.select().from(installation);
  return row!;
}

async function compareKey(db: Db, knownFingerprint: string, { current, older, place, isReplaceable }: SigningKeys) {
  const fingerprint = fingerprintOf(current);
  if (fingerprint === knownFingerprint) return;
  const isSuccessor = knownFingerprint === FORGOTTEN || older.some((key) => fingerprintOf(key) === knownFingerprint);
  if (!isSuccessor && !isReplaceable) {
    throw new StartError(
      `The signing key in ${place} is not the one of this installation. Give every server the same key; to replace it, ` +
        'set SECRET_KEY to the new key and the old one, with a comma between them. Where the old one is lost, run ' +
        '“markwright key forget” first.',
    );
  }
  await db.update(installation).set({ keyFingerprint: fingerprint }).where(eq(installation.one, 1));
}

const foreignFiles = (place: string) =>
  new StartError(
    `The files in ${place} belong to another installation than the database. Check DATABASE_URL, DATA_DIR and the ` +
      'settings of S3. A new database needs a new place for its files.',
  );

const filesMissing = (place: string, id: string) =>
  new StartError(
    `The files of this database are not in ${place}. Check DATA_DIR and the settings of S3. If they were moved there ` +
      `without the folder .markwright, make the file .markwright/installation in it, with this line: ${id}`,
  );
