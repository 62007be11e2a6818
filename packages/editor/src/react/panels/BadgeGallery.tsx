/** Badges: shapes with live texts on their circles, each as a tile that adds it as one group. */
import {
  DEFAULT_FRAME_MM,
  emptyComposition,
  type FontSource,
  linesOf,
  MAX_SHAPES,
  MAX_TEXTS,
  resolveScene,
  type Scene,
} from '@markwright/scene';
import { useEffect, useMemo, useState } from 'react';
import { addBadge, type BadgePreset, badgeElements, badgePresets } from '../../core/document/badges.ts';
import { useEditor, useEditorState, usePorts } from '../EditorProvider.tsx';

interface Props {
  /** How many shapes and texts there are. */
  readonly shapeCount: number;
  readonly textCount: number;
}

const countOf = ({ parts }: BadgePreset, kind: 'shape' | 'text') => parts.filter((part) => part.kind === kind).length;

export function BadgeGallery({ shapeCount, textCount }: Props) {
  const editor = useEditor();
  const fonts = useFonts();
  const hasRoomFor = (preset: BadgePreset) =>
    shapeCount + countOf(preset, 'shape') <= MAX_SHAPES && textCount + countOf(preset, 'text') <= MAX_TEXTS;
  const add = (preset: BadgePreset) => {
    const { command, elementId } = addBadge(editor.getState().scene, preset);
    editor.dispatch(command);
    editor.select(elementId);
  };
  return (
    <section aria-label="Badges">
      <h3 className="mb-1.5 font-medium text-graphite text-xs">Badges</h3>
      <div className="grid grid-cols-4 gap-1.5">
        {badgePresets.map((preset) => (
          <button
            key={preset.name}
            type="button"
            aria-label={`Add badge: ${preset.name}`}
            disabled={!hasRoomFor(preset)}
            onClick={() => add(preset)}
            className="flex min-w-0 flex-col items-center gap-1 rounded-control border border-line bg-paper px-0.5 pt-1.5 pb-1 text-[11px] text-ink transition-colors hover:border-ink focus-visible:outline-2 focus-visible:outline-accent disabled:pointer-events-none disabled:opacity-45"
          >
            <Tile preset={preset} fonts={fonts} />
            <span className="max-w-full truncate text-graphite">{preset.name}</span>
          </button>
        ))}
      </div>
      {!badgePresets.every(hasRoomFor) && (
        <p className="mt-1.5 text-graphite text-xs">
          A product takes {MAX_TEXTS} texts and {MAX_SHAPES} shapes. Remove some to add a badge.
        </p>
      )}
    </section>
  );
}

const middle = { x: 0, y: 0 };
/** The air around a badge in its tile, mm. */
const AIR_MM = 0.5;

/** The badge itself, small; its shapes alone until the fonts are there. */
function Tile({ preset, fonts }: { preset: BadgePreset; fonts: FontSource }) {
  const figures = useEditorState(({ assets }) => assets.figures);
  const scene = useMemo((): Scene => {
    const elements = badgeElements(preset, 1, toSize(DEFAULT_FRAME_MM), middle);
    return resolveScene({ ...emptyComposition, elements }, { product: undefined, artworks: new Map(), figures, fonts });
  }, [preset, figures, fonts]);
  const { widthMm, heightMm } = scene;
  const side = Math.max(preset.widthMm, preset.heightMm) + 2 * AIR_MM;
  return (
    <svg
      viewBox={[(widthMm - side) / 2, (heightMm - side) / 2, side, side].join(' ')}
      aria-hidden="true"
      className="size-14"
      fill="currentColor"
    >
      {scene.groups.map(({ elementId, matrix: { a, b, c, d, e, f }, children }) => (
        <g key={elementId} transform={`matrix(${[a, b, c, d, e, f].join(' ')})`}>
          {children.map((child, i) => (child.kind === 'path' ? <path key={i} d={child.d} fillRule="evenodd" /> : null))}
        </g>
      ))}
    </svg>
  );
}

const toSize = ({ width, height }: typeof DEFAULT_FRAME_MM) => ({ widthMm: width, heightMm: height });

const noFonts: FontSource = { outline: () => undefined };

/** Returns what outlines the words of the tiles, once their fonts are there. */
function useFonts(): FontSource {
  const ports = usePorts();
  const [fonts, setFonts] = useState(noFonts);
  useEffect(() => {
    let isMounted = true;
    const elements = badgePresets.flatMap((preset) => badgeElements(preset, 1, toSize(DEFAULT_FRAME_MM), middle));
    // Without a connection the tiles stay without words.
    ports.ensureFonts(linesOf({ elements })).then(
      (source) => isMounted && setFonts(() => source),
      () => undefined,
    );
    return () => {
      isMounted = false;
    };
  }, [ports]);
  return fonts;
}
