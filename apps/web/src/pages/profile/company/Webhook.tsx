/** The shop's webhook: its address, its secret, and its deliveries. */
import { calls } from '@markwright/contract/paths';
import type { Delivery, ShopSettings } from '@markwright/contract/schemas';
import { Button, Field, IconButton, TextInput } from '@markwright/controls';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api.ts';
import { ordersApi } from '../../../ordersApi.ts';
import { messageOf } from '../../../request.ts';
import { CodeBlock } from '../../../ui/CodeBlock.tsx';
import { useCopy } from '../../../ui/clipboard.ts';
import { formatAgo, formatTime } from '../../../ui/dates.ts';
import { toast } from '../../../ui/notices.ts';
import { Badge } from '../../../ui/sections.tsx';
import { webhookCheck } from './webhookCheck.ts';

interface Props {
  readonly shop: ShopSettings;
  /** True when the address in the field is the one that the server uses. */
  readonly isSaved: boolean;
  set(change: Partial<ShopSettings>): void;
}

export function Webhook({ shop, isSaved, set }: Props) {
  return (
    <>
      <Field label="Address" hint="https only. Leave it empty for mails alone." className="max-w-[560px]">
        {(control) => (
          <TextInput
            {...control}
            type="url"
            inputMode="url"
            spellCheck={false}
            placeholder="https://shop.example/markwright"
            value={shop.webhookUrl ?? ''}
            onChange={(event) => set({ webhookUrl: event.target.value === '' ? null : event.target.value })}
          />
        )}
      </Field>
      {shop.webhookUrl !== null && isSaved && (
        <>
          <Secret />
          <ForYourServer />
          <Deliveries />
        </>
      )}
    </>
  );
}

function ForYourServer() {
  return (
    <details className="rounded-control border border-line">
      <summary className="flex min-h-10 cursor-pointer items-center justify-between gap-3 px-3 marker:content-['']">
        <span>For your server</span>
        <span className="text-graphite text-sm">What it gets, how to check it</span>
      </summary>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 border-line border-t p-3">
        <ul className="grid list-disc gap-1.5 pl-4 text-graphite">
          <li>
            It gets a POST with JSON: <code className="font-mono text-sm">id</code>,{' '}
            <code className="font-mono text-sm">event</code>, <code className="font-mono text-sm">createdAt</code> and{' '}
            <code className="font-mono text-sm">order</code>. Events are{' '}
            <code className="font-mono text-sm">order.created</code>,{' '}
            <code className="font-mono text-sm">order.proof</code> and{' '}
            <code className="font-mono text-sm">order.status</code>.
          </li>
          <li>Answer with 200 within five seconds. Anything else is tried again for a day.</li>
          <li>The same id may come twice, and a later event before an earlier one.</li>
          <li>Check the signature before you believe it. With Node:</li>
        </ul>
        <CodeBlock name="Check of the signature" code={webhookCheck} />
      </div>
    </details>
  );
}

function Secret() {
  const [secret, setSecret] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  async function renew() {
    setBusy(true);
    try {
      setSecret((await api.shop.renewWebhookSecret({ body: {} })).secret);
    } catch (error) {
      toast({ title: 'No new secret was made', description: messageOf(error), variant: 'destructive' });
    }
    setBusy(false);
  }
  return (
    <div>
      <p className="font-medium text-graphite text-xs">Signing secret</p>
      {secret ? (
        <div role="status" className="mt-1">
          <CopyText text={secret} label="Copy the secret" />
          <p className="mt-1 text-graphite text-sm">Put it into your server now: it is not shown again.</p>
        </div>
      ) : (
        <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
          <Button isBusy={isBusy} onClick={() => void renew()}>
            New secret
          </Button>
          <p className="min-w-0 flex-1 text-graphite text-sm">Shown once. The old one stops working at that moment.</p>
        </div>
      )}
    </div>
  );
}

const DELIVERIES = [calls.orders.deliveries.path];

const states = {
  queued: ['quiet', 'Waiting'],
  sent: ['good', 'Delivered'],
  failed: ['bad', 'Failed'],
} as const;

function Deliveries() {
  const query = useQuery<{ deliveries: Delivery[] }>({ queryKey: DELIVERIES, refetchOnMount: 'always' });
  const [busy, setBusy] = useState<string>();
  async function sendAgain(id: string) {
    setBusy(id);
    try {
      await ordersApi.sendAgain({ params: { id }, body: {} });
      await query.refetch();
    } catch (error) {
      toast({ title: 'It was not sent again', description: messageOf(error), variant: 'destructive' });
    }
    setBusy(undefined);
  }
  const deliveries = query.data?.deliveries ?? [];
  return (
    <details className="rounded-control border border-line">
      <summary className="flex min-h-10 cursor-pointer items-center justify-between gap-3 px-3 marker:content-['']">
        <span>What was sent</span>
        <span className="measure text-graphite">{query.data ? deliveries.length || 'nothing yet' : ''}</span>
      </summary>
      {query.error && <p className="border-line border-t px-3 py-2 text-danger">{messageOf(query.error)}</p>}
      <ul aria-label="What was sent" className="max-h-96 overflow-y-auto [scrollbar-width:thin]">
        {deliveries.map(({ id, event, orderNumber, state, attempts, answered, lastError, nextTryAt, createdAt }) => {
          const [tone, word] = states[state];
          return (
            <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t px-3 py-2">
              <span className="min-w-0 flex-[1_1_200px]">
                <span className="measure">{event}</span> <span className="text-graphite">{orderNumber}</span>
                <span className="block text-graphite text-sm" title={formatTime(createdAt)}>
                  {formatAgo(createdAt, new Date())}
                  {lastError
                    ? ` · ${lastError} ${attempts === 1 ? 'Tried once' : `Tried ${attempts} times`}${nextTryAt ? `, again ${formatTime(nextTryAt)}` : ''}.`
                    : answered
                      ? ` · answered ${answered}`
                      : ''}
                </span>
              </span>
              <Badge tone={tone}>{word}</Badge>
              <Button size="sm" variant="ghost" isBusy={busy === id} onClick={() => void sendAgain(id)}>
                Send again
              </Button>
            </li>
          );
        })}
      </ul>
    </details>
  );
}

/** Shows a text with a button that copies it. */
export function CopyText({ text, label }: { text: string; label: string }) {
  const { isCopied, copy } = useCopy('Select it and copy it with your keyboard.');
  return (
    <span className="inline-flex max-w-full items-center gap-1 rounded-control border border-line bg-bone pl-2.5">
      <code className="measure min-w-0 select-all py-1.5 [overflow-wrap:anywhere]">{text}</code>
      <IconButton
        icon={isCopied ? 'check' : 'duplicate'}
        label={isCopied ? 'Copied' : label}
        onClick={() => void copy(text)}
      />
    </span>
  );
}
