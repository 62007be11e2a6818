/** The account's own page as a local maker: written here, shown on `/makers` while it is listed. */
import { calls } from '@markwright/contract/paths';
import type { OwnMaker, Town } from '@markwright/contract/schemas';
import { MAKER_LIMITS } from '@markwright/contract/words';
import { Field, NumberField, Select, Switch, TextArea, TextInput } from '@markwright/controls';
import { MachineMode } from '@markwright/scene';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { api } from '../../../api.ts';
import { Card } from '../../../makers/Card.tsx';
import { ownUnit } from '../../../makers/distance.ts';
import { searchTowns } from '../../../makers/searchTowns.ts';
import { TownInput } from '../../../makers/TownInput.tsx';
import { deliveryNames, townWords } from '../../../makers/words.ts';
import { machineNames } from '../../../products/names.ts';
import { messageOf, statusOf } from '../../../request.ts';
import { loadMe } from '../../../session.tsx';
import { toast } from '../../../ui/notices.ts';
import { Skeleton, Unreadable } from '../../../ui/sections.tsx';
import { Unsaved } from '../../../ui/UnsavedChanges.tsx';
import { Materials } from './Materials.tsx';
import { Photos } from './Photos.tsx';

const OWN_MAKER = [calls.makers.own.path];

/** Photos are kept as they come, and not with the rest. */
type Draft = Omit<OwnMaker, 'id' | 'photos' | 'isListed' | 'hiddenReason'>;

export function LocalMaker() {
  const query = useQuery<OwnMaker>({ queryKey: OWN_MAKER, refetchOnMount: 'always' });
  if (query.isPending) return <Skeleton lines={5} />;
  if (!query.data) {
    return <Unreadable what="Your page could not be read." error={query.error} onRetry={() => void query.refetch()} />;
  }
  return <Own own={query.data} />;
}

