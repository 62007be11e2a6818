/** The fields for the surface of a blank: flat, round or tapered, with its measures. */
import type { BlankSurface } from '@markwright/contract/schemas';
import { BLANK_LIMITS, findMisfit } from '@markwright/contract/words';
import { NumberField, SegmentedControl, Switch } from '@markwright/controls';
import { useId } from 'react';
import { arcBesideHandle, wayRoundMm, withSurfaceKind } from './surfaceEntry.ts';

type RoundSurface = Exclude<BlankSurface, { kind: 'flat' }>;

interface SurfaceFieldsProps {
  readonly value: BlankSurface;
  /** Of the print area, as `WxH` in inches, and in mm. */
  readonly dimensions: string;
  readonly size: { readonly width: number; readonly height: number };
  onChange(part: { readonly surface: BlankSurface }): void;
}

export function SurfaceFields({ value, dimensions, size, onChange }: SurfaceFieldsProps) {
  const setSurface = (surface: BlankSurface) => onChange({ surface });
  const misfit = findMisfit(value, dimensions);
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="sr-only">Surface of the blank</legend>
      <div className="flex flex-col gap-1">
        <span className="font-medium text-graphite text-xs">Surface</span>
        <SegmentedControl<BlankSurface['kind']>
          label="Surface"
          value={value.kind}
          options={[
            { value: 'flat', label: 'Flat' },
            { value: 'cylinder', label: 'Round' },
            { value: 'cone', label: 'Tapered' },
          ]}
          onChange={(kind) => setSurface(withSurfaceKind(value, kind, size))}
        />
      </div>
      {value.kind !== 'flat' && <RoundFields value={value} size={size} onChange={setSurface} />}
      {misfit && (
        <p role="alert" className="text-danger text-xs">
          {misfit}
        </p>
      )}
    </fieldset>
  );
}

interface RoundFieldsProps {
  readonly value: RoundSurface;
  readonly size: SurfaceFieldsProps['size'];
  onChange(surface: BlankSurface): void;
}

function RoundFields({ value, onChange }: RoundFieldsProps) {
  const roundMm = wayRoundMm(value);
  const change = (part: Partial<RoundSurface>) => onChange({ ...value, ...part } as BlankSurface);
  const isLevel = value.axis === 'level';
  return (
    <>
      <div className="grid grid-cols-2 gap-2">
        {value.kind === 'cylinder' ? (
          <Length
            name="Diameter"
            mm={value.diameterMm}
            range={BLANK_LIMITS.diameterMm}
            onCommit={(diameterMm) => change({ diameterMm })}
          />
        ) : (
          <>
            <Length
              name={isLevel ? 'Diameter at the left' : 'Diameter at the top'}
              mm={value.topDiameterMm}
              range={BLANK_LIMITS.diameterMm}
              onCommit={(topDiameterMm) => change({ topDiameterMm })}
            />
            <Length
              name={isLevel ? 'At the right' : 'At the bottom'}
              mm={value.bottomDiameterMm}
              range={BLANK_LIMITS.diameterMm}
              onCommit={(bottomDiameterMm) => change({ bottomDiameterMm })}
            />
            <Length
              name="Height between them"
              mm={value.heightMm}
              range={BLANK_LIMITS.heightMm}
              onCommit={(heightMm) =>
                change({
                  heightMm,
                  ...(value.middleMm !== undefined && { middleMm: Math.min(value.middleMm, heightMm) }),
                })
              }
            />
            <Length
              name={isLevel ? 'Middle from the left' : 'Middle below the top'}
              mm={value.middleMm ?? value.heightMm / 2}
              range={{ min: 0, max: value.heightMm }}
              onCommit={(middleMm) => change({ middleMm })}
            />
          </>
        )}
        <Length
          name={isLevel ? 'Axis below the middle' : 'Axis right of the middle'}
          mm={value.axisMm ?? 0}
          range={BLANK_LIMITS.axisMm}
          onCommit={(axisMm) => change({ axisMm: axisMm === 0 ? undefined : axisMm })}
        />
      </div>
      <Toggle
        label="It lies on its side in the picture"
        isOn={isLevel}
        onChange={(isOn) => change({ axis: isOn ? 'level' : undefined })}
      />
      {roundMm !== undefined && (
        <>
          <Toggle
            label="It can be marked all the way round"
            isOn={value.arcMm === undefined}
            onChange={(isOn) => change({ arcMm: isOn ? undefined : arcBesideHandle(roundMm) })}
          />
          {value.arcMm !== undefined && (
            <Length
              name="Arc that can be marked"
              mm={value.arcMm}
              range={BLANK_LIMITS.arcMm}
              onCommit={(arcMm) => change({ arcMm })}
            />
          )}
          <p className="text-graphite text-xs">
            It is <span className="measure text-ink">{roundMm.toFixed(1)} mm</span> round. The dashed lines are its
            sides: they lie on those of the picture when the measures are right.
          </p>
        </>
      )}
    </>
  );
}

interface LengthProps {
  readonly name: string;
  readonly mm: number;
  readonly range: { readonly min: number; readonly max: number };
  onCommit(mm: number): void;
}

const Length = ({ name, mm, range, onCommit }: LengthProps) => (
  <div className="flex min-w-0 flex-col justify-end gap-1">
    <span aria-hidden="true" className="text-graphite text-xs">
      {name}
    </span>
    <NumberField
      label={`${name} in millimeters`}
      unit="mm"
      value={mm}
      min={range.min}
      max={range.max}
      step={0.5}
      decimals={1}
      onCommit={onCommit}
      className="w-full"
    />
  </div>
);

function Toggle({ label, isOn, onChange }: { label: string; isOn: boolean; onChange(isOn: boolean): void }) {
  const id = useId();
  return (
    <div className="flex min-h-6 items-center justify-between gap-3">
      <label htmlFor={id} className="text-sm">
        {label}
      </label>
      <Switch id={id} label={label} checked={isOn} onChange={onChange} />
    </div>
  );
}
