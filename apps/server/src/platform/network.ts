import { isIPv4, isIPv6 } from 'node:net';

/**
 * Returns the value of an X-Forwarded-For header without the ports that some load balancers add: `203.0.113.7:4711`,
 * `[2001:db8::1]:443`. What is no address stays as it is.
 */
export const withoutPorts = (forwardedFor: string): string => forwardedFor.split(',').map(withoutPort).join(',');

function withoutPort(entry: string): string {
  const parts = /^\s*(?:\[([\da-f:.]+)\](?::\d{1,5})?|(\d+(?:\.\d+){3}):\d{1,5})\s*$/i.exec(entry);
  return parts?.[1] ?? parts?.[2] ?? entry;
}

/**
 * Returns the network that limits are counted for: one IPv4 address, or the /64 of an IPv6 subscriber. An IPv4-mapped
 * IPv6 address counts as IPv4. Everything that is no address counts as one network, `unknown`.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/%.*$/, '');
  const mappedAddress = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mappedAddress && isIPv4(mappedAddress)) return mappedAddress;
  if (isIPv4(plain)) return plain;
  if (!isIPv6(plain)) return 'unknown';

  const [head = '', tail] = plain.toLowerCase().split('::');
  const left = groups(head);
  const right = tail === undefined ? [] : groups(tail);
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const all = [...left, ...Array<number>(Math.max(0, zeros)).fill(0), ...right];
  if (all.slice(0, 5).every((group) => group === 0) && all[5] === 0xffff) {
    const [high = 0, low = 0] = all.slice(6);
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  return `${all
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

function groups(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}
