/**
 * The four ways to burn a picture, as live tiles on the chosen material at the chosen size. Loaded with the first
 * picture for a laser. A photograph and colored art show them; another picture has a line that unfolds them.
 */
import { Icon } from '@markwright/controls';
import { findArtwork, type SvgNode } from '@markwright/scene';
import { memo, useEffect, useId, useState } from 'react';
import { activeElement } from '../../core/document/editor.ts';
import { engravingOf, traceOf, WAYS, type Way, wayOf } from '../../core/engraving/ways.ts';
import { createWayTiles } from '../../core/engraving/wayTiles.ts';
import { useDesignFlow, useDesignState, useEditor, useEditorState, usePorts, useStore } from '../EditorProvider.tsx';
import { SvgNodeView } from '../stage/SvgNodeView.tsx';
import { AWAY_FROM_SETTINGS } from './ArtworkSwitch.tsx';

export function EngravingWays() {
  const editor = useEditor();
  const ports = usePorts();
  const designs = useDesignFlow();
  const [tiles] = useState(() => createWayTiles(editor, ports, designs));
  useEffect(() => tiles.connect(), [tiles]);
  const { suggestion, nodes } = useStore(tiles, (state) => state);
  const element = useEditorState(activeElement);
  const machine = useEditorState((state) => state.composition.machine);
  const settings = useDesignState((state) => state.settings);
  const isTracing = useDesignState((state) => state.liveProgress !== undefined);
  const [choices, setChoices] = useState<Readonly<Record<string, boolean>>>({});
  const isTonal = suggestion?.kind === 'photograph' || suggestion?.kind === 'flatColor';
  const designId = element?.designId ?? '';
  const isOpen = choices[designId] ?? (isTonal || element?.engraving !== undefined);
  useEffect(() => tiles.setTiles(isOpen), [tiles, isOpen]);
  const headId = useId();
  if (!element || !suggestion) return null;
  const way = wayOf(element, machine, settings);

  /** Takes a way: one step to undo where the picture itself is engraved, and a trace of its own otherwise. */
  const take = (next: Way) => {
    if (next === way) return;
    const { id } = element;
    const isEngraving = next === 'photo' || next === 'tones';
    const { corners } = editor.getState().scene.groups.find(({ elementId }) => elementId.endsWith(id)) ?? {};
    const longerMm = corners ? Math.max(...[1, 3].map((i) => distance(corners[0], corners[i]!))) : 0;
    const before = findArtwork(editor.getState().composition, id)?.engraving;
    const { intervalMm } = suggestion;
    const engraving = isEngraving ? engravingOf(next, { intervalMm, longerMm }, before) : undefined;
    editor.dispatch({ type: 'setEngraving', id, engraving });
    if (isEngraving) return;
    const trace = traceOf(next, suggestion.kind);
    const isSame = (Object.keys(trace) as (keyof typeof trace)[]).every((name) => settings[name] === trace[name]);
    if (isSame) return;
    designs.changeSettings(trace);
    designs.keepSettings();
  };

  const current = WAYS.find((each) => each.way === way);
  if (!isOpen) {
    return (
      <button
        type="button"
        aria-expanded={false}
        onClick={() => setChoices({ ...choices, [designId]: true })}
        className={`${AWAY_FROM_SETTINGS} flex h-7 shrink-0 items-center gap-1 rounded-control text-left text-graphite text-xs transition-colors hover:text-ink focus-visible:outline-2 focus-visible:outline-accent pointer-coarse:h-11`}
      >
        <span className="min-w-0 flex-1 truncate">
          Burn as <span className="font-medium text-ink">{current?.name ?? 'traced'}</span>
        </span>
        Four ways
        <Icon name="chevronDown" className="size-4" />
      </button>
    );
  }
  return (
    <section aria-labelledby={headId} data-ways="" className={`${AWAY_FROM_SETTINGS} flex shrink-0 flex-col gap-1`}>
      <h3 id={headId} className="sr-only">
        Four ways to burn this picture
      </h3>
      <div role="radiogroup" aria-labelledby={headId} className="grid grid-cols-4 gap-1.5">
        {WAYS.map((each) => (
          <Tile
            key={each.way}
            {...each}
            group={headId}
            node={nodes[each.way]}
            isChosen={each.way === way}
            isBest={each.way === suggestion.way}
            isDisabled={element.isLocked}
            onTake={() => take(each.way)}
          />
        ))}
      </div>
      {/* The stage of a trace that takes time stands in its place. */}
      <p className={`text-graphite text-xs ${isTracing ? 'invisible' : ''}`}>{suggestion.reason}</p>
    </section>
  );
}

const distance = (a: { x: number; y: number }, b: { x: number; y: number }) => Math.hypot(a.x - b.x, a.y - b.y);

interface TileProps {
  readonly way: Way;
  readonly name: string;
  readonly words: string;
  readonly group: string;
  readonly node: SvgNode | undefined;
  readonly isChosen: boolean;
  readonly isBest: boolean;
  readonly isDisabled: boolean;
  onTake(): void;
}

function Tile({ way, name, words, group, node, isChosen, isBest, isDisabled, onTake }: TileProps) {
  return (
    <label
      title={words}
      className="group/tile relative flex cursor-pointer flex-col overflow-hidden rounded-control border border-line bg-bone transition-colors hover:border-edge has-checked:border-accent has-checked:ring-1 has-checked:ring-accent has-disabled:cursor-default has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent"
    >
      <input
        type="radio"
        name={group}
        value={way}
        checked={isChosen}
        disabled={isDisabled}
        onChange={onTake}
        aria-label={isBest ? `${name}, best for this picture` : name}
        className="absolute inset-0 z-10 cursor-[inherit] appearance-none rounded-control outline-none"
      />
      <span aria-hidden="true" className="relative block h-17 overflow-hidden low:h-12">
        {node ? <Picture node={node} /> : <span className="absolute inset-0 animate-pulse bg-ink/8" />}
        {isBest && (
          <span className="absolute top-1 left-1 rounded-full bg-accent px-1.5 font-medium text-[10px] text-on-accent leading-4">
            Best
          </span>
        )}
      </span>
      <span
        aria-hidden="true"
        className="bg-paper py-0.5 text-center font-medium text-graphite text-xs leading-4 group-has-checked/tile:text-ink"
      >
        {name}
      </span>
    </label>
  );
}

/** Compares by identity: thousands of outlines are not gone through again. */
const Picture = memo(function Picture({ node }: { node: SvgNode }) {
  return (
    <span className="pointer-events-none absolute inset-0">
      <SvgNodeView node={node} />
    </span>
  );
});
