import {
  Button,
  ButtonGroup,
  Icon,
  IconButton,
  lazyPart,
  NumberField,
  Row,
  SegmentedControl,
  TextArea,
} from '@markwright/controls';
import { chooseFace, findFont } from '@markwright/fonts';
import {
  findMissingLetters,
  LETTER_SPACING,
  LINE_SPACING,
  MAX_TEXT_LENGTH,
  MAX_TEXTS,
  missingLettersSentence,
  newText,
  TEXT_HEIGHT_INCHES,
  type TextElement,
  textElementId,
  textsOf,
} from '@markwright/scene';
import { type RefObject, Suspense, useEffect, useId, useMemo, useRef, useState } from 'react';
import { findText } from '../../core/document/editor.ts';
import { newId } from '../../core/document/ids.ts';
import { MM_PER_INCH } from '../../core/document/measure.ts';
import { placeNewText } from '../../core/document/newText.ts';
import { useEditor, useEditorState } from '../EditorProvider.tsx';
import { FitButton } from '../stage/SelectionBar.tsx';
import { ProductRequired } from './DesignPanel.tsx';
import { FontPicker } from './FontPicker.tsx';
import { type RangeRowProps, StyleSlider, styleNames, type TextStyle } from './StyleSlider.tsx';
import { TextColors } from './TextColors.tsx';
import { textIcons } from './textIcons.ts';

const toStyle = (text: TextElement): TextStyle =>
  Object.fromEntries(styleNames.map((name) => [name, text[name]])) as unknown as TextStyle;

const firstStyle = toStyle(newText('new'));

interface TextPanelProps {
  readonly className?: string;
  /** False where another list of what is on the product stands beside the panel. */
  readonly hasList?: boolean;
}

/** Add Text: words, their face and their color. What is typed shows on the product at once. */
export function TextPanel({ className = '', hasList = true }: TextPanelProps) {
  const hasProduct = useEditorState((state) => state.composition.productId !== undefined);
  if (!hasProduct) return <ProductRequired className={className} />;
  return <TextForm className={className} hasList={hasList} />;
}

function TextForm({ className, hasList }: Required<TextPanelProps>) {
  const editor = useEditor();
  const textCount = useEditorState((state) => textsOf(state.composition).length);
  // Ignores the place of the text, so that a drag does not render the form again.
  const selectedText = useEditorState(({ composition, selection }) => findText(composition, selection), hasSameStyle);
  /** The style of the next text. */
  const [nextStyle, setNextStyle] = useState<TextStyle>(firstStyle);
  const field = useRef<HTMLTextAreaElement>(null);
  useCaretInTextToEdit(field, selectedText?.id);
  const typing = useTyping(selectedText, nextStyle);
  const fieldId = useId();

  const isLocked = selectedText?.isLocked ?? false;
  const style: TextStyle = selectedText ? toStyle(selectedText) : nextStyle;
  const change = (changes: Partial<TextStyle>) => {
    // The next text starts where this one left off.
    setNextStyle({ ...style, ...changes });
    if (selectedText) editor.dispatch({ type: 'updateText', id: selectedText.id, changes });
  };
  const startNew = () => {
    typing.finish();
    editor.select(undefined);
    field.current?.focus();
  };

  return (
    <div className={`flex flex-col gap-3 low:gap-2 ${className}`}>
      <div className="flex flex-col gap-1.5 low:gap-1">
        <div className="-mt-1 flex items-center">
          <label htmlFor={fieldId} className="mr-auto text-xs font-medium text-graphite">
            {isLocked ? 'Locked text' : selectedText ? 'Edit text' : 'New text'}
          </label>
          {selectedText && !isLocked && <FitButton />}
          <Button
            variant="ghost"
            size="sm"
            icon="plus"
            disabled={!selectedText || textCount >= MAX_TEXTS}
            onClick={startNew}
          >
            Add text
          </Button>
        </div>
        <TextArea
          ref={field}
          id={fieldId}
          rows={2}
          maxLength={MAX_TEXT_LENGTH}
          placeholder="Type a name, a date, a joke"
          value={typing.value}
          disabled={isLocked || (!selectedText && textCount >= MAX_TEXTS)}
          onChange={(event) => typing.change(event.target.value)}
          onBlur={typing.finish}
          className="field-sizing-content max-h-32 min-h-15 resize-none low:min-h-9 low:py-1.5"
        />
        <div role="status">{selectedText && <LeftOut text={selectedText} />}</div>
      </div>

      <div inert={isLocked} className={`flex flex-col gap-3 low:gap-2 ${isLocked ? 'opacity-45' : ''}`}>
        <FontPicker value={style.fontFamily} sample={typing.value} onChange={(fontFamily) => change({ fontFamily })} />
        <div className="flex items-center justify-between gap-2">
          <FaceButtons style={style} onChange={change} />
          <SegmentedControl
            label="Align"
            value={style.textAlign}
            options={[
              { value: 'left', label: 'Align left', icon: textIcons.alignLeft },
              { value: 'center', label: 'Align center', icon: textIcons.alignCenter },
              { value: 'right', label: 'Align right', icon: textIcons.alignRight },
            ]}
            onChange={(textAlign) => change({ textAlign })}
            className="w-28"
          />
        </div>
        <div className="flex flex-col gap-1">
          <SizeRow selectedId={selectedText?.id} style={style} onChange={change} />
          <SpacingRow style={style} onChange={change} />
          <Suspense fallback={<div className="h-7 pointer-coarse:h-9" />}>
            <CurveRows text={selectedText} style={style} onChange={change} />
          </Suspense>
        </div>
        <TextColors color={style.color} onChange={(color) => change({ color })} />
      </div>
      {hasList && <TextList selectedId={selectedText?.id} onEdit={() => field.current?.focus()} />}
    </div>
  );
}

