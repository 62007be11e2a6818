/** Page sections: the frame, the skeleton while it loads, the error with Retry, the badge. */
import { Button } from '@markwright/controls';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useId } from 'react';
import { messageOf, statusOf } from '../request.ts';
import { loadMe } from '../session.tsx';

interface SectionProps {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}

/** A section: its title, a line of text, and its card. */
export function Section({ title, text, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="not-first:mt-10">
      <h2 id={id} className="text-lg">
        {title}
      </h2>
      <p className="mt-0.5 text-graphite">{text}</p>
      <div className="mt-3 min-w-0 rounded-card border border-line bg-paper">{children}</div>
    </section>
  );
}

export function Skeleton({ lines }: { lines: number }) {
  return (
    <div role="status" className="grid gap-3 p-5">
      <span className="sr-only">Loading</span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className="h-5 animate-pulse rounded-control bg-ink/6 odd:w-2/3" />
      ))}
    </div>
  );
}

/** Shows an error with a Retry button. After a 401 it reads the session again, which may have ended. */
export function Unreadable({ what, error, onRetry }: { what: string; error: unknown; onRetry(): void }) {
  const client = useQueryClient();
  const isSignedOut = statusOf(error) === 401;
  useEffect(() => {
    if (isSignedOut) void loadMe(client);
  }, [isSignedOut, client]);
  return (
    <div role="alert" className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 p-5">
      <p className="min-w-0">
        {what} <span className="text-graphite">{messageOf(error)}</span>
      </p>
      <Button icon="refresh" onClick={onRetry}>
        Retry
      </Button>
    </div>
  );
}

type Tone = 'accent' | 'good' | 'bad' | 'quiet';

const tones: Record<Tone, string> = {
  accent: 'border-accent text-accent',
  good: 'border-success text-success',
  bad: 'border-danger text-danger',
  quiet: 'border-edge text-graphite',
};

export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex h-6 items-center rounded-full border px-2.5 font-medium text-xs whitespace-nowrap ${tones[tone]}`}
    >
      {children}
    </span>
  );
}
