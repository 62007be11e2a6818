/** The list of local makers' pages. The administrator hides one with a reason, or shows it again. */
import { siteCalls } from '@markwright/contract/paths/siteCalls';
import type { AdminMaker } from '@markwright/contract/schemas';
import { Button, Field, TextArea } from '@markwright/controls';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api.ts';
import { Link } from '../../navigation.tsx';
import { messageOf } from '../../request.ts';
import { formatDay, formatTime } from '../../ui/dates.ts';
import { Modal } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { type Notice, toast } from '../../ui/notices.ts';
import { Listing, usePages } from '../../ui/PagedList.tsx';
import { Badge } from '../../ui/sections.tsx';
import { useForm } from '../../ui/useForm.ts';

const MAKERS = [siteCalls.makers.adminList.path];

import { TextLink } from '../../ui/TextLink.tsx';

export function Makers() {
  const client = useQueryClient();
  const query = usePages(MAKERS, (query, signal) => api.makers.adminList({ query }, { signal }));
  const [makerToHide, setMakerToHide] = useState<AdminMaker>();
  const [busy, setBusy] = useState<string>();
  const makers = query.data?.pages.flatMap((page) => page.makers) ?? [];

  /** Changes a page. Resolves with true when that succeeded. */
  async function attempt(maker: AdminMaker, notice: Notice, act: () => Promise<unknown>): Promise<boolean> {
    setBusy(maker.id);
    try {
      await act();
      toast(notice);
      return true;
    } catch (error) {
      toast({ title: 'The page was not changed', description: messageOf(error), variant: 'destructive' });
      return false;
    } finally {
      await client.invalidateQueries({ queryKey: MAKERS });
      setBusy(undefined);
    }
  }

  return (
    <>
      <Listing
        query={query}
        failure="The makers could not be read."
        empty={
          <EmptyState title="No maker’s page yet" action={<TextLink to="/makers">See the search</TextLink>}>
            Makers write their page in their profile and list it. Here you see each one, and can hide it.
          </EmptyState>
        }
        count={makers.length}
        noun={['page', 'pages']}
      >
        <ul className="divide-y divide-line">
          {makers.map((maker) => (
            <li key={maker.id} className="flex flex-wrap items-start gap-x-6 gap-y-3 px-5 py-4">
              <div className="min-w-0 flex-[1_1_280px]">
                <h2 className="font-semibold [overflow-wrap:anywhere]">{maker.name || 'Without a name'}</h2>
                <p className="text-graphite [overflow-wrap:anywhere]">
                  {[maker.place, maker.email].filter(Boolean).join(' · ')}
                </p>
                <p className="text-graphite text-sm">
                  {maker.photos === 1 ? '1 photo' : `${maker.photos} photos`}, since{' '}
                  <time dateTime={maker.createdAt} title={formatTime(maker.createdAt)}>
                    {formatDay(maker.createdAt)}
                  </time>
                </p>
                {maker.hiddenReason && <p className="mt-1 [overflow-wrap:anywhere]">Hidden: {maker.hiddenReason}</p>}
              </div>
              <div className="ml-auto flex flex-wrap items-center gap-2">
                {maker.hiddenAt ? (
                  <Badge tone="bad">Hidden</Badge>
                ) : maker.isListed ? (
                  <Badge tone="good">Listed</Badge>
                ) : (
                  <Badge tone="quiet">Not listed</Badge>
                )}
                {maker.isListed && !maker.hiddenAt && (
                  <Link
                    to={`/makers/${maker.id}`}
                    className="inline-flex min-h-8 items-center px-2 text-accent underline underline-offset-4"
                  >
                    See the page
                  </Link>
                )}
                {maker.hiddenAt ? (
                  <Button
                    aria-label={`Show ${maker.name} again`}
                    isBusy={busy === maker.id}
                    onClick={() =>
                      void attempt(
                        maker,
                        { title: `${maker.name} is shown again`, description: 'The search finds it.' },
                        () => api.makers.unhide({ params: { id: maker.id }, body: {} }),
                      )
                    }
                  >
                    Show again
                  </Button>
                ) : (
                  <Button variant="danger" aria-label={`Hide ${maker.name}`} onClick={() => setMakerToHide(maker)}>
                    Hide
                  </Button>
                )}
              </div>
            </li>
          ))}
        </ul>
      </Listing>
      <Modal
        isOpen={makerToHide !== undefined}
        title={`Hide ${makerToHide?.name || 'this page'}?`}
        description="Nobody finds it from now on. Its maker reads the reason on the profile."
        onClose={() => setMakerToHide(undefined)}
      >
        {makerToHide && (
          <Hide
            onCancel={() => setMakerToHide(undefined)}
            onHide={async (reason) => {
              const hide = () => api.makers.hide({ params: { id: makerToHide.id }, body: { reason } });
              const title = `${makerToHide.name || 'The page'} is hidden`;
              const description = 'The search leaves it out, and the maker reads why in the profile.';
              if (await attempt(makerToHide, { title, description }, hide)) setMakerToHide(undefined);
            }}
          />
        )}
      </Modal>
    </>
  );
}

function Hide({ onHide, onCancel }: { onHide(reason: string): Promise<void>; onCancel(): void }) {
  const [reason, setReason] = useState('');
  const { formProps, isBusy } = useForm({
    names: [],
    async submit() {
      await onHide(reason);
      return undefined;
    },
  });
  return (
    <form {...formProps} className="mt-5">
      <Field label="Reason">
        {(control) => (
          <TextArea
            {...control}
            value={reason}
            rows={3}
            maxLength={300}
            required
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </Field>
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button size="lg" variant="ghost" onClick={onCancel}>
          Keep it
        </Button>
        <Button type="submit" size="lg" variant="danger" isBusy={isBusy} disabled={reason.trim() === ''}>
          Hide
        </Button>
      </div>
    </form>
  );
}
