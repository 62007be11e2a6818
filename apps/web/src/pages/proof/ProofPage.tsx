/**
 * The proof page: the link in a mail shows customers their order. The secret stands behind the # of the address, which
 * browsers send to no server.
 */
import type { Proof } from '@markwright/contract/schemas';
import { Button, Field, Icon, TextArea } from '@markwright/controls';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { readMailedToken } from '../../mailedToken.ts';
import { PieceList } from '../../orders/PieceList.tsx';
import { machineWords, partsOf, priceWords } from '../../orders/words.ts';
import { ordersApi } from '../../ordersApi.ts';
import { messageOf, statusOf } from '../../request.ts';
import { useSession } from '../../session.tsx';
import { formatTime } from '../../ui/dates.ts';
import { Facts, toFact } from '../../ui/Facts.tsx';
import { Page } from '../../ui/Page.tsx';
import { usePageHead } from '../../ui/pageHead.ts';
import { SmallPage } from '../../ui/SmallPage.tsx';
import { Badge } from '../../ui/sections.tsx';
import { useForm } from '../../ui/useForm.ts';
import { ProofPicture } from './ProofPicture.tsx';

export function ProofPage() {
  usePageHead({ title: 'Your order | Markwright' });
  const session = useSession();
  const [token] = useState(() => readMailedToken(location) ?? '');
  const key = ['proof', token];
  const client = useQueryClient();
  const query = useQuery<Proof>({
    queryKey: key,
    queryFn: ({ signal }) => ordersApi.proof({ body: { token } }, { signal }),
    refetchOnMount: 'always',
  });
  if (query.data) {
    const show = (proof: Proof) => client.setQueryData(key, proof);
    return (
      <Page session={session}>
        <ProofDetails proof={query.data} token={token} onChange={show} onStale={() => void query.refetch()} />
      </Page>
    );
  }
  if (!query.error) return <SmallPage session={session} title="Your order" text="One moment." />;
  return (
    <SmallPage
      session={session}
      title={statusOf(query.error) === 404 ? 'This link opens no order' : 'Your order could not be read'}
      text={messageOf(query.error)}
    >
      {statusOf(query.error) !== 404 && (
        <Button size="lg" icon="refresh" className="mt-6" onClick={() => void query.refetch()}>
          Retry
        </Button>
      )}
    </SmallPage>
  );
}

interface ProofProps {
  readonly proof: Proof;
  readonly token: string;
  onChange(proof: Proof): void;
  onStale(): void;
}

/**
 * The order. Wide, the answer stands beside the picture and stays in sight; on a phone it is a bar at the foot of the
 * window.
 */
function ProofDetails({ proof, token, onChange, onStale }: ProofProps) {
  const { made, quantity, shopName, makerName, mayAnswer } = proof;
  const answer = useAnswer({ proof, token, onChange, onStale });
  const isOpen = mayAnswer && proof.proof !== 'approved' && proof.status !== 'declined';
  return (
    <main className="mx-auto w-full max-w-[1040px] flex-1 px-5 pt-6 lg:px-10 lg:py-14">
      <p className="text-graphite">
        Order <span className="measure text-ink">{proof.number}</span>
        {shopName && ` from ${shopName}`}
      </p>
      <h1 className="mt-1 text-2xl [overflow-wrap:anywhere]">
        {quantity} × {made.productName}
      </h1>
      <div className="mt-5 flex flex-col gap-5 lg:grid lg:grid-cols-[minmax(0,6fr)_minmax(0,4fr)] lg:items-start lg:gap-6">
        <div className="min-w-0 max-lg:order-2">
          <ProofPicture
            url={proof.pictureUrl}
            alt={`${made.productName} with your design on it`}
            size={proof.pictureSize}
          />
        </div>
        <div className="contents lg:sticky lg:top-20 lg:grid lg:content-start">
          <section
            aria-label="Your answer"
            className={`rounded-card max-lg:order-1 border border-line bg-paper p-5 ${isOpen ? 'lg:rounded-b-none lg:border-b-0 lg:pb-0' : ''}`}
          >
            <State proof={proof} heading={answer.heading} />
          </section>
          {isOpen && <Actions answer={answer} />}
          <section
            aria-label="What is made"
            className="rounded-card border border-line bg-paper p-5 max-lg:order-3 max-lg:mb-6 lg:mt-6"
          >
            <h2 className="text-lg">What is made</h2>
            <Facts
              facts={[
                ['Machine', machineWords[made.machine]],
                ...partsOf(made).map(toFact),
                toFact(['Price', priceWords(proof)]),
                ['Made by', makerName ?? (shopName || 'the shop')],
              ]}
            />
            {made.pieces && <PieceList pieces={made.pieces} draw={() => ordersApi.proofPieces({ body: { token } })} />}
          </section>
        </div>
      </div>
    </main>
  );
}

/** The sentence for the customer about the state of the order. */
const statusSentences = {
  new: 'It is with the workshop, which has not said yet that it makes it.',
  accepted: 'The workshop makes it next.',
  made: 'It is finished and leaves the workshop next.',
  sent: 'It has left the workshop.',
} as const;

const shopOf = ({ shopName }: Proof): string => shopName || 'The shop';

