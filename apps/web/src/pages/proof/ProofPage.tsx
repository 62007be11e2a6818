/**
 * The proof page: the link in a mail shows customers their order. The secret stands behind the # of the address, which
 * browsers send to no server.
 */
import type { Proof } from '@markwright/contract/schemas';
import { Button, Field, TextArea } from '@markwright/controls';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api.ts';
import { readMailedToken } from '../../mailedToken.ts';
import { machineWords, partsOf, priceWords } from '../../orders/words.ts';
import { messageOf, statusOf } from '../../request.ts';
import { useSession } from '../../session.tsx';
import { formatTime } from '../../ui/dates.ts';
import { Facts, toFact } from '../../ui/Facts.tsx';
import { Page } from '../../ui/Page.tsx';
import { usePageHead } from '../../ui/pageHead.ts';
import { SmallPage } from '../../ui/SmallPage.tsx';
import { Badge } from '../../ui/sections.tsx';
import { useForm } from '../../ui/useForm.ts';

export function ProofPage() {
  usePageHead({ title: 'Your order | Markwright' });
  const session = useSession();
  const [token] = useState(() => readMailedToken(location) ?? '');
  const key = ['proof', token];
  const client = useQueryClient();
  const query = useQuery<Proof>({
    queryKey: key,
    queryFn: ({ signal }) => api.orders.proof({ body: { token } }, { signal }),
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

function ProofDetails(props: ProofProps) {
  const { proof } = props;
  const { made, quantity, shopName, makerName } = proof;
  return (
    <main className="mx-auto w-full max-w-[1040px] flex-1 px-5 py-10 lg:px-10 lg:py-14">
      <p className="text-graphite">
        Order <span className="measure text-ink">{proof.number}</span>
        {shopName && ` from ${shopName}`}
      </p>
      <h1 className="mt-1 text-2xl [overflow-wrap:anywhere]">
        {quantity} × {made.productName}
      </h1>
      <div className="mt-6 grid gap-6 lg:grid-cols-[minmax(0,6fr)_minmax(0,4fr)]">
        <div className="crop-marks grid place-items-center self-start bg-white p-3">
          <img
            src={proof.pictureUrl}
            alt={`${made.productName} with your design on it`}
            className="max-h-[560px] w-full object-contain"
          />
        </div>
        <div className="grid content-start gap-6">
          <section aria-label="Your answer" className="rounded-card border border-line bg-paper p-5">
            <Answer {...props} />
          </section>
          <section aria-label="What is made" className="rounded-card border border-line bg-paper p-5">
            <h2 className="text-lg">What is made</h2>
            <Facts
              facts={[
                ['Machine', machineWords[made.machine]],
                ...partsOf(made).map(toFact),
                toFact(['Price', priceWords(proof)]),
                ['Made by', makerName ?? (shopName || 'the shop')],
              ]}
            />
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

function Answer(props: ProofProps) {
  const { proof } = props;
  const { status, proofAt } = proof;
  if (status === 'declined') {
    return (
      <div role="status">
        <h2 className="text-lg">This order cannot be made</h2>
        <p className="mt-2">{shopOf(proof)} had to decline it. Nothing is made, and nothing is owed for it.</p>
        {proof.declinedBecause && <Quote words={proof.declinedBecause} />}
      </div>
    );
  }
  if (proof.proof === 'approved' || !proof.mayAnswer) {
    return (
      <div role="status">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h2 className="text-lg">
            {status === 'sent' ? 'On its way' : status === 'made' ? 'Made' : 'You approved the proof'}
          </h2>
          <Badge tone="good">Approved</Badge>
        </div>
        <p className="mt-2">{statusSentences[status]}</p>
        {proofAt && <p className="mt-2 text-graphite text-sm">Approved {formatTime(proofAt)}</p>}
      </div>
    );
  }
  return <OpenProof {...props} />;
}

/** Asks for an answer: to approve the proof, or to say what should be different. */
function OpenProof({ proof, token, onChange, onStale }: ProofProps) {
  const [isWriting, setWriting] = useState(false);
  const [words, setWords] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  async function answer(what: 'approve' | 'change') {
    setBusy(true);
    setFailure(undefined);
    try {
      onChange(await api.orders.answerProof({ body: { token, answer: what, words: what === 'change' ? words : '' } }));
      setWriting(false);
      setWords('');
    } catch (error) {
      setFailure(messageOf(error));
      if (statusOf(error) === 409) onStale();
    }
    setBusy(false);
  }

  const { formProps } = useForm({
    names: [],
    async submit() {
      await answer('change');
      return undefined;
    },
  });

  return (
    <>
      {proof.proof === 'change' ? (
        <div role="status">
          <h2 className="text-lg">Your words are with the shop</h2>
          <p className="mt-2">
            {shopOf(proof)} answers you by mail. Is it right as it is after all? Then approve it and it is made.
          </p>
          <Quote words={proof.proofWords} />
        </div>
      ) : (
        <>
          <h2 className="text-lg">Is it right?</h2>
          <p className="mt-2">
            Look at every letter and at the sizes. It is made exactly like this, and not before you say so.
          </p>
        </>
      )}
      {isWriting ? (
        <form {...formProps} className="mt-4">
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
        <div className="mt-4 flex flex-wrap gap-2">
          <Button size="lg" variant="primary" icon="check" isBusy={isBusy} onClick={() => void answer('approve')}>
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
    </>
  );
}

const Quote = ({ words }: { words: string }) => (
  <blockquote className="mt-3 border-accent border-l-2 pl-4 whitespace-pre-wrap [overflow-wrap:anywhere]">
    {words}
  </blockquote>
);
