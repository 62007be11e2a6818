/** Fetches font files for outlining text when a text first needs them. The font parser is loaded with the first one. */
import { DEFAULT_FONT_FAMILY, findFont, ownFontId } from '@markwright/fonts';
import type { FontSource, TextLine } from '@markwright/scene';
import type { FontBook } from '@markwright/scene/text';
import { toast } from '../ui/notices.ts';
import { findFontUrl } from './fontUrl.ts';

const FILE_TIMEOUT_MS = 3000;
/** An account's own font may have some megabytes. */
const OWN_FILE_TIMEOUT_MS = 20_000;

/** An own font that the account does not have, or not any more. */
class FontGone extends Error {}

let book: Promise<FontBook> | undefined;
const loading = new Map<string, Promise<void>>();
/** Families that did not load in time. They are fetched again with the next text. */
const unavailable = new Set<string>();

async function openBook(): Promise<FontBook> {
  book ??= import('@markwright/scene/text').then(({ createFontBook }) => createFontBook());
  return book.catch((error: unknown) => {
    book = undefined;
    throw new Error('The text tools could not be loaded. Check your connection.', { cause: error });
  });
}

/** Returns the page's font book with the fonts of these lines. Rejects when one of them does not load. */
export async function loadFontBook(lines: readonly TextLine[]): Promise<FontBook> {
  const fonts = await openBook();
  await Promise.all(lines.map((line) => addMissing(fonts, line)));
  return fonts;
}

/**
 * Loads the fonts that the lines need. A family that does not load within 3 s is shown in the default sans, with a
 * notice; so is an own font that is gone. The server has all fonts and makes files in the chosen one, but not in one
 * that is gone. Rejects when the default does not load either.
 */
export async function ensureFonts(lines: readonly TextLine[]): Promise<FontSource> {
  const fonts = await openBook();
  await Promise.all(
    lines.map(async (line) => {
      try {
        await addMissing(fonts, line);
        unavailable.delete(line.fontFamily);
      } catch (error) {
        if (line.fontFamily === DEFAULT_FONT_FAMILY) throw error;
        await addMissing(fonts, inDefault(line));
        if (unavailable.has(line.fontFamily)) return;
        unavailable.add(line.fontFamily);
        toast({ ...(error instanceof FontGone ? GONE : sayUnloaded(line.fontFamily)), variant: 'destructive' });
      }
    }),
  );
  // A new object makes the editor outline the text again.
  return {
    outline: (line) =>
      fonts.outline(line) ?? (unavailable.has(line.fontFamily) ? fonts.outline(inDefault(line)) : undefined),
  };
}

const GONE = {
  title: 'A font is not there any more',
  description: `A text is shown in ${DEFAULT_FONT_FAMILY}, as its font was deleted. Choose another one before you export.`,
};

function sayUnloaded(family: string) {
  const { name } = findFont(family);
  return {
    title: `${name} did not load`,
    description: `It is shown in ${DEFAULT_FONT_FAMILY} for now. Exported files use ${name}.`,
  };
}

const inDefault = (line: TextLine): TextLine => ({ ...line, fontFamily: DEFAULT_FONT_FAMILY });

async function addMissing(fonts: FontBook, line: TextLine): Promise<void> {
  await Promise.all(fonts.missing(line).map(({ name }) => load(fonts, name)));
}

/** Loads a font file with one request, however many texts wait for it. */
function load(fonts: FontBook, name: string): Promise<void> {
  let request = loading.get(name);
  if (!request) {
    request = fetchFont(name)
      .then((bytes) => fonts.add(name, bytes))
      .finally(() => loading.delete(name));
    loading.set(name, request);
  }
  return request;
}

async function fetchFont(name: string): Promise<Uint8Array> {
  const url = await findFontUrl(name);
  if (url === undefined) throw new FontGone('The font is not there any more.');
  const timeoutMs = ownFontId(name) === undefined ? FILE_TIMEOUT_MS : OWN_FILE_TIMEOUT_MS;
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error('The font could not be loaded.');
  return new Uint8Array(await response.arrayBuffer());
}
