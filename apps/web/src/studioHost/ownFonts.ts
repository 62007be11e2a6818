/** The account's own fonts in the studio: the list, adding one, and where their outlines are. */
import { siteCalls } from '@markwright/contract/paths/siteCalls';
import type { OwnFont } from '@markwright/contract/schemas';
import { FONT_RIGHT, OWN_FONT_LIMITS } from '@markwright/contract/words';
import type { OwnFonts } from '@markwright/editor';
import { ownFamily } from '@markwright/fonts';
import type { QueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { ask } from './ask.ts';
import { keepOwnUrls, setOwnFontSource } from './fontUrl.ts';

export const OWN_FONTS = [siteCalls.ownFonts.list.path];
/** Fonts are changed on another page, and rarely. Addresses are valid for longer. */
const STALE_MS = 10 * 60_000;

/** Returns why a file is not sent; undefined for one that is. */
export const refuseFontFile = (file: File): string | undefined =>
  file.size > OWN_FONT_LIMITS.bytes ? 'This font is too large. Fonts may be up to 5 MB.' : undefined;

/** Adds a font file. */
export const addOwnFont = (file: File): Promise<OwnFont> => api.ownFonts.add({ body: { hasRight: 'true' }, file });

/** Returns the editor's port, and lets the stage find the outlines. */
export function createOwnFonts(queryClient: QueryClient, isSignedIn: () => boolean): OwnFonts {
  const list = async (): Promise<readonly OwnFont[]> => {
    if (!isSignedIn()) return [];
    const fonts = await queryClient.fetchQuery<OwnFont[]>({ queryKey: OWN_FONTS, staleTime: STALE_MS });
    keepOwnUrls(fonts.map(({ id, url }) => [ownFamily(id), url]));
    return fonts;
  };
  setOwnFontSource(list);
  return {
    rightSentence: FONT_RIGHT,
    page: '/profile/shop',
    accountPage: '/auth',
    list,
    async add(file) {
      const refusal = refuseFontFile(file);
      if (refusal !== undefined) throw new Error(refusal);
      const font = await ask(addOwnFont(file));
      await queryClient.invalidateQueries({ queryKey: OWN_FONTS });
      return font;
    },
  };
}
