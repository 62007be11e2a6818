/** The account's own page as a local maker: written here, shown on `/makers` while it is listed. */
import type { OwnMaker } from '@markwright/contract/schemas';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Card } from '../../../makers/Card.tsx';
import { ownUnit } from '../../../makers/distance.ts';
import { townWords } from '../../../makers/words.ts';
import { Link } from '../../../navigation.tsx';
import { SwitchLine } from '../../../ui/SwitchLine.tsx';
import { Skeleton, Unreadable } from '../../../ui/sections.tsx';
import { TextLink } from '../../../ui/TextLink.tsx';
import { UnsavedChanges } from '../../../ui/UnsavedChanges.tsx';
import { MakerFields } from './MakerFields.tsx';
import { Photos } from './Photos.tsx';
import { type MakerDraft, OWN_MAKER, useMakerDraft } from './useMakerDraft.ts';

export function LocalMaker() {
  const query = useQuery<OwnMaker>({ queryKey: OWN_MAKER, refetchOnMount: 'always' });
  if (query.isPending) return <Skeleton lines={5} />;
  if (!query.data) {
    return <Unreadable what="Your page could not be read." error={query.error} onRetry={() => void query.refetch()} />;
  }
  return <MakerEditor own={query.data} />;
}

function MakerEditor({ own }: { own: OwnMaker }) {
  const { draft, busy, isUnsaved, edit, discard, update, orderPhotos, save, list } = useMakerDraft(own);
  const missing = missingFor(draft);
  return (
    <>
      <SwitchLine
        label="Show my page to people near me"
        text={
          own.isListed
            ? 'It is in the search. Switch it off, and it is gone from there at once.'
            : missing.length > 0
              ? `It needs ${listOf(missing)} first.`
              : 'Nobody sees it yet.'
        }
        look="strong"
        checked={own.isListed}
        disabled={busy !== undefined || (!own.isListed && missing.length > 0)}
        onChange={(isListed) => void list(isListed)}
        className="p-5"
      />
      {own.hiddenReason !== null && (
        <p role="alert" className="mx-5 mb-5 rounded-control border border-danger px-3 py-2.5 text-danger">
          We have hidden this page: {own.hiddenReason}{' '}
          <Link to="/feedback" className="underline underline-offset-4">
            Write to us
          </Link>{' '}
          when it is settled.
        </p>
      )}
      <div className="grid gap-5 border-line border-t p-5">
        <MakerFields draft={draft} edit={edit} />
        <Photos photos={own.photos} update={update} order={orderPhotos} />
      </div>
      <ListPreview own={own} draft={draft} />
      <UnsavedChanges
        isUnsaved={isUnsaved}
        question="What you changed on your maker page is not saved."
        isSaving={busy === 'save'}
        onDiscard={discard}
        onSave={() => void save()}
      />
    </>
  );
}

/** Shows the page as the list of makers shows it, with what is not saved yet. */
function ListPreview({ own, draft }: { own: OwnMaker; draft: MakerDraft }) {
  const [unit] = useState(ownUnit);
  return (
    <section aria-label="Preview" className="border-line border-t p-5">
      <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="font-medium">How the list shows you</h3>
        {own.id && own.isListed && own.hiddenReason === null && (
          <TextLink to={`/makers/${own.id}`}>See your page</TextLink>
        )}
      </div>
      <Card
        maker={{ ...draft, photo: own.photos[0] ?? null, distanceKm: draft.place ? 12 : null }}
        unit={unit}
        name={(name) => name || 'Your name'}
      />
      <p className="mt-4 text-graphite text-sm">
        Below it, your page shows the products you put on your profile. Customers write by a form: mails go to your
        account’s address, which nobody sees
        {draft.place ? `, and the distance is from ${townWords(draft.place).split(',')[0]}` : ''}.
      </p>
    </section>
  );
}

/** Returns what a page must have before it can be listed, and this one lacks. */
const missingFor = ({ name, place, machines }: MakerDraft): string[] => [
  ...(name.trim() === '' ? ['a name'] : []),
  ...(place ? [] : ['a town']),
  ...(machines.length === 0 ? ['a machine'] : []),
];

/** Joins words to a list: `a name, a town and a machine`. */
const listOf = (words: readonly string[]): string => new Intl.ListFormat('en-GB').format(words);
