import type { Product } from '@markwright/contract/schemas';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeStorage } from '../../test/fakeStorage.ts';
import { createQueryClient } from '../api.ts';
import { writeToken } from '../token.ts';
import { deleteDeviceBlank, newBlankId, writeDeviceBlank } from './deviceBlanks.ts';
import { finderOf, onShownChange, refreshCompany, shownProducts } from './shownProducts.ts';

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

describe('a large catalogue', () => {
  const PAGE = 100;
  const many = Array.from({ length: 450 }, (_, n) => ({
    ...product(`Mug ${n}`, n % 2 === 0 ? 'Mugs' : 'Tumblers'),
    id: `m${n}`,
    productId: `many-${n}`,
  }));
  const answer = (all: readonly Product[], query: URLSearchParams) => {
    const [after, ids, search] = ['after', 'ids', 'search'].map((name) => query.get(name));
    const hits = all.filter(
      ({ id, name }) => (!ids || ids.split(',').includes(id)) && (!search || name.includes(search)),
    );
    return hits.slice(after ? hits.findIndex(({ id }) => id === after) + 1 : 0).slice(0, PAGE);
  };
  beforeEach(() => {
    vi.stubGlobal('fetch', async (address: string) => {
      requests.push(address);
      const { pathname, searchParams } = new URL(address, 'http://x');
      if (pathname === '/api/products') return Response.json(answer(many, searchParams));
      if (pathname !== '/api/company/base-products') return answers[pathname]!();
      return Response.json(
        answer(
          many.filter(({ category }) => category === 'Tumblers'),
          searchParams,
        ),
      );
    });
  });

  it('shows its first pages and what is looked for by id or text, once', async () => {
    const client = createQueryClient();
    expect(finderOf(client)).toBeUndefined();
    expect(await namesFor(client)).toEqual(many.slice(0, 2 * PAGE).map(({ name }) => name));
    const finder = finderOf(client)!;
    await finder.find(['m400', 'm3', 'gone', 'no id']);
    expect(await namesFor(client)).toHaveLength(2 * PAGE + 1);
    const count = requests.length;
    await finder.find(['m400', 'gone']);
    expect(requests).toHaveLength(count);
    const first = await finder.search('Mug 4');
    expect([first.products.length, first.next]).toEqual([61, undefined]);
    const pages = await finder.search('Mug');
    expect((await finder.search('Mug', pages.next)).products[0]).toEqual(many[PAGE]);
    expect(await namesFor(client)).toContain('Mug 449');
  });

  it('shows a company the categories that it has on, and finds its own products too', async () => {
    writeToken('ours');
    const client = createQueryClient();
    const names = await namesFor(client);
    expect(names.slice(0, 3)).toEqual(['Sign', 'Our mug', 'Mug 1']);
    expect(names).toHaveLength(2 + 2 * PAGE);
    const { products } = await finderOf(client)!.search('mug our');
    expect(products.map(({ name }) => name)).toEqual(['Our mug']);
  });

  it('takes a catalogue as long as a page for a whole one', async () => {
    // The order of pages is another one than that of a whole list.
    const page = many.slice(0, PAGE);
    vi.stubGlobal('fetch', async (address: string) => Response.json(address.includes('after') ? page.slice(40) : page));
    const client = createQueryClient();
    expect(await namesFor(client)).toEqual(page.map(({ name }) => name));
    expect(finderOf(client)).toBeUndefined();
  });
});
