/** The products that start with a template in the shop's widget: chosen from the library, and emptied again. */
import type { ProductStart, SavedElements, ShopSettings } from '@markwright/contract/schemas';
import { messages } from '@markwright/contract/words';
import { Button, IconButton } from '@markwright/controls';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../../api.ts';
import { Link } from '../../../navigation.tsx';
import { messageOf } from '../../../request.ts';
import { Problem } from '../../../ui/Problem.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { useAttempt } from '../../../ui/useAttempt.ts';

interface StartsProps {
  readonly settings: ShopSettings;
  /** Called with the settings that the server has stored. */
  onSaved(settings: ShopSettings): void;
}

export function Starts({ settings, onSaved }: StartsProps) {
  const attempt = useAttempt();
  const [busyId, setBusyId] = useState<string>();
  const remove = async (productId: string, { productName }: ProductStart) => {
    setBusyId(productId);
    await attempt(messages.requestFailed, async () => {
      onSaved(await api.shop.removeStart({ params: { id: productId } }));
      return { title: `${productName} starts empty`, description: 'Designs that customers saved stay as they are.' };
    });
    setBusyId(undefined);
  };
  const starts = Object.entries(settings.starts);
  return (
    <>
      {starts.length > 0 && (
        <ul aria-label="Products with a template">
          {starts.map(([productId, start]) => (
            <li
              key={productId}
              className="flex min-h-[68px] items-center gap-x-3 border-line px-5 py-3 not-first:border-t"
            >
              <img
                src={start.previewUrl}
                alt=""
                loading="lazy"
                className="size-12 shrink-0 rounded-control bg-bone object-contain"
              />
              <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
                <p className="font-medium">{start.productName}</p>
                <p className="text-graphite text-sm">Starts with: {start.name}</p>
              </div>
              <IconButton
                icon="trash"
                label={`Start ${start.productName} empty`}
                disabled={busyId === productId}
                onClick={() => void remove(productId, start)}
              />
            </li>
          ))}
        </ul>
      )}
      <AddForm onSaved={onSaved} />
    </>
  );
}

const TEMPLATES = ['templates of the library'];

/** Reads all pages: an account keeps 500 entries at most. */
async function readTemplates(signal: AbortSignal): Promise<SavedElements[]> {
  const templates: SavedElements[] = [];
  let before: string | undefined;
  do {
    const page = await api.library.list({ query: { kind: 'template', before } }, { signal });
    templates.push(...page.entries);
    before = page.next ?? undefined;
  } while (before !== undefined);
  return templates;
}

function AddForm({ onSaved }: Pick<StartsProps, 'onSaved'>) {
  const templates = useQuery({
    queryKey: TEMPLATES,
    queryFn: ({ signal }) => readTemplates(signal),
    refetchOnMount: 'always',
  });
  const [chosenId, setChosenId] = useState<string>();
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const id = chosenId ?? templates.data?.[0]?.id;
  const add = async (event: FormEvent) => {
    event.preventDefault();
    if (id === undefined) return;
    setSending(true);
    setProblem(undefined);
    try {
      onSaved(await api.shop.addStart({ body: { entryId: id } }));
    } catch (error) {
      setProblem(messageOf(error));
    }
    setSending(false);
  };
  if (id === undefined) {
    return (
      <p className="border-line px-5 py-4 text-graphite not-first:border-t">
        {templates.isPending ? (
          'Loading your templates'
        ) : templates.error ? (
          messageOf(templates.error)
        ) : (
          <>
            You have no template yet.{' '}
            <Link to="/studio" className="text-accent underline underline-offset-4">
              Design one in the studio
            </Link>{' '}
            and keep it in “My library”.
          </>
        )}
      </p>
    );
  }
  return (
    <form
      onSubmit={(event) => void add(event)}
      className="flex flex-wrap items-end gap-3 border-line px-5 py-4 not-first:border-t"
    >
      <SelectField
        label="Template"
        value={id}
        options={(templates.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        onChange={setChosenId}
        className="min-w-0 max-w-[420px] flex-[1_1_220px]"
        selectClassName="h-9 w-full pointer-coarse:h-11"
      />
      <Button type="submit" isBusy={isSending} className="h-9 pointer-coarse:h-11">
        Start its product with it
      </Button>
      <Problem className="w-full">{problem}</Problem>
    </form>
  );
}
