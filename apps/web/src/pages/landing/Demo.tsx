/**
 * The demo of the landing page: a customer's picture beside its trace with a divider to move, and the trace on a
 * tumbler at a size to set.
 */
import type { FormEvent } from 'react';
import customer from './pictures/customerShown.webp';
import trace from './pictures/trace.json';
import tumbler from './pictures/tumbler.webp';
import tumblerMark from './pictures/tumblerMark.webp';
import { follow, MARK_MM, type SliderVariable, wordsFor } from './sliders.ts';

const FIRST_AT = 46;

const slider = (moves: SliderVariable, first: number) => ({
  type: 'range',
  'data-moves': moves,
  defaultValue: first,
  'aria-valuetext': wordsFor(moves, first),
  onInput: (event: FormEvent<HTMLInputElement>) => follow(event.currentTarget),
});

export function Demo() {
  return (
    <figure
      data-demo=""
      aria-label="A traced picture"
      className="mx-auto grid w-full max-w-[760px] grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-8 sm:grid-cols-[minmax(0,1fr)_204px] sm:items-end"
    >
      <BeforeAfter />
      <OnTumbler />
    </figure>
  );
}

/** The path of a ruler in pixels of the picture, with a long tick every ten. */
const ticks = Array.from(
  { length: trace.width / 5 + 1 },
  (_, i) => `M${i * 5} 8v${i % 10 === 0 ? -8 : i % 2 ? -3 : -5}`,
);

function BeforeAfter() {
  return (
    <div className="crop-marks min-w-0">
      <svg
        viewBox={`0 0 ${trace.width} 8`}
        preserveAspectRatio="none"
        aria-hidden="true"
        className="block h-2 w-full overflow-visible stroke-edge"
      >
        <path d={ticks.join('')} vectorEffect="non-scaling-stroke" />
      </svg>
      <div className="relative isolate aspect-square overflow-hidden border border-edge bg-[#fbf8f1]">
        <Vector />
        <div className="absolute inset-0 [clip-path:inset(0_calc(100%-var(--at)*1%)_0_0)]">
          <img
            src={customer}
            width={520}
            height={520}
            alt="A customer’s logo as it came: small, soft and full of JPEG dirt"
            fetchPriority="high"
            className="size-full"
          />
          <Tag className="left-3">Their picture</Tag>
        </div>
        <Tag className="-z-10 right-3">Your vector</Tag>
        {/* Wider than the picture by the width of the thumb, so that the middle of the thumb is on the line. */}
        <input
          {...slider('at', FIRST_AT)}
          aria-label="Before and after"
          step={2}
          className="peer -left-6 absolute inset-y-0 m-0 h-full w-[calc(100%+48px)] cursor-ew-resize touch-pan-y appearance-none opacity-0 [&::-moz-range-thumb]:h-full [&::-moz-range-thumb]:w-12 [&::-webkit-slider-thumb]:h-[480px] [&::-webkit-slider-thumb]:w-12 [&::-webkit-slider-thumb]:appearance-none"
        />
        <span
          aria-hidden="true"
          data-line=""
          className="-translate-x-1/2 pointer-events-none absolute inset-y-0 left-[calc(var(--at)*1%)] w-0.5 bg-[#1a1815] outline-accent peer-focus-visible:*:outline-2 peer-focus-visible:*:outline-offset-2"
        >
          <span className="-translate-x-1/2 absolute bottom-[12%] left-1/2 grid size-11 place-items-center rounded-full bg-[#1a1815] text-white outline-[#c2410c]">
            <svg
              viewBox="0 0 20 20"
              aria-hidden="true"
              fill="none"
              stroke="currentColor"
              strokeWidth="1.5"
              className="size-5"
            >
              <path d="M7.5 6 3.5 10l4 4M12.5 6l4 4-4 4" strokeLinecap="round" strokeLinejoin="round" />
            </svg>
          </span>
        </span>
      </div>
      <div className="mt-3 grid grid-cols-2 gap-x-4 text-graphite">
        <p className="measure">
          customer.jpg
          <br />
          {trace.width} × {trace.height} px
        </p>
        <p className="measure text-right">
          {trace.pathCount} closed paths
          <br />
          <label className="inline-flex min-h-6 cursor-pointer items-center gap-1.5 underline decoration-edge underline-offset-4 hover:text-ink">
            <input type="checkbox" data-shows="nodes" className="size-3.5 accent-accent" />
            show {trace.nodeCount} nodes
          </label>
        </p>
      </div>
    </div>
  );
}

function Tag({ className, children }: { className: string; children: string }) {
  return (
    <span
      aria-hidden="true"
      className={`absolute top-3 rounded-control bg-[#1a1815] px-2 py-1 font-medium text-white text-xs ${className}`}
    >
      {children}
    </span>
  );
}

/** Draws the trace as SVG, which stays sharp at any size. */
function Vector() {
  return (
    <svg
      viewBox={`0 0 ${trace.width} ${trace.height}`}
      role="img"
      aria-label="The same logo as clean, closed paths"
      className="-z-20 absolute inset-0 size-full"
    >
      {trace.layers.map(({ color, d }, i) => (
        <path key={i} fill={color} d={d} />
      ))}
      <path
        data-nodes=""
        d={trace.nodes}
        stroke="#fb8a4a"
        strokeWidth="5"
        strokeLinecap="square"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}

/** styles.css places the mark, because the HTML of a page rendered at build may have no style attributes. */
function OnTumbler() {
  return (
    <div className="grid grid-cols-[132px_minmax(0,1fr)] items-end gap-x-5 sm:grid-cols-[minmax(0,1fr)]">
      <div className="relative mx-auto w-full max-w-[204px]">
        <img
          src={tumbler}
          width={480}
          height={1137}
          alt="A black 20 oz tumbler with the logo engraved down to the steel"
          className="h-auto w-full"
        />
        <div data-mark="" className="-translate-1/2 absolute left-1/2">
          <img src={tumblerMark} width={240} height={240} alt="" className="h-auto w-full" />
          <span aria-hidden="true" className="absolute inset-x-[2.5%] top-full mt-2 h-2 border-[#fb8a4a] border-x">
            <span className="absolute inset-x-0 top-1/2 h-px bg-[#fb8a4a]" />
          </span>
        </div>
      </div>
      <div className="pb-1 sm:pt-3">
        <p className="mb-6 text-lg sm:hidden">
          The same paths, engraved down to the steel at their true size. Set it yourself.
        </p>
        <label>
          <span className="flex flex-wrap items-baseline justify-between gap-x-3">
            <span className="text-graphite text-sm">Engraved</span>
            <output data-says="mm" suppressHydrationWarning className="measure whitespace-nowrap text-ink">
              {wordsFor('mm', MARK_MM.first)}
            </output>
          </span>
          <input
            {...slider('mm', MARK_MM.first)}
            aria-label="Width of the engraving"
            min={MARK_MM.min}
            max={MARK_MM.max}
            className="mt-1 h-6 w-full cursor-ew-resize accent-accent"
          />
        </label>
      </div>
    </div>
  );
}
