import { expect, it } from 'vitest';
import { parseDecimal } from './decimal.ts';

it('parses a decimal where it stands as its text is parsed, and leaves other texts', () => {
  const texts = ['1', '-1.5', '.25', '5.', '123456.789012345', '0.1', '999999999999999', '-0.000001', '0012.50'];
  for (const text of texts) expect(parseDecimal(`x${text}y`, 1, 1 + text.length), text).toBe(Number(text));
  for (const text of ['', '-', '.', '0', '-0', '1e3', '+1', '1.2.3', '0x10', '1234567890123456', ' 1']) {
    expect(parseDecimal(`x${text}y`, 1, 1 + text.length), text).toBeUndefined();
  }
});
