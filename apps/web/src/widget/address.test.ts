import { expect, test } from 'vitest';
import { readAddress } from './address.ts';

const host = 'https%3A%2F%2Fshop.example';

test('reads the shop, the state at the start and the page around the widget', () => {
  const search = `?shop=a-key&theme=dark&mode=uv&product=mug-1&design=${'A'.repeat(22)}&channel=c-1&host=${host}`;
  expect(readAddress(search, true)).toEqual({
    shop: 'a-key',
    theme: 'dark',
    machine: 'uv',
    productId: 'mug-1',
    designId: 'A'.repeat(22),
    host: { origin: 'https://shop.example', channel: 'c-1' },
    isFramed: true,
  });
});

test('falls back to a laser and the browser’s color scheme', () => {
  for (const search of ['', '?theme=blue&mode=mill&product=../x&design=short']) {
    expect(readAddress(search, false)).toMatchObject({
      theme: 'auto',
      machine: 'laser',
      productId: undefined,
      designId: undefined,
      host: undefined,
    });
  }
});

test.each([
  ['no frame', `channel=c&host=${host}`, false],
  ['no channel', `host=${host}`, true],
  ['no host', 'channel=c', true],
  ['any host', 'channel=c&host=*', true],
  ['a path', `channel=c&host=${host}%2Fcart`, true],
  ['no origin', 'channel=c&host=null', true],
  ['a script', 'channel=c&host=javascript%3Aalert(1)', true],
  ['another channel', `channel=%3Cb%3E&host=${host}`, true],
])('%s names no page to send messages to', (_what, search, isFramed) => {
  expect(readAddress(`?${search}`, isFramed).host).toBeUndefined();
});
