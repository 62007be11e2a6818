/** One order: its product, its customer, the next step, the production file. */
import { calls } from '@markwright/contract/paths';
import type { OrderDetail } from '@markwright/contract/schemas';
import { type OrderStep, PIECES_PER_EXPORT } from '@markwright/contract/words';
import { Button, Field, Icon, TextArea } from '@markwright/controls';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from '../../navigation.tsx';
import { PieceList } from '../../orders/PieceList.tsx';
import {
  eventWords,
  machineWords,
  nextWords,
  partsOf,
  priceWords,
  proofWords,
  statusWords,
  toneOf,
} from '../../orders/words.ts';
import { ordersApi } from '../../ordersApi.ts';
import { messageOf, statusOf } from '../../request.ts';
import { refreshAllowance } from '../../session.tsx';
import { BatchCard } from '../../ui/BatchCard.tsx';
import { formatBytes } from '../../ui/bytes.ts';
import { formatTime } from '../../ui/dates.ts';
import { Modal } from '../../ui/dialog.tsx';
import { Facts, toFact } from '../../ui/Facts.tsx';
import { toast } from '../../ui/notices.ts';
import { Badge, Skeleton, Unreadable } from '../../ui/sections.tsx';
import { useForm } from '../../ui/useForm.ts';
import { useOrderBatch } from './useOrderBatch.ts';

export function Order({ id }: { id: string }) {
  const key = [calls.orders.get.path, id];
  const query = useQuery<OrderDetail | null>({
    queryKey: key,
    queryFn: ({ signal }) => ordersApi.get({ params: { id } }, { signal }),
    refetchOnMount: 'always',
  });
  const client = useQueryClient();
  const isGone = query.data === null || statusOf(query.error) === 404;
  return (
    <>
      <Link
        to="/orders"
        search={{}}
        className="-ml-1 inline-flex min-h-8 items-center gap-1 rounded-control pr-2 text-graphite hover:text-ink"
      >
        <Icon name="arrowLeft" className="size-4" />
        All orders
      </Link>
      {query.data && !isGone ? (
        <OrderDetails
          order={query.data}
          onChange={(order) => {
            client.setQueryData(key, order);
            void client.invalidateQueries({ queryKey: [calls.orders.count.path] });
          }}
          onStale={() => void query.refetch()}
        />
      ) : isGone ? (
        <div className="mt-4 rounded-card border border-line bg-paper px-5 py-12 text-center">
          <h1 className="text-xl">This order is no longer with you</h1>
          <p className="mt-2 text-graphite">It went to another maker, or back to the shop.</p>
        </div>
      ) : (
        <>
          <h1 className="mt-2 text-2xl">Order</h1>
          <div className="mt-6 rounded-card border border-line bg-paper">
            {query.error ? (
              <Unreadable
                what="This order could not be read."
                error={query.error}
                onRetry={() => void query.refetch()}
              />
            ) : (
              <Skeleton lines={6} />
            )}
          </div>
        </>
      )}
    </>
  );
}

interface OrderProps {
  readonly order: OrderDetail;
  onChange(order: OrderDetail | null): void;
  onStale(): void;
}

