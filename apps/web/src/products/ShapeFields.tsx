/** The fields for the shape of a print area, and for the parts that must stay free in it. */

import type { BlankSurface } from '@markwright/contract/schemas';
import { BLANK_LIMITS } from '@markwright/contract/words';
import { Button, Icon, NumberField, SegmentedControl, Select } from '@markwright/controls';
import {
  type AreaShape,
  type FractionRect,
  KEEP_OUT_REASONS,
  type KeepOut,
  type KeepOutReason,
} from '@markwright/scene';
import {
  addKeepOut,
  keepOutsOf,
  placeKeepOut,
  readCorners,
  type ShapeKind,
  withKeepOuts,
  withKind,
} from './areaShape.ts';
import type { AreaView } from './areaView.ts';

/** The values that the print area editor changes. */
export interface AreaEntry {
  /** `WxH` in inches. */
  readonly dimensions: string;
  readonly printArea: FractionRect;
  readonly shape?: AreaShape | undefined;
  readonly surface: BlankSurface;
}

export const keepOutNames: Readonly<Record<KeepOutReason, string>> = {
  hole: 'Hole',
  handle: 'Handle',
  logo: 'Logo',
  seam: 'Seam',
  hinge: 'Hinge',
  other: 'Other part',
};

const shapeNames: Readonly<Record<ShapeKind, string>> = {
  rectangle: 'Rectangle',
  rounded: 'Rounded corners',
  circle: 'Circle',
  ellipse: 'Ellipse',
  outline: 'Drawn outline',
};
const shapeKinds = Object.keys(shapeNames) as ShapeKind[];

interface ShapeFieldsProps {
  readonly value: AreaEntry;
  readonly view: AreaView;
  readonly part: number | undefined;
  onChange(part: Partial<AreaEntry>): void;
  onChoosePart(part: number | undefined): void;
}

export function ShapeFields({ value: { shape }, view, part: chosenPart, onChange, onChoosePart }: ShapeFieldsProps) {
  const setShape = (next: AreaShape) => onChange({ shape: next });
  const parts = keepOutsOf(shape);
  const isTraced = shape?.kind === 'outline' && !readCorners(shape.d);
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex items-end gap-2">
        <div className="flex min-w-0 flex-1 flex-col gap-1">
          <span className="font-medium text-graphite text-xs">Shape of the print area</span>
          <Select<ShapeKind>
            label="Shape of the print area"
            value={shape?.kind ?? 'rectangle'}
            options={shapeKinds.map((kind) => ({ value: kind, label: shapeNames[kind] }))}
            onChange={(kind) => setShape(withKind(shape, kind))}
            className="h-9"
          />
        </div>
        {shape?.kind === 'rounded' && (
          <NumberField
            label="Radius of the corners in millimeters"
            prefix="R"
            unit="mm"
            value={shape.radiusMm}
            {...BLANK_LIMITS.radiusMm}
            step={0.5}
            decimals={1}
            onCommit={(radiusMm) => setShape({ ...shape, radiusMm })}
            className="h-9 w-28"
          />
        )}
      </div>
      {shape?.kind === 'outline' && (
        <p className="text-graphite text-xs">
          {isTraced ? (
            <>
              This outline was traced from the picture.{' '}
              <Button
                size="sm"
                variant="ghost"
                className="-mx-2 underline underline-offset-4"
                onClick={() => setShape(withKind(withKind(shape, 'rectangle'), 'outline'))}
              >
                Draw it by hand
              </Button>
            </>
          ) : (
            'Pull its corners on the picture. A dot between two of them becomes a corner; a double click removes one.'
          )}
        </p>
      )}
      <div className="flex flex-col gap-1.5">
        <span className="font-medium text-graphite text-xs">Kept free</span>
        {parts.length > 0 && (
          <ul className="grid gap-2">
            {parts.map((part, index) => (
              <Part
                key={index}
                {...{ part, view }}
                name={`${keepOutNames[part.reason]} ${index + 1}`}
                isChosen={chosenPart === index}
                onChoose={() => onChoosePart(index)}
                onChange={(next) =>
                  setShape(
                    withKeepOuts(
                      shape,
                      parts.map((other, i) => (i === index ? next : other)),
                    ),
                  )
                }
                onRemove={() => {
                  onChoosePart(undefined);
                  setShape(
                    withKeepOuts(
                      shape,
                      parts.filter((_, i) => i !== index),
                    ),
                  );
                }}
              />
            ))}
          </ul>
        )}
        <div>
          <Button
            size="sm"
            icon="plus"
            disabled={parts.length >= BLANK_LIMITS.keepOuts}
            onClick={() => {
              setShape(addKeepOut(shape, view.size.width / view.size.height));
              onChoosePart(parts.length);
            }}
          >
            Keep a part free
          </Button>
        </div>
        {parts.length === 0 && (
          <p className="text-graphite text-xs">A hole, a handle, a logo: no mark is made there.</p>
        )}
      </div>
    </div>
  );
}

interface PartProps {
  readonly part: KeepOut;
  readonly view: AreaView;
  readonly name: string;
  readonly isChosen: boolean;
  onChoose(): void;
  onChange(part: KeepOut): void;
  onRemove(): void;
}

function Part({ part, view: { size }, name, isChosen, onChoose, onChange, onRemove }: PartProps) {
  const length = (side: 'width' | 'height') => (
    <NumberField
      label={`${side === 'width' ? 'Width' : 'Height'} of ${name} in millimeters`}
      prefix={side === 'width' ? 'W' : 'H'}
      unit="mm"
      value={part[side] * size[side]}
      min={0.01 * size[side]}
      max={size[side]}
      step={0.5}
      decimals={1}
      onCommit={(mm) => onChange(placeKeepOut(part, { [side]: mm / size[side] }))}
      className="min-w-0 flex-1"
    />
  );
  return (
    <li
      onFocus={onChoose}
      className={`grid gap-1.5 rounded-control border p-1.5 ${isChosen ? 'border-accent' : 'border-line'}`}
    >
      <div className="flex items-center gap-1.5">
        <Select<KeepOutReason>
          label={`What ${name} is`}
          value={part.reason}
          options={KEEP_OUT_REASONS.map((reason) => ({ value: reason, label: keepOutNames[reason] }))}
          onChange={(reason) => onChange({ ...part, reason })}
          className="h-7 min-w-0 flex-1"
        />
        <SegmentedControl<KeepOut['kind']>
          label={`Form of ${name}`}
          value={part.kind}
          options={[
            { value: 'ellipse', label: 'Round' },
            { value: 'rectangle', label: 'Square' },
          ]}
          onChange={(kind) => onChange({ ...part, kind })}
        />
        <button
          type="button"
          aria-label={`Remove ${name}`}
          onClick={onRemove}
          className="grid size-7 shrink-0 place-items-center rounded-control text-graphite hover:bg-bone hover:text-ink focus-visible:outline-2 focus-visible:outline-accent pointer-coarse:size-10"
        >
          <Icon name="trash" className="size-4" />
        </button>
      </div>
      <div className="flex gap-1.5">
        {length('width')}
        {length('height')}
      </div>
    </li>
  );
}
