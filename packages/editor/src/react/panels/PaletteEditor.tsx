/**
 * The colors of the trace: choose one or several, then recolor, merge or remove them. One file of more than 500 lines,
 * because swatches, cards and the choice of a color share what is selected.
 */
import { Button, Icon, IconButton } from '@markwright/controls';
import { textColors } from '@markwright/scene';
import {
  type KeyboardEvent,
  type MouseEvent,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { findTrace } from '../../core/document/viewOptions.ts';
import {
  isEdited,
  type Palette,
  paintSwatches,
  readHex,
  readSwatches,
  restoreSwatches,
  type Swatch,
  sayShare,
} from '../../core/trace/palette.ts';
import { shownSettings } from '../../core/trace/traceSettings.ts';
import { useDesignFlow, useDesignState, useEditor, useEditorState } from '../EditorProvider.tsx';

/** Up to this many swatches show their share below. */
const FEW = 15;

/** The number of past edits kept: a trace that still runs may be based on one of them. */
const REMEMBERED = 30;

/** Returns the swatches of the trace on the stage; those that stay keep their places. */
function useSwatches(): { swatches: readonly Swatch[]; edits: Palette } {
  const paths = useDeferredValue(useEditorState((state) => findTrace(state)?.paths));
  const edits = useDesignState((state) => state.settings.palette) ?? none;
  const deferredEdits = useDeferredValue(edits);
  // Other colors are sorted again.
  const about = useDesignState(
    ({ design, settings }) => `${design?.id} ${settings.colorMode} ${shownSettings(settings).paletteSize}`,
  );
  const lastTrace = useRef<{ about: string; order: readonly string[]; edits: readonly Palette[] }>(undefined);
  const swatches = useMemo(() => {
    const before = lastTrace.current?.about === about ? lastTrace.current : undefined;
    const earlier = (before?.edits ?? []).slice(0, REMEMBERED);
    const read = paths ? readSwatches(paths, deferredEdits, before?.order, earlier) : [];
    const order = [...new Set([...(before?.order ?? []), ...read.flatMap(({ sources }) => sources)])];
    lastTrace.current = { about, order, edits: earlier[0] === deferredEdits ? earlier : [deferredEdits, ...earlier] };
    return read;
  }, [paths, deferredEdits, about]);
  return { swatches, edits };
}

const none: Palette = [];

/** Path data of an icon. */
const PIPETTE =
  'M9 7l4 4M11 5.5l1.75-1.75a1.77 1.77 0 0 1 2.5 0l1 1a1.77 1.77 0 0 1 0 2.5L14.5 9M11.75 9.75 6.5 15l-3 1.5L5 13.5l5.25-5.25M9.5 5.5l5 5';

/** Chooses and edits the colors of the trace. One straight story: what is chosen, what an edit does, and the markup. */
export function PaletteEditor() {
  const editor = useEditor();
  const designs = useDesignFlow();
  const { swatches, edits } = useSwatches();
  const chosenKeys = useEditorState(({ viewOptions }) => viewOptions.swatches);
  const spotlight = useEditorState(({ viewOptions }) => viewOptions.spotlight);
  const isPicking = useEditorState(({ viewOptions }) => viewOptions.isPicking);
  const hasGradients = useEditorState((state) => findTrace(state)?.paths.some(({ gradient }) => gradient) ?? false);
  /** The next swatch is the one to merge into. */
  const [isMerging, setIsMerging] = useState(false);
  const grid = useRef<HTMLDivElement>(null);
  const pipette = useRef<HTMLDivElement>(null);

  const choose = (keys: readonly string[]) => {
    setIsMerging(false);
    const paints = swatches.flatMap(({ key, paint }) => (keys.includes(key) && paint !== null ? [paint] : []));
    editor.setViewOptions({ swatches: keys, spotlight: paints });
  };
  const close = () => {
    choose([]);
    (grid.current?.querySelector<HTMLElement>('[tabindex="0"]') ?? undefined)?.focus();
  };
  // Nothing stays dimmed when the palette unmounts.
  useEffect(() => () => editor.setViewOptions({ swatches: [], spotlight: [], isPicking: false }), [editor]);

  // A color was taken from the stage.
  const stagePaint = chosenKeys.length === 0 && spotlight.length === 1 ? spotlight[0] : undefined;
  const pickedKey = swatches.find(({ paint }) => paint === stagePaint)?.key;
  useEffect(() => {
    if (pickedKey === undefined) return;
    editor.setViewOptions({ swatches: [pickedKey] });
    grid.current?.querySelector<HTMLElement>(`[data-key="${pickedKey}"]`)?.focus();
  }, [pickedKey, editor]);
  // The stage has the focus while a color is picked there.
  const wasPicking = useRef(false);
  useEffect(() => {
    if (wasPicking.current && !isPicking && !pickedKey) pipette.current?.querySelector('button')?.focus();
    wasPicking.current = isPicking;
  }, [isPicking, pickedKey]);

  if (swatches.length === 0) return null;
  const chosenSwatches = swatches.filter(({ key }) => chosenKeys.includes(key));

  /** Shows the edit at once, and the stage as it then is, undimmed. */
  const edit = (palette: Palette, keys: readonly string[] = chosenKeys) => {
    designs.changeSettings({ palette: palette.length > 0 ? palette : undefined });
    editor.setViewOptions({ swatches: keys, spotlight: [] });
  };
  const keep = () => designs.keepSettings();
  const paint = (to: string | null) => edit(paintSwatches(edits, swatches, chosenSwatches, to));
  const mergeInto = (target: Swatch) => {
    edit(paintSwatches(edits, swatches, chosenSwatches, target.paint), []);
    setIsMerging(false);
    keep();
  };
  const press = (swatch: Swatch, isMore: boolean) => {
    if (isMerging && swatch.paint !== null && !chosenKeys.includes(swatch.key)) {
      mergeInto(swatch);
      return;
    }
    const isChosen = chosenKeys.includes(swatch.key);
    if (isMore) choose(isChosen ? chosenKeys.filter((key) => key !== swatch.key) : [...chosenKeys, swatch.key]);
    else choose(isChosen && chosenKeys.length === 1 ? [] : [swatch.key]);
  };

  return (
    <section
      aria-label="Colors of the trace"
      data-chosen={chosenSwatches.length > 0 || undefined}
      className="group/colors flex flex-col gap-2 py-1 low:gap-1 low:py-0"
    >
      <div className="flex min-h-7 items-center gap-2 text-graphite text-xs">
        <span className="measure" role="status">
          {isMerging ? 'Choose the color to merge into' : sayCount(swatches)}
        </span>
        <div ref={pipette} className="ml-auto flex items-center gap-1">
          {edits.length > 0 && (
            <Button
              size="sm"
              variant="ghost"
              onClick={() => {
                edit([], []);
                keep();
              }}
            >
              Reset colors
            </Button>
          )}
          <IconButton
            icon={PIPETTE}
            size="sm"
            label="Choose a color on the stage"
            isPressed={isPicking}
            onClick={() => editor.setViewOptions({ isPicking: !isPicking, swatches: [], spotlight: [] })}
          />
        </div>
      </div>
      <Swatches ref={grid} swatches={swatches} chosenKeys={chosenKeys} onPress={press} onEscape={close} />
      {chosenSwatches.length > 0 && (
        <Card
          key={chosenKeys.join()}
          swatches={chosenSwatches}
          canRemove={swatches.some(({ key, paint }) => paint !== null && !chosenKeys.includes(key))}
          isMerging={isMerging}
          onPaint={paint}
          onKeep={keep}
          onMerge={() => {
            const visibleSwatches = chosenSwatches.filter(({ paint }) => paint !== null);
            if (visibleSwatches.length > 1) mergeInto(visibleSwatches.reduce((a, b) => (b.share > a.share ? b : a)));
            else setIsMerging(!isMerging);
          }}
          onRemove={() => {
            paint(null);
            keep();
            close();
          }}
          onRestore={() => {
            edit(restoreSwatches(edits, chosenSwatches), []);
            keep();
            close();
          }}
          onClose={close}
        />
      )}
      {hasGradients && chosenSwatches.length > 0 && (
        <p className="text-graphite text-xs">A gradient that is recolored becomes one even tone.</p>
      )}
    </section>
  );
}

function sayCount(swatches: readonly Swatch[]): string {
  const removedCount = swatches.filter(({ paint }) => paint === null).length;
  const count = swatches.length - removedCount;
  return `${count} ${count === 1 ? 'color' : 'colors'}${removedCount > 0 ? `, ${removedCount} removed` : ''}`;
}

function describe({ paint, sources, share }: Swatch): string {
  if (paint === null) return `${sources[0]}, removed`;
  const editNote = sources.length > 1 ? `, merged from ${sources.length}` : sources[0] === paint ? '' : ', recolored';
  return `${paint}, ${sayShare(share)}${editNote}`;
}

/** One stop for Tab; arrow keys go from swatch to swatch. */
function Swatches({
  ref,
  swatches,
  chosenKeys,
  onPress,
  onEscape,
}: {
  ref: React.RefObject<HTMLDivElement | null>;
  swatches: readonly Swatch[];
  chosenKeys: readonly string[];
  onPress(swatch: Swatch, isMore: boolean): void;
  onEscape(): void;
}) {
  const [at, setAt] = useState<string>();
  const active = swatches.some(({ key }) => key === at)
    ? at
    : (swatches.find(({ key }) => chosenKeys.includes(key)) ?? swatches[0])?.key;
  const isFew = swatches.length <= FEW;
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button')];
    const here = buttons.indexOf(event.target as HTMLElement);
    if (here < 0) return;
    if (event.key === 'Escape') {
      if (chosenKeys.length > 0) event.stopPropagation();
      onEscape();
      return;
    }
    const columns = Math.max(1, buttons.filter(({ offsetTop }) => offsetTop === buttons[0]!.offsetTop).length);
    const to = {
      ArrowLeft: here - 1,
      ArrowRight: here + 1,
      ArrowUp: here - columns,
      ArrowDown: here + columns,
      Home: 0,
      End: buttons.length - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    buttons[Math.min(buttons.length - 1, Math.max(0, to))]!.focus();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring form semantics and its own layout
    <div
      ref={ref}
      role="group"
      aria-label="Swatches, largest first"
      onKeyDown={onKeyDown}
      // Beside the stage the step is whole, so that a long list is the only thing that scrolls.
      className={`-m-1 grid max-h-44 overflow-y-auto p-1 [scrollbar-width:thin] lg:max-h-36 lg:low:max-h-[66px] lg:group-data-chosen/colors:max-h-[98px] lg:low:group-data-chosen/colors:max-h-[66px] ${isFew ? 'grid-cols-[repeat(auto-fill,minmax(48px,1fr))] gap-1.5' : 'grid-cols-[repeat(auto-fill,minmax(26px,1fr))] gap-1'}`}
    >
      {swatches.map((swatch) => (
        <button
          key={swatch.key}
          type="button"
          data-key={swatch.key}
          tabIndex={swatch.key === active ? 0 : -1}
          aria-pressed={chosenKeys.includes(swatch.key)}
          aria-label={describe(swatch)}
          title={describe(swatch)}
          onFocus={() => setAt(swatch.key)}
          onClick={(event: MouseEvent) => onPress(swatch, event.shiftKey || event.ctrlKey || event.metaKey)}
          className="group flex min-w-0 flex-col items-stretch gap-0.5 rounded-control focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-accent"
        >
          <Chip swatch={swatch} className={isFew ? 'h-8 pointer-coarse:h-10' : 'h-[26px] pointer-coarse:h-9'} />
          {isFew && (
            <span className="measure text-center text-graphite text-xs lg:low:group-data-chosen/colors:hidden">
              {swatch.paint === null ? '–' : sayShare(swatch.share)}
            </span>
          )}
        </button>
      ))}
    </div>
  );
}

/** The color, with a corner of what it was; crossed out when it was removed. */
function Chip({ swatch, className }: { swatch: Swatch; className: string }) {
  const { paint, sources } = swatch;
  const others = sources.filter((source) => source !== paint).slice(0, 3);
  return (
    <span
      className={`relative block overflow-hidden rounded-[5px] border border-edge/60 ring-accent ring-offset-2 ring-offset-paper group-aria-pressed:ring-2 ${className}`}
      style={{ background: paint ?? 'transparent' }}
    >
      {paint === null ? (
        <>
          <span className="absolute inset-0 opacity-35" style={{ background: sources[0] }} />
          <svg viewBox="0 0 10 10" preserveAspectRatio="none" aria-hidden="true" className="absolute inset-0 size-full">
            <path d="M0 10 10 0" className="stroke-danger" strokeWidth={2} vectorEffect="non-scaling-stroke" />
          </svg>
        </>
      ) : (
        isEdited(swatch) && (
          <span className="absolute right-0 bottom-0 flex h-2 border-paper/80 border-t border-l">
            {others.map((source) => (
              <span key={source} className="w-2" style={{ background: source }} />
            ))}
          </span>
        )
      )}
    </span>
  );
}

function Card({
  swatches,
  canRemove,
  isMerging,
  onPaint,
  onKeep,
  onMerge,
  onRemove,
  onRestore,
  onClose,
}: {
  swatches: readonly Swatch[];
  canRemove: boolean;
  isMerging: boolean;
  onPaint(paint: string): void;
  onKeep(): void;
  onMerge(): void;
  onRemove(): void;
  onRestore(): void;
  onClose(): void;
}) {
  const [only] = swatches;
  const isRemoved = swatches.every(({ paint }) => paint === null);
  const share = swatches.reduce((sum, swatch) => sum + swatch.share, 0);
  const title =
    swatches.length > 1
      ? `${swatches.length} colors`
      : isRemoved
        ? `${only!.sources[0]} removed`
        : only!.sources.length > 1
          ? `Merged from ${only!.sources.length}`
          : only!.sources[0] === only!.paint
            ? 'Color'
            : `Was ${only!.sources[0]}`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring form semantics and its own layout
    <div
      role="group"
      aria-label={swatches.length > 1 ? title : `Color ${only!.paint ?? only!.sources[0]}`}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
      className="flex animate-float-in flex-col gap-2 rounded-card border border-line bg-paper p-2.5 motion-reduce:animate-none low:gap-1.5 low:p-2"
    >
      <div className="flex items-center gap-2 text-xs">
        <span className="flex -space-x-1">
          {swatches.slice(0, 4).map(({ key, paint, sources }) => (
            <span
              key={key}
              className="size-4 rounded-full border border-edge/60 ring-1 ring-paper"
              style={{ background: paint ?? sources[0] }}
            />
          ))}
        </span>
        <span className="font-medium">{title}</span>
        {!isRemoved && <span className="measure text-graphite">{sayShare(share)}</span>}
        <IconButton icon="close" size="sm" label="Close" className="-my-1 -mr-1 ml-auto" onClick={onClose} />
      </div>
      {!isRemoved && (
        <Recolor paint={swatches.length === 1 ? only!.paint! : undefined} onPaint={onPaint} onKeep={onKeep} />
      )}
      <div className="flex flex-wrap gap-1.5">
        {!isRemoved && (
          <>
            <Button
              size="sm"
              aria-pressed={swatches.length === 1 ? isMerging : undefined}
              disabled={swatches.length === 1 && !canRemove}
              onClick={onMerge}
              className="aria-pressed:border-accent! aria-pressed:text-accent!"
            >
              {swatches.length > 1 ? 'Merge' : 'Merge into…'}
            </Button>
            <Button size="sm" disabled={!canRemove} onClick={onRemove}>
              Remove
            </Button>
          </>
        )}
        {swatches.some(isEdited) && (
          <Button size="sm" onClick={onRestore}>
            Restore
          </Button>
        )}
      </div>
    </div>
  );
}

