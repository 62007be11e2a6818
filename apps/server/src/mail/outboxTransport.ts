import type { MailTransport } from '../platform/ports/mailTransport.ts';

/** Returns the transport that sends nothing: mails stay in the outbox for the administrator to read. */
export function createOutboxTransport(): MailTransport {
  return { kind: 'outbox', deliver: async () => ({ state: 'kept' }), close() {} };
}
