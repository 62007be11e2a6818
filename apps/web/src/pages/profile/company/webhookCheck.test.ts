import { expect, test } from 'vitest';
import { webhookCheck } from './webhookCheck.ts';

const secret = 'mwsec_walnut';
const body = JSON.stringify({ id: 'a', event: 'order.created', order: { number: '7KQM-2D4P' } });
const bytes = (text: string) => new TextEncoder().encode(text);

/** Writes the header as the server does. The server's tests check the same rule. */
async function sign(t: number, by = secret): Promise<string> {
  const key = await crypto.subtle.importKey('raw', bytes(by), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const sum = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes(`${t}.${body}`)));
  return `t=${t},v1=${Array.from(sum, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

test('the code for shops accepts our webhooks and rejects others', async () => {
  const source = `data:text/javascript,${encodeURIComponent(webhookCheck)}`;
  const { isGenuine } = (await import(/* @vite-ignore */ source)) as {
    isGenuine(body: string, header: string | undefined, secret: string): boolean;
  };
  const now = Math.floor(Date.now() / 1000);
  const header = await sign(now);
  expect(isGenuine(body, header, secret)).toBe(true);
  for (const [sentBody, signature] of [
    [`${body} `, header],
    [body, await sign(now, 'mwsec_oak')],
    [body, await sign(now - 400)],
    [body, header.replace(/t=\d+/, `t=${now + 1}`)],
    [body, 'v1=0'],
    [body, undefined],
  ] as const) {
    expect(isGenuine(sentBody, signature, secret)).toBe(false);
  }
});
