import { expect, it } from 'vitest';
import { readCheckoutUrl } from './checkoutUrl.ts';

const HERE = 'https://studio.example';

it.each([
  ['https://studio.example/test-checkout?session=a-b_c', { page: '/test-checkout?session=a-b_c' }],
  ['https://studio.example/profile', { page: '/profile' }],
  ['https://checkout.stripe.com/c/pay/cs_1#frag', { provider: 'https://checkout.stripe.com/c/pay/cs_1#frag' }],
  ['https://billing.stripe.com/p/session/x', { provider: 'https://billing.stripe.com/p/session/x' }],
])('accepts %s', (url, target) => expect(readCheckoutUrl(url, HERE)).toEqual(target));

it('takes the path of an address on this machine, whatever name the server has for it', () => {
  const page = { page: '/test-checkout?session=x' };
  expect(readCheckoutUrl('http://127.0.0.1:3000/test-checkout?session=x', 'http://localhost:5173')).toEqual(page);
  expect(readCheckoutUrl('http://localhost:3000/test-checkout?session=x', 'http://[::1]:3000')).toEqual(page);
  expect(readCheckoutUrl('http://127.0.0.1:3000/test-checkout?session=x', HERE)).toBeUndefined();
});

const foreignUrls = [
  '',
  ' ',
  'null',
  'undefined',
  '/plans',
  'plans',
  '?url=x',
  '#x',
  '//evil.example',
  '//evil.example/test-checkout',
  '///evil.example',
  '\\\\evil.example',
  '/\\evil.example',
  'https:evil.example',
  'https:/evil.example',
  'https:\\\\evil.example',
  'http://evil.example',
  'https://evil.example',
  'https://evil.example/test-checkout?session=x',
  'https://evil.example/https://checkout.stripe.com',
  'https://evil.example?https://checkout.stripe.com',
  'https://evil.example#https://studio.example',
  'https://evil.example\\@studio.example',
  'https://studio.example@evil.example',
  'https://studio.example:pass@evil.example',
  'https://checkout.stripe.com@evil.example',
  'https://user@checkout.stripe.com/pay',
  'https://user:pass@studio.example/profile',
  'https://studio.example.evil.example',
  'https://studio.example%2eevil.example',
  'https://evilstudio.example',
  'https://studio.example:8443/profile',
  'http://studio.example/profile',
  'https://studio.example//evil.example',
  'https://studio.example/.//evil.example',
  'http://checkout.stripe.com/pay',
  'https://checkout.stripe.com:8443/pay',
  'https://stripe.com.evil.example',
  'https://notstripe.com',
  'https://checkout-stripe.com',
  'https://checkout.stripe.com%00.evil.example',
  'https://checkout.stripe.co',
  'https://checkout.str\u0131pe.com',
  'https://checkout.stripe.com\u3002evil.example',
  'ftp://checkout.stripe.com',
  'ws://studio.example',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'javascript://studio.example/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'blob:https://studio.example/1',
  'view-source:https://studio.example',
  'vbscript:msgbox(1)',
  'about:blank',
  'intent://studio.example#Intent;end',
  'https://[::1]/test-checkout',
  'http://localhost/test-checkout',
];

it(`refuses ${foreignUrls.length} addresses that lead elsewhere`, () => {
  expect(foreignUrls.length).toBeGreaterThanOrEqual(50);
  expect(foreignUrls.filter((url) => readCheckoutUrl(url, HERE) !== undefined)).toEqual([]);
});
