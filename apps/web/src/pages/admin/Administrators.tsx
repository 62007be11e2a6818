/** Administrators: who has which role, who is invited; owners invite, change and remove. */
import { calls } from '@markwright/contract/paths';
import type { AdministratorEntry, InvitationEntry } from '@markwright/contract/schemas';
import { ADMIN_ROLE_NAMES, ADMIN_ROLES, type AdminRole, messages } from '@markwright/contract/words';
import { Button, Field, Select } from '@markwright/controls';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../request.ts';
import { Ago } from '../../ui/Ago.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { formatDay } from '../../ui/dates.ts';
import { EmailInput } from '../../ui/EmailInput.tsx';
import { type Notice, toast } from '../../ui/notices.ts';
import { SelectField } from '../../ui/SelectField.tsx';
import { Badge, Skeleton, Unreadable } from '../../ui/sections.tsx';
import { useAttempt } from '../../ui/useAttempt.ts';
import { useForm } from '../../ui/useForm.ts';
import { adminApi } from './adminApi.ts';

interface Lists {
  readonly administrators: readonly AdministratorEntry[];
  readonly invitations: readonly InvitationEntry[];
}

const roleOptions = ADMIN_ROLE_NAMES.map((value) => ({ value, label: ADMIN_ROLES[value].name }));

export function Administrators() {
  const attempt = useAttempt();
  const query = useQuery<Lists>({ queryKey: [calls.admin.administrators.path], refetchOnMount: 'always' });
  const [removal, setRemoval] = useState<AdministratorEntry>();
  if (!query.data) {
    return (
      <div className={card}>
        {query.isPending ? (
          <Skeleton lines={4} />
        ) : (
          <Unreadable
            what="The administrators could not be read."
            error={query.error}
            onRetry={() => void query.refetch()}
          />
        )}
      </div>
    );
  }
  const { administrators, invitations } = query.data;
  const run = async (notice: Notice, act: () => Promise<unknown>): Promise<boolean> => {
    const isDone = await attempt(messages.requestFailed, async () => {
      await act();
      return notice;
    });
    await query.refetch();
    return isDone;
  };

  return (
    <div className="grid gap-8">
      <ul aria-label="Administrators" className={`${card} divide-y divide-line`}>
        {administrators.map((entry) => (
          <Person
            key={entry.id}
            entry={entry}
            onChange={(role) =>
              void run(
                { title: `${entry.email}: ${ADMIN_ROLES[role].name}`, description: ADMIN_ROLES[role].text },
                () => adminApi.changeRole({ params: { id: String(entry.id) }, body: { role } }),
              )
            }
            onRemove={() => setRemoval(entry)}
          />
        ))}
      </ul>
      <section aria-labelledby="invite" className="grid gap-4">
        <h2 id="invite" className="text-lg">
          Invite somebody
        </h2>
        <InviteForm onDone={() => void query.refetch()} />
        {invitations.length > 0 && (
          <ul aria-label="Open invitations" className={`${card} divide-y divide-line`}>
            {invitations.map(({ id, email, role, expiresAt }) => (
              <li key={id} className={line}>
                <div className="min-w-0">
                  <p className="font-medium [overflow-wrap:anywhere]">{email}</p>
                  <p className="text-graphite text-sm">
                    {ADMIN_ROLES[role].name}, good until <time dateTime={expiresAt}>{formatDay(expiresAt)}</time>
                  </p>
                </div>
                <Button
                  aria-label={`Take back the invitation of ${email}`}
                  onClick={() =>
                    void run({ title: 'The invitation is taken back', description: 'Its link no longer works.' }, () =>
                      adminApi.withdrawInvitation({ params: { id } }),
                    )
                  }
                >
                  Take back
                </Button>
              </li>
            ))}
          </ul>
        )}
      </section>
      <ConfirmDialog
        isOpen={removal !== undefined}
        title="Remove this administrator?"
        description={`${removal?.email ?? ''} keeps the account and loses the portal at once.`}
        action="Remove"
        onClose={() => setRemoval(undefined)}
        onConfirm={async () =>
          removal !== undefined &&
          run(
            { title: `${removal.email} is no administrator any more`, description: 'The account itself stays.' },
            () => adminApi.removeAdministrator({ params: { id: String(removal.id) } }),
          )
        }
      />
    </div>
  );
}

const card = 'overflow-clip rounded-card border border-line bg-paper';
const line = 'flex min-h-[68px] flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-3';

interface PersonProps {
  readonly entry: AdministratorEntry;
  onChange(role: AdminRole): void;
  onRemove(): void;
}

function Person({ entry, onChange, onRemove }: PersonProps) {
  const { id, email, role, hasSecondFactor, lastSeenAt } = entry;
  return (
    <li className={line}>
      <div className="min-w-0 flex-[1_1_240px]">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-medium [overflow-wrap:anywhere]">
          {email} {hasSecondFactor && <Badge tone="good">Second factor</Badge>}
        </p>
        <p className="text-graphite text-sm">
          {lastSeenAt ? (
            <>
              Last seen <Ago time={lastSeenAt} />
            </>
          ) : (
            'Signed in nowhere'
          )}
        </p>
      </div>
      {id === 1 ? (
        <p className="text-graphite">Owner for good</p>
      ) : (
        <div className="flex flex-wrap items-center gap-2">
          <Select label={`Role of ${email}`} value={role} options={roleOptions} onChange={onChange} className="w-36" />
          <Button variant="danger" aria-label={`Remove ${email}`} onClick={onRemove}>
            Remove
          </Button>
        </div>
      )}
    </li>
  );
}

function InviteForm({ onDone }: { onDone(): void }) {
  const [role, setRole] = useState<AdminRole>('support');
  const { formProps, errors, isBusy } = useForm({
    names: ['email'],
    async submit({ email }, form) {
      try {
        await adminApi.invite({ body: { email, role } });
      } catch (error) {
        return { email: messageOf(error) };
      }
      form.reset();
      toast({ title: 'Invitation sent', description: `The link in it is good for seven days: ${email}` });
      onDone();
      return undefined;
    },
  });
  return (
    <form {...formProps} className={`${card} flex flex-wrap items-start gap-x-4 gap-y-3 overflow-visible p-5`}>
      <Field label="Email" error={errors.email} className="min-w-0 flex-[1_1_260px]">
        {(control) => <EmailInput {...control} inputMode="email" autoComplete="off" className="h-11" />}
      </Field>
      <SelectField
        label="Role"
        value={role}
        options={roleOptions}
        onChange={(value) => setRole(ADMIN_ROLE_NAMES.find((name) => name === value) ?? role)}
        hint={ADMIN_ROLES[role].text}
        selectClassName="h-11 w-full"
        className="w-full sm:w-72"
      />
      <Button type="submit" variant="primary" size="lg" isBusy={isBusy} className="sm:mt-6">
        {isBusy ? 'Sending…' : 'Invite'}
      </Button>
    </form>
  );
}
