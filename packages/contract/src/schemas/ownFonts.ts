/** An account's own fonts, shared within its company. Texts are set in their outlines. */
import { z } from 'zod';
import { ownFontCalls as ownFontPaths } from '../paths/ownFonts.ts';
import { OWN_FONT_LIMITS } from '../words/ownFonts.ts';
import { defineCalls } from './call.ts';
import { IdParams, labelOf } from './text.ts';

export const OwnFont = z.object({
  id: z.string().describe('A text is set in this font when its `fontFamily` is `own:` and this id.'),
  name: z.string().describe('As the font calls itself, or else the name of its file, until it is renamed.'),
  letters: z.number().int().describe('The number of characters that the font has.'),
  sizeBytes: z.number().int().describe('The size of the outlines that are stored.'),
  url: z.string().describe('The address of the outlines, an OpenType font. Valid for some hours.'),
  createdAt: z.iso.datetime().describe('When it was added.'),
});
export type OwnFont = z.output<typeof OwnFont>;

const notThere = { 404: 'The font does not exist.' };

export const ownFontCalls = defineCalls(ownFontPaths, {
  list: {
    summary: 'List the account’s own fonts',
    description: 'Returns the fonts of the account’s company by their names.',
    reply: z.array(OwnFont),
  },
  add: {
    summary: 'Add a font',
    description:
      'Adds a TTF, OTF or WOFF2. The outlines of its letters and the rules by which they are set are read and stored as a ' +
      `new font; the file itself is not kept. An account has up to ${OWN_FONT_LIMITS.fonts} fonts.`,
    body: z.object({
      hasRight: z
        .enum(['true'], 'Please confirm that you have the right to use this font.')
        .describe('Confirms that the account may use the font for what it makes and sells.'),
    }),
    reply: OwnFont,
    errors: {
      409: 'The account has as many fonts as it may.',
      413: 'The file is larger than 5 MB, or the caller’s space for files is full.',
      422: 'The file is no font, is broken, or has more outlines than a text needs.',
      507: 'The server’s disk is full.',
    },
  },
  rename: {
    summary: 'Rename a font',
    description: 'Changes the name that the account gives a font. Texts in it stay as they are.',
    params: IdParams,
    body: z.object({
      name: labelOf(OWN_FONT_LIMITS.nameLength, { missing: 'Please give the font a name.' }).describe(
        `Up to ${OWN_FONT_LIMITS.nameLength} characters.`,
      ),
    }),
    reply: OwnFont,
    errors: notThere,
  },
  remove: {
    summary: 'Delete a font',
    description:
      'Deletes a font. Files that were made with it stay, for they hold outlines; texts in it need another font before ' +
      'files are made again. A font that a list of names is being made with cannot be deleted until that is done.',
    params: IdParams,
    reply: z.object({ ok: z.literal(true) }),
    errors: { ...notThere, 409: 'A list of names is being made with this font.' },
  },
});
