import { messages } from '@markwright/contract/words';
import { api } from '../../../api.ts';
import type { FolderFile, Outcome, Sender } from '../../../products/folderUpload.ts';
import { messageOf, statusOf } from '../../../request.ts';

/** Sends a folder's files to the base catalogue, several in one request. */
export const bulkSender: Sender = {
  batch: { files: 8, bytes: 24 * 2 ** 20 },
  concurrency: 2,
  async send(files: readonly FolderFile[], signal: AbortSignal) {
    const table = await writeTable(files);
    const paths = files.map(({ path }) => path);
    const reply = await api.catalogue.bulkUpload(
      {
        files: [...files.map(({ file }) => file), ...(table ? [table] : [])],
        body: { paths: table ? [...paths, table.name] : paths },
      },
      { signal },
    );
    const outcomes: (Outcome | undefined)[] = files.map(() => undefined);
    for (const { index, status, message, category } of reply.files) {
      outcomes[index] = { state: status, message, category };
    }
    return outcomes;
  },
  explain(error: unknown) {
    const status = statusOf(error);
    return { message: messageOf(error, messages.bulkUploadFailed), isOver: status === 401 || status === 403 };
  },
};

/** Returns the part of the folder's table that is about these files, as a table of its own; undefined for none. */
async function writeTable(files: readonly FolderFile[]): Promise<File | undefined> {
  const rows = files.filter(({ fields }) => fields);
  if (rows.length === 0) return undefined;
  const { writeProductTable } = await import('@markwright/contract/productTable');
  return new File(
    [writeProductTable(rows.map(({ path, fields }) => ({ file: path, fields: fields! })))],
    'products.csv',
  );
}
