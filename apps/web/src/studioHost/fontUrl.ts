import { ownFontId } from '@markwright/fonts';

/** The addresses of the account's own fonts by their families, once they are known. */
const ownUrls = new Map<string, string>();
let loadOwn: (() => Promise<unknown>) | undefined;

/** Sets the function that loads the addresses of the account's own fonts. It passes them to `keepOwnUrls`. */
export function setOwnFontSource(load: typeof loadOwn): void {
  loadOwn = load;
}

/** Keeps the addresses of the account's own fonts by their families. */
export function keepOwnUrls(urls: Iterable<readonly [family: string, url: string]>): void {
  ownUrls.clear();
  for (const [family, url] of urls) ownUrls.set(family, url);
}

/** Returns the address of a font file. That of an own font is unknown before `findFontUrl` has found one. */
export const fontUrl = (fileName: string): string => ownUrls.get(fileName) ?? `/fonts/${fileName}`;

/** Returns the address of a font file; undefined for an own font that the account does not have. */
export async function findFontUrl(fileName: string): Promise<string | undefined> {
  if (ownFontId(fileName) === undefined) return fontUrl(fileName);
  await loadOwn?.();
  return ownUrls.get(fileName);
}
