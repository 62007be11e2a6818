/** Monograms: letters and a font, and each style of them as a tile that adds it. */
import { Field, TextInput } from '@markwright/controls';
import { type FontSource, tightBounds, writeContours } from '@markwright/scene';
import { drawMonogram, MONOGRAM_STYLES, type MonogramDrawing, type MonogramStyle } from '@markwright/scene/monogram';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { addMonogram } from '../../core/document/newMonogram.ts';
import { useEditor, usePorts } from '../EditorProvider.tsx';
import { FontPicker } from './FontPicker.tsx';

const names: Readonly<Record<MonogramStyle, string>> = {
  row: 'Row',
  circle: 'Circle',
  vine: 'Vine',
  ring: 'Ring',
  wreath: 'Wreath',
  split: 'Split',
  stencil: 'Stencil',
};

/** The letters of the tiles until somebody types their own. */
const EXAMPLE = 'ABC';
const MOST_LETTERS = 3;

interface Props {
  /** False where the composition takes no more shapes. */
  readonly hasRoom: boolean;
}

export function MonogramForm({ hasRoom }: Props) {
  const editor = useEditor();
  const [letters, setLetters] = useState('');
  const [name, setName] = useState('');
  const [fontFamily, setFontFamily] = useState('Playfair Display');
  const text = useDeferredValue(letters.trim() === '' ? EXAMPLE : letters);
  const fonts = useFonts(text, fontFamily);
  const drawings = useMemo(
    () => MONOGRAM_STYLES.map((style) => fonts && drawMonogram({ letters: text, style, fontFamily }, fonts)),
    [fonts, text, fontFamily],
  );
  const isMissing = drawings.some((drawing) => drawing?.contours.length === 0);
  const add = (drawing: MonogramDrawing) => {
    const { command, elementId } = addMonogram(editor.getState().scene, { letters: text, fontFamily, name }, drawing);
    editor.dispatch(command);
    editor.select(elementId);
  };
  return (
    <section aria-label="Monograms" className="flex flex-col gap-2">
      <h3 className="font-medium text-graphite text-xs">Monograms</h3>
      <div className="grid grid-cols-[5rem_1fr] gap-2">
        <Field label="Letters">
          {(control) => (
            <TextInput
              {...control}
              value={letters}
              maxLength={MOST_LETTERS}
              placeholder={EXAMPLE}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => setLetters(event.target.value)}
            />
          )}
        </Field>
        <Field label="Name in a split letter">
          {(control) => (
            <TextInput
              {...control}
              value={name}
              maxLength={40}
              autoComplete="off"
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
      </div>
      <FontPicker value={fontFamily} sample={letters} isOutlined onChange={setFontFamily} />
      <div className="grid grid-cols-3 gap-1.5">
        {MONOGRAM_STYLES.map((style, i) => {
          const drawing = drawings[i];
          const isEmpty = !drawing || drawing.contours.length === 0;
          return (
            <button
              key={style}
              type="button"
              aria-label={`Add monogram: ${names[style]}`}
              disabled={!hasRoom || isEmpty}
              onClick={() => drawing && add(drawing)}
              className="flex min-w-0 flex-col items-center gap-1 rounded-control border border-line bg-paper px-1 pt-2 pb-1 text-[11px] text-ink transition-colors hover:border-ink focus-visible:outline-2 focus-visible:outline-accent disabled:pointer-events-none disabled:opacity-45"
            >
              {isEmpty ? <span className="h-14" /> : <Tile drawing={drawing} />}
              <span className="text-graphite">{names[style]}</span>
            </button>
          );
        })}
      </div>
      {isMissing && <p className="text-danger text-xs">This font does not have these letters.</p>}
    </section>
  );
}

function Tile({ drawing: { contours } }: { drawing: MonogramDrawing }) {
  const { minX, minY, maxX, maxY } = tightBounds(contours);
  return (
    <svg
      viewBox={[minX, minY, maxX - minX, maxY - minY].join(' ')}
      aria-hidden="true"
      className="h-14 w-full"
      fill="currentColor"
    >
      <path d={writeContours(contours, 2)} fillRule="evenodd" />
    </svg>
  );
}

/** Returns what outlines the letters, once their font is there. */
function useFonts(text: string, fontFamily: string): FontSource | undefined {
  const ports = usePorts();
  const [fonts, setFonts] = useState<FontSource>();
  useEffect(() => {
    let isMounted = true;
    const lines = [...text].map((letter) => ({ text: letter, fontFamily, isBold: false, isItalic: false }));
    ports.ensureFonts(lines).then(
      (source) => isMounted && setFonts(() => source),
      () => isMounted && setFonts(undefined),
    );
    return () => {
      isMounted = false;
    };
  }, [ports, text, fontFamily]);
  return fonts;
}
