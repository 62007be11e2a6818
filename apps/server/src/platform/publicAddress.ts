/**
 * Which addresses the server may call when a stranger entered the URL (protection against SSRF): public ones, and where
 * a developer allowed it, this machine.
 */
import { lookup as lookUp } from 'node:dns/promises';
import { BlockList, isIPv6 } from 'node:net';

/** A network address that a name stands for, of IPv4 or IPv6 (`family` 4 or 6). */
export interface Address {
  readonly address: string;
  readonly family: number;
}
export type Resolve = (hostname: string) => Promise<readonly Address[]>;

export const resolveName: Resolve = (hostname) => lookUp(hostname, { all: true, verbatim: true });

/**
 * Looks the host of a URL up once, and returns the address to connect to. `unknown`: the name stands for no address.
 * `private`: one of its addresses is not public, or with `isLocal`, not this machine's.
 */
export async function lookUpAddress(
  url: URL,
  isLocal: boolean,
  resolve: Resolve = resolveName,
): Promise<Address | 'unknown' | 'private'> {
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = await resolve(hostname).catch(() => []);
  const [first] = addresses;
  if (!first) return 'unknown';
  return addresses.every(isLocal ? isLoopback : isPublic) ? first : 'private';
}

/** IANA's special-purpose addresses, without those that are globally reachable. */
const notPublic = new BlockList();
for (const range of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]) {
  const [network = '', length] = range.split('/');
  notPublic.addSubnet(network, Number(length), 'ipv4');
}
/** In IPv6 only the global unicast range is public. */
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');
/** Parts of that range that are for protocols or documentation, or that contain an IPv4 address. */
const special = new BlockList();
special.addSubnet('2001::', 23, 'ipv6');
special.addSubnet('2001:db8::', 32, 'ipv6');
special.addSubnet('2002::', 16, 'ipv6');
special.addSubnet('3fff::', 20, 'ipv6');

/** True for an address of the public internet: not private, local, reserved or for documentation. */
export function isPublic({ address }: Address): boolean {
  if (!isIPv6(address)) return !notPublic.check(address, 'ipv4');
  return globalUnicast.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

const isLoopback = ({ address }: Address): boolean => address === '::1' || address.startsWith('127.');
