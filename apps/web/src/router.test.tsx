import { createBrowserHistory, createMemoryHistory } from '@tanstack/history';
import { renderToString } from 'react-dom/server';
import { describe, expect, test, vi } from 'vitest';
import { isCurrent, Link, toHref, toPath, useSearchParams } from './navigation.tsx';
import { createRouter, Pages } from './router.tsx';

const at = (href: string) => createMemoryHistory({ initialEntries: [href] });
const pageOf = (name: string) => async () => ({ Page: () => <p>{name}</p> });

function routerAt(href: string) {
  return createRouter({
    routes: [
      { path: '/', load: pageOf('home') },
      { path: '/makers', load: pageOf('makers') },
      { path: '/makers/$id', load: async () => ({ Page: Maker }) },
      { path: '/profile/', load: async () => ({ Frame, Page: () => <p>account</p> }) },
    ],
    notFound: { load: pageOf('missing') },
    history: at(href),
  });
}

function Maker() {
  return <Link to="/makers">{useSearchParams().near}</Link>;
}

function Frame({ children }: { children: React.ReactNode }) {
  return <main>{children}</main>;
}

async function show(href: string): Promise<string> {
  const router = routerAt(href);
  await router.load(toPath(href));
  return renderToString(
    <Pages router={router} Loading={() => <p>loading</p>} Failure={() => <p>failure</p>}>
      <i />
    </Pages>,
  );
}

describe('pages', () => {
  test.each([
    ['/', '<p>home</p>'],
    ['/?a=b#c', '<p>home</p>'],
    ['/makers', '<p>makers</p>'],
    ['/makers/', '<p>makers</p>'],
    ['/makers/a-b/c', '<p>missing</p>'],
    ['/makersa', '<p>missing</p>'],
    ['/profile', '<main><p>account</p></main>'],
  ])('%s shows %s, and what stands beside every page', async (href, html) =>
    expect((await show(href)).replaceAll('<!--$-->', '').replaceAll('<!--/$-->', '')).toBe(`${html}<i></i>`),
  );

  test('a page reads the parameters of its address, once decoded', async () =>
    expect(await show('/makers/x?near=100%2525%20%26%20more&near=Paris%2BLyon')).toContain('>Paris+Lyon</a>'));

  test('the browser has the new address before the page there is told to render', () => {
    const hrefs: string[] = [];
    const write = (_state: unknown, _title: string, href: string) => void hrefs.push(href);
    const history = createBrowserHistory({
      window: {
        location: { pathname: '/auth', search: '?next=/a', hash: '' },
        history: { state: {}, length: 1, pushState: write, replaceState: write },
        addEventListener() {},
      },
    });
    createRouter({ routes: [], notFound: { load: pageOf('') }, history });
    const hrefsAtNotice: (string | undefined)[] = [];
    history.subscribe(() => hrefsAtNotice.push(hrefs.at(-1)));
    history.push('/a');
    history.replace('/b');
    expect(hrefsAtNotice).toEqual(['/a', '/b']);
  });

  test('code that did not arrive is fetched again with the next try, and code that arrived never', async () => {
    const load = vi.fn().mockRejectedValueOnce(new Error('offline')).mockImplementation(pageOf('page'));
    const router = createRouter({ routes: [{ path: '/a', load }], notFound: { load: pageOf('') }, history: at('/') });
    await router.load('/a');
    expect(router.routeAt('/a').parts).toBeUndefined();
    await router.load('/a');
    await router.load('/a');
    expect(router.routeAt('/a').parts).toBeDefined();
    expect(load).toHaveBeenCalledTimes(2);
  });
});

describe('addresses', () => {
  test.each([
    [{ to: '/plans' }, '/plans'],
    [{ to: '/auth', search: {} }, '/auth'],
    [{ to: '/auth', search: { next: '/subscribe?plan=pro' } }, '/auth?next=%2Fsubscribe%3Fplan%3Dpro'],
    [{ to: '/studio', hash: 'help' }, '/studio#help'],
    [{ to: '/test-checkout?session=a' }, '/test-checkout?session=a'],
  ])('%j is %s', (place, href) => expect(toHref(place)).toBe(href));

  test.each([
    ['/studio?a=/b#c', '/studio'],
    ['/studio#a?b', '/studio'],
    ['/', '/'],
  ])('the path of %s is %s', (href, path) => expect(toPath(href)).toBe(path));
});

describe('the current page', () => {
  test.each([
    [{ to: '/' }, '/', true],
    [{ to: '/' }, '/plans', false],
    [{ to: '/profile' }, '/profile/', true],
    [{ to: '/profile' }, '/profile/plan', true],
    [{ to: '/profile' }, '/profiles', false],
    [{ to: '/orders', search: { order: 'a' } }, '/orders?order=a&x=1', true],
    [{ to: '/orders', search: { order: 'a' } }, '/orders?order=b', false],
  ])('%j at %s: %s', (place, href, isIt) => expect(isCurrent(place, at(href).location, false)).toBe(isIt));

  test('only the very path, where a link says so', () => {
    expect(isCurrent({ to: '/profile' }, at('/profile/plan').location, true)).toBe(false);
    expect(isCurrent({ to: '/profile' }, at('/profile').location, true)).toBe(true);
  });
});
