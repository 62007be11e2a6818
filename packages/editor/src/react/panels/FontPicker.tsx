/**
 * The chooser of fonts: found by name and by look, each shown in the person's own words, with those that the account
 * brought along. A font file is added by its button or dropped on the list.
 */
import { Icon, ListOption, SearchInput, useAnchoredPopover, useCombobox } from '@markwright/controls';
import { findFont, fontFiles, ownFamily } from '@markwright/fonts';
import { type DragEvent, type KeyboardEvent, useEffect, useEffectEvent, useId, useMemo, useRef, useState } from 'react';
import { createFontSearch, FONT_LOOKS, type FontGroup, listFonts } from '../../core/document/fontSearch.ts';
import type { OwnFont, OwnFonts } from '../../core/ports.ts';
import { usePorts } from '../EditorProvider.tsx';
import { AddFont } from './AddFont.tsx';

const WEB_FONT_TIMEOUT_MS = 2000;
/** Px; less where the window has less. */
const MAX_HEIGHT = 520;
/** So many characters of the person's words are shown. */
const SAMPLE_LENGTH = 24;

interface Props {
  readonly value: string;
  /** The words that the fonts are shown in; empty: the names stand for themselves. */
  readonly sample?: string;
  /** True where letters of single lines do not serve. */
  readonly isOutlined?: boolean;
  onChange(family: string): void;
}

export function FontPicker({ value, sample = '', isOutlined, onChange }: Props) {
  const { trigger, list: popover, isOpen, show, hide, onToggle } = useAnchoredPopover(MAX_HEIGHT);
  const { ownFonts, account } = usePorts();
  const canAdd = ownFonts !== undefined && account().isSignedIn;
  const own = useOwnFonts(ownFonts, value);
  const groups = useMemo(() => listFonts(own.fonts, isOutlined), [own.fonts, isOutlined]);
  const current = groups.flatMap(({ fonts }) => fonts).find(({ family }) => family === value);
  /** The letter that opened the list; it is the beginning of a search. */
  const [letter, setLetter] = useState('');
  const popoverId = useId();

  const open = (text = '') => {
    if (popover.current) popover.current.style.width = `${trigger.current?.offsetWidth}px`;
    own.reload();
    setLetter(text);
    show();
  };
  const choose = (family: string) => {
    hide();
    if (family !== value) onChange(family);
  };
  const drop = (file: File) => {
    open();
    own.setFile(file);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    if (event.altKey || event.ctrlKey || event.metaKey || isOpen) return;
    if (key !== 'ArrowDown' && key !== 'ArrowUp' && !/^[\p{L}\d]$/u.test(key)) return;
    event.preventDefault();
    open(key.length === 1 ? key : '');
  };

  return (
    <>
      <button
        ref={trigger}
        type="button"
        role="combobox"
        aria-label="Font"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={popoverId}
        // A press closes an open popover by itself; a click right after must not open it again.
        onPointerDown={(event) => {
          event.currentTarget.dataset.wasOpen = String(isOpen);
        }}
        onClick={(event) => {
          if (event.currentTarget.dataset.wasOpen !== 'true') open();
          event.currentTarget.dataset.wasOpen = 'false';
        }}
        onKeyDown={onKeyDown}
        {...dropTarget(canAdd ? drop : undefined)}
        className="inline-flex h-9 w-full min-w-0 items-center justify-between gap-2 rounded-control border border-edge bg-paper pr-1.5 pl-2.5 text-left text-ink transition-colors hover:border-ink focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-accent aria-expanded:border-accent pointer-coarse:h-11"
      >
        <span className="min-w-0 truncate">
          {current ? (
            <Sample family={current.family} text={current.name} />
          ) : own.isKnown ? (
            'Deleted font'
          ) : (
            'Your font'
          )}
        </span>
        <Icon name="chevronDown" className="size-4 shrink-0 text-graphite" />
      </button>
      <div
        ref={popover}
        id={popoverId}
        role="dialog"
        aria-label="Choose a font"
        popover="auto"
        onToggle={onToggle}
        {...dropTarget(canAdd ? own.setFile : undefined)}
        className="fixed inset-auto m-0 flex-col overflow-hidden rounded-control border border-line bg-paper p-0 text-ink shadow-float [&:popover-open]:flex"
      >
        <FontList
          // Begins anew with each visit.
          key={`${own.visit} ${letter}`}
          {...{ groups, value, letter, isOpen }}
          words={sample.trim().split('\n')[0]!.slice(0, SAMPLE_LENGTH)}
          onChoose={choose}
          onEscape={hide}
        />
        {ownFonts && (
          <AddFont
            ports={ownFonts}
            canAdd={canAdd}
            file={own.file}
            onFile={own.setFile}
            onAdd={(font) => {
              own.keep(font);
              choose(ownFamily(font.id));
            }}
          />
        )}
      </div>
    </>
  );
}

