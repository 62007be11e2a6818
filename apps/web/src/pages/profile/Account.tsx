import type { User } from '@markwright/contract/schemas';
import { messages } from '@markwright/contract/words';
import { Button, Icon } from '@markwright/controls';
import { type ReactNode, useState } from 'react';
import { api } from '../../api.ts';
import { messageOf } from '../../request.ts';
import { formatDay } from '../../ui/dates.ts';
import { toast } from '../../ui/notices.ts';

export function Account({ user }: { user: User }) {
  return (
    <dl className="grid px-5">
      <Line name="Email">
        <span className="[overflow-wrap:anywhere]">{user.email}</span>
        {user.emailVerified ? (
          <span className="mt-0.5 flex items-center gap-1 text-sm text-success">
            <Icon name="check" className="size-4" /> Confirmed
          </span>
        ) : (
          <ConfirmAddress />
        )}
      </Line>
      <Line name="Username">
        <span className="[overflow-wrap:anywhere]">{user.username}</span>
      </Line>
      <Line name="Joined">
        <time dateTime={user.createdAt}>{formatDay(user.createdAt)}</time>
      </Line>
    </dl>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-6 gap-y-0.5 border-line py-3.5 not-first:border-t sm:grid-cols-[120px_minmax(0,1fr)]">
      <dt className="text-graphite">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function ConfirmAddress() {
  const [isBusy, setBusy] = useState(false);
  async function send() {
    setBusy(true);
    try {
      const { message } = await api.auth.resendVerification();
      toast({ title: 'Link sent', description: message });
    } catch (error) {
      toast({ title: messages.requestFailed, description: messageOf(error), variant: 'destructive' });
    }
    setBusy(false);
  }
  return (
    <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-2">
      <span className="text-graphite text-sm">Not confirmed yet. The link is in the mail we sent you.</span>
      <Button size="sm" isBusy={isBusy} onClick={() => void send()}>
        Send the link again
      </Button>
    </span>
  );
}
