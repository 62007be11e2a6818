/** Code for a shop's server: checks that a webhook comes from here. */
export const webhookCheck = `import { createHmac, timingSafeEqual } from 'node:crypto';

// body: the text as it came in, before it is parsed.
// header: markwright-signature.
export function isGenuine(body, header, secret) {
  const [, t, v1] = /^t=(\\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  if (!t || Math.abs(Date.now() / 1000 - t) > 300) return false;
  const sum = createHmac('sha256', secret).update(t + '.' + body).digest('hex');
  return timingSafeEqual(Buffer.from(sum), Buffer.from(v1));
}`;
