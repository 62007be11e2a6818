import { expect, it } from 'vitest';
import { readNext } from './next.ts';

it.each([
  ['/studio', '/studio'],
  ['/studio?a=1', '/studio?a=1'],
  ['/subscribe?plan=pro', '/subscribe?plan=pro'],
  ['/test-checkout?session=a-b_c', '/test-checkout?session=a-b_c'],
  [undefined, '/'],
  [7, '/'],
  ['studio', '/'],
  ['//evil.example/studio', '/'],
  ['/\\evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['https://evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['/auth?next=/auth', '/'],
  ['/./auth?tab=signup', '/'],
  ['/.//evil.example', '/'],
  ['/a/..//evil.example/subscribe?plan=pro', '/'],
])('goes from the parameter %j to %s', (next, page) => expect(readNext(next)).toBe(page));
