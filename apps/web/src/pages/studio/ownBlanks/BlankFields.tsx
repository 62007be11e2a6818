/** The fields of a blank of one's own: its size, its material and surface, its print area. */
import { MATERIALS } from '@markwright/contract/words';
import { Button, Field, SegmentedControl, Select, TextInput } from '@markwright/controls';
import type { AreaKind } from '@markwright/scene/fitArea';
import { materialNames } from '../../../products/names.ts';
import { Machines } from '../../../products/ProductFields.tsx';
import type { BlankPicture } from '../../../studioHost/blank/messages.ts';
import { type BlankDraft, boxOf, type PlanResult, type SurfaceKind, scaleOf, suggestKind } from './draft.ts';

interface Props {
  readonly reading: BlankPicture;
  readonly draft: BlankDraft;
  readonly result: PlanResult;
  /** The field whose problem is said, after somebody tried to go on. */
  readonly refusal: { readonly field: keyof BlankDraft; readonly problem: string } | undefined;
  onChange(part: Partial<BlankDraft>): void;
}

const surfaces: readonly { value: SurfaceKind; label: string }[] = [
  { value: 'flat', label: 'Flat' },
  { value: 'cylinder', label: 'Round' },
  { value: 'cone', label: 'Tapered' },
];

const areaNames: Readonly<Record<AreaKind, string>> = {
  rectangle: 'Rectangle',
  rounded: 'Rounded corners',
  circle: 'Circle',
  ellipse: 'Ellipse',
  outline: 'Its outline',
};

export function BlankFields({ reading, draft, result, refusal, onChange }: Props) {
  const { plan } = result;
  const isFlat = draft.surface === 'flat';
  const errorOf = (field: keyof BlankDraft) => (refusal?.field === field ? refusal.problem : undefined);
  const size = sizeOf(reading, draft);
  const kind = suggestKind(reading, draft);
  const hasOutline = reading.outline !== undefined && draft.edges === 'found' && isFlat;
  const kinds = (Object.keys(areaNames) as AreaKind[]).filter((one) => one !== 'outline' || hasOutline);
  return (
    <div className="grid content-start gap-4">
      <SegmentedControl
        label="Surface"
        value={draft.surface}
        options={surfaces}
        onChange={(surface) => onChange({ surface })}
      />
      <fieldset className="grid gap-2">
        <legend className="sr-only">Size of the blank</legend>
        <div className="grid grid-cols-2 gap-2">
          <LengthField
            label={
              draft.surface === 'flat' ? 'Width' : draft.surface === 'cylinder' ? 'Diameter' : 'Diameter at the top'
            }
            name="width"
            value={draft.width}
            placeholder={size?.width}
            onChange={(width) => onChange({ width, measuredBy: 'size' })}
          />
          {draft.surface === 'cone' && (
            <LengthField
              label="At the bottom"
              name="bottom"
              value={draft.bottom}
              onChange={(bottom) => onChange({ bottom, measuredBy: 'size' })}
            />
          )}
          <LengthField
            label="Height"
            name="height"
            value={draft.height}
            placeholder={size?.height}
            onChange={(height) => onChange({ height, measuredBy: 'size' })}
          />
        </div>
        <Note problem={errorOf('width') ?? errorOf('height') ?? errorOf('bottom')}>
          {sizeNote(reading, draft, size !== undefined)}
        </Note>
        {draft.places.length === 0 ? (
          <p className="text-graphite text-xs">
            Or click two points on the picture.{' '}
            <Button
              size="sm"
              variant="ghost"
              className="-mx-2 underline underline-offset-4"
              onClick={() => onChange({ places: firstPlaces(reading, draft), measuredBy: 'places' })}
            >
              Set two points
            </Button>
          </p>
        ) : (
          <div className="flex items-end gap-2">
            <LengthField
              label={draft.places.length === 1 ? 'Now click the second point' : 'Between the two points'}
              name="distance"
              value={draft.distance}
              onChange={(distance) => onChange({ distance, measuredBy: 'places' })}
              error={errorOf('distance')}
            />
            <Button
              size="lg"
              variant="ghost"
              onClick={() => onChange({ places: [], distance: '', measuredBy: 'size' })}
            >
              Remove the points
            </Button>
          </div>
        )}
      </fieldset>
      <div className="flex flex-col gap-1">
        <span className="font-medium text-graphite text-xs">Material</span>
        <Select
          label="Material"
          value={draft.material}
          options={MATERIALS.map((value) => ({ value, label: materialNames[value] }))}
          onChange={(material) => onChange({ material })}
          className="h-9"
        />
      </div>
      <Machines value={draft.machines} onChange={(machines) => onChange({ machines })} />
      <div className="grid grid-cols-[minmax(0,1fr)_112px] gap-2">
        <div className="flex flex-col gap-1">
          <span className="font-medium text-graphite text-xs">Print area</span>
          <Select<AreaKind | 'auto'>
            label="Shape of the print area"
            value={draft.areaKind ?? 'auto'}
            options={[
              { value: 'auto', label: `${areaNames[kind]} (suggested)` },
              ...kinds.filter((one) => one !== kind).map((value) => ({ value, label: areaNames[value] })),
            ]}
            onChange={(value) => onChange({ areaKind: value === 'auto' ? undefined : value })}
            className="h-9"
          />
        </div>
        <LengthField
          label="Margin"
          name="margin"
          value={draft.margin}
          placeholder={plan && text(plan.marginMm)}
          onChange={(margin) => onChange({ margin })}
        />
      </div>
      <Note problem={errorOf('margin')}>
        {plan && (
          <>
            {'Print area '}
            <span className="measure text-ink">
              {text(plan.areaSize.width)} × {text(plan.areaSize.height)} mm
            </span>
          </>
        )}
      </Note>
      <Field label="Name">
        {(control) => (
          <TextInput
            {...control}
            name="name"
            value={draft.name}
            maxLength={120}
            placeholder={plan?.fields.name}
            autoComplete="off"
            onChange={(event) => onChange({ name: event.target.value })}
          />
        )}
      </Field>
    </div>
  );
}

