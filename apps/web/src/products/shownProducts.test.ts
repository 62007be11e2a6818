import type { Product } from '@markwright/contract/schemas';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeStorage } from '../../test/fakeStorage.ts';
import { createQueryClient } from '../api.ts';
import { writeToken } from '../token.ts';
import { deleteDeviceBlank, newBlankId, writeDeviceBlank } from './deviceBlanks.ts';
import { onShownChange, refreshCompany, shownProducts } from './shownProducts.ts';

const product = (name: string, category: string) => ({ id: name, name, category }) as Product;
const base = [product('Mug', 'Mugs'), product('Tumbler', 'Tumblers')];
const own = [product('Sign', 'Signs'), product('Our mug', 'Mugs')];

let answers: Record<string, () => Response>;
let requests: string[];
beforeEach(() => {
  vi.stubGlobal('localStorage', fakeStorage());
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('removeEventListener', () => undefined);
  requests = [];
  answers = {
    '/api/products': () => Response.json(base),
    '/api/company': () => Response.json({ enabledBaseCategories: ['Tumblers'] }),
    '/api/company/products': () => Response.json(own),
  };
  vi.stubGlobal('fetch', async (url: string) => {
    requests.push(url);
    return answers[url]!();
  });
});
afterEach(() => {
  writeToken(null);
  vi.unstubAllGlobals();
});

const namesFor = async (client = createQueryClient()) =>
  (await client.fetchQuery(shownProducts(client))).map(({ name }) => name);

it('shows a guest every base product and reads no company', async () => {
  expect(await namesFor()).toEqual(['Mug', 'Tumbler']);
  expect(requests).toEqual(['/api/products']);
});

it('shows a company the base products that it has on, and always its own', async () => {
  writeToken('ours');
  expect(await namesFor()).toEqual(['Sign', 'Our mug', 'Tumbler']);
  answers['/api/company'] = () => Response.json({ enabledBaseCategories: [] });
  expect(await namesFor()).toEqual(['Sign', 'Our mug']);
});

it('treats the holder of an ended session as a guest, and rejects when the server fails', async () => {
  writeToken('ended');
  answers['/api/company'] = () => Response.json({ message: 'Please sign in.' }, { status: 401 });
  expect(await namesFor()).toEqual(['Mug', 'Tumbler']);
  answers['/api/company'] = () => Response.json({ message: 'Busy.' }, { status: 503 });
  await expect(namesFor()).rejects.toThrow('503');
});

it('reads the products once, and the company again after a change', async () => {
  writeToken('ours');
  const client = createQueryClient();
  await Promise.all([namesFor(client), namesFor(client)]);
  await namesFor(client);
  expect(requests.toSorted()).toEqual(['/api/company', '/api/company/products', '/api/products']);
  answers['/api/company'] = () => Response.json({ enabledBaseCategories: ['Mugs', 'Tumblers'] });
  await refreshCompany(client);
  expect(await namesFor(client)).toEqual(['Sign', 'Our mug', 'Mug', 'Tumbler']);
  expect(requests.filter((url) => url === '/api/products')).toHaveLength(1);
});

it('calls the listener after a sign-out, when the cache is cleared', async () => {
  writeToken('ours');
  const client = createQueryClient();
  await namesFor(client);
  const names = new Promise<string[]>((resolve) => {
    const stop = onShownChange(() => {
      stop();
      resolve(namesFor(client));
    });
  });
  writeToken(null);
  client.clear();
  expect(await names).toEqual(['Mug', 'Tumbler']);
});

it('lists a blank of the device once when it is a product of the company, and finds it by both ids', async () => {
  const id = newBlankId();
  const draft = { id, draft: {}, source: new Blob(), picture: new Blob(), changedAt: 1 };
  const blank = { ...draft, product: { ...product('Board', 'My blanks'), id, productId: id } };
  await writeDeviceBlank(blank);
  expect(await namesFor()).toEqual(['Board', 'Mug', 'Tumbler']);
  writeToken('ours');
  expect(await namesFor()).toEqual(['Sign', 'Our mug', 'Board', 'Tumbler']);
  await writeDeviceBlank({ ...blank, sentAs: 'Sign' });
  expect(await namesFor()).toEqual(['Sign', 'Our mug', 'Tumbler']);
  const client = createQueryClient();
  expect((await client.fetchQuery(shownProducts(client)))[0]!.id).toBe(id);
  await deleteDeviceBlank(id);
});
