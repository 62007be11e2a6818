/** The worker that looks for lines of bundled lettering in a trace. Without an answer of the server it finds none. */
import { type ArtworkLettering, drawArtwork, type FontSource, readArtwork, type TextLine } from '@markwright/scene';
import { findLettering, type LetterIndex, readIndex } from '@markwright/scene/lettering';
import type { FontBook } from '@markwright/scene/text';
import { fontUrl } from '../fontUrl.ts';
import type { LetteringRequest } from './findLettering.ts';

declare const self: {
  onmessage: (event: MessageEvent<LetteringRequest>) => void;
  postMessage(lines: readonly ArtworkLettering[]): void;
};

self.onmessage = async ({ data }) => self.postMessage(await search(data).catch(() => []));

let index: LetterIndex | undefined;
let book: FontBook | undefined;

function search({ artwork, indexUrl }: LetteringRequest): Promise<readonly ArtworkLettering[]> {
  const { width, height } = artwork;
  const wholeArtwork = readArtwork({ node: drawArtwork(artwork), width, height, isMeasured: false, droppedTags: [] });
  return findLettering(wholeArtwork ?? artwork, {
    async readIndex() {
      index ??= readIndex(await fetchBytes(indexUrl));
      return index;
    },
    loadFonts,
  });
}

/** Loads the font parser, too, with the first line. */
async function loadFonts(lines: readonly TextLine[]): Promise<FontSource> {
  const { createFontBook } = await import('@markwright/scene/text');
  book ??= createFontBook();
  const fonts = book;
  const names = new Set(lines.flatMap((line) => fonts.missing(line).map(({ name }) => name)));
  await Promise.all([...names].map(async (name) => fonts.add(name, await fetchBytes(fontUrl(name)))));
  return fonts;
}

async function fetchBytes(url: string): Promise<Uint8Array> {
  const response = await fetch(url);
  if (!response.ok) throw new Error('The file could not be fetched.');
  return new Uint8Array(await response.arrayBuffer());
}
