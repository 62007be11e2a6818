import { calls } from '@markwright/contract/paths';
import type { Mail } from '@markwright/contract/schemas';

/** The query key of the list of mails. */
export const MAILS = [calls.admin.mails.path] as const;

const stateLooks: Record<Mail['state'], { name: string; look: string }> = {
  queued: { name: 'Waiting', look: 'text-graphite' },
  sending: { name: 'Sending', look: 'text-graphite' },
  sent: { name: 'Sent', look: 'text-success' },
  failed: { name: 'Failed', look: 'text-danger' },
  unknown: { name: 'Doubtful', look: 'text-danger' },
  kept: { name: 'Kept here', look: 'text-graphite' },
};

/** Shows the state of a mail in one or two words. */
export function MailState({ state }: { state: Mail['state'] }) {
  const { name, look } = stateLooks[state];
  return <span className={`text-right font-medium text-sm whitespace-nowrap ${look}`}>{name}</span>;
}
