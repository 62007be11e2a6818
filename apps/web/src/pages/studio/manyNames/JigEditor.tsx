/** The jig of a batch: its numbers, and a drawing of the bed in which broken slots are marked. */
import { Button, NumberField, SegmentedControl, Switch } from '@markwright/controls';
import {
  buildJigJob,
  fillBed,
  findLayoutFault,
  type Jig,
  MAX_SHEET_PIECES,
  type PieceFrame,
  type RightAngle,
  type Slot,
  slotsOf,
  turnSize,
} from '@markwright/scene/sheets';
import type { ReactNode } from 'react';
import { saveBlob } from '../../../ui/saveBlob.ts';
import { Setting } from './Setting.tsx';

interface JigEditorProps {
  readonly jig: Jig;
  readonly frame: PieceFrame;
  onChange(jig: Jig): void;
}

const ANGLES = (['0', '90', '180', '270'] as const).map((value) => ({ value, label: `${value}°` }));

export function JigEditor({ jig, frame, onChange }: JigEditorProps) {
  const set = (changes: Partial<Jig>) => onChange({ ...jig, ...changes });
  const blank = jig.blank ?? frame;
  const mm = { max: 3_000, step: 1, decimals: 1, unit: 'mm', className: 'w-22' };
  const fault = findLayoutFault({ kind: 'jig', ...jig }, { frame, sizes: [], rowNumbers: [] });
  const fill = () => {
    const bed = { widthMm: jig.bedWidthMm, heightMm: jig.bedHeightMm };
    const { rotationDeg, isSerpentine, clearanceMm } = jig;
    set({ ...fillBed(bed, turnSize(blank, rotationDeg), clearanceMm), rotationDeg, isSerpentine });
  };
  const save = async () => {
    const { makeOutlineFile } = await import('@markwright/scene/production');
    const { bytes } = makeOutlineFile(buildJigJob(jig, frame), 'svg');
    saveBlob(new Blob([bytes as BlobPart], { type: 'image/svg+xml' }), 'jig.svg');
  };
  return (
    <section aria-label="Jig" className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_300px]">
      <div>
        <Bed jig={jig} frame={frame} onBreak={(brokenSlots) => set({ brokenSlots })} />
        <p className="mt-1.5 text-graphite text-xs">
          Slots are filled in the order of their numbers. Click a broken one to leave it empty.
        </p>
      </div>
      <div className="grid content-start gap-1.5">
        <Pair label="Bed">
          <NumberField
            {...mm}
            label="Width of the bed"
            min={10}
            value={jig.bedWidthMm}
            onCommit={(bedWidthMm) => set({ bedWidthMm })}
          />
          <NumberField
            {...mm}
            label="Height of the bed"
            min={10}
            value={jig.bedHeightMm}
            onCommit={(bedHeightMm) => set({ bedHeightMm })}
          />
        </Pair>
        <Pair label="Blank">
          <NumberField
            {...mm}
            label="Width of the blank"
            min={1}
            value={blank.widthMm}
            onCommit={(widthMm) => set({ blank: { ...blankSize(blank), widthMm } })}
          />
          <NumberField
            {...mm}
            label="Height of the blank"
            min={1}
            value={blank.heightMm}
            onCommit={(heightMm) => set({ blank: { ...blankSize(blank), heightMm } })}
          />
        </Pair>
        <Pair label="Columns, rows">
          <NumberField
            label="Columns"
            min={1}
            max={MAX_SHEET_PIECES}
            value={jig.columns}
            onCommit={(columns) => set({ columns })}
            className="w-22"
          />
          <NumberField
            label="Rows"
            min={1}
            max={MAX_SHEET_PIECES}
            value={jig.rows}
            onCommit={(rows) => set({ rows })}
            className="w-22"
          />
        </Pair>
        <Pair label="Pitch">
          <NumberField
            {...mm}
            label="Pitch of the columns"
            min={0}
            value={jig.pitchXMm}
            onCommit={(pitchXMm) => set({ pitchXMm })}
          />
          <NumberField
            {...mm}
            label="Pitch of the rows"
            min={0}
            value={jig.pitchYMm}
            onCommit={(pitchYMm) => set({ pitchYMm })}
          />
        </Pair>
        <Pair label="First slot">
          <NumberField
            {...mm}
            label="First slot from the left"
            min={0}
            value={jig.offsetXMm}
            onCommit={(offsetXMm) => set({ offsetXMm })}
          />
          <NumberField
            {...mm}
            label="First slot from the top"
            min={0}
            value={jig.offsetYMm}
            onCommit={(offsetYMm) => set({ offsetYMm })}
          />
        </Pair>
        <Setting label="Turned">
          <SegmentedControl
            label="How the blanks are turned"
            value={String(jig.rotationDeg) as (typeof ANGLES)[number]['value']}
            options={ANGLES}
            onChange={(angle) => set({ rotationDeg: Number(angle) as RightAngle })}
            className="w-46"
          />
        </Setting>
        <Setting label="Every second row backwards">
          <Switch
            label="Every second row backwards"
            checked={jig.isSerpentine}
            onChange={(isSerpentine) => set({ isSerpentine })}
          />
        </Setting>
        <Setting label="Clearance of the pockets">
          <NumberField
            {...mm}
            label="Clearance of the pockets"
            min={0}
            max={20}
            step={0.1}
            value={jig.clearanceMm}
            onCommit={(clearanceMm) => set({ clearanceMm })}
          />
        </Setting>
        <Setting label="Registration marks">
          <Switch label="Registration marks" checked={jig.hasMarks} onChange={(hasMarks) => set({ hasMarks })} />
        </Setting>
        <div className="mt-1 flex flex-wrap gap-2">
          <Button size="sm" onClick={fill}>
            Fill the bed
          </Button>
          <Button size="sm" icon="download" disabled={fault !== undefined} onClick={() => void save()}>
            Jig as SVG
          </Button>
        </div>
      </div>
    </section>
  );
}

