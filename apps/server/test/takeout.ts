/** Takes out the data of an account, as the page does. */
import { expect } from 'vitest';
import { makeTakeouts } from '../src/privacy/takeoutRun.ts';
import type { TestApp } from './server.ts';

/** Asks for the takeout, makes it and downloads it. Returns the reply with the file. */
export async function downloadTakeout({ app, context }: TestApp, headers: Record<string, string>) {
  const start = await app.inject({ method: 'POST', url: '/api/users/export', headers });
  expect(start.statusCode, start.body).toBe(200);
  await makeTakeouts(context);
  const { state, url } = (await app.inject({ url: '/api/users/export', headers })).json();
  expect(state).toBe('done');
  return app.inject({ url });
}

/** Returns what the file says. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests are about.
export async function takeOut(server: TestApp, headers: Record<string, string>): Promise<any> {
  return (await downloadTakeout(server, headers)).json();
}