/** Returns the answering of a proof: what is written, and what happens to it. */
function useAnswer({ proof, token, onChange, onStale }: ProofProps) {
  const [isWriting, setWriting] = useState(false);
  const [words, setWords] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const heading = useRef<HTMLHeadingElement>(null);
  const state = `${proof.proof} ${proof.proofAt}`;
  const [firstState] = useState(state);
  // The state stands above the picture: whoever has answered is led to it.
  useEffect(() => {
    if (state !== firstState) heading.current?.focus();
  }, [state, firstState]);

  async function send(answer: 'approve' | 'change') {
    setBusy(true);
    setFailure(undefined);
    try {
      onChange(await ordersApi.answerProof({ body: { token, answer, words: answer === 'change' ? words : '' } }));
      setWriting(false);
      setWords('');
    } catch (error) {
      setFailure(messageOf(error));
      if (statusOf(error) === 409) onStale();
    }
    setBusy(false);
  }
  return { heading, isWriting, setWriting, words, setWords, isBusy, failure, send };
}

interface StateProps {
  readonly proof: Proof;
  readonly heading: RefObject<HTMLHeadingElement | null>;
}

/** Shows the state of the order: whose answer it waits for, or the answer that was given. */
function State({ proof, heading }: StateProps) {
  const { status, proofAt } = proof;
  const title = (words: string) => (
    <h2 ref={heading} tabIndex={-1} className="scroll-mt-24 text-lg outline-none">
      {words}
    </h2>
  );
  if (status === 'declined') {
    return (
      <div role="status">
        {title('This order cannot be made')}
        <p className="mt-2">{shopOf(proof)} had to decline it. Nothing is made, and nothing is owed for it.</p>
        {proof.declinedBecause && <Quote words={proof.declinedBecause} />}
      </div>
    );
  }
  if (proof.proof === 'approved' || !proof.mayAnswer) {
    return (
      <div role="status">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <span className="grid size-8 shrink-0 place-items-center rounded-full bg-success text-paper">
            <Icon name="check" className="size-5" />
          </span>
          {title(status === 'sent' ? 'On its way' : status === 'made' ? 'Made' : 'You approved the proof')}
          <Badge tone="good">Approved</Badge>
        </div>
        <p className="mt-3">{statusSentences[status]}</p>
        {proofAt && <p className="mt-2 text-graphite text-sm">Approved {formatTime(proofAt)}</p>}
      </div>
    );
  }
  if (proof.proof === 'change') {
    return (
      <div role="status">
        {title('Your words are with the shop')}
        <p className="mt-2">
          {shopOf(proof)} answers you by mail. Is it right as it is after all? Then approve it and it is made.
        </p>
        <Quote words={proof.proofWords} />
      </div>
    );
  }
  return (
    <>
      {title('Is it right?')}
      <p className="mt-2">
        Look at every letter and at the sizes. It is made exactly like this, and not before you say so.
      </p>
    </>
  );
}

/** Approves with one tap, or takes the words for a change. */
function Actions({ answer }: { answer: ReturnType<typeof useAnswer> }) {
  const { isWriting, setWriting, words, setWords, isBusy, failure, send } = answer;
  const { formProps } = useForm({
    names: [],
    async submit() {
      await send('change');
      return undefined;
    },
  });
  return (
    <section
      aria-label="Approve or ask for a change"
      className={`border-line bg-paper max-lg:order-4 max-lg:-mx-5 max-lg:border-t max-lg:px-5 max-lg:pt-3 max-lg:pb-[max(12px,env(safe-area-inset-bottom))] lg:rounded-b-card lg:border lg:border-t-0 lg:p-5 lg:pt-4 ${isWriting ? '' : 'max-lg:sticky max-lg:bottom-0 max-lg:z-10'}`}
    >
      {isWriting ? (
        <form {...formProps}>
          <Field label="What should be different?">
            {(control) => (
              <TextArea
                {...control}
                rows={4}
                maxLength={2000}
                autoFocus
                value={words}
                onChange={(event) => setWords(event.target.value)}
              />
            )}
          </Field>
          <div className="mt-3 flex flex-wrap gap-2">
            <Button type="submit" size="lg" variant="primary" isBusy={isBusy} disabled={words.trim() === ''}>
              Send
            </Button>
            <Button size="lg" variant="ghost" disabled={isBusy} onClick={() => setWriting(false)}>
              Back
            </Button>
          </div>
        </form>
      ) : (
        <div className="flex gap-2">
          <Button
            size="lg"
            variant="primary"
            icon="check"
            isBusy={isBusy}
            onClick={() => void send('approve')}
            className="max-lg:flex-1"
          >
            Approve
          </Button>
          <Button size="lg" disabled={isBusy} onClick={() => setWriting(true)}>
            Ask for a change
          </Button>
        </div>
      )}
      {failure && (
        <p role="alert" className="mt-3 text-danger">
          {failure}
        </p>
      )}
    </section>
  );
}

const Quote = ({ words }: { words: string }) => (
  <blockquote className="mt-3 border-accent border-l-2 pl-4 whitespace-pre-wrap [overflow-wrap:anywhere]">
    {words}
  </blockquote>
);