function OrderDetails({ order, onChange, onStale }: OrderProps) {
  const { number, made, quantity, status } = order;
  return (
    <>
      <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="text-2xl [overflow-wrap:anywhere]">
          {quantity} × {made.productName}
        </h1>
        <Badge tone={toneOf(status)}>{statusWords[status]}</Badge>
      </div>
      <p className="mt-1 text-graphite">
        Order <span className="measure text-ink">{number}</span>, {formatTime(order.createdAt)}
      </p>
      {/* What is to do comes first on a phone, and stands beside the proof in a wide window. */}
      <div className="mt-6 grid gap-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,4fr)] lg:grid-rows-[auto_auto_1fr]">
        <Card title="Next" className="lg:col-start-2">
          <Next order={order} onChange={onChange} onStale={onStale} />
        </Card>
        <div className="lg:col-start-1 lg:row-span-3 lg:row-start-1">
          <Card title="Proof" aside={proofWords[order.proof]}>
            <img
              src={order.pictureUrl}
              alt={`${made.productName} with what was ordered on it`}
              className="mx-auto max-h-[460px] w-full rounded-control bg-white object-contain"
            />
            {order.proof === 'change' && order.proofWords && (
              <blockquote className="mt-4 border-accent border-l-2 pl-4 whitespace-pre-wrap [overflow-wrap:anywhere]">
                {order.proofWords}
              </blockquote>
            )}
            <Facts
              facts={[
                ['Machine', machineWords[made.machine]],
                ...partsOf(made).map(toFact),
                toFact(['Price', priceWords(order)]),
              ]}
            />
            {made.pieces && (
              <PieceList pieces={made.pieces} draw={() => ordersApi.pieces({ params: { id: order.id }, body: {} })} />
            )}
          </Card>
        </div>
        <Card title="Customer" className="lg:col-start-2">
          <Customer {...order} />
        </Card>
        <Card title="History" className="self-start lg:col-start-2">
          <ol className="grid gap-3">
            {order.events.map((event) => (
              <li key={`${event.createdAt} ${event.kind}`}>
                <span className="block">{eventWords(event)}</span>
                <time dateTime={event.createdAt} className="block text-graphite text-sm">
                  {formatTime(event.createdAt)}
                </time>
                {event.words && (
                  <span className="mt-0.5 block text-graphite whitespace-pre-wrap [overflow-wrap:anywhere]">
                    {event.words}
                  </span>
                )}
              </li>
            ))}
          </ol>
        </Card>
      </div>
    </>
  );
}

interface CardProps {
  readonly title: string;
  readonly aside?: string;
  readonly className?: string;
  readonly children: ReactNode;
}

function Card({ title, aside, className = '', children }: CardProps) {
  return (
    <section aria-label={title} className={`rounded-card border border-line bg-paper p-5 ${className}`}>
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-3">
        <h2 className="text-lg">{title}</h2>
        {aside && <p className="text-graphite">{aside}</p>}
      </div>
      {children}
    </section>
  );
}

function Customer({ contact, note, place, role, shopName }: OrderDetail) {
  if (!contact) {
    return (
      <>
        <p className="text-graphite">
          Who it is for, and where it goes, is here as soon as you accept.
          {shopName && ` It was ordered from ${shopName}.`}
        </p>
        {(place || note) && (
          <Facts facts={[...(place ? [['Near', place] as const] : []), ...(note ? [['Note', note] as const] : [])]} />
        )}
      </>
    );
  }
  const { name, email, phone, address } = contact;
  return (
    <>
      <p className="font-medium [overflow-wrap:anywhere]">{name}</p>
      <p className="[overflow-wrap:anywhere]">
        <a href={`mailto:${email}`} className="underline decoration-edge underline-offset-2 hover:decoration-ink">
          {email}
        </a>
      </p>
      {phone && <p className="measure">{phone}</p>}
      {address && <p className="mt-2 whitespace-pre-wrap [overflow-wrap:anywhere]">{address}</p>}
      {place && !address && <p className="mt-2 text-graphite">{place}</p>}
      {note && (
        <p className="mt-3 border-line border-t pt-3 whitespace-pre-wrap [overflow-wrap:anywhere]">
          <span className="block text-graphite text-sm">Note</span>
          {note}
        </p>
      )}
      {role === 'maker' && shopName && <p className="mt-3 text-graphite">Ordered from {shopName}.</p>}
    </>
  );
}

interface Question {
  readonly title: string;
  readonly description: string;
  readonly label: string;
  readonly hint: string;
  readonly button: string;
  readonly isDanger?: true;
}

