/** Limits of an account's own fonts. */
export const OWN_FONT_LIMITS = { fonts: 50, bytes: 5 * 2 ** 20, nameLength: 80 } as const;

/** What the person who adds a font confirms. */
export const FONT_RIGHT = 'I have the right to use this font for what I make and sell.';
