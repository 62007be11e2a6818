/** The picture of a blank with its outline, its print area, and the places between which somebody measures. */
import { type PointerEvent, useRef } from 'react';
import { PICTURE_UNITS as UNIT, viewArea } from '../../../products/areaView.ts';
import { Grip } from '../../../products/Grip.tsx';
import type { BlankPicture } from '../../../studioHost/blank/messages.ts';
import type { BlankDraft, BlankPlan, Place } from './draft.ts';

interface Props {
  readonly url: string;
  readonly reading: BlankPicture;
  readonly draft: BlankDraft;
  readonly plan: BlankPlan | undefined;
  onChange(part: Partial<BlankDraft>): void;
}

export function BlankStage({ url, reading, draft, plan, onChange }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const { width, height } = plan?.picture ?? reading;
  const { places, corners } = draft;
  const isPulled = draft.edges === 'pulled';

  const placeOf = (event: PointerEvent): Place => {
    const box = frame.current!.getBoundingClientRect();
    return { x: clamp((event.clientX - box.left) / box.width), y: clamp((event.clientY - box.top) / box.height) };
  };
  const setPlace = (index: number, place: Place) =>
    onChange({ places: places.map((other, i) => (i === index ? place : other)), measuredBy: 'places' });
  /** Puts a place where somebody clicks; with two of them there, the nearer one moves. */
  function addPlace(event: PointerEvent): void {
    if (event.button !== 0 || isPulled) return;
    const place = placeOf(event);
    const away = ({ x, y }: Place) => Math.hypot((x - place.x) * width, (y - place.y) * height);
    if (places.length < 2) onChange({ places: [...places, place], measuredBy: 'places' });
    else setPlace(away(places[0]!) <= away(places[1]!) ? 0 : 1, place);
  }
  return (
    <div
      ref={frame}
      onPointerDown={addPlace}
      className="relative mx-auto w-full max-w-full cursor-crosshair touch-manipulation bg-bone select-none"
      // As large as the height allows, too.
      style={{ aspectRatio: width / height, maxWidth: `calc(${width / height} * var(--blank-height))` }}
    >
      <img src={url} alt="Your blank" draggable={false} className="absolute inset-0 size-full" />
      <svg
        viewBox={`0 0 ${UNIT} ${UNIT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        className="pointer-events-none absolute inset-0 size-full overflow-visible"
      >
        {reading.outline && <Line d={toPath(reading)} className="stroke-ink/45" />}
        {plan && <Line d={areaPath(plan)} className="fill-accent/14 stroke-accent" />}
        {isPulled && <Line d={polygonPath(corners)} className="stroke-ink" />}
        {places[0] && places[1] && <Line d={polygonPath(places)} className="stroke-ink" />}
      </svg>
      {places.map((place, index) => (
        <Grip
          key={index === 0 ? 'first' : 'second'}
          label={`${index === 0 ? 'First' : 'Second'} point to measure from. Arrow keys move it.`}
          place={place}
          toPlace={placeOf}
          onMove={(to) => setPlace(index, to)}
        />
      ))}
      {isPulled &&
        corners.map((place, index) => (
          <Grip
            key={cornerNames[index]}
            isSquare
            label={`${cornerNames[index]} corner of the blank. Arrow keys move it.`}
            place={place}
            toPlace={placeOf}
            onMove={(to) => onChange({ corners: corners.map((other, i) => (i === index ? to : other)) })}
          />
        ))}
    </div>
  );
}

const cornerNames = ['Top left', 'Top right', 'Bottom right', 'Bottom left'] as const;

/** A line that is seen on dark and on light. */
const Line = ({ d, className }: { d: string; className: string }) => (
  <g fill="none" fillRule="evenodd">
    <path d={d} strokeWidth={3.5} vectorEffect="non-scaling-stroke" className="stroke-paper/70" />
    <path d={d} strokeWidth={1.5} vectorEffect="non-scaling-stroke" className={className} />
  </g>
);

const clamp = (share: number) => Math.min(1, Math.max(0, share));

const polygonPath = (points: readonly Place[]) => `M${points.map(({ x, y }) => `${UNIT * x} ${UNIT * y}`).join('L')}Z`;

function toPath({ outline, width, height }: BlankPicture): string {
  const points = outline!;
  const step = Math.max(1, Math.floor(points.length / 2 / 800));
  const at = (i: number) =>
    `${((UNIT * points[2 * i]!) / width).toFixed(1)} ${((UNIT * points[2 * i + 1]!) / height).toFixed(1)}`;
  const rest = Array.from({ length: Math.floor((points.length / 2 - 1) / step) }, (_, i) => `L${at((i + 1) * step)}`);
  return `M${at(0)}${rest.join('')}Z`;
}

/** Returns the edge of the print area. */
const areaPath = ({ fields: { printArea, dimensions, surface }, picture }: BlankPlan): string =>
  viewArea({
    ...{ printArea: printArea!, shape: printArea!.shape, dimensions, surface },
    pictureAspect: picture.width / picture.height,
  }).edge;
