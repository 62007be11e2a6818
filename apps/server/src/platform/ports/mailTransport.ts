/**
 * The port that delivers mails. Adapters: `mail/smtp.ts`, and `mail/outboxTransport.ts` while no mail server is set up.
 */

/** A mail ready for delivery. Addresses are canonical, so each is exactly one. */
export interface OutgoingMail {
  readonly id: string;
  readonly to: string;
  readonly replyTo: string | undefined;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * The outcome of a delivery. `kept`: no mail server to deliver to. `delayed`: not accepted now, but perhaps later.
 * `refused`: this mail is never accepted. `unknown`: the connection broke after its text began to leave, so it may have
 * arrived.
 */
export type Delivery =
  | { readonly state: 'sent' | 'kept' }
  | { readonly state: 'delayed' | 'refused' | 'unknown'; readonly reason: string };

/** Delivers mails to a mail server, or keeps them in the outbox. */
export interface MailTransport {
  readonly kind: 'smtp' | 'outbox';
  /**
   * Delivers a mail; takes two minutes at most and never throws. `beforeText` is awaited right before the first byte of
   * the text leaves: whatever fails until then, `beforeText` too, has delivered nothing.
   */
  deliver(mail: OutgoingMail, beforeText: () => Promise<void>): Promise<Delivery>;
  /** Aborts running deliveries. */
  close(): void;
}
