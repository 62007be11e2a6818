/** Offers to make live text of a line of the trace that looks like a bundled font. Loaded with the first offer. */
import { Button } from '@markwright/controls';
import { type ArtworkLettering, isNearWhite, type PathData, sayFace } from '@markwright/scene';
import { useId } from 'react';
import { useDesignFlow, useDesignState } from '../EditorProvider.tsx';

export function LetteringOffer({ isBusy }: { isBusy: boolean }) {
  const designs = useDesignFlow();
  const lettering = useDesignState((state) => state.lettering);
  const wordsId = useId();
  if (!lettering) return null;
  const { text, color, traced, outline } = lettering;
  return (
    <div
      role="note"
      aria-label="Lettering"
      className="flex flex-col gap-2 rounded-card border border-line bg-bone p-3 low:gap-1.5 low:p-2"
    >
      <div role="status">
        <p className="text-sm font-medium">This looks like {sayFace(lettering)}</p>
        <p id={wordsId} className="truncate text-xs text-graphite" title={text}>
          “{text}”
        </p>
      </div>
      <div className="grid grid-cols-[auto_1fr] items-center gap-x-2 gap-y-1 text-graphite text-xs">
        <Line label="Before" {...{ lettering, color }} d={traced} />
        <Line label="After" {...{ lettering, color }} d={outline} />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          className="flex-1"
          disabled={isBusy}
          aria-describedby={wordsId}
          onClick={() => designs.acceptLettering()}
        >
          Make it live text
        </Button>
        <Button
          size="sm"
          variant="ghost"
          className="flex-1"
          aria-describedby={wordsId}
          onClick={() => designs.dismissLettering()}
        >
          Keep the outlines
        </Button>
      </div>
    </div>
  );
}

/** Room around the letters, in cap heights. */
const MARGIN = 0.25;

/** One picture of the line. Both have the same frame, so that a letter lies under the letter it is compared with. */
function Line({
  label,
  lettering: { parts, capHeight },
  color,
  d,
}: {
  label: string;
  lettering: ArtworkLettering;
  color: string;
  d: PathData;
}) {
  const margin = MARGIN * capHeight;
  const left = Math.min(...parts.map(({ minX }) => minX)) - margin;
  const top = Math.min(...parts.map(({ minY }) => minY)) - margin;
  const width = Math.max(...parts.map(({ maxX }) => maxX)) + margin - left;
  const height = Math.max(...parts.map(({ maxY }) => maxY)) + margin - top;
  return (
    <>
      <span>{label}</span>
      <svg
        aria-hidden="true"
        viewBox={`${left} ${top} ${width} ${height}`}
        className={`h-9 low:h-7 w-full rounded-control border border-line ${isNearWhite(color) ? 'bg-black' : 'bg-white'}`}
      >
        <path d={d} fill={color} fillRule="evenodd" />
      </svg>
    </>
  );
}
