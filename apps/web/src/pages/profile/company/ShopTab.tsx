/** How the shop sells: its settings for orders, prices, makers, pages and webhook, saved together. */
import { siteCalls } from '@markwright/contract/paths/siteCalls';
import type { ShopSettings } from '@markwright/contract/schemas';
import { messages } from '@markwright/contract/words';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api.ts';
import { TabLoading } from '../../../ui/pageStates.tsx';
import { Section, Unreadable } from '../../../ui/sections.tsx';
import { UnsavedChanges } from '../../../ui/UnsavedChanges.tsx';
import { useAttempt } from '../../../ui/useAttempt.ts';
import { useFirstShown } from '../../../ui/useFirstShown.ts';
import { Fonts, useFonts } from './Fonts.tsx';
import { InkProfiles, useInkProfiles } from './InkProfiles.tsx';
import { Lasers, useLasers } from './Lasers.tsx';
import { changesOf, Selling, type ShopDraft } from './Selling.tsx';
import { Starts } from './Starts.tsx';
import { ToneCurves, useToneCurves } from './ToneCurves.tsx';

const SELLING = [siteCalls.shop.settings.path];

export function ShopTab() {
  const client = useQueryClient();
  const query = useQuery<ShopSettings>({ queryKey: SELLING, refetchOnMount: 'always' });
  const lasers = useLasers();
  const toneCurves = useToneCurves();
  const inkProfiles = useInkProfiles();
  const fonts = useFonts();
  // Shown together: a card that came later would push the others down.
  const isPending = [query, lasers, toneCurves, inkProfiles, fonts].some((part) => part.isPending);
  if (!useFirstShown(isPending)) return <TabLoading />;
  return (
    <>
      <Section title="Shop" text="How the widget in your shop takes orders, and who makes them.">
        {query.data ? (
          <ShopEditor settings={query.data} />
        ) : (
          <Unreadable
            what="The settings of your shop could not be read."
            error={query.error}
            onRetry={() => void query.refetch()}
          />
        )}
      </Section>
      {query.data && (
        <Section
          title="Templates"
          text="Products that start with a design of yours in the widget. Customers change what is open in it, and nothing else."
        >
          <Starts settings={query.data} onSaved={(reply) => client.setQueryData(SELLING, reply)} />
        </Section>
      )}
      <Section title="Lasers" text="The speeds and powers that your LightBurn projects open with.">
        <Lasers query={lasers} />
      </Section>
      <Section
        title="Engraving curves"
        text="How light each material looks where it is burnt. Photographs are engraved by it."
      >
        <ToneCurves query={toneCurves} />
      </Section>
      <Section title="Fonts" text="Your own fonts, for the texts of your studio.">
        <Fonts query={fonts} />
      </Section>
      <Section title="Color profiles" text="By which your PDF and TIFF files for UV printers get their four inks.">
        <InkProfiles query={inkProfiles} />
      </Section>
    </>
  );
}

function ShopEditor({ settings }: { settings: ShopSettings }) {
  const client = useQueryClient();
  const attempt = useAttempt();
  const [draft, setDraft] = useState<ShopDraft>({});
  const [isSaving, setSaving] = useState(false);
  const changes = changesOf(settings, draft);
  const changeCount = Object.keys(changes).length;
  const cache = (reply: ShopSettings) => client.setQueryData(SELLING, reply);

  async function save() {
    setSaving(true);
    await attempt(messages.updateFailed, async () => {
      cache(await api.shop.update({ body: changes }));
      setDraft({});
      return { title: 'Shop updated', description: 'The widget in your shop follows from now on.' };
    });
    setSaving(false);
  }

  return (
    <>
      <div className="px-5 pt-2 pb-1">
        <Selling savedSettings={settings} draft={draft} onChange={setDraft} onSaved={cache} />
      </div>
      <UnsavedChanges
        isUnsaved={changeCount > 0}
        what={changeCount === 1 ? '1 setting' : `${changeCount} settings`}
        question="What you changed about your shop is not saved."
        isSaving={isSaving}
        onDiscard={() => setDraft({})}
        onSave={() => void save()}
      />
    </>
  );
}
