/**
 * The port by which mails leave. Adapters: `mail/smtp.ts`, and `mail/outboxTransport.ts` while no mail server is set
 * up.
 */

/** A mail as it leaves. Addresses are canonical, so none of them can be more than one. */
export interface OutgoingMail {
  readonly id: string;
  readonly to: string;
  readonly replyTo: string | undefined;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * What became of a mail. `kept`: nobody to give it to. `delayed`: not taken now, but perhaps later. `refused`: not
 * this mail. `unknown`: the connection broke after its text began to leave, so it may have arrived.
 */
export type Delivery =
  | { readonly state: 'sent' | 'kept' }
  | { readonly state: 'delayed' | 'refused' | 'unknown'; readonly reason: string };

export interface MailTransport {
  readonly kind: 'smtp' | 'outbox';
  /**
   * Hands a mail over; takes two minutes at most and never throws. `beforeText` is awaited right before the first byte
   * of the text leaves: whatever fails until then, it too, has delivered nothing.
   */
  deliver(mail: OutgoingMail, beforeText: () => Promise<void>): Promise<Delivery>;
  /** Breaks off what is under way. */
  close(): void;
}
