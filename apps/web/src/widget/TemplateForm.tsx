/** What a customer may change of a product that starts with a template: a short form above the place in numbers. */
import { DESIGN_ACCEPT } from '@markwright/contract/words';
import { Button, Field, HiddenFileInput, TextArea, TextInput } from '@markwright/controls';
import { TextColors, useDesignFlow, useEditor, useEditorState, useStore } from '@markwright/editor';
import {
  type ArtworkElement,
  type Command,
  type Composition,
  type CompositionElement,
  elementIdOf,
  findElement,
  isArtwork,
  isText,
  MAX_CODE_LENGTH,
  MAX_TEXT_LENGTH,
  toElementName,
} from '@markwright/scene';
import {
  countOpenParts,
  openPartsOf,
  readWords,
  type WordsField,
  wordsFieldsOf,
  writeWords,
} from '@markwright/scene/customer';
import { type ReactNode, useRef } from 'react';

interface TemplateFormProps {
  readonly template: Composition;
  /** The place of what may be moved. */
  readonly place: ReactNode;
}

export function TemplateForm({ template, place }: TemplateFormProps) {
  const open = (part: 'color' | 'picture') =>
    template.elements.filter((element) => openPartsOf(element).includes(part));
  const isAnyOpen = countOpenParts(template) > 0;
  return (
    <section aria-labelledby="template-title" className="px-4 py-4">
      <h2 id="template-title" className="text-base">
        {isAnyOpen ? 'Make it yours' : 'Made as it is'}
      </h2>
      <p className="mt-0.5 text-graphite text-sm">
        {isAnyOpen ? 'The rest of the design stays as it is.' : 'This design is finished: nothing is left to fill in.'}
      </p>
      <div className="mt-3 flex flex-col gap-4 empty:hidden">
        {wordsFieldsOf(template).map((field) => (
          <Words key={field.elementIds.join(' ') + field.label} template={template} field={field} />
        ))}
        {open('picture')
          .filter(isArtwork)
          .map((artwork) => (
            <Picture key={artwork.id} artwork={artwork} />
          ))}
        {open('color').map((element) => (
          <Color key={elementIdOf(element)} element={element} />
        ))}
      </div>
      {place}
    </section>
  );
}

/** What is typed shows on the product at once, and is one step to undo. */
function Words({ template, field }: { template: Composition; field: WordsField }) {
  const editor = useEditor();
  const composition = useEditorState((state) => state.composition);
  const element = findElement(template, field.elementIds[0]);
  const isLong = field.column === undefined && element && isText(element) && element.text.includes('\n');
  const control = {
    value: readWords(template, composition, field) ?? '',
    maxLength: element && isText(element) ? MAX_TEXT_LENGTH : MAX_CODE_LENGTH,
    autoComplete: 'off',
    onBlur: () => editor.commitGesture(),
    onChange(event: { readonly target: { readonly value: string } }) {
      if (!editor.getState().isGesturing) editor.beginGesture();
      editor.stepGesture(writeWords(template, editor.getState().composition, field, event.target.value));
    },
  };
  return (
    <Field label={field.label}>
      {(attributes) =>
        isLong ? <TextArea rows={3} {...attributes} {...control} /> : <TextInput {...attributes} {...control} />
      }
    </Field>
  );
}

function Color({ element }: { element: CompositionElement }) {
  const editor = useEditor();
  const elementId = elementIdOf(element);
  const color = useEditorState(({ composition }) => {
    const now = findElement(composition, elementId);
    return now && !isArtwork(now) ? now.color : undefined;
  });
  if (color === undefined) return null;
  const name = toElementName(element);
  return (
    <div>
      <p className="font-medium text-graphite text-xs">{name}</p>
      <TextColors
        legend={`Color of ${name}`}
        color={color}
        onChange={(next) => editor.dispatch(colorCommand(element, next))}
      />
    </div>
  );
}

function colorCommand({ kind, id }: CompositionElement, color: string): Command {
  if (kind === 'text') return { type: 'updateText', id, changes: { color } };
  return kind === 'code'
    ? { type: 'updateCode', id, changes: { color } }
    : { type: 'updateShape', id, changes: { color } };
}

/** The customer's picture takes the place of the template's, as large as that. */
function Picture({ artwork }: { artwork: ArtworkElement }) {
  const designs = useDesignFlow();
  const panel = useStore(designs, () => designs.panels().get(artwork.id));
  const picker = useRef<HTMLInputElement>(null);
  const name = toElementName(artwork);
  const isBusy = panel?.status === 'uploading' || panel?.job !== undefined;
  return (
    <div>
      <p className="font-medium text-graphite text-xs">{name}</p>
      <div className="mt-1 flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <Button icon="image" isBusy={isBusy} onClick={() => picker.current?.click()}>
          Choose your picture
        </Button>
        <span role="status" className="min-w-0 truncate text-graphite text-sm">
          {panel?.failure ??
            (panel?.status === 'uploading' ? 'Uploading' : isBusy ? 'Preparing the picture' : panel?.filename)}
        </span>
      </div>
      <HiddenFileInput
        ref={picker}
        label={`Your picture in place of ${name}`}
        accept={DESIGN_ACCEPT}
        onChoose={([file]) => file && void designs.replace(artwork.id, file)}
      />
    </div>
  );
}
