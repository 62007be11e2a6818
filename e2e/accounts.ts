/** Somebody signed in, in a browser of their own. */
import { type Browser, expect, type Page } from '@playwright/test';

export async function openAs(
  browser: Browser,
  call: 'login' | 'signup',
  email: string,
  password: string,
): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  const reply = await page.request.post(`/api/auth/${call}`, { data: { email, password } });
  expect(reply.ok(), await reply.text()).toBe(true);
  const { token } = await reply.json();
  await page.goto('/password-reset');
  await page.evaluate((value) => localStorage.setItem('authToken', value), token);
  return page;
}