const CurveRows = lazyPart(() => import('./CurveRows.tsx').then((part) => ({ default: part.CurveRows })));

/** Names the letters that no font has: without a warning they would be missed only on the finished piece. */
function LeftOut({ text }: { text: TextElement }) {
  const fonts = useEditorState((state) => state.assets.fonts);
  const letters = useMemo(() => findMissingLetters(text, fonts)?.letters, [text, fonts]);
  return letters ? <p className="text-danger text-sm">{missingLettersSentence(letters)}</p> : null;
}

/** Moves the caret into the words of the text that is to be edited, all of them selected. */
function useCaretInTextToEdit(field: RefObject<HTMLTextAreaElement | null>, selectedId: string | undefined): void {
  const editor = useEditor();
  const textToEdit = useEditorState((state) => state.textToEdit);
  useEffect(() => {
    if (textToEdit === undefined || textToEdit !== selectedId) return;
    // A frame later: the step that holds the field may only just have been opened.
    const frame = requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.select();
      editor.editText(undefined);
    });
    return () => cancelAnimationFrame(frame);
  }, [textToEdit, selectedId, editor, field]);
}

function hasSameStyle(a: TextElement | undefined, b: TextElement | undefined): boolean {
  if (!a || !b) return a === b;
  return (
    a.id === b.id &&
    a.text === b.text &&
    a.isLocked === b.isLocked &&
    a.circle === b.circle &&
    styleNames.every((name) => a[name] === b[name])
  );
}

/**
 * Keeps the draft of the text field: raw while typed, trimmed on the product, one undo step when the field is left. A
 * text that is blank after trimming never reaches the product; a new text left blank does not exist.
 */
function useTyping(selectedText: TextElement | undefined, style: TextStyle) {
  const editor = useEditor();
  const [draft, setDraft] = useState<{ id: string; isNew: boolean; raw: string }>();
  const isForThis = draft && (selectedText ? draft.id === selectedText.id : draft.raw.trim() === '');
  const value = isForThis ? draft.raw : (selectedText?.text ?? '');

  return {
    value,
    change(raw: string) {
      const text = raw.trim();
      const isRunning = isForThis && editor.getState().isGesturing;
      const session = isForThis
        ? { ...draft, raw, isNew: draft.isNew && (isRunning || !selectedText) }
        : { id: selectedText?.id ?? newId(), isNew: !selectedText, raw };
      setDraft(session);
      if (text === '') return;
      if (!isRunning) editor.beginGesture();
      const { id, isNew } = session;
      if (isNew) {
        const element = { ...style, id, text };
        editor.updateGesture({
          type: 'addText',
          element: { ...element, ...placeNewText(editor.getState().scene, element) },
        });
      } else {
        editor.updateGesture({ type: 'updateText', id, changes: { text } });
      }
      editor.select(`text:${id}`);
    },
    finish() {
      if (!draft) return;
      setDraft(undefined);
      if (!editor.getState().isGesturing) return;
      if (draft.raw.trim() === '') editor.cancelGesture();
      else editor.commitGesture();
    },
  };
}

