/**
 * Draws makers around a place by direction and distance. Hidden from screen readers, because the list beside it says
 * the same.
 */
import type { MakerCard } from '@markwright/contract/schemas';
import { bearingTo, formatDistance, type Unit } from '../../makers/distance.ts';

interface Props {
  readonly from: { readonly lat: number; readonly lon: number };
  readonly makers: readonly MakerCard[];
  readonly unit: Unit;
  /** Id of the maker under the pointer. */
  readonly activeId: string | undefined;
}

const SIDE = 320;
const MIDDLE = SIDE / 2;
const RADIUS = 132;
const RINGS = 4;
const KM_PER_MILE = 1.609344;
/** Radii of the outer ring, in kilometers or miles. */
const ROUND_DISTANCES = [10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 21_000];

export function Rings({ from, makers, unit, activeId }: Props) {
  const toUnit = unit === 'mi' ? 1 / KM_PER_MILE : 1;
  const farthest = Math.max(...makers.map(({ distanceKm }) => distanceKm ?? 0)) * toUnit;
  const outer = ROUND_DISTANCES.find((distance) => distance >= farthest) ?? ROUND_DISTANCES.at(-1)!;
  // A square root separates near makers from one another and still leaves room for far ones.
  const radiusOf = (distance: number) => RADIUS * Math.sqrt(Math.min(1, distance / outer));
  const rings = Array.from({ length: RINGS }, (_, index) => (outer * (index + 1)) / RINGS);
  const dots = makers.map((maker) => {
    const radius = radiusOf((maker.distanceKm ?? 0) * toUnit);
    const angle = (bearingTo(from, maker.place) * Math.PI) / 180;
    return { id: maker.id, x: MIDDLE + radius * Math.sin(angle), y: MIDDLE - radius * Math.cos(angle) };
  });
  return (
    <svg viewBox={`0 0 ${SIDE} ${SIDE}`} aria-hidden="true" className="w-full select-none" fill="none">
      {rings.map((distance, index) => {
        const isOuter = index === RINGS - 1;
        return (
          <circle
            key={distance}
            cx={MIDDLE}
            cy={MIDDLE}
            r={radiusOf(distance)}
            className={isOuter ? 'stroke-edge' : 'stroke-edge opacity-60'}
            strokeDasharray={isOuter ? undefined : '2 3'}
          />
        );
      })}
      {ticks.map(({ from, to, isLong }, index) => (
        <path
          key={index}
          d={`M${from.x} ${from.y}L${to.x} ${to.y}`}
          className={isLong ? 'stroke-edge' : 'stroke-edge opacity-60'}
        />
      ))}
      <path d={`M${MIDDLE - 5} ${MIDDLE}h10M${MIDDLE} ${MIDDLE - 5}v10`} className="stroke-graphite" />
      {(['N', 'E', 'S', 'W'] as const).map((name, index) => {
        const angle = (index * Math.PI) / 2;
        return (
          <text
            key={name}
            x={MIDDLE + (RADIUS + 19) * Math.sin(angle)}
            y={MIDDLE - (RADIUS + 19) * Math.cos(angle)}
            textAnchor="middle"
            dominantBaseline="central"
            className={`font-mono text-xs ${name === 'N' ? 'fill-ink' : 'fill-graphite'}`}
          >
            {name}
          </text>
        );
      })}
      {dots
        .toSorted((a, b) => Number(a.id === activeId) - Number(b.id === activeId))
        .map(({ id, x, y }) => (
          <g key={id}>
            {id === activeId && <path d={`M${MIDDLE} ${MIDDLE}L${x} ${y}`} className="stroke-accent" />}
            <circle
              cx={x}
              cy={y}
              r={id === activeId ? 6 : 4.5}
              className={`stroke-paper ${id === activeId ? 'fill-accent' : 'fill-ink'}`}
              strokeWidth={1.5}
            />
          </g>
        ))}
      {[rings[1]!, outer].map((distance) => {
        const label = formatDistance(distance / toUnit, unit);
        // In the southwest, where no letter stands.
        const [x, y] = [MIDDLE - radiusOf(distance) * Math.SQRT1_2, MIDDLE + radiusOf(distance) * Math.SQRT1_2];
        const width = label.length * 6.6 + 8;
        return (
          <g key={distance}>
            <rect x={x - width / 2} y={y - 8} width={width} height={16} rx={3} className="fill-paper" />
            <text
              x={x}
              y={y}
              textAnchor="middle"
              dominantBaseline="central"
              className="fill-graphite font-mono text-[11px]"
            >
              {label}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

/** The ticks around the outer ring, one every five degrees. */
const ticks = Array.from({ length: 72 }, (_, index) => {
  const angle = (index * 5 * Math.PI) / 180;
  const isLong = index % 6 === 0;
  const at = (radius: number) => ({
    x: Number((MIDDLE + radius * Math.sin(angle)).toFixed(2)),
    y: Number((MIDDLE - radius * Math.cos(angle)).toFixed(2)),
  });
  return { from: at(RADIUS + 2), to: at(RADIUS + (isLong ? 9 : 5)), isLong };
});
