import { expect, test } from 'vitest';
import { Strand } from './strand.ts';

test('keeps the weights of a hairpin that ends where it began', () => {
  const strand = new Strand(64);
  const out = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  for (const x of [...out, ...out.slice(0, -1).reverse()]) strand.push(x, 3, 1);
  strand.discountGridEdges();
  for (let k = 0; k < strand.n; k++) expect(strand.w[k]).toBeGreaterThan(0);
});
