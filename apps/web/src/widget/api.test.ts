import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError, NetworkError } from '../request.ts';
import { createWidgetApi } from './api.ts';

let requests: { url: string; init: RequestInit }[];
let answer: () => Response | Promise<Response>;

beforeEach(() => {
  requests = [];
  answer = () => Response.json({});
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    requests.push({ url, init });
    return answer();
  });
});
afterEach(() => vi.unstubAllGlobals());

const failure = () =>
  createWidgetApi()
    .widget.start({ body: {} })
    .catch((reason: unknown) => reason);

it('sends no cookie, and the guest token once there is one', async () => {
  const api = createWidgetApi();
  answer = () => Response.json({ guestToken: 'guest-1', shop: null });
  await api.widget.start({ body: { shop: 'a-shop-key' } });
  api.setGuestToken('guest-1');
  answer = () => Response.json([]);
  await api.widget.products({ query: { shop: undefined } });
  expect(requests.map(({ url }) => url)).toEqual(['/api/widget/sessions', '/api/widget/products']);
  expect(requests.map(({ init }) => init.credentials)).toEqual(['omit', 'omit']);
  expect(requests.map(({ init }) => (init.headers as Record<string, string>)['x-markwright-guest'])).toEqual([
    undefined,
    'guest-1',
  ]);
});

it('rejects with the server’s sentence, and its status beside it', async () => {
  answer = () => Response.json({ message: 'This shop is not known.' }, { status: 404 });
  expect(await failure()).toMatchObject({
    message: 'This shop is not known.',
    status: 404,
    cause: expect.any(ApiError),
  });
  answer = () => new Response('<html>Bad gateway</html>', { status: 502 });
  expect(await failure()).toMatchObject({ message: 'Something went wrong. Please try again.', status: 502 });
  answer = () => new Response('<html>Log in to this hotel</html>');
  expect(await failure()).toMatchObject({ message: 'Something went wrong. Please try again.', status: undefined });
});

it('says whether the shopper or the server is out of reach', async () => {
  answer = () => Promise.reject(new TypeError('Failed to fetch'));
  expect(await failure()).toMatchObject({
    message: 'The server cannot be reached right now. Please try again.',
    cause: expect.any(NetworkError),
  });
  vi.stubGlobal('navigator', { onLine: false });
  expect(await failure()).toMatchObject({ message: 'You are offline. Please try again when you are connected.' });
});
