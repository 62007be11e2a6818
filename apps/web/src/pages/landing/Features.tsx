/** Three features of the product. Their pictures come from the trace of the picture in the hero. */
import type { ReactNode } from 'react';
import board from './pictures/board.webp';
import coaster from './pictures/coaster.webp';
import keychain from './pictures/keychain.webp';
import mug from './pictures/mug.webp';
import trace from './pictures/trace.json';

export function Features() {
  return (
    <section aria-labelledby="features" className="border-line border-y bg-paper">
      <div className="mx-auto max-w-[1360px] px-5 py-14 lg:px-10 lg:py-20">
        <h2 id="features" className="text-2xl">
          One trace, every job it belongs on
        </h2>
        <div className="mt-8 grid gap-x-8 gap-y-12 md:grid-cols-3">
          <Feature
            title="Mockups in seconds"
            text="Pick a blank and the mark sits on it to scale: burned into walnut, cut to the steel, printed in color on a mug. Send that picture, not a promise."
          >
            <Mockups />
          </Feature>
          <Feature
            title="Clean vector exports"
            text="Closed paths, few nodes, true millimeters. Engrave, score and cut each on a layer of its own. No clips, no hidden shapes, no font to install."
          >
            <CloseUp />
          </Feature>
          <Feature
            title="Close jobs faster"
            text="Quote from the real size, show the real thing, and start from a file that is ready. What used to take an evening of redrawing fits between two jobs."
          >
            <JobTicket />
          </Feature>
        </div>
      </div>
    </section>
  );
}

function Feature({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div>
      <div data-stage="" className="aspect-[4/3] overflow-hidden rounded-control border border-line bg-bone">
        {children}
      </div>
      <h3 className="mt-5 text-xl">{title}</h3>
      <p className="mt-1.5 text-graphite text-lg">{text}</p>
    </div>
  );
}

const mockups = [
  [mug, 'Printed in color on a white mug'],
  [coaster, 'Burned into a leather coaster'],
  [board, 'Burned into a walnut board'],
  [keychain, 'Engraved on a brass keychain'],
] as const;

function Mockups() {
  return (
    <div className="grid h-full grid-cols-2 grid-rows-2">
      {mockups.map(([src, alt]) => (
        <div
          key={src}
          className="grid min-h-0 place-items-center border-line p-2 [&:nth-child(-n+2)]:border-b odd:border-r"
        >
          <img
            src={src}
            alt={alt}
            width={440}
            height={440}
            loading="lazy"
            className="h-full min-h-0 w-full object-contain"
          />
        </div>
      ))}
    </div>
  );
}

/** Draws a corner of the trace with its nodes. */
function CloseUp() {
  return (
    <svg
      viewBox="146 12 92 69"
      role="img"
      aria-label="The letters of the trace close up: smooth curves between few nodes"
      className="size-full bg-[#fbf8f1]"
    >
      {trace.layers.map(({ color, d }, i) => (
        <path key={i} fill={color} d={d} />
      ))}
      <path d={trace.nodes} stroke="#fb8a4a" strokeWidth="6" strokeLinecap="square" vectorEffect="non-scaling-stroke" />
    </svg>
  );
}

const job = [
  ['Customer', 'North Fork Outfitters'],
  ['Blank', '24 × 20 oz tumbler'],
  ['Engrave', '46.0 × 46.0 mm'],
  ['File', 'north-fork.svg'],
] as const;

function JobTicket() {
  return (
    <div className="grid size-full place-items-center p-4">
      <div className="relative w-full max-w-[300px] -rotate-2 rounded-control border border-edge bg-paper px-4 pt-3 pb-4 sm:px-5 sm:pb-5">
        <div className="flex items-center justify-between border-line border-b pb-2.5">
          <span className="caption">Job 0412</span>
          <span className="size-3.5 rounded-full border border-edge bg-bone" />
        </div>
        <dl className="mt-2.5 grid grid-cols-[72px_minmax(0,1fr)] gap-y-1">
          {job.map(([name, value]) => (
            <div key={name} className="col-span-2 grid grid-cols-subgrid">
              <dt className="text-graphite text-sm">{name}</dt>
              <dd className="measure self-center text-ink">{value}</dd>
            </div>
          ))}
        </dl>
        <span className="caption absolute top-1.5 right-11 rotate-6 sm:top-auto sm:right-4 sm:bottom-4 bg-paper rounded-control border-2 border-accent px-2 py-1 font-medium text-accent">
          APPROVED
        </span>
      </div>
    </div>
  );
}
