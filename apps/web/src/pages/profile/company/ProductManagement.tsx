/** The products of an account: the base products that its studio shows, its own products, its company's name. */
import { siteCalls } from '@markwright/contract/paths/siteCalls';
import type { BaseCategory, Company } from '@markwright/contract/schemas';
import { messages } from '@markwright/contract/words';
import { Button, type Tab, Tabs } from '@markwright/controls';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api.ts';
import { COMPANY, refreshCompany } from '../../../products/shownProducts.ts';
import { messageOf, statusOf } from '../../../request.ts';
import { loadMe } from '../../../session.tsx';
import { toast } from '../../../ui/notices.ts';
import { UnsavedChanges } from '../../../ui/UnsavedChanges.tsx';
import { BaseCategories } from './BaseCategories.tsx';
import { CompanySettings } from './CompanySettings.tsx';
import { CustomProducts } from './CustomProducts.tsx';
import type { Shop, ShopChange } from './shop.ts';

type Room = 'base' | 'custom' | 'settings';

export function ProductManagement() {
  const client = useQueryClient();
  const settings = useQuery<Company>({ queryKey: COMPANY, refetchOnMount: 'always' });
  const categories = useQuery<BaseCategory[]>({ queryKey: [siteCalls.catalogue.baseCategories.path] });
  const queries = [settings, categories];

  if (settings.data && categories.data) {
    const change = async (what: ShopChange) => {
      try {
        const company = await api.company.updateSettings({ body: what });
        client.setQueryData(COMPANY, company);
        void refreshCompany(client);
        return company;
      } catch (error) {
        toast({ title: messages.updateFailed, description: messageOf(error), variant: 'destructive' });
        if (statusOf(error) === 401) await loadMe(client);
        else void categories.refetch(); // a category may have been deleted
        return undefined;
      }
    };
    return <Rooms company={settings.data} categories={categories.data} change={change} />;
  }
  const failedQuery = queries.find(({ error }) => error !== null);
  if (!failedQuery) return <Waiting />;
  const retry = () => {
    for (const query of queries) if (query.error) void query.refetch();
  };
  return (
    <CompanyUnreadable error={failedQuery.error} isBusy={queries.some((query) => query.isFetching)} onRetry={retry} />
  );
}

function Rooms(shop: Shop) {
  const { company, categories } = shop;
  const [room, setRoom] = useState<Room>('base');
  const [draft, setDraft] = useState<ReadonlySet<string>>();
  const [isSaving, setSaving] = useState(false);

  const savedCategories = new Set(company.enabledBaseCategories);
  const enabledCategories = draft ?? savedCategories;
  const changeCount = categories.filter(({ name }) => enabledCategories.has(name) !== savedCategories.has(name)).length;

  async function save() {
    setSaving(true);
    const enabledBaseCategories = categories.map(({ name }) => name).filter((name) => enabledCategories.has(name));
    if (await shop.change({ enabledBaseCategories })) {
      setDraft(undefined);
      toast({
        title: 'Base products updated',
        description: `Your studio shows ${enabledBaseCategories.length} of ${categories.length} categories.`,
      });
    }
    setSaving(false);
  }

  const rooms: readonly Tab<Room>[] = [
    {
      value: 'base',
      label: 'Base Products',
      content: <BaseCategories {...shop} enabledNames={enabledCategories} onChange={setDraft} />,
    },
    { value: 'custom', label: 'Custom Products', content: <CustomProducts {...shop} /> },
    { value: 'settings', label: 'Settings', content: <CompanySettings {...shop} /> },
  ];
  return (
    <>
      <Tabs<Room> label="Product management" value={room} onChange={setRoom} tabs={rooms} className="px-5 pt-2 pb-5" />
      <UnsavedChanges
        isUnsaved={changeCount > 0}
        what={changeCount === 1 ? '1 category' : `${changeCount} categories`}
        question="The categories you switched on or off are not saved."
        isSaving={isSaving}
        onDiscard={() => setDraft(undefined)}
        onSave={() => void save()}
      />
    </>
  );
}

function CompanyUnreadable({ error, isBusy, onRetry }: { error: unknown; isBusy: boolean; onRetry(): void }) {
  return (
    <div role="alert" className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 p-5">
      <div className="min-w-0">
        <h3 className="font-medium">{messages.companyUnreadable}</h3>
        <p className="text-graphite">{messageOf(error)}</p>
      </div>
      <Button icon="refresh" isBusy={isBusy} onClick={onRetry}>
        Retry
      </Button>
    </div>
  );
}

function Waiting() {
  return (
    <div role="status" className="px-5 pt-2 pb-5">
      <span className="sr-only">Loading</span>
      <div className="flex h-9 items-center gap-4 border-line border-b">
        {['w-24', 'w-28', 'w-16'].map((width) => (
          <span key={width} className={`h-3 animate-pulse rounded-full bg-ink/6 ${width}`} />
        ))}
      </div>
      {[44, 30, 52, 38, 46].map((width) => (
        <div key={width} className="flex h-12 items-center justify-between gap-4">
          <span className="h-3 animate-pulse rounded-full bg-ink/6" style={{ width: `${width}%` }} />
          <span className="h-6 w-10 animate-pulse rounded-full bg-ink/6" />
        </div>
      ))}
    </div>
  );
}
