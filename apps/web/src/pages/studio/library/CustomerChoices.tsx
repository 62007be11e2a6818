/** What a customer may change of the selected element, once the design is a template that a product starts with. */
import { More } from '@markwright/controls';
import { useEditor, useEditorState } from '@markwright/editor';
import { findElement, toElementName } from '@markwright/scene';
import { type CustomerPart, customerPartsOf, openPartsOf } from '@markwright/scene/customer';
import { useSession } from '../../../session.tsx';

const labels: Readonly<Record<CustomerPart, string>> = {
  words: 'Words',
  color: 'Color',
  picture: 'Picture',
  place: 'Place and size',
};

const sayOpen = (parts: readonly CustomerPart[]): string =>
  parts.length === 0
    ? 'Customer may change'
    : `Customer may change: ${parts.map((part) => labels[part].toLowerCase()).join(', ')}`;

/** The folded group below the numbers of the one element that is selected. Only accounts keep templates. */
export function CustomerChoices({ className = '' }: { className?: string }) {
  const editor = useEditor();
  const { user } = useSession();
  const element = useEditorState(({ composition, selectedIds }) =>
    selectedIds.length === 1 ? findElement(composition, selectedIds[0]) : undefined,
  );
  const elementId = useEditorState(({ selectedIds }) => selectedIds[0]);
  if (!user || !element || !elementId) return null;
  const openParts = openPartsOf(element);
  const setOpen = (part: CustomerPart, isOpen: boolean) => {
    const parts = customerPartsOf(element).filter((each) => (each === part ? isOpen : openParts.includes(each)));
    const customer = Object.fromEntries(parts.map((each) => [each, true as const]));
    editor.dispatch({ type: 'setCustomer', elementId, customer });
  };
  return (
    <div className={className}>
      <More label={sayOpen(openParts)}>
        <fieldset className="flex flex-wrap gap-x-4">
          <legend className="sr-only">What a customer may change of {toElementName(element)}</legend>
          {customerPartsOf(element).map((part) => (
            <label
              key={part}
              className="flex min-h-8 cursor-pointer items-center gap-2 text-sm pointer-coarse:min-h-11"
            >
              <input
                type="checkbox"
                className="size-[18px] shrink-0 accent-accent"
                checked={openParts.includes(part)}
                onChange={(event) => setOpen(part, event.target.checked)}
              />
              {labels[part]}
            </label>
          ))}
        </fieldset>
        <p className="text-graphite text-xs">For templates: keep this design as one in “My library”.</p>
      </More>
    </div>
  );
}