function FaceButtons({ style, onChange }: { style: TextStyle; onChange(changes: Partial<TextStyle>): void }) {
  const font = findFont(style.fontFamily);
  const regular = chooseFace(font, { isBold: false, isItalic: false });
  const hasBold = chooseFace(font, { isBold: true, isItalic: false }) !== regular;
  const hasItalic = chooseFace(font, { isBold: false, isItalic: true }) !== regular;
  const isBold = style.fontWeight === 'bold';
  const isItalic = style.fontStyle === 'italic';
  const isUnderlined = style.textDecoration === 'underline';
  return (
    <ButtonGroup label="Style">
      <IconButton
        icon={textIcons.bold}
        label={hasBold ? 'Bold' : `${font.name} has no bold`}
        isPressed={isBold && hasBold}
        disabled={!hasBold}
        onClick={() => onChange({ fontWeight: isBold ? 'normal' : 'bold' })}
      />
      <IconButton
        icon={textIcons.italic}
        label={hasItalic ? 'Italic' : `${font.name} has no italic`}
        isPressed={isItalic && hasItalic}
        disabled={!hasItalic}
        onClick={() => onChange({ fontStyle: isItalic ? 'normal' : 'italic' })}
      />
      <IconButton
        icon={textIcons.underline}
        label="Underline"
        isPressed={isUnderlined}
        onClick={() => onChange({ textDecoration: isUnderlined ? 'none' : 'underline' })}
      />
    </ButtonGroup>
  );
}

function SizeRow(props: RangeRowProps) {
  const { heightInches } = props.style;
  return (
    <Row label="Size">
      <StyleSlider
        {...props}
        {...TEXT_HEIGHT_INCHES}
        name="heightInches"
        label="Text size"
        valueText={`${heightInches.toFixed(2)} in, ${(heightInches * MM_PER_INCH).toFixed(1)} mm`}
      />
      <NumberField
        label="Text size in inches"
        value={heightInches}
        {...TEXT_HEIGHT_INCHES}
        decimals={2}
        unit="in"
        onCommit={(next) => props.onChange({ heightInches: next })}
        className="w-[68px]"
      />
    </Row>
  );
}

function SpacingRow({ style, onChange }: Pick<RangeRowProps, 'style' | 'onChange'>) {
  return (
    <Row label="Spacing">
      <NumberField
        label="Letter spacing in percent of the text size"
        prefix={<Icon name={textIcons.letterSpacing} className="size-4" />}
        value={style.letterSpacing}
        {...LETTER_SPACING}
        unit="%"
        onCommit={(letterSpacing) => onChange({ letterSpacing })}
        className="min-w-0 flex-1"
      />
      <NumberField
        label="Line spacing in percent"
        prefix={<Icon name={textIcons.lineSpacing} className="size-4" />}
        value={style.lineSpacing}
        {...LINE_SPACING}
        unit="%"
        onCommit={(lineSpacing) => onChange({ lineSpacing })}
        className="min-w-0 flex-1"
      />
    </Row>
  );
}

const isSameList = (a: readonly TextElement[], b: readonly TextElement[]) =>
  a.length === b.length &&
  a.every((text, index) => hasSameStyle(text, b[index]) && text.isFlipped === b[index]!.isFlipped);

function TextList({ selectedId, onEdit }: { selectedId: string | undefined; onEdit(): void }) {
  const editor = useEditor();
  const texts = useEditorState((state) => textsOf(state.composition), isSameList);
  if (texts.length === 0) return null;
  return (
    <ul aria-label="Texts" className="flex flex-col border-t border-line pt-2">
      {texts.map(({ id, text, color, isFlipped, isLocked }) => (
        <li
          key={id}
          className={`group flex h-9 items-center gap-1 rounded-control pl-2 pointer-coarse:h-11 ${id === selectedId ? 'bg-accent-soft' : 'hover:bg-ink/4'}`}
        >
          <button
            type="button"
            aria-label={`Edit ${text}`}
            aria-current={id === selectedId || undefined}
            onClick={() => {
              editor.select(`text:${id}`);
              onEdit();
            }}
            className="flex h-full min-w-0 flex-1 items-center gap-2 rounded-control text-left text-sm focus-visible:outline-2 focus-visible:outline-accent"
          >
            <span className="size-2.5 shrink-0 rounded-full border border-edge/60" style={{ background: color }} />
            <span className="truncate">{text}</span>
          </button>
          <IconButton
            icon="flip"
            size="sm"
            label={`Flip ${text}`}
            isPressed={isFlipped}
            disabled={isLocked}
            onClick={() => editor.dispatch({ type: 'flip', elementId: `text:${id}` })}
          />
          <IconButton
            icon="trash"
            size="sm"
            label={`Remove ${text}`}
            disabled={isLocked}
            onClick={() => editor.dispatch({ type: 'remove', elementId: textElementId(id) })}
          />
        </li>
      ))}
      {texts.length >= MAX_TEXTS && (
        <li className="flex items-center gap-1.5 px-2 py-1 text-xs text-graphite">
          <Icon name="text" className="size-4" />A product takes {MAX_TEXTS} texts. Remove one to add another.
        </li>
      )}
    </ul>
  );
}
