/** The vectorizer's tiers: the one that traces, their keys, and the switch between them. */
import { calls } from '@markwright/contract/paths';
import type { VectorizerStatus } from '@markwright/contract/schemas';
import { messages } from '@markwright/contract/words';
import { Switch } from '@markwright/controls';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { messageOf } from '../../request.ts';
import { formatCount } from '../../ui/counts.ts';
import { toast } from '../../ui/notices.ts';
import { Badge, Skeleton, Unreadable } from '../../ui/sections.tsx';
import { adminApi } from './adminApi.ts';

const STATUS = [calls.admin.vectorizerStatus.path] as const;

export const useVectorizerStatus = () =>
  useQuery<VectorizerStatus>({ queryKey: STATUS, refetchOnMount: 'always', refetchOnReconnect: 'always' });

/** The card below the catalogue: there once the status has loaded. */
export function LoadedVectorizerCard() {
  return useVectorizerStatus().data ? <VectorizerCard /> : null;
}

export function VectorizerCard() {
  const query = useVectorizerStatus();
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-card border border-line bg-paper">
      <h2 id={id} className="border-line border-b px-5 py-3.5 text-lg">
        Vectorizer configuration
      </h2>
      {query.data ? (
        <VectorizerSettings status={query.data} />
      ) : query.isPending ? (
        <Skeleton lines={4} />
      ) : (
        <Unreadable
          what={`${messages.vectorizerStatusFailed}.`}
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      )}
    </section>
  );
}

const tierNames = { free: 'Free', paid: 'Paid' } as const;

function VectorizerSettings({ status }: { status: VectorizerStatus }) {
  const { currentMode, rateLimitMs, credentials, system } = status;
  const isPaid = currentMode === 'paid';
  const canSwitch = isPaid || credentials.paidAvailable;
  const { isBusy, toggle } = useToggle();
  const id = useId();
  return (
    <div className="divide-y divide-line" aria-busy={isBusy}>
      <Part title="Tier">
        <div className="flex items-start justify-between gap-6">
          <div className="min-w-0">
            <label htmlFor={id} className="font-medium">
              Paid tier
            </label>
            <p className="mt-0.5 max-w-[72ch] text-graphite">
              {canSwitch
                ? 'Pictures go to the service and use its credits. Where it fails, the built-in engine traces.'
                : 'It has no keys, so the built-in engine traces everything.'}
            </p>
          </div>
          <Switch
            id={id}
            label="Paid tier"
            checked={isPaid}
            disabled={isBusy || !canSwitch}
            onChange={() => void toggle()}
          />
        </div>
      </Part>
      <Part title="Credentials">
        <dl className="grid gap-3">
          <Fact name="Free">
            <Availability isAvailable={credentials.freeAvailable} />
            <span className="text-graphite">needs none</span>
          </Fact>
          <Fact name="Paid">
            <Availability isAvailable={credentials.paidAvailable} />
            {!credentials.paidAvailable && (
              <span className="min-w-0 text-graphite">
                set <code className="font-mono text-ink text-sm">VECTORIZER_API_ID</code> and{' '}
                <code className="font-mono text-ink text-sm">VECTORIZER_API_SECRET</code>, then start again
              </span>
            )}
          </Fact>
        </dl>
      </Part>
      <Part title="System">
        <dl className="grid gap-2">
          <Fact name="Active mode">{tierNames[currentMode]}</Fact>
          <Fact name="Engine">
            <span className="[overflow-wrap:anywhere]">{system.engine}</span>
          </Fact>
          <Fact name="Rate limit">
            <span>
              <span className="measure">{formatCount(rateLimitMs)} ms</span>{' '}
              <span className="text-graphite">between two requests of one person</span>
            </span>
          </Fact>
          <Fact name="Quality">{system.quality}</Fact>
        </dl>
      </Part>
    </div>
  );
}

function useToggle() {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  async function toggle() {
    setBusy(true);
    try {
      const { message } = await adminApi.toggleVectorizer();
      toast({ title: 'Vectorizer switched', description: message });
    } catch (error) {
      toast({ title: messages.vectorizerToggleFailed, description: messageOf(error), variant: 'destructive' });
    }
    await client.invalidateQueries({ queryKey: STATUS });
    setBusy(false);
  }
  return { isBusy, toggle };
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid gap-x-8 gap-y-3 p-5 md:grid-cols-[120px_minmax(0,1fr)]">
      <h3 id={id} className="font-semibold">
        {title}
      </h3>
      <div className="min-w-0">{children}</div>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[96px_minmax(0,1fr)] items-baseline gap-x-4">
      <dt className="text-graphite">{name}</dt>
      <dd className="flex min-w-0 flex-wrap items-baseline gap-x-2.5 gap-y-1">{children}</dd>
    </div>
  );
}

const Availability = ({ isAvailable }: { isAvailable: boolean }) =>
  isAvailable ? <Badge tone="good">Available</Badge> : <Badge tone="quiet">No keys</Badge>;
