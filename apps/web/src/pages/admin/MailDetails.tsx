/** One mail of the outbox: its addresses, its state, its text. */
import { calls } from '@markwright/contract/paths';
import type { Mail, SiteInfo } from '@markwright/contract/schemas';
import { messages } from '@markwright/contract/words';
import { Button, Icon, SegmentedControl } from '@markwright/controls';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { messageOf } from '../../request.ts';
import { useCopy } from '../../ui/clipboard.ts';
import { formatTime } from '../../ui/dates.ts';
import { toast } from '../../ui/notices.ts';
import { SkeletonBars } from '../../ui/SkeletonBars.tsx';
import { adminApi } from './adminApi.ts';
import { MailFrame } from './MailFrame.tsx';
import { MAILS, MailState } from './mails.tsx';

type MailDetail = Awaited<ReturnType<typeof adminApi.mail>>;

export function MailDetails({ id, onClose }: { id: string; onClose(): void }) {
  const query = useQuery<MailDetail>({
    queryKey: [calls.admin.mail.path, id],
    queryFn: ({ signal }) => adminApi.mail({ params: { id } }, { signal }),
    refetchOnMount: 'always',
  });
  const card = useRef<HTMLElement>(null);
  useEffect(() => card.current?.focus({ preventScroll: true }), []);
  return (
    <section
      ref={card}
      tabIndex={-1}
      aria-label="The mail"
      aria-busy={query.isPending}
      className="min-w-0 rounded-card border border-line bg-paper outline-none lg:sticky lg:top-20"
    >
      <div className="border-line border-b p-2 lg:hidden">
        <Button variant="ghost" size="lg" icon="arrowLeft" onClick={onClose}>
          All mails
        </Button>
      </div>
      {query.data ? (
        <MailContent mail={query.data} />
      ) : query.error ? (
        <div role="alert" className="grid justify-items-center gap-3 px-5 py-16 text-center">
          <p>
            This mail could not be read. <span className="text-graphite">{messageOf(query.error)}</span>
          </p>
          <Button icon="refresh" onClick={() => void query.refetch()}>
            Retry
          </Button>
        </div>
      ) : (
        <SkeletonBars
          className="grid gap-3 p-5"
          bars={['h-6 w-3/5 rounded-control', 'h-5 w-2/5 rounded-control', 'mt-4 h-64 rounded-card']}
        />
      )}
    </section>
  );
}

function MailContent({ mail }: { mail: MailDetail }) {
  const [form, setForm] = useState<'html' | 'text'>(mail.html ? 'html' : 'text');
  const link = firstLink(mail.text);
  const site = useQuery<SiteInfo>({ queryKey: [calls.site.info.path] });
  return (
    <>
      <div className="p-5">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
          <h2 className="min-w-0 text-lg [overflow-wrap:anywhere]">{mail.subject}</h2>
          <MailState state={mail.state} />
        </div>
        <dl className="mt-3 grid gap-1.5">
          <Fact name="To">{mail.to}</Fact>
          <Fact name="Written">{formatTime(mail.createdAt)}</Fact>
          {mail.sentAt && <Fact name="Sent">{formatTime(mail.sentAt)}</Fact>}
          {mail.attempts > 1 && <Fact name="Tries">{mail.attempts}</Fact>}
          {mail.lastError && (
            <Fact name="Last error">
              <span className="text-danger">{mail.lastError}</span>
            </Fact>
          )}
        </dl>
        {mail.state === 'unknown' && (
          <p className="mt-3 text-graphite text-sm">
            The connection broke after the text was handed over: it may have arrived. Sent again, it may arrive twice.
          </p>
        )}
        <div className="mt-4 flex flex-wrap items-center gap-2">
          {mail.html && mail.text && (
            <SegmentedControl<typeof form>
              label="How the mail is shown"
              value={form}
              onChange={setForm}
              options={[
                { value: 'html', label: 'Letter' },
                { value: 'text', label: 'Text' },
              ]}
            />
          )}
          {link && <CopyLink link={link} />}
          {canBeSent(mail, site.data) && <SendAgain mail={mail} />}
        </div>
      </div>
      <div className="border-line border-t">
        {form === 'html' ? (
          <MailFrame html={mail.html} />
        ) : (
          <pre className="whitespace-pre-wrap p-5 font-mono text-sm [overflow-wrap:anywhere]">{mail.text}</pre>
        )}
      </div>
    </>
  );
}

/** True when the mail can be sent again, or for the first time because there was no mail server before. */
const canBeSent = ({ state }: Mail, site: SiteInfo | undefined) =>
  state === 'failed' || state === 'unknown' || (state === 'kept' && site?.mail === 'smtp');

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[80px_minmax(0,1fr)] gap-x-4">
      <dt className="text-graphite">{name}</dt>
      <dd className="[overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

/** Returns the link that the mail is about: the first one with a token, or the first one at all. */
function firstLink(text: string): string | undefined {
  const links = text.match(/https?:\/\/[^\s<>"]+/g) ?? [];
  return links.find((link) => link.includes('token=')) ?? links[0];
}

function CopyLink({ link }: { link: string }) {
  const { isCopied, copy } = useCopy(link);
  return (
    <Button onClick={() => void copy(link)} aria-live="polite">
      {isCopied && <Icon name="check" className="size-[18px] text-success" />}
      {isCopied ? 'Copied!' : 'Copy link'}
    </Button>
  );
}

function SendAgain({ mail }: { mail: Mail }) {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  async function send() {
    setBusy(true);
    try {
      await adminApi.resendMail({ params: { id: mail.id } });
      toast({ title: 'The mail is on its way again', description: `To ${mail.to}.` });
    } catch (error) {
      toast({ title: messages.requestFailed, description: messageOf(error), variant: 'destructive' });
    }
    await client.invalidateQueries({ queryKey: [calls.admin.mail.path, mail.id] });
    await client.invalidateQueries({ queryKey: MAILS });
    setBusy(false);
  }
  return (
    <Button icon="refresh" isBusy={isBusy} onClick={() => void send()}>
      Send again
    </Button>
  );
}
