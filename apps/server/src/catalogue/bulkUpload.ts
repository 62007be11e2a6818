/** Creates products from a folder of pictures, file by file: each is added as a whole or not at all. */
import {
  type BulkFile,
  type BulkUpload,
  isProductTable,
  MAX_UPLOAD_BYTES,
  type Place,
  ProductFields,
  toLabel,
  toPlace,
} from '@markwright/contract';
import { matchRows, readProductTable, type TableFields } from '@markwright/contract/productTable';
import { and, eq, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { writeAudit } from '../platform/audit.ts';
import type { Context } from '../platform/context.ts';
import { isDatabaseDown } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import type { UserActor } from '../platform/mount.ts';
import type { SpooledFile } from '../platform/multipart.ts';
import { insertProduct, readPicture } from './changes.ts';
import { orDropPicture, storePictureFiles } from './pictures.ts';
import { products } from './tables.ts';

/** No file is started later than this after the start of the request. */
const BEGIN_WITHIN_MS = 12_000;
const END_WITHIN_MS = 14_500;
/** The first files have at least this much time, however long the upload took. */
const LEAST_MS = 3_000;
/** Two in parallel: the pool refuses a third job of one caller while another upload of theirs runs. */
const AT_ONCE = 2;

interface Upload {
  readonly actor: UserActor;
  readonly files: readonly SpooledFile[];
  /** One path for each file, in their order; a file without a path is named by its file name. */
  readonly paths: readonly string[];
  /** Milliseconds since the start of the request. */
  readonly elapsedMs: number;
  readonly signal: AbortSignal;
}

/**
 * Adds a product for each picture that does not exist yet. A file that cannot be used is reported and stops no other
 * one. Sending the same folder again adds the missing ones. A file `products.csv` says what the pictures do not; throws
 * invalid, and adds nothing, when one of its lines is wrong. Throws the common error when no file could begin: tooMany
 * or unavailable.
 */
export async function bulkUpload(context: Context, upload: Upload): Promise<BulkUpload> {
  const { elapsedMs, signal } = upload;
  const pathOf = (file: SpooledFile) => upload.paths[file.index] ?? file.filename;
  const files = upload.files.filter((file) => !isProductTable(pathOf(file)));
  const fieldsOf = await readTables(upload.files, files, pathOf);
  const startMs = performance.now();
  const endsIn = Math.max(END_WITHIN_MS - elapsedMs, LEAST_MS);
  const tooSlow = AbortSignal.timeout(Math.round(endsIn));
  const isTooLate = (): boolean => performance.now() - startMs > BEGIN_WITHIN_MS - elapsedMs;

  const done: BulkFile[] = [];
  const newCategories = new Set<string>();
  const remaining: number[] = [];
  let startedCount = 0;
  let busy: unknown;
  let fault: unknown;
  const queue = files.values();
  const work = async (): Promise<void> => {
    for (const file of queue) {
      if (signal.aborted || busy || fault || (startedCount >= AT_ONCE && isTooLate())) {
        remaining.push(file.index);
        continue;
      }
      const hasWholeTime = startedCount++ < AT_ONCE;
      const label = { index: file.index, path: pathOf(file) };
      try {
        const entry = { file, path: label.path, fields: fieldsOf.get(file) };
        const result = await addFile(context, upload.actor, entry, AbortSignal.any([signal, tooSlow]));
        if (result.hasNewCategory) newCategories.add(result.category);
        done.push({ ...label, ...result });
      } catch (error) {
        if (isBusy(error)) busy = error;
        // A file that does not end within a whole request's time never would; a file that began late gets another try.
        if (tooSlow.aborted && hasWholeTime) done.push({ ...label, status: 'failed', message: TOO_SLOW });
        else if (tooSlow.aborted || signal.aborted || isBusy(error)) remaining.push(file.index);
        else if (error instanceof AppError) done.push({ ...label, ...toErrorReply(error) });
        else fault = error; // no file's fault: nothing runs on after the reply that reports it
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (fault) throw fault;
  if (done.length === 0 && busy) throw busy;

  const count = (status: BulkFile['status']): number => done.filter((file) => file.status === status).length;
  return {
    uploadedCount: count('uploaded'),
    createdCategories: [...newCategories].sort(),
    skippedDuplicates: count('duplicate'),
    skippedFiles: count('skipped'),
    failedCount: count('failed'),
    files: done.sort((a, b) => a.index - b.index),
    remaining: remaining.sort((a, b) => a - b),
  };
}

/** Returns the fields that the tables among the files have for the others. Throws invalid for a wrong line. */
async function readTables(
  all: readonly SpooledFile[],
  pictures: readonly SpooledFile[],
  pathOf: (file: SpooledFile) => string,
): Promise<ReadonlyMap<SpooledFile, TableFields>> {
  const [file, second] = all.filter((one) => isProductTable(pathOf(one)));
  if (!file) return new Map();
  if (second) throw new AppError('invalid', 'A folder has one products.csv. Please send one.');
  const bytes = await file.read();
  if (!bytes) throw new AppError('tooLarge', `products.csv may be up to ${MAX_UPLOAD_BYTES / 2 ** 20} MB.`);
  const table = readProductTable(bytes);
  const { rows, problems } = matchRows(table, pictures.map(pathOf));
  const [problem, ...others] = [...table.problems, ...problems];
  if (problem) {
    const more = others.length > 0 ? ` (${others.length} more)` : '';
    throw new AppError('invalid', `${problem}${more}`);
  }
  return new Map(pictures.flatMap((picture, i) => (rows[i] ? [[picture, rows[i].fields] as const] : [])));
}

const TOO_SLOW = 'The studio was too busy for this picture. Please upload it again.';

const isBusy = (error: unknown): boolean =>
  isDatabaseDown(error) || (error instanceof AppError && (error.code === 'tooMany' || error.code === 'unavailable'));

/** Converts an error to a file's result, with a message. */
function toErrorReply(error: AppError): Pick<BulkFile, 'status' | 'message'> {
  return { status: error.code === 'unsupported' ? 'skipped' : 'failed', message: error.message };
}

type AddResult =
  | {
      readonly status: 'uploaded';
      readonly category: string;
      readonly productId: string;
      readonly hasNewCategory: boolean;
    }
  | { readonly status: 'duplicate'; readonly category: string; readonly hasNewCategory?: never }
  | { readonly status: 'skipped'; readonly message: string; readonly hasNewCategory?: never };

interface FileEntry {
  readonly file: SpooledFile;
  readonly path: string;
  /** The fields of its line in `products.csv`. */
  readonly fields: TableFields | undefined;
}

/** Adds one file. Stores the picture first and the row second: a crash between them leaves an orphaned picture. */
async function addFile(
  context: Context,
  actor: UserActor,
  { file, path, fields: tableFields }: FileEntry,
  signal: AbortSignal,
): Promise<AddResult> {
  const place = toPlace(path);
  if ('refusal' in place) return { status: 'skipped', message: place.refusal };
  if (await isThere(context, place)) return { status: 'duplicate', category: place.category };
  const bytes = await file.read();
  if (!bytes) throw new AppError('tooLarge', `Pictures may be up to ${MAX_UPLOAD_BYTES / 2 ** 20} MB.`);
  const storedPicture = await storePictureFiles(context, 'products', await readPicture(context, actor, bytes, signal));
  try {
    const fields = { ...ProductFields.parse({ ...place, ...tableFields }), business: place.business };
    return await orDropPicture(context, storedPicture, () =>
      context.db.transaction(async (tx) => {
        const { row, category } = await insertProduct(context, tx, actor, fields, storedPicture);
        if (!row) throw new Duplicate(); // added by a concurrent upload; a new category is rolled back
        const detail = { category: category.name, path: toLabel(path) };
        await writeAudit(tx, actor, context.now(), { action: 'product.upload', subject: row.name, detail });
        const { productId } = row;
        return { status: 'uploaded', category: category.name, productId, hasNewCategory: category.isNew } as const;
      }),
    );
  } catch (error) {
    if (error instanceof Duplicate) return { status: 'duplicate', category: place.category };
    throw error;
  }
}

class Duplicate extends Error {}

/** Skips the work for a product that exists. The unique index decides when the row is written. */
async function isThere(context: Context, { category, business, subCategory, name }: Place): Promise<boolean> {
  const isSame = (column: AnyPgColumn, value: string) => eq(sql`lower(${column})`, sql`lower(${value})`);
  const count = await context.db.$count(
    products,
    and(
      isSame(products.category, category),
      isSame(products.business, business),
      isSame(products.subCategory, subCategory),
      isSame(products.name, name),
    ),
  );
  return count > 0;
}
