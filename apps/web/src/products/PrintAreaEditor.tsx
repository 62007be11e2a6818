import { parseDimensions } from '@markwright/contract/words';
import { NumberField, SegmentedControl, Select } from '@markwright/controls';
import { MM_PER_INCH, toUnit, type Unit } from '@markwright/editor';
import { useMemo, useState } from 'react';
import { AreaPicture } from './AreaPicture.tsx';
import { type AreaView, viewArea } from './areaView.ts';
import { blanks } from './blanks.ts';
import { growBy, moveBy, pictureInches, resize, SIDE_INCHES, writeDimensions } from './printArea.ts';
import { type AreaEntry, ShapeFields } from './ShapeFields.tsx';
import { SurfaceFields } from './SurfaceFields.tsx';

interface Props {
  /** The stored picture, or the one that was just chosen. */
  readonly pictureUrl: string;
  /** Width over height. */
  readonly pictureAspect: number;
  readonly value: AreaEntry;
  onChange(part: Partial<AreaEntry>): void;
}

/**
 * Edits the form of a blank: a person drags the print area on the picture, types its true size, and says what shape it
 * and the surface have.
 */
export function PrintAreaEditor({ pictureUrl, pictureAspect, value, onChange }: Props) {
  const [unit, setUnit] = useState<Unit>('in');
  // The part that is kept free, of which the picture has the grips.
  const [part, setPart] = useState<number>();
  const view = useMemo((): AreaView => viewArea({ ...value, pictureAspect }), [value, pictureAspect]);
  const { widthInches, heightInches } = parseDimensions(value.dimensions);
  const sides = { Width: widthInches, Height: heightInches };
  const setSide = (side: SideName, inches: number) => {
    const next = { ...sides, [side]: inches };
    onChange(resize(value, writeDimensions(next.Width, next.Height), pictureAspect));
  };
  const whole = pictureInches(value, pictureAspect);
  const length = (inches: number) => Number(toUnit(inches * MM_PER_INCH, unit).toFixed(unit === 'in' ? 2 : 1));
  return (
    <div className="grid gap-x-5 gap-y-4 sm:grid-cols-[minmax(0,1fr)_200px]">
      <AreaPicture {...{ pictureUrl, pictureAspect, value, view, unit, part, onChange }} onChoosePart={setPart} />
      <div className="flex flex-col gap-3">
        <div className="flex flex-col gap-1">
          <span className="text-xs font-medium text-graphite">Start from</span>
          <Select
            label="Size of a common blank"
            value={
              blanks.flatMap(({ options }) => options).find(({ dimensions }) => dimensions === value.dimensions)
                ?.name ?? OWN_SIZE
            }
            options={[
              { value: OWN_SIZE, label: 'My own size' },
              ...blanks.map(({ label, options }) => ({
                label,
                options: options.map(({ name }) => ({ value: name, label: name })),
              })),
            ]}
            onChange={(name) => {
              const blank = blanks.flatMap(({ options }) => options).find((option) => option.name === name);
              if (blank) onChange(resize(value, blank.dimensions, pictureAspect));
            }}
          />
        </div>
        <div className="flex flex-col gap-1.5">
          <div className="flex items-center justify-between">
            <span className="text-xs font-medium text-graphite">Print area</span>
            <SegmentedControl<Unit>
              label="Unit"
              value={unit}
              options={(['in', 'mm'] as const).map((value) => ({ value, label: value }))}
              onChange={setUnit}
            />
          </div>
          <div className="flex gap-2">
            {(['Width', 'Height'] as const).map((name) => (
              <SideLength
                key={name}
                name={name}
                inches={sides[name]}
                unit={unit}
                onCommit={(inches) => setSide(name, inches)}
              />
            ))}
          </div>
        </div>
        <div className="flex flex-col gap-1.5">
          <span className="text-xs font-medium text-graphite">On the picture</span>
          <div className="grid grid-cols-2 gap-2">
            <Share
              name="From the left"
              prefix="X"
              share={value.printArea.x}
              onCommit={(x) => onChange(moveBy(value, x - value.printArea.x, 0))}
            />
            <Share
              name="From the top"
              prefix="Y"
              share={value.printArea.y}
              onCommit={(y) => onChange(moveBy(value, 0, y - value.printArea.y))}
            />
            <Share
              name="Width on the picture"
              prefix="W"
              share={value.printArea.width}
              onCommit={(width) => onChange(growBy(value, width - value.printArea.width, pictureAspect))}
            />
          </div>
        </div>
        <p className="text-xs text-graphite">
          The whole picture is then{' '}
          <span className="measure text-ink">
            {length(whole.width)} × {length(whole.height)} {unit}
          </span>
          . Measure your blank: cups of one name differ by brand.
        </p>
      </div>
      <div className="grid gap-x-5 gap-y-4 border-line border-t pt-4 sm:col-span-2 sm:grid-cols-2">
        <ShapeFields {...{ value, view, part, onChange }} onChoosePart={setPart} />
        <SurfaceFields value={value.surface} dimensions={value.dimensions} size={view.size} onChange={onChange} />
      </div>
    </div>
  );
}

const OWN_SIZE = 'own';

type SideName = 'Width' | 'Height';

function SideLength(props: { name: SideName; inches: number; unit: Unit; onCommit(inches: number): void }) {
  const { name, inches, unit, onCommit } = props;
  const perInch = unit === 'in' ? 1 : MM_PER_INCH;
  return (
    <NumberField
      label={`${name} in ${unit === 'in' ? 'inches' : 'millimeters'}`}
      prefix={name[0]}
      unit={unit}
      value={inches * perInch}
      min={SIDE_INCHES.min * perInch}
      max={SIDE_INCHES.max * perInch}
      step={unit === 'in' ? 0.05 : 1}
      decimals={unit === 'in' ? 3 : 1}
      onCommit={(side) => onCommit(side / perInch)}
      className="min-w-0 flex-1"
    />
  );
}

function Share(props: { name: string; prefix: string; share: number; onCommit(share: number): void }) {
  const { name, prefix, share, onCommit } = props;
  return (
    <NumberField
      label={`${name} in percent`}
      prefix={prefix}
      unit="%"
      value={share * 100}
      min={0}
      max={100}
      step={0.5}
      decimals={1}
      onCommit={(percent) => onCommit(percent / 100)}
      className="min-w-0"
    />
  );
}
