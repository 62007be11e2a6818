import { afterEach, expect, it, vi } from 'vitest';
import { hideMailedToken, readMailedToken, readPastedToken } from './mailedToken.ts';

it.each([
  ['?token=abc', '', 'abc'],
  ['', '#token=abc', 'abc'],
  ['?token=a%20b', '', 'a b'],
  ['?token=', '', undefined],
  ['?token=%20', '#token=c', 'c'],
  ['?other=1', '#top', undefined],
])('reads the token of %j and %j', (search, hash, token) => expect(readMailedToken({ search, hash })).toBe(token));

it.each([
  [' abc_-1 ', 'abc_-1'],
  ['https://studio.example.com/password-reset?token=abc', 'abc'],
  ['https://studio.example.com/verify-email#token=abc', 'abc'],
  ['https://studio.example.com/', 'https://studio.example.com/'],
  ['', ''],
])('reads pasted text %j as the token %j', (text, token) => expect(readPastedToken(text)).toBe(token));

afterEach(() => vi.unstubAllGlobals());

it('takes the token out of the address, and loads the page again for the token of another link', () => {
  const target = new EventTarget();
  const place = { pathname: '/password-reset', search: '', hash: '#token=abc', reload: vi.fn() };
  const replaceState = vi.fn(() => {
    place.hash = '';
  });
  vi.stubGlobal('location', place);
  vi.stubGlobal('history', { state: null, replaceState });
  vi.stubGlobal('addEventListener', target.addEventListener.bind(target));
  vi.stubGlobal('removeEventListener', target.removeEventListener.bind(target));
  const goTo = (hash: string) => {
    place.hash = hash;
    target.dispatchEvent(new Event('hashchange'));
  };

  const stop = hideMailedToken();
  expect(replaceState.mock.calls).toEqual([[null, '', '/password-reset']]);
  goTo('#help');
  expect(place.reload).not.toHaveBeenCalled();
  goTo('#token=def');
  expect(place.reload).toHaveBeenCalledOnce();
  stop();
  goTo('#token=ghi');
  expect(place.reload).toHaveBeenCalledOnce();
});
