/** The library of icons: searched by words, browsed by topic, with those used last and the favorites. */
import { Button, Icon, SearchInput } from '@markwright/controls';
import type { ShapeElement } from '@markwright/scene';
import { ICON_SIDE, type IconEntry, type IconIndex } from '@markwright/scene/icons';
import { type ReactNode, useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { iconFigure } from '../../core/document/newFigure.ts';
import { createWordSearch } from '../../core/document/wordSearch.ts';
import type { Icons } from '../../core/ports.ts';

interface Props {
  readonly icons: Icons;
  /** False where the composition takes no more shapes. */
  readonly hasRoom: boolean;
  onAdd(figure: ShapeElement): void;
}

/** Rows of four. */
const FIRST = 12;
const MORE = 48;

export function IconGallery({ icons, hasRoom, onAdd }: Props) {
  const { index, hasFailed, retry } = useIndex(icons);
  const [search, setSearch] = useState('');
  const [topic, setTopic] = useState(0);
  const [count, setCount] = useState(FIRST);
  const query = useDeferredValue(search.trim());
  const find = useMemo(() => index && createWordSearch(index.icons.map(({ name }) => name)), [index]);
  const matches = useMemo(() => {
    if (!index || !find) return [];
    return query === ''
      ? index.icons.filter((icon) => icon.topic === topic)
      : find(query).map((place) => index.icons[place]!);
  }, [index, find, query, topic]);
  const { recent, favorites, isFavorite, toggle } = useMarks(icons.marks, index);
  const add = (icon: IconEntry, outline: string) => {
    icons.marks.remember(icon.id);
    onAdd(iconFigure(icon.name, outline));
  };
  const tiles = (list: readonly IconEntry[]) => (
    <Tiles {...{ icons, hasRoom, isFavorite }} list={list} onAdd={add} onFavorite={toggle} />
  );
  if (hasFailed) {
    return (
      <div role="alert" className="flex flex-col items-start gap-2">
        <p className="text-danger text-sm">The icons did not load. Check your connection.</p>
        <Button size="sm" icon="refresh" onClick={retry}>
          Retry
        </Button>
      </div>
    );
  }
  const show = (next: number) => {
    setTopic(next);
    setCount(FIRST);
  };
  return (
    <section aria-label="Icons" className="flex flex-col gap-2">
      <h3 className="font-medium text-graphite text-xs">Icons</h3>
      <SearchInput
        label="Search icons"
        value={search}
        // Codes and shapes lie above: without this, what is found lies below the window.
        onFocus={(event) => event.currentTarget.closest('section')?.scrollIntoView({ block: 'start' })}
        onChange={(text) => {
          setSearch(text);
          setCount(FIRST);
        }}
        className="block"
      />
      {query === '' && recent.length > 0 && <Part title="Recently used">{tiles(recent)}</Part>}
      {query === '' && favorites.length > 0 && <Part title="Favorites">{tiles(favorites)}</Part>}
      {query === '' && <Topics names={index?.topics ?? []} chosen={topic} onChoose={show} />}
      {index ? tiles(matches.slice(0, count)) : <p className="h-52 text-graphite text-xs">Loading…</p>}
      {matches.length > count && (
        <Button size="sm" variant="ghost" className="w-full" onClick={() => setCount(count + MORE)}>
          {`Show more of ${matches.length.toLocaleString('en-US')}`}
        </Button>
      )}
      <p role="status" className={query === '' ? 'sr-only' : 'text-graphite text-xs'}>
        {query !== '' && index && sayCount(matches.length, query)}
      </p>
      {index && <Licenses index={index} />}
    </section>
  );
}

function sayCount(count: number, query: string): string {
  if (count === 0) return `No icon is called “${query}”. Try another word, such as dog, heart or tree.`;
  return count === 1 ? '1 icon' : `${count.toLocaleString('en-US')} icons`;
}

/** Loads the index. It is tried again when asked, and with the next visit. */
function useIndex(icons: Icons) {
  const [index, setIndex] = useState<IconIndex>();
  const [hasFailed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isMounted = true;
    icons.readIndex().then(
      (value) => isMounted && setIndex(value),
      () => isMounted && setFailed(true),
    );
    return () => {
      isMounted = false;
    };
  }, [icons, attempt]);
  const retry = () => {
    setFailed(false);
    setAttempt(attempt + 1);
  };
  return { index, hasFailed, retry };
}

