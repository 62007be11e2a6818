import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isPublic, type Resolve } from '../platform/publicAddress.ts';
import { DeliveryError, postToShop } from './shopServer.ts';

let server: Server;
let port: number;
let connections = 0;
let answer: RequestListener = (_request, response) => response.end('ok');
beforeAll(async () => {
  server = createServer((request, response) => answer(request, response));
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterEach(() => {
  answer = (_request, response) => response.end('ok');
  connections = 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const message = { body: '{"a":1}', headers: { 'markwright-event': 'order.created' } };
const here = () => new URL(`http://127.0.0.1:${port}/hook`);

describe('addresses that are not public', () => {
  const forms = [
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '0x7f000001',
    '0x7f.0.0.1',
    '2130706433',
    '017700000001',
    '0177.0.0.1',
    '127.0.0.1.',
    '127.255.255.254',
    '0.0.0.0',
    '0',
    '0.1.2.3',
    'localhost',
    'LOCALHOST',
    'localhost.',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '100.127.255.254',
    '169.254.169.254',
    '0xa9fea9fe',
    '2852039166',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '192.0.0.8',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:10.0.0.1]',
    '[::127.0.0.1]',
    '[fe80::1]',
    '[fc00::1]',
    '[fd12:3456:789a::1]',
    '[ff02::1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::]',
    '[2001:db8::1]',
    '①②⑦.0.0.1',
  ];
  test.each(forms)('does not call %s', async (host) => {
    expect(forms.length).toBeGreaterThan(40);
    const url = new URL(`https://${host}:${port}/`);
    await expect(postToShop(url, message, { isLocalAllowed: false })).rejects.toThrow(DeliveryError);
    expect(connections).toBe(0);
  });

  test.each<[string, string[]]>([
    ['one private address', ['10.0.0.1']],
    ['a private one beside a public one', ['93.184.216.34', '127.0.0.1']],
    ['this machine by IPv6', ['::1']],
    ['an IPv4 address in IPv6', ['::ffff:127.0.0.1']],
    ['none', []],
  ])('does not call a name with %s, even where calls to this machine are allowed', async (_case, addresses) => {
    const resolve: Resolve = async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    for (const isLocalAllowed of [true, false]) {
      const call = postToShop(new URL(`https://shop.example:${port}/`), message, { isLocalAllowed, resolve });
      await expect(call).rejects.toThrow(DeliveryError);
    }
    expect(connections).toBe(0);
  });

  test.each(['93.184.216.34', '1.1.1.1', '100.128.0.1', '172.32.0.1', '2606:4700:4700::1111', '2a00:1450:4001::200e'])(
    '%s is public',
    (address) => expect(isPublic({ address, family: 0 })).toBe(true),
  );

  test('calls no unencrypted address, and this machine only where a developer allowed it', async () => {
    await expect(postToShop(here(), message, { isLocalAllowed: false })).rejects.toThrow('not https');
    await expect(
      postToShop(new URL(`http://shop.example:${port}/`), message, { isLocalAllowed: true }),
    ).rejects.toThrow('not https');
    expect(connections).toBe(0);
    expect(await postToShop(here(), message, { isLocalAllowed: true })).toBe(200);
    expect(connections).toBe(1);
  });
});

describe('a shop’s server', () => {
  const call = (options = {}) => postToShop(here(), message, { isLocalAllowed: true, ...options });

  test('is looked up once, and called at the address that was found', async () => {
    let lookups = 0;
    let requestLine = '';
    const resolve: Resolve = async () => (++lookups === 1 ? [{ address: '127.0.0.1', family: 4 }] : []);
    answer = (request, response) => {
      requestLine = `${request.method} ${request.url} ${request.headers['markwright-event']} ${request.headers.host}`;
      response.statusCode = 204;
      response.end();
    };
    const url = new URL(`http://localhost:${port}/hook?a=b`);
    expect(await postToShop(url, message, { isLocalAllowed: true, resolve })).toBe(204);
    expect([lookups, requestLine]).toEqual([1, `POST /hook?a=b order.created localhost:${port}`]);
  });

  test('is not followed when it redirects', async () => {
    answer = (_request, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${port}/elsewhere` });
      response.end();
    };
    await expect(call()).rejects.toMatchObject({ message: 'It answered with a redirect.', status: 302 });
    expect(connections).toBe(1);
  });

  test('is reported with its status when it refuses', async () => {
    answer = (_request, response) => {
      response.statusCode = 500;
      response.end('no');
    };
    await expect(call()).rejects.toMatchObject({ message: 'It answered 500.', status: 500 });
  });

  test('is given up when it hangs, before its answer and within it', async () => {
    answer = () => {};
    await expect(call({ timeoutMs: 60 })).rejects.toThrow('It did not answer in 5 seconds.');
    answer = (_request, response) => void response.write('a beginning');
    await expect(call({ timeoutMs: 60 })).rejects.toThrow('It did not answer in 5 seconds.');
    const resolve: Resolve = () => new Promise(() => {});
    await expect(call({ timeoutMs: 30, resolve })).rejects.toThrow('It did not answer in 5 seconds.');
  });

  test('is read no further when its answer never ends', async () => {
    let writes = 0;
    answer = (_request, response) => {
      const more = () => {
        while (response.writable && response.write('x'.repeat(65_536))) writes++;
        writes++;
      };
      response.on('drain', more);
      more();
    };
    expect(await call()).toBe(200);
    expect(writes).toBeLessThan(200);
  });

  test('is reported when it cuts the connection', async () => {
    answer = (request) => request.socket.destroy();
    await expect(call()).rejects.toThrow('The connection failed.');
  });
});
