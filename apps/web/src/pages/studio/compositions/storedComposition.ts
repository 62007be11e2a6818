/**
 * Whether the browser's storage has a composition, and what reads it. The reader comes with the schema of compositions,
 * which is a twentieth of the studio's code: it is fetched beside the page, and only where there is one to read. This
 * file is part of the first script.
 */
import { hasStored } from './compositionKeys.ts';

type Reader = typeof import('./deviceComposition.ts').readFirstComposition;
let reader: Reader | undefined;

/** Fetches the reader where there is a composition to read. Rejects without a connection. */
export async function prepareStored(): Promise<void> {
  if (hasStored()) provideReader((await import('./deviceComposition.ts')).readFirstComposition);
}

/** Whoever stores compositions provides the reader, for the next time that the studio opens. */
export function provideReader(readFirst: Reader): void {
  reader = readFirst;
}

/** Returns undefined while there was nothing to read. */
export const storedReader = (): Reader | undefined => reader;