/** What the person keeps on this device. What was used last is that of the first look, so that tiles do not move. */
function useMarks(marks: Icons['marks'], index: IconIndex | undefined) {
  const [recentIds] = useState(marks.readRecent);
  const [favoriteIds, setFavoriteIds] = useState(marks.readFavorites);
  const byId = useMemo(() => new Map(index?.icons.map((icon) => [icon.id, icon])), [index]);
  const toggle = useCallback(
    ({ id }: IconEntry) => {
      const before = marks.readFavorites();
      marks.writeFavorites(before.includes(id) ? before.filter((other) => other !== id) : [...before, id]);
      setFavoriteIds(marks.readFavorites());
    },
    [marks],
  );
  // An icon that its set has no more is passed over.
  const toIcons = (ids: readonly string[]) => ids.flatMap((id) => byId.get(id) ?? []);
  return {
    recent: toIcons(recentIds),
    favorites: toIcons(favoriteIds),
    isFavorite: (icon: IconEntry) => favoriteIds.includes(icon.id),
    toggle,
  };
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={`${title}: icons`}>
      <h4 className="mb-1.5 text-graphite text-xs">{title}</h4>
      {children}
    </section>
  );
}

function Topics({
  names,
  chosen,
  onChoose,
}: {
  names: readonly string[];
  chosen: number;
  onChoose(topic: number): void;
}) {
  return (
    <fieldset className="flex flex-wrap gap-1">
      <legend className="sr-only">Topic of the icons</legend>
      {names.map((name, topic) => (
        <button
          key={name}
          type="button"
          aria-pressed={topic === chosen}
          onClick={() => onChoose(topic)}
          className="h-7 rounded-control border border-line bg-paper px-2 text-xs transition-colors hover:border-ink focus-visible:outline-2 focus-visible:outline-accent aria-pressed:border-accent aria-pressed:bg-accent-soft pointer-coarse:h-9"
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}

const STAR = 'M10 3l2.1 4.6 5 .5-3.8 3.3 1.1 4.9-4.4-2.6-4.4 2.6 1.1-4.9L2.9 8.1l5-.5z';

function Tiles({
  icons,
  list,
  hasRoom,
  isFavorite,
  onAdd,
  onFavorite,
}: {
  icons: Icons;
  list: readonly IconEntry[];
  hasRoom: boolean;
  isFavorite(icon: IconEntry): boolean;
  onAdd(icon: IconEntry, outline: string): void;
  onFavorite(icon: IconEntry): void;
}) {
  const outlines = useOutlines(icons, list);
  return (
    <ul className="grid grid-cols-4 gap-1.5">
      {list.map((icon) => {
        const outline = outlines.get(icon.id);
        const isMarked = isFavorite(icon);
        return (
          <li key={icon.id} className="group relative min-w-0">
            <button
              type="button"
              aria-label={`Add ${icon.name}`}
              title={icon.name}
              disabled={!hasRoom || outline === undefined}
              onClick={() => outline !== undefined && onAdd(icon, outline)}
              className="flex w-full min-w-0 flex-col items-center gap-1 rounded-control border border-line bg-paper px-0.5 pt-3 pb-1 text-[11px] text-ink transition-colors hover:border-ink focus-visible:outline-2 focus-visible:outline-accent disabled:pointer-events-none disabled:opacity-45"
            >
              <svg
                viewBox={`0 0 ${ICON_SIDE} ${ICON_SIDE}`}
                aria-hidden="true"
                className="size-8 px-0.5"
                fill="currentColor"
              >
                {outline && <path d={outline} fillRule="evenodd" />}
              </svg>
              <span className="max-w-full truncate text-graphite">{icon.name}</span>
            </button>
            <button
              type="button"
              aria-label={`Favorite: ${icon.name}`}
              aria-pressed={isMarked}
              onClick={() => onFavorite(icon)}
              className={`absolute top-0 right-0 grid size-6 place-items-center rounded-control focus-visible:opacity-100 focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent group-hover:opacity-100 ${isMarked ? 'text-accent [&_path]:fill-current' : 'text-graphite opacity-0 pointer-coarse:opacity-60'}`}
            >
              <Icon name={STAR} className="size-3.5" />
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** Loads the outlines of icons. Those that do not load stay empty until others are asked for. */
function useOutlines(icons: Icons, list: readonly IconEntry[]): ReadonlyMap<string, string> {
  const [outlines, setOutlines] = useState<ReadonlyMap<string, string>>(new Map());
  const missing = list.filter(({ id }) => !outlines.has(id));
  const key = missing.map(({ id }) => id).join();
  useEffect(() => {
    if (missing.length === 0) return;
    let isMounted = true;
    icons.readOutlines(missing).then(
      (more) => isMounted && setOutlines((before) => new Map([...before, ...more])),
      () => undefined,
    );
    return () => {
      isMounted = false;
    };
  }, [icons, key]);
  return outlines;
}

function Licenses({ index }: { index: IconIndex }) {
  return (
    <p className="text-[11px] text-graphite leading-4">
      {index.icons.length.toLocaleString('en-US')} icons, free to use on what you sell:{' '}
      {index.sets.map(({ title, license, url }, i) => (
        <span key={title}>
          {i > 0 && ', '}
          {title} (
          <a
            href={url}
            target="_blank"
            rel="noreferrer"
            className="underline"
            aria-label={`${license} license of ${title}`}
          >
            {license}
          </a>
          )
        </span>
      ))}
      .
    </p>
  );
}
