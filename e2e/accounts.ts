/** Accounts of the browser tests: the administrator's, and new ones. */
import { randomUUID } from 'node:crypto';
import { type APIRequestContext, type Browser, expect, type Page } from '@playwright/test';

export const ADMIN = { email: 'admin@example.com', password: 'a workshop key' } as const;
/** The password of every other account. */
export const PASSWORD = 'walnut board';

/** Returns an address that no other account has. */
export const newAddress = (name = 'maker'): string => `${name}-${randomUUID().slice(0, 8)}@example.com`;

export interface Account {
  readonly email: string;
  readonly token: string;
  /** Of a call that this account makes. */
  readonly headers: { readonly authorization: string };
}

export const signUp = (request: APIRequestContext, email = newAddress()): Promise<Account> =>
  authenticate(request, 'signup', email, PASSWORD);

export const logIn = (request: APIRequestContext, email: string, password: string = PASSWORD): Promise<Account> =>
  authenticate(request, 'login', email, password);

export const logInAsAdmin = (request: APIRequestContext): Promise<Account> =>
  logIn(request, ADMIN.email, ADMIN.password);

async function authenticate(
  request: APIRequestContext,
  call: 'signup' | 'login',
  email: string,
  password: string,
): Promise<Account> {
  const reply = await request.post(`/api/auth/${call}`, { data: { email, password } });
  expect(reply.ok(), await reply.text()).toBe(true);
  const { token } = (await reply.json()) as { token: string };
  return { email, token, headers: { authorization: `Bearer ${token}` } };
}

/** Signs the browser of a page in, without the form. The page shows nothing afterwards. */
export async function signIn(page: Page, { token }: Account): Promise<void> {
  // An empty page of the site: its storage can be reached without the work of starting the app.
  const path = '/sign-in-of-a-test';
  await page.route(`**${path}`, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await page.goto(path);
  await page.evaluate((value) => localStorage.setItem('authToken', value), token);
  await page.unroute(`**${path}`);
}

export async function signInAsNew(page: Page, email?: string): Promise<Account> {
  const account = await signUp(page.request, email);
  await signIn(page, account);
  return account;
}

export const signInAsAdmin = async (page: Page): Promise<void> => signIn(page, await logInAsAdmin(page.request));

/** Opens a browser of its own for somebody and signs in. The caller closes its context. */
export async function openSignedIn(
  browser: Browser,
  authenticate: (request: APIRequestContext) => Promise<Account>,
): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await signIn(page, await authenticate(page.request));
  return page;
}

export const openAsAdmin = (browser: Browser): Promise<Page> => openSignedIn(browser, logInAsAdmin);
/** As a new account. */
export const openAsNew = (browser: Browser, email = newAddress()): Promise<Page> =>
  openSignedIn(browser, (request) => signUp(request, email));
/** As an account that exists. */
export const openAs = (browser: Browser, email: string): Promise<Page> =>
  openSignedIn(browser, (request) => logIn(request, email));

/** Takes a plan through the test checkout, without its pages. A page that is open shows it when it is opened again. */
export async function takePlan(request: APIRequestContext, { headers }: Account, planId: string): Promise<void> {
  const checkout = await request.post('/api/create-checkout-session', { headers, data: { planId } });
  const sessionId = new URL((await checkout.json()).url, 'http://studio.test').searchParams.get('session');
  const data = { outcome: 'success' };
  const payment = await request.post(`/api/test-checkout/${sessionId}`, { headers, data });
  expect(payment.status(), await payment.text()).toBe(200);
  await request.post('/api/verify-subscription', { headers, data: { sessionId } });
}

/** Fills in and sends the form on a page that shows it. */
export async function fillInAdminLogin(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(ADMIN.email);
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** Returns the link in the newest mail to an address whose subject matches. Reads the administrator's outbox. */
export async function mailedLink(request: APIRequestContext, to: string, subject: RegExp): Promise<string> {
  const { headers } = await logInAsAdmin(request);
  let link: string | undefined;
  await expect(async () => {
    const { mails } = await (await request.get('/api/admin/mails', { headers })).json();
    const mail = mails.find((one: { to: string; subject: string }) => one.to === to && subject.test(one.subject));
    expect(mail, `a mail to ${to}`).toBeDefined();
    const { text } = await (await request.get(`/api/admin/mails/${mail.id}`, { headers })).json();
    link = /https?:\/\/\S+/.exec(text)?.[0];
    expect(link).toBeDefined();
  }).toPass();
  return link!;
}