const blankSize = ({ widthMm, heightMm }: PieceFrame) => ({ widthMm, heightMm });

/** Two numbers of one thing. */
function Pair({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <Setting label={label}>
      <span className="flex gap-2">{children}</span>
    </Setting>
  );
}

interface BedProps {
  readonly jig: Jig;
  readonly frame: PieceFrame;
  onBreak(places: readonly number[]): void;
}

/** Draws the bed. A slot is a button: a click marks it as broken, or as whole again. */
function Bed({ jig, frame, onBreak }: BedProps) {
  const { bedWidthMm, bedHeightMm, columns, rows, brokenSlots } = jig;
  const slots = columns * rows <= MAX_SHEET_PIECES ? slotsOf(jig, frame) : [];
  const toggle = ({ place, isBroken }: Slot) =>
    onBreak(isBroken ? brokenSlots.filter((other) => other !== place) : [...brokenSlots, place]);
  const share = (mm: number, whole: number) => `${(100 * mm) / whole}%`;
  return (
    // As high as the drawing of a bed may be, it is as wide as its proportions make it.
    <fieldset
      aria-label={`Bed with ${slots.length} slots`}
      className="relative mx-auto max-w-full overflow-hidden rounded-control border border-edge bg-bone"
      style={{
        aspectRatio: `${bedWidthMm} / ${bedHeightMm}`,
        width: `min(100%, ${(380 * bedWidthMm) / bedHeightMm}px)`,
      }}
    >
      {slots.map((slot) => (
        <button
          key={slot.place}
          type="button"
          aria-pressed={slot.isBroken}
          aria-label={`Slot ${slot.number} is broken`}
          onClick={() => toggle(slot)}
          className="absolute grid cursor-pointer place-items-center overflow-hidden rounded-[3px] border border-edge bg-paper text-[11px] text-ink tabular-nums hover:border-accent focus-visible:outline-2 focus-visible:outline-accent aria-pressed:border-dashed aria-pressed:bg-transparent aria-pressed:text-graphite aria-pressed:line-through"
          style={{
            left: share(slot.x, bedWidthMm),
            top: share(slot.y, bedHeightMm),
            width: share(slot.widthMm, bedWidthMm),
            height: share(slot.heightMm, bedHeightMm),
          }}
        >
          {slot.number}
        </button>
      ))}
    </fieldset>
  );
}