/** The machine's own colors, any other, or its hex. */
function Recolor({
  paint,
  onPaint,
  onKeep,
}: {
  /** Undefined while several are chosen. */
  paint: string | undefined;
  onPaint(paint: string): void;
  onKeep(): void;
}) {
  const machine = useEditorState((state) => state.composition.machine);
  const { swatches, allowsCustom } = textColors(machine);
  const [draft, setDraft] = useState<string>();
  const [isWrong, setIsWrong] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const hexId = useId();
  const latest = useRef(onKeep);
  latest.current = onKeep;
  // React's own change event comes while the color is being looked for.
  useEffect(() => {
    const element = input.current;
    const onChange = () => latest.current();
    element?.addEventListener('change', onChange);
    return () => element?.removeEventListener('change', onChange);
  }, []);

  const take = (color: string) => {
    onPaint(color.toLowerCase());
    onKeep();
  };
  const commit = () => {
    if (draft === undefined) return;
    const hex = readHex(draft);
    setIsWrong(!hex);
    if (!hex) return;
    setDraft(undefined);
    if (hex !== paint) take(hex);
  };
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-center gap-1.5">
        <label className="relative inline-flex h-7 flex-1 cursor-pointer items-center gap-1.5 rounded-control border border-line px-2 font-medium text-xs hover:border-edge has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent pointer-coarse:h-9">
          <input
            ref={input}
            type="color"
            aria-label="Recolor"
            value={paint ?? '#808080'}
            onChange={(event) => onPaint(event.target.value)}
            className="absolute inset-0 size-full cursor-pointer opacity-0"
          />
          <Icon name="pencil" className="size-4" />
          Recolor
        </label>
        <label htmlFor={hexId} className="sr-only">
          Hex
        </label>
        <input
          id={hexId}
          value={draft ?? paint ?? ''}
          placeholder="#rrggbb"
          spellCheck={false}
          autoComplete="off"
          aria-invalid={isWrong || undefined}
          onChange={(event) => {
            setDraft(event.target.value);
            setIsWrong(false);
          }}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === 'Enter') commit();
            if (event.key !== 'Escape' || draft === undefined) return;
            event.stopPropagation();
            setDraft(undefined);
            setIsWrong(false);
          }}
          className="measure h-7 w-24 rounded-control border border-edge bg-paper px-2 text-ink hover:border-ink focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-accent aria-invalid:border-danger pointer-coarse:h-9"
        />
      </div>
      {isWrong && (
        <p role="alert" className="text-danger text-xs">
          Write a color like #1a2b3c.
        </p>
      )}
      {allowsCustom && (
        <div className="flex flex-wrap gap-1">
          {swatches.map(({ name, color }) => (
            <button
              key={color}
              type="button"
              aria-label={name}
              title={name}
              onClick={() => take(color)}
              className="grid size-6 place-items-center rounded-full focus-visible:outline-2 focus-visible:outline-accent pointer-coarse:size-9"
            >
              <span
                className="size-5 rounded-full border border-edge/60 pointer-coarse:size-7"
                style={{ background: color }}
              />
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