interface LengthProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly placeholder?: string | undefined;
  readonly error?: string | undefined;
  onChange(value: string): void;
}

/** A length in mm, or with its unit behind it. What is not typed shows as it follows from the rest. */
const LengthField = ({ label, name, value, placeholder, error, onChange }: LengthProps) => (
  <Field label={label} error={error} className="min-w-0">
    {(control) => (
      <span className="relative">
        <TextInput
          {...control}
          name={name}
          value={value}
          placeholder={placeholder}
          inputMode="decimal"
          autoComplete="off"
          onChange={(event) => onChange(event.target.value)}
          className={/[a-z"″]/i.test(value) ? '' : 'pr-9'}
        />
        {!/[a-z"″]/i.test(value) && (
          <span className="pointer-events-none absolute inset-y-0 right-2.5 flex items-center text-graphite text-xs">
            mm
          </span>
        )}
      </span>
    )}
  </Field>
);

function Note({ problem, children }: { problem: string | undefined; children: React.ReactNode }) {
  if (problem) {
    return (
      <p role="alert" className="-mt-1 text-danger text-xs">
        {problem}
      </p>
    );
  }
  return children ? <p className="-mt-1 text-graphite text-xs">{children}</p> : null;
}

const text = (mm: number) => String(Number(mm.toFixed(1)));

/** Returns the size that follows from what is known. */
function sizeOf(reading: BlankPicture, draft: BlankDraft): { width: string; height: string } | undefined {
  const scale = scaleOf(reading, draft);
  if (!scale) return undefined;
  const box = boxOf(reading, draft);
  return { width: text(box.width * scale.x), height: text(box.height * scale.y) };
}

function sizeNote(reading: BlankPicture, { width, height, places, measuredBy }: BlankDraft, isKnown: boolean) {
  if (!isKnown) return 'One side is enough: the other follows from the picture. 4.7 in and 12 cm work too.';
  if (width && height && measuredBy === 'size') return undefined;
  if (!width && !height && places.length < 2 && reading.mmPerPixel) {
    return reading.gauge === 'ruler'
      ? 'A ruler in the picture gave the size, by its millimeters.'
      : 'A bank card in the picture gave the size.';
  }
  return 'The other side follows from the picture. Type it if you know it better.';
}

/** Both ends of the blank's width, where somebody sets the places without a pointer. */
function firstPlaces(reading: BlankPicture, draft: BlankDraft) {
  const { x, y, width, height } = boxOf(reading, draft);
  const middle = (y + height / 2) / reading.height;
  return [
    { x: x / reading.width, y: middle },
    { x: (x + width) / reading.width, y: middle },
  ];
}