/** The dialogs of the steps that need a confirmation, with a text for the customer, the shop or the maker. */
const questions: Partial<Record<OrderStep, (order: OrderDetail) => Question>> = {
  decline: ({ role, makerName }) =>
    makerName && role === 'maker'
      ? {
          title: 'Decline this order?',
          description: 'It goes to the next maker, or back to the shop. You cannot take it up again.',
          label: 'Reason, for the shop',
          hint: 'Not shown to the customer.',
          button: 'Decline',
          isDanger: true,
        }
      : {
          title: 'Decline this order?',
          description: 'The customer is told that it cannot be made. This cannot be undone.',
          label: 'Reason, for the customer',
          hint: 'Goes into the mail to them.',
          button: 'Decline',
          isDanger: true,
        },
  send: () => ({
    title: 'Mark as sent?',
    description: 'The customer is told by mail.',
    label: 'Message to the customer',
    hint: 'A tracking number, or where to pick it up. Optional.',
    button: 'Mark as sent',
  }),
  take: ({ makerName }) => ({
    title: 'Take it back?',
    description: `${makerName ?? 'The maker'} does not see it any more, and it is yours to make.`,
    label: 'Reason, for the maker',
    hint: 'Goes into the mail to them. Optional.',
    button: 'Take it back',
  }),
};

const stepWords: Record<OrderStep, string> = {
  accept: 'Accept',
  decline: 'Decline',
  make: 'Mark as made',
  send: 'Mark as sent',
  take: 'Take it back',
};

function Next({ order, onChange, onStale }: OrderProps) {
  const { made } = order;
  const [busy, setBusy] = useState<OrderStep>();
  const [openStep, setOpenStep] = useState<OrderStep>();
  // Each step has a draft of its own, so that a text for the shop never goes to the customer.
  const [drafts, setDrafts] = useState<Partial<Record<OrderStep, string>>>({});
  const question = openStep && questions[openStep]?.(order);

  async function take(step: OrderStep, words: string) {
    setBusy(step);
    try {
      onChange(await ordersApi.step({ params: { id: order.id }, body: { step, words } }));
      setDrafts({});
    } catch (error) {
      toast({ title: 'Nothing was changed', description: messageOf(error), variant: 'destructive' });
      if (statusOf(error) === 409 || statusOf(error) === 404) onStale();
    }
    setBusy(undefined);
    setOpenStep(undefined);
  }

  const { formProps } = useForm({
    names: [],
    async submit() {
      if (openStep) await take(openStep, drafts[openStep] ?? '');
      return undefined;
    },
  });

  const main: readonly OrderStep[] = order.steps.filter((step) => step !== 'decline' && step !== 'take');
  const others = order.steps.filter((step) => !main.includes(step));
  const variantOf = (step: OrderStep) => {
    if (others.includes(step)) return main.length > 0 ? 'ghost' : 'secondary';
    return order.mayDownload && step === 'make' ? 'secondary' : 'primary';
  };
  return (
    <>
      <p aria-live="polite">{nextWords(order)}</p>
      {order.mayDownload &&
        (order.batch || made.pieces ? (
          <Package order={order} onMade={onStale} />
        ) : (
          <ProductionFile order={order} onMade={onStale} />
        ))}
      {order.receipt && <Receipt receipt={order.receipt} />}
      {order.steps.length > 0 && (
        <div className="mt-4 flex flex-wrap gap-2">
          {[...main, ...others].map((step) => (
            <Button
              key={step}
              size="lg"
              variant={variantOf(step)}
              isBusy={busy === step}
              disabled={busy !== undefined}
              onClick={() => (questions[step] ? setOpenStep(step) : void take(step, ''))}
            >
              {stepWords[step]}
            </Button>
          ))}
        </div>
      )}
      <Modal
        isOpen={question !== undefined}
        title={question?.title ?? ''}
        description={question?.description ?? ''}
        onClose={() => setOpenStep(undefined)}
      >
        {question && openStep && (
          <form {...formProps} className="mt-4">
            <Field label={question.label} hint={question.hint}>
              {(control) => (
                <TextArea
                  {...control}
                  rows={3}
                  maxLength={2000}
                  value={drafts[openStep] ?? ''}
                  onChange={(event) => setDrafts({ ...drafts, [openStep]: event.target.value })}
                />
              )}
            </Field>
            <div className="mt-6 flex flex-wrap justify-end gap-2">
              <Button size="lg" variant="ghost" onClick={() => setOpenStep(undefined)}>
                Cancel
              </Button>
              <Button
                type="submit"
                size="lg"
                variant={question.isDanger ? 'danger' : 'primary'}
                isBusy={busy === openStep}
              >
                {question.button}
              </Button>
            </div>
          </form>
        )}
      </Modal>
    </>
  );
}

