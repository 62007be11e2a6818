/** The categories of the base catalogue: add, rename, delete. */
import type { BaseCategory } from '@markwright/contract/schemas';
import { messages } from '@markwright/contract/words';
import { Button, IconButton, TextInput } from '@markwright/controls';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { api } from '../../../api.ts';
import { useForm } from '../../../ui/useForm.ts';
import { Count } from './Count.tsx';
import { useChange } from './changes.ts';

interface CategoriesProps {
  readonly categories: readonly BaseCategory[];
  onDelete(category: BaseCategory): void;
}

export function Categories({ categories, onDelete }: CategoriesProps) {
  const change = useChange();
  const [name, setName] = useState('');
  const { formProps, isBusy } = useForm({
    names: [],
    async submit() {
      const isAdded = await change(messages.categoryCreateFailed, async () => {
        const category = await api.catalogue.addCategory({ body: { name } });
        return { title: `${category.name} added`, description: 'Studios show it once it has a product.' };
      });
      if (isAdded) setName('');
      return undefined;
    },
  });
  return (
    <>
      <form {...formProps} className="flex items-center gap-2 border-line border-b p-3">
        <TextInput
          aria-label="Name of a new category"
          placeholder="New category"
          value={name}
          maxLength={120}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" icon="plus" isBusy={isBusy} disabled={name.trim() === ''}>
          Add
        </Button>
      </form>
      {categories.length === 0 ? (
        <p className="px-5 py-10 text-center text-graphite">No categories yet.</p>
      ) : (
        <ul aria-label="Categories" className="p-2">
          {categories.map((category) => (
            <li key={category.id}>
              <CategoryLine category={category} onDelete={() => onDelete(category)} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Shows a category with its number of products. While it is renamed, shows a field with Confirm and Cancel. */
function CategoryLine({ category, onDelete }: { category: BaseCategory; onDelete(): void }) {
  const change = useChange();
  const [draft, setDraft] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const pencil = useRef<HTMLButtonElement>(null);
  const isEditing = draft !== undefined;
  const wasEditing = useRef(false);
  useEffect(() => {
    if (isEditing) input.current?.select();
    else if (wasEditing.current) pencil.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);

  const { formProps, isBusy } = useForm({
    names: [],
    async submit() {
      const name = draft?.trim() ?? '';
      if (name === '') return undefined;
      const isStored =
        name === category.name ||
        (await change(messages.categoryUpdateFailed, async () => {
          const reply = await api.catalogue.renameCategory({ params: { id: category.id }, body: { name } });
          return { title: `${category.name} is now ${reply.name}`, description: 'Its products moved with it.' };
        }));
      if (isStored) setDraft(undefined);
      return undefined;
    },
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setDraft(undefined);
  };
  if (isEditing) {
    return (
      <form {...formProps} className="flex items-center gap-1 py-0.5 pl-1">
        <TextInput
          ref={input}
          aria-label={`New name of ${category.name}`}
          value={draft}
          maxLength={120}
          autoComplete="off"
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <IconButton
          type="submit"
          icon="check"
          label={`Rename ${category.name}`}
          disabled={isBusy || draft.trim() === ''}
        />
        <IconButton icon="close" label="Cancel" onClick={() => setDraft(undefined)} />
      </form>
    );
  }
  return (
    <div className="flex min-h-10 items-center gap-1 rounded-control py-1 pl-3 hover:bg-ink/4">
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{category.name}</span>
      <Count value={category.productCount} />
      <IconButton
        ref={pencil}
        icon="pencil"
        label={`Rename ${category.name}`}
        onClick={() => setDraft(category.name)}
      />
      <IconButton icon="trash" label={`Delete ${category.name}`} onClick={onDelete} />
    </div>
  );
}
