/** Asks the host for an account or an upgrade, before a file is made and when the server refuses. */
import { messages, vectorLimitReached } from '@markwright/contract/words';
import { type ExportKind, type Ports, sentenceOf, statusOf } from '../ports.ts';

const accountMessages = {
  production: messages.productionRequiresAccount,
  customSvg: messages.customSvgRequiresAccount,
  png: messages.pngRequiresAccount,
} as const;

type AccountPorts = Pick<Ports, 'account' | 'requireAccount'>;

/** Returns true when the visitor is signed in. Otherwise the host asks for an account. */
export function hasAccount(ports: AccountPorts, kind: ExportKind): boolean {
  if (ports.account().isSignedIn) return true;
  ports.requireAccount(kind, accountMessages[kind]);
  return false;
}

/** Returns true when the allowance has a vector export left. Otherwise the host asks for an upgrade. */
export function hasVectors(ports: AccountPorts): boolean {
  const { vectors } = ports.account();
  if (!vectors || vectors.used < vectors.limit) return true;
  ports.requireAccount('vectorLimit', vectorLimitReached(vectors.limit));
  return false;
}

/** Returns true when the error is about the account, after the host has asked for one. */
export function isRefusal(ports: AccountPorts, kind: ExportKind, error: unknown): boolean {
  const status = statusOf(error);
  if (status === 401) ports.requireAccount(kind, accountMessages[kind]);
  else if (status !== 402) return false;
  else if (kind === 'png') {
    ports.requireAccount('mockups', { title: 'Mockup limit reached', description: sentenceOf(error, '') });
  } else {
    const { title } = vectorLimitReached(0);
    ports.requireAccount('vectorLimit', { title, description: sentenceOf(error, '') });
  }
  return true;
}