/** The package of an order whose pieces have different words, or that is made together with others. */
function Package({ order, onMade }: { order: OrderDetail; onMade(): void }) {
  const { batch, isBusy, failure, make, remove } = useOrderBatch(order.batch, onMade);
  return (
    <div className="mt-4">
      {batch ? (
        <BatchCard batch={batch} onRemove={() => void remove()} />
      ) : (
        <>
          <Button variant="primary" size="lg" isBusy={isBusy} onClick={() => void make([order.id])}>
            Make the production files
          </Button>
          <p className="mt-2 text-graphite text-sm">
            A package: a file for each different piece, a list and a job sheet. {PIECES_PER_EXPORT} started files count
            as an export of {payerWords(order)}.
          </p>
        </>
      )}
      {failure && (
        <p role="alert" className="mt-2 text-danger">
          {failure}
        </p>
      )}
    </div>
  );
}

function payerWords({ payer, role, makerName }: OrderDetail): string {
  if (payer === 'shop') return role === 'shop' ? 'yours' : 'the shop’s';
  return role === 'maker' || makerName === null ? 'yours' : 'the maker’s';
}

function ProductionFile({ order, onMade }: { order: OrderDetail; onMade(): void }) {
  const client = useQueryClient();
  const [busyFormat, setBusyFormat] = useState<'svg' | 'sheet'>();
  const [failure, setFailure] = useState<string>();
  async function download(format: 'svg' | 'sheet') {
    setBusyFormat(format);
    setFailure(undefined);
    try {
      const { url, filename } = await ordersApi.file({ params: { id: order.id }, body: { format } });
      const link = document.createElement('a');
      link.href = url;
      link.download = filename;
      link.click();
      refreshAllowance(client);
      onMade();
    } catch (error) {
      setFailure(messageOf(error));
    }
    setBusyFormat(undefined);
  }
  return (
    <div className="mt-4">
      <div className="flex flex-wrap gap-2">
        <Button
          size="lg"
          variant={order.status === 'accepted' ? 'primary' : 'secondary'}
          icon="download"
          isBusy={busyFormat === 'svg'}
          disabled={busyFormat === 'sheet'}
          onClick={() => void download('svg')}
        >
          Production file
        </Button>
        <Button
          size="lg"
          variant="secondary"
          icon="download"
          isBusy={busyFormat === 'sheet'}
          disabled={busyFormat === 'svg'}
          onClick={() => void download('sheet')}
        >
          Job sheet
        </Button>
      </div>
      {failure ? (
        <p role="alert" className="mt-2 text-danger">
          {failure}
        </p>
      ) : (
        <p className="mt-2 text-graphite text-sm">Together they count once as an export of {payerWords(order)}.</p>
      )}
    </div>
  );
}

/** The file that was given out last, for a look at whether another one is the same. */
function Receipt({ receipt }: { receipt: NonNullable<OrderDetail['receipt']> }) {
  const { filename, widthMm, heightMm, sizeBytes, sha256, madeAt } = receipt;
  return (
    <Facts
      facts={[
        ['File', filename],
        toFact([
          'Size',
          [`${widthMm} × ${heightMm} mm`, ...(sizeBytes === null ? [] : [formatBytes(sizeBytes)])].join(', '),
        ]),
        ['Made', formatTime(madeAt)],
        ...(sha256 === null ? [] : [toFact(['SHA-256', sha256])]),
      ]}
    />
  );
}
