import type { PageHead } from '../../ui/pageHead.ts';

/** The landing page's head, for search results and shared links. */
export const landingHead: PageHead = {
  title: 'Markwright: from a blurry picture to a machine-ready file',
  description:
    'A design studio for laser engravers and UV printers. Trace a customer’s picture, place it with text on the real blank at its real size, and export a file your machine opens without repairs.',
  keywords:
    'laser engraving software, UV printing, vectorize logo, SVG for LightBurn, tumbler engraving mockup, production SVG, engraving text',
  isShared: true,
};
