/** Add codes, shapes and icons: galleries of them, and above them the measures of the chosen one. */
import { Icon, lazyPart } from '@markwright/controls';
import {
  codesOf,
  type FigureDrawing,
  type FigureElement,
  figuresOf,
  isCode,
  kindOfId,
  MAX_CODES,
  MAX_SHAPES,
  textsOf,
} from '@markwright/scene';
import { Suspense, useEffect, useRef, useState } from 'react';
import { loadFigures } from '../../core/document/assets.ts';
import {
  addFigure,
  codePresets,
  type FigurePreset,
  framePresets,
  shapePresets,
} from '../../core/document/newFigure.ts';
import { useEditor, useEditorState, usePorts } from '../EditorProvider.tsx';
import { FigureFields } from './FigureFields.tsx';
import { kindIcons } from './kindIcons.ts';
import { setNewCode } from './newCodeFocus.ts';

interface FigurePanelProps {
  readonly className?: string;
  /** False where the fields of what is chosen stand beside the panel. */
  readonly hasFields?: boolean;
}

export function FigurePanel({ className = '', hasFields = true }: FigurePanelProps) {
  const editor = useEditor();
  const { icons } = usePorts();
  const codeCount = useEditorState(({ composition }) => codesOf(composition).length);
  const shapeCount = useEditorState(({ composition }) => figuresOf(composition).length - codesOf(composition).length);
  const textCount = useEditorState(({ composition }) => textsOf(composition).length);
  const only = useEditorState(({ selection }) =>
    selection && selection !== 'machineArea' && ['code', 'shape'].includes(kindOfId(selection)) ? selection : undefined,
  );
  const hasFailed = useFigures();
  const fields = useRef<HTMLDivElement>(null);
  // What is added is changed next, and its fields stand above the gallery.
  useEffect(() => {
    if (only) fields.current?.scrollIntoView({ block: 'start' });
  }, [only]);
  const add = (figure: FigureElement) => {
    const { command, elementId } = addFigure(editor.getState().scene, figure);
    if (isCode(figure)) setNewCode(elementId);
    editor.dispatch(command);
    editor.select(`${figure.kind}:${elementId}`);
  };
  return (
    <div className={`flex flex-col gap-3 low:gap-2 ${className}`}>
      {hasFailed && <p className="text-danger text-sm">Codes and shapes did not load. Check your connection.</p>}
      {hasFields && only && (
        <div ref={fields} className="scroll-mt-16">
          <FigureFields key={only} elementId={only} />
        </div>
      )}
      <Gallery name="Codes" presets={codePresets} isFull={codeCount >= MAX_CODES} most={MAX_CODES} onAdd={add} />
      <Gallery name="Shapes" presets={shapePresets} isFull={shapeCount >= MAX_SHAPES} most={MAX_SHAPES} onAdd={add} />
      <Gallery
        name="Frames"
        kind="shapes"
        presets={framePresets}
        isFull={shapeCount >= MAX_SHAPES}
        most={MAX_SHAPES}
        onAdd={add}
      />
      <Suspense fallback={<div className="h-48" />}>
        <BadgeGallery shapeCount={shapeCount} textCount={textCount} />
      </Suspense>
      <Suspense fallback={<div className="h-72" />}>
        <MonogramForm hasRoom={shapeCount < MAX_SHAPES} />
      </Suspense>
      {icons && (
        <Suspense fallback={<div className="h-96" />}>
          <IconGallery icons={icons} hasRoom={shapeCount < MAX_SHAPES} onAdd={add} />
        </Suspense>
      )}
    </div>
  );
}

const BadgeGallery = lazyPart(() => import('./BadgeGallery.tsx').then((part) => ({ default: part.BadgeGallery })));

const MonogramForm = lazyPart(() => import('./MonogramForm.tsx').then((part) => ({ default: part.MonogramForm })));

const IconGallery = lazyPart(() => import('./IconGallery.tsx').then((part) => ({ default: part.IconGallery })));

/** Loads what draws the gallery. Returns true when it does not load; the next visit tries again. */
function useFigures(): boolean {
  const editor = useEditor();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    let isMounted = true;
    loadFigures(editor).catch(() => isMounted && setFailed(true));
    return () => {
      isMounted = false;
    };
  }, [editor]);
  return hasFailed;
}

function Gallery({
  name,
  kind = name.toLowerCase(),
  presets,
  isFull,
  most,
  onAdd,
}: {
  name: string;
  /** The plural that the limit is said with. */
  kind?: string;
  presets: readonly FigurePreset[];
  isFull: boolean;
  most: number;
  onAdd(figure: FigureElement): void;
}) {
  return (
    <section aria-label={name}>
      <h3 className="mb-1.5 font-medium text-graphite text-xs">{name}</h3>
      <div className="grid grid-cols-4 gap-1.5">
        {presets.map((preset) => (
          <button
            key={preset.name}
            type="button"
            aria-label={`Add ${preset.name}`}
            disabled={isFull}
            onClick={() => onAdd(preset.figure)}
            className="flex min-w-0 flex-col items-center gap-1 rounded-control border border-line bg-paper px-0.5 pt-2 pb-1 text-[11px] text-ink transition-colors hover:border-ink focus-visible:outline-2 focus-visible:outline-accent disabled:pointer-events-none disabled:opacity-45"
          >
            <Tile figure={preset.figure} />
            <span className="max-w-full truncate text-graphite">{preset.name}</span>
          </button>
        ))}
      </div>
      {isFull && (
        <p className="mt-1.5 text-graphite text-xs">
          A product takes {most} {kind}. Remove one to add another.
        </p>
      )}
    </section>
  );
}

/** The side of a tile's picture, in its own units, and the least part of it that a thin line takes. */
const TILE = 32;
const noFonts = { outline: () => undefined };

/** The figure itself, small, without letters. */
function Tile({ figure }: { figure: FigureElement }) {
  const figures = useEditorState(({ assets }) => assets.figures);
  const drawing = figures?.draw(isCode(figure) ? { ...figure, hasText: false } : figure, noFonts);
  if (!drawing) return <Icon name={kindIcons[figure.kind]} className="size-8 p-1.5 text-graphite opacity-45" />;
  return (
    <svg viewBox={viewBoxOf(drawing)} aria-hidden="true" className="size-8" fill="currentColor">
      <path d={drawing.outlines.fill} fillRule="evenodd" />
    </svg>
  );
}

function viewBoxOf({ outlines: { box } }: FigureDrawing): string {
  const side = Math.max(box.width, box.height) * (1 + 2 / TILE);
  return [box.left - (side - box.width) / 2, box.top - (side - box.height) / 2, side, side].join(' ');
}
