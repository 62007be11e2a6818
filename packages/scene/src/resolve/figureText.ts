/** The letters of codes. */
import { DEFAULT_FONT_FAMILY } from '@markwright/fonts';
import type { CodeElement } from '../document/composition.ts';
import type { TextLine } from './scene.ts';

/** Returns letters as they are set below bars. */
export const codeLine = (text: string): TextLine => ({
  text,
  fontFamily: DEFAULT_FONT_FAMILY,
  isBold: false,
  isItalic: false,
});

/** Returns the lines whose fonts a code needs; none for one without letters. */
export function codeLines({ symbology, hasText, data }: CodeElement): readonly TextLine[] {
  const hasBars = symbology === 'ean13' || symbology === 'code128';
  return hasBars && hasText && data !== '' ? [codeLine(data)] : [];
}