interface FontListProps {
  readonly groups: readonly FontGroup[];
  readonly value: string;
  readonly words: string;
  readonly letter: string;
  readonly isOpen: boolean;
  onChoose(family: string): void;
  onEscape(): void;
}

/** The search, and the fonts that it leaves. The field of the search keeps the focus and gets all keys. */
function FontList({ groups, value, words, letter, isOpen, onChoose, onEscape }: FontListProps) {
  const [search, setSearch] = useState(letter);
  const input = useRef<HTMLInputElement>(null);
  const find = useMemo(() => createFontSearch(groups), [groups]);
  const matches = useMemo(() => find(search), [find, search]);
  const flat = matches.flatMap(({ fonts }) => fonts);
  const { active, setActive, moveActive, optionId, fieldProps, listProps } = useCombobox(
    'Search by name or look',
    flat.length,
    isOpen,
  );
  const valuePlace = flat.findIndex(({ family }) => family === value);
  const begin = useEffectEvent(() => {
    setActive(Math.max(0, valuePlace));
    // On a touch screen the keyboard would cover the list.
    if (!matchMedia('(pointer: coarse)').matches) input.current?.focus({ preventScroll: true });
  });
  useEffect(() => {
    if (isOpen) begin();
  }, [isOpen]);
  const activeId = optionId(active);
  useEffect(() => {
    if (isOpen) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [isOpen, activeId]);

  const changeSearch = (text: string) => {
    setSearch(text);
    setActive(0);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    if (key === 'ArrowDown') moveActive(1);
    else if (key === 'ArrowUp') moveActive(-1);
    else if (key === 'Enter') flat[active] && onChoose(flat[active].family);
    else if (key === 'Escape') onEscape();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  let place = 0;
  return (
    <>
      <div className="flex flex-col gap-1.5 border-line border-b p-2">
        <SearchInput
          ref={input}
          {...fieldProps}
          aria-autocomplete="list"
          label="Search by name or look"
          value={search}
          onChange={changeSearch}
          onKeyDown={onKeyDown}
          className="block"
        />
        <Looks value={search} onChoose={(look) => changeSearch(look === search ? '' : look)} />
      </div>
      <div
        id={listProps.id}
        role="listbox"
        aria-label="Font"
        hidden={flat.length === 0}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-1"
      >
        {matches.map(({ name, fonts }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options, not of form fields
          <div
            key={name}
            role="group"
            aria-label={name}
            className="not-first:mt-1 not-first:border-line not-first:border-t"
          >
            <div aria-hidden="true" className="px-2 pt-2 pb-1 text-graphite text-xs">
              {name}
            </div>
            {fonts.map((font) => {
              const at = place++;
              return (
                <ListOption
                  key={font.family}
                  id={optionId(at)}
                  label={font.name}
                  isChosen={font.family === value}
                  isActive={at === active}
                  onChoose={() => onChoose(font.family)}
                  onPoint={() => setActive(at)}
                  className="min-h-9 gap-3 pointer-coarse:min-h-11"
                >
                  <span className="min-w-0 flex-1">
                    <Sample family={font.family} text={words || font.name} />
                    {words && <span className="block truncate text-graphite text-xs">{font.name}</span>}
                  </span>
                </ListOption>
              );
            })}
          </div>
        ))}
      </div>
      <p role="status" className={flat.length === 0 ? 'px-3 py-3 text-graphite text-sm' : 'sr-only'}>
        {isOpen && search !== '' && sayCount(flat.length, search)}
      </p>
    </>
  );
}

function sayCount(count: number, search: string): string {
  if (count === 0) return `No font looks like “${search.trim()}”. Try script, slab, stencil or wedding.`;
  return count === 1 ? '1 font' : `${count} fonts`;
}

/** Takes a file that is dropped, so that it is no picture for the stage. */
function dropTarget(onFile: ((file: File) => void) | undefined) {
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');
  return {
    onDragOver: (event: DragEvent) => {
      if (onFile && hasFiles(event)) event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      const [file] = event.dataTransfer.files;
      if (!onFile || !file) return;
      event.preventDefault();
      onFile(file);
    },
  };
}

/** Loads the account's fonts where one of them is shown, and whenever the list opens. */
function useOwnFonts(ports: OwnFonts | undefined, value: string) {
  const [fonts, setFonts] = useState<readonly OwnFont[]>([]);
  const [isKnown, setIsKnown] = useState(false);
  const [file, setFile] = useState<File>();
  const [visit, setVisit] = useState(0);
  const isOwn = value.startsWith(ownFamily(''));
  useEffect(() => {
    if (!ports || (visit === 0 && !isOwn)) return;
    let isMounted = true;
    ports.list().then(
      (list) => {
        if (!isMounted) return;
        setFonts(list);
        setIsKnown(true);
      },
      () => undefined, // those that are known stay, and the next visit asks again
    );
    return () => {
      isMounted = false;
    };
  }, [ports, visit, isOwn]);
  return {
    fonts,
    visit,
    isKnown,
    file,
    setFile,
    reload: () => setVisit((count) => count + 1),
    /** Shows a font that was just added. */
    keep: (font: OwnFont) => setFonts((before) => [...before.filter(({ id }) => id !== font.id), font]),
  };
}

function Looks({ value, onChoose }: { value: string; onChoose(look: string): void }) {
  return (
    <fieldset className="-mx-2 flex gap-1 overflow-x-auto px-2 pb-0.5 [scrollbar-width:none]">
      <legend className="sr-only">Looks</legend>
      {FONT_LOOKS.map((look) => (
        <button
          key={look}
          type="button"
          aria-pressed={look === value}
          onClick={() => onChoose(look)}
          className="h-7 shrink-0 rounded-control border border-line bg-paper px-2 text-xs transition-colors hover:border-ink focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent aria-pressed:border-accent aria-pressed:bg-accent-soft pointer-coarse:h-9"
        >
          {look}
        </button>
      ))}
    </fieldset>
  );
}

/**
 * Shows words in a font. Loads the face when they come into view. Until then they stand in the page's own, pale, and
 * for good when the face fails or takes longer than the limit.
 */
function Sample({ family, text }: { family: string; text: string }) {
  const { fontUrl } = usePorts();
  const element = useRef<HTMLSpanElement>(null);
  const [status, setStatus] = useState<'loading' | 'loaded' | 'failed'>('loading');
  useEffect(() => {
    if (!element.current) return;
    setStatus('loading');
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      const [file] = fontFiles({ text: 'A', fontFamily: family, isBold: false, isItalic: false });
      if (!file) return;
      loadFace(family, fontUrl(file.name)).then(
        () => setStatus('loaded'),
        () => setStatus('failed'),
      );
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [family, fontUrl]);
  return (
    <span
      ref={element}
      className="block truncate text-lg leading-7 transition-opacity"
      style={{
        fontFamily: status === 'loaded' ? `'${faceName(family)}', sans-serif` : undefined,
        opacity: status === 'loading' ? 0.7 : 1,
        // Its letters have no inside.
        WebkitTextStroke: status === 'loaded' && findFont(family).isSingleLine ? STROKE : undefined,
      }}
    >
      {text}
    </span>
  );
}

const STROKE = '0.045em currentColor';

/** Returns the name of a loaded face. It is not the family's plain name, which the page may use for itself. */
const faceName = (family: string) => `face ${family}`;

async function loadFace(family: string, url: string): Promise<void> {
  const name = faceName(family);
  if ([...document.fonts].some((face) => face.family.replaceAll('"', '') === name && face.status === 'loaded')) return;
  const response = await fetch(url, { signal: AbortSignal.timeout(WEB_FONT_TIMEOUT_MS) });
  if (!response.ok) throw new Error('The font could not be loaded.');
  const face = new FontFace(name, await response.arrayBuffer());
  await face.load();
  document.fonts.add(face);
}