function Own({ own }: { own: OwnMaker }) {
  const client = useQueryClient();
  const [edited, setEdited] = useState<Partial<Draft>>({});
  const [busy, setBusy] = useState<'save' | 'listing'>();
  const [unit] = useState(ownUnit);
  const switchId = useId();
  // Whoever comes to list a workshop comes here: the section was not there yet when the page was opened.
  useEffect(() => {
    if (location.hash === '#local-maker') document.getElementById('local-maker')?.scrollIntoView();
  }, []);
  const draft = { ...toDraft(own), ...edited };
  const isUnsaved = JSON.stringify(draft) !== JSON.stringify(toDraft(own));
  const edit = (part: Partial<Draft>) => setEdited((before) => ({ ...before, ...part }));
  const missing = [
    draft.name.trim() === '' && 'a name',
    !draft.place && 'a town',
    draft.machines.length === 0 && 'a machine',
  ].filter((what) => what !== false);

  /** True when it was done. A failure shows a notice. */
  async function attempt(act: () => Promise<OwnMaker>): Promise<boolean> {
    try {
      client.setQueryData(OWN_MAKER, await act());
      return true;
    } catch (error) {
      toast({ title: 'Your page was not changed', description: messageOf(error), variant: 'destructive' });
      if (statusOf(error) === 401) await loadMe(client);
      return false;
    }
  }
  const save = (isListed: boolean) => {
    const { place, ...fields } = draft;
    return attempt(() => api.makers.save({ body: { ...fields, placeId: place?.id ?? null, isListed } }));
  };

  async function saveAll() {
    setBusy('save');
    if (await save(own.isListed)) {
      setEdited({});
      toast({ title: 'Your page is saved', description: own.isListed ? 'Others see it like this now.' : undefined });
    }
    setBusy(undefined);
  }

  async function list(isListed: boolean) {
    setBusy('listing');
    // Out of the search at once, whatever else is not saved; into it with all that stands here.
    const isDone = isListed ? await save(true) : await attempt(() => api.makers.unlist());
    if (isDone) {
      if (isListed) setEdited({});
      toast(
        isListed
          ? { title: 'Your page is listed', description: 'People who search near you find it from now on.' }
          : { title: 'Your page is out of the search', description: 'What you wrote is kept for another time.' },
      );
    }
    setBusy(undefined);
  }

  return (
    <>
      <label htmlFor={switchId} className="flex cursor-pointer items-center gap-4 p-5">
        <span className="min-w-0 flex-1">
          <span className="font-medium">Show my page to people near me</span>
          <span className="block text-graphite">
            {own.isListed
              ? 'It is listed. Switched off, it is out of the search at once.'
              : missing.length > 0
                ? `It needs ${listOf(missing)} first.`
                : 'Nobody sees it yet.'}
          </span>
        </span>
        <Switch
          id={switchId}
          label="Show my page to people near me"
          checked={own.isListed}
          disabled={busy !== undefined || (!own.isListed && missing.length > 0)}
          onChange={(isListed) => void list(isListed)}
        />
      </label>
      {own.hiddenReason !== null && (
        <p role="alert" className="mx-5 mb-5 rounded-control border border-danger px-3 py-2.5 text-danger">
          We keep this page out of sight: {own.hiddenReason}{' '}
          <Link to="/feedback" className="underline underline-offset-4">
            Write to us
          </Link>{' '}
          when that is settled.
        </p>
      )}
      <div className="grid gap-5 border-line border-t p-5">
        <Field label="Public name" hint="As customers know you: your own, or your workshop’s.">
          {(control) => (
            <TextInput
              {...control}
              value={draft.name}
              maxLength={MAKER_LIMITS.name}
              autoComplete="organization"
              onChange={(event) => edit({ name: event.target.value })}
            />
          )}
        </Field>
        <Field label="Town" hint="The town is all we know and show of where you are.">
          {(control) => (
            <TownInput
              label="Town"
              search={searchTowns}
              id={control.id}
              describedBy={control['aria-describedby']}
              value={draft.place}
              onChange={(place: Town | null) => edit({ place })}
            />
          )}
        </Field>
        <Field
          label="About"
          hint={`What you like to make, how an order goes, what you do not do. ${MAKER_LIMITS.about - draft.about.length} characters left.`}
        >
          {(control) => (
            <TextArea
              {...control}
              value={draft.about}
              rows={5}
              maxLength={MAKER_LIMITS.about}
              onChange={(event) => edit({ about: event.target.value })}
              className="min-h-28 resize-y"
            />
          )}
        </Field>
        <Part title="Machines">
          <div className="flex flex-wrap gap-x-5 gap-y-1">
            {MachineMode.options.map((machine) => (
              <label key={machine} className="flex min-h-8 items-center gap-2">
                <input
                  type="checkbox"
                  checked={draft.machines.includes(machine)}
                  onChange={({ target }) =>
                    edit({
                      machines: MachineMode.options.filter((one) =>
                        one === machine ? target.checked : draft.machines.includes(one),
                      ),
                    })
                  }
                  className="size-4 accent-(--accent)"
                />
                {machineNames[machine]}
              </label>
            ))}
          </div>
        </Part>
        <Materials value={draft.materials} onChange={(materials) => edit({ materials })} />
        <div className="grid gap-5 sm:grid-cols-2">
          <Part title="Delivery (optional)">
            <Select
              label="Delivery"
              value={draft.delivery ?? 'unsaid'}
              options={[
                { value: 'unsaid', label: 'Not said' },
                ...Object.entries(deliveryNames).map(([value, label]) => ({ value, label })),
              ]}
              onChange={(value) => edit({ delivery: value === 'unsaid' ? null : (value as Draft['delivery']) })}
              className="h-9 w-full"
            />
          </Part>
          <Part title="Usually ready in (optional)">
            <div className="flex items-center gap-3">
              <NumberField
                label="Days until an order is ready; 0 is not said"
                value={draft.turnaroundDays ?? 0}
                min={0}
                max={MAKER_LIMITS.turnaroundDays}
                unit={draft.turnaroundDays === 1 ? 'day' : 'days'}
                onCommit={(days) => edit({ turnaroundDays: days === 0 ? null : days })}
                className="h-9! w-28"
              />
              {draft.turnaroundDays === null && <span className="text-graphite text-sm">Not said</span>}
            </div>
          </Part>
        </div>
        <Photos
          photos={own.photos}
          attempt={attempt}
          order={(photoIds) => {
            const { place, ...saved } = toDraft(own);
            return attempt(() =>
              api.makers.save({ body: { ...saved, placeId: place?.id ?? null, isListed: own.isListed, photoIds } }),
            );
          }}
        />
      </div>
      <section aria-label="Preview" className="border-line border-t p-5">
        <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-4">
          <h3 className="font-medium">How the list shows you</h3>
          {own.id && own.isListed && own.hiddenReason === null && (
            <Link
              to="/makers/$id"
              params={{ id: own.id }}
              className="inline-flex min-h-6 items-center text-accent underline underline-offset-4"
            >
              See your page
            </Link>
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
      <Unsaved
        isUnsaved={isUnsaved}
        question="What you changed on your page as a local maker is not saved yet."
        isSaving={busy === 'save'}
        onDiscard={() => setEdited({})}
        onSave={() => void saveAll()}
      />
    </>
  );
}

function toDraft({ name, about, place, machines, materials, delivery, turnaroundDays }: OwnMaker): Draft {
  return { name, about, place, machines, materials, delivery, turnaroundDays };
}

/** `a name, a town and a machine` */
const listOf = (words: readonly string[]): string => new Intl.ListFormat('en-GB').format(words);

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-medium text-graphite text-xs">{title}</legend>
      {children}
    </fieldset>
  );
}
