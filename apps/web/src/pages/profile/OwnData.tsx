/** Takeout of all data of the account, and deletion of the account. */
import type { User } from '@markwright/contract/schemas';
import { messages } from '@markwright/contract/words';
import { Button, Field } from '@markwright/controls';
import { useState } from 'react';
import { api } from '../../api.ts';
import { useNavigate } from '../../navigation.tsx';
import { messageOf } from '../../request.ts';
import { Modal } from '../../ui/dialog.tsx';
import { toast } from '../../ui/notices.ts';
import { PasswordInput } from '../../ui/PasswordInput.tsx';
import { useForm } from '../../ui/useForm.ts';
import { CodeField, isAboutCode, useSecondFactor } from './codes.tsx';
import { Takeout } from './Takeout.tsx';

interface Props {
  readonly user: User;
  logout(): Promise<void>;
}

export function OwnData({ user, logout }: Props) {
  const [isAsking, setAsking] = useState(false);
  const isFirstAccount = user.id === 1;
  return (
    <>
      <Takeout />
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-line border-t p-5">
        <div className="min-w-0 flex-[1_1_260px]">
          <h3 className="font-medium">Delete your account</h3>
          <p className="text-graphite">
            {isFirstAccount
              ? 'The administrator’s account belongs to this site and cannot be deleted.'
              : 'Deletes your account, your designs and your shop, for good.'}
          </p>
        </div>
        {!isFirstAccount && (
          <Button variant="danger" size="lg" onClick={() => setAsking(true)}>
            Delete my account
          </Button>
        )}
      </div>
      <Modal
        isOpen={isAsking}
        title="Delete your account?"
        description="This cannot be undone. It deletes:"
        onClose={() => setAsking(false)}
      >
        {isAsking && <DeleteForm email={user.email} logout={logout} onClose={() => setAsking(false)} />}
      </Modal>
    </>
  );
}

const losses = [
  'your uploaded pictures, their traces and cut-outs',
  'the record of your exports and what is left of this month',
  'your shop with the orders of its customers; what you make for other shops goes back to them',
  'your subscription: it ends at once and nothing is charged again',
  'every device you are signed in on',
];

function DeleteForm({ email, logout, onClose }: { email: string; logout(): Promise<void>; onClose(): void }) {
  const navigate = useNavigate();
  const secondFactor = useSecondFactor();
  const { formProps, errors, isBusy } = useForm({
    names: ['password', 'code'],
    async submit({ password, code }) {
      try {
        await api.users.deleteAccount({ body: { password, ...(code && { code }) } });
      } catch (failure) {
        const message = messageOf(failure);
        if (message === messages.codeNeeded) await secondFactor.refetch(); // turned on in another place
        return isAboutCode(message) ? { code: message } : { password: message };
      }
      toast({
        title: 'Your account is deleted',
        description: 'Your designs, your exports and your shop went with it.',
      });
      await navigate({ to: '/', replace: true });
      await logout();
      return undefined;
    },
  });

  return (
    <form {...formProps}>
      <ul className="mt-3 grid list-disc gap-1 pl-5">
        {losses.map((what) => (
          <li key={what}>{what}</li>
        ))}
      </ul>
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <Field label="Your password" error={errors.password} className="mt-5">
        {(control) => <PasswordInput {...control} name="password" autoComplete="current-password" />}
      </Field>
      {(secondFactor.data?.isOn || errors.code) && <CodeField error={errors.code} className="mt-4" />}
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        <Button size="lg" variant="ghost" disabled={isBusy} onClick={onClose}>
          Keep it
        </Button>
        <Button type="submit" size="lg" variant="danger" isBusy={isBusy}>
          {isBusy ? 'Deleting…' : 'Delete for good'}
        </Button>
      </div>
    </form>
  );
}
