/** Edits a laser: its name, and speeds and powers by material and operation, typed in or read from its library. */
import type { Laser, LibraryEntry } from '@markwright/contract/schemas';
import { LASER_LIMITS, laserOperationNames, MATERIALS } from '@markwright/contract/words';
import { Button, Field, HiddenFileInput, IconButton, NumberField, Select, TextInput } from '@markwright/controls';
import { laserOperations } from '@markwright/scene';
import { useId, useRef, useState } from 'react';
import { api } from '../../../api.ts';
import { materialNames } from '../../../products/names.ts';
import { messageOf } from '../../../request.ts';
import { Modal } from '../../../ui/dialog.tsx';
import { toast } from '../../../ui/notices.ts';
import { Problem } from '../../../ui/Problem.tsx';
import { WithLabel } from '../../../ui/WithLabel.tsx';
import {
  addRow,
  findTwice,
  isEngraving,
  type LaserRow,
  listEntries,
  takeLibrary,
  toEntries,
  toRow,
  toRows,
  withPower,
} from './laserDraft.ts';

interface Props {
  /** Undefined for a new one. */
  readonly laser: Laser | undefined;
  onClose(): void;
  onSaved(): void;
}

export default function LaserDialog({ laser, onClose, onSaved }: Props) {
  const [name, setName] = useState(laser?.name ?? '');
  const [rows, setRows] = useState(() => toRows(laser?.entries ?? []));
  const [problem, setProblem] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const twice = findTwice(rows);
  const change = (row: LaserRow) => setRows(rows.map((other) => (other.key === row.key ? row : other)));

  async function save() {
    setSaving(true);
    setProblem(undefined);
    try {
      const body = { name, entries: toEntries(rows) };
      await (laser ? api.lasers.change({ params: { id: laser.id }, body }) : api.lasers.add({ body }));
      toast({ title: `${name.trim()} is saved`, description: 'LightBurn projects have these settings from now on.' });
      onSaved();
    } catch (error) {
      setProblem(messageOf(error));
      setSaving(false);
    }
  }

  return (
    <Modal
      isOpen
      size="page"
      title={laser ? laser.name : 'Add a laser'}
      description="A LightBurn project takes the row of its product’s material. An operation without one says SET POWER."
      onClose={onClose}
    >
      <Field label="Name" className="mt-4 max-w-80">
        {(control) => (
          <TextInput
            {...control}
            value={name}
            maxLength={LASER_LIMITS.nameLength}
            placeholder="Fiber 30 W"
            autoComplete="off"
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Library rows={rows} onChange={setRows} />
      <ul aria-label="Speeds and powers" className="mt-3 grid content-start sm:min-h-36">
        {rows.map((row) => (
          <Row
            key={row.key}
            row={row}
            isTwice={row === twice}
            onChange={change}
            onRemove={() => setRows(rows.filter((other) => other.key !== row.key))}
          />
        ))}
      </ul>
      {rows.length === 0 && <p className="text-graphite">No settings yet: add them row by row, or read a library.</p>}
      <Button
        icon="plus"
        className="mt-3"
        disabled={rows.length >= LASER_LIMITS.entries}
        onClick={() => setRows(addRow(rows))}
      >
        Add a row
      </Button>
      <div className="sticky bottom-0 -mx-4 mt-5 -mb-4 flex flex-wrap items-center justify-end gap-2 border-line border-t bg-paper px-4 py-3 sm:-mx-6 sm:-mb-6 sm:px-6">
        {(problem ?? twice) && (
          <Problem className="min-w-0 flex-[1_1_240px]">
            {problem ?? `${nameRow(twice!)} stands twice. Change or remove one of the rows.`}
          </Problem>
        )}
        <Button size="lg" variant="ghost" onClick={onClose}>
          Cancel
        </Button>
        <Button
          size="lg"
          variant="primary"
          isBusy={isSaving}
          disabled={name.trim() === '' || twice !== undefined}
          onClick={() => void save()}
        >
          Save the laser
        </Button>
      </div>
    </Modal>
  );
}

const nameRow = ({ material, operation }: LaserRow) =>
  `“${laserOperationNames[operation]}” of ${materialNames[material].toLowerCase()}`;

interface LibraryProps {
  readonly rows: readonly LaserRow[];
  onChange(rows: LaserRow[]): void;
}

/** Reads a library, takes what its words place, and offers every entry one by one. */
function Library({ rows, onChange }: LibraryProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isReading, setReading] = useState(false);
  const [library, setLibrary] = useState<{ name: string; entries: readonly LibraryEntry[]; words: string }>();
  const [problem, setProblem] = useState<string>();

  async function read(file: File | undefined) {
    if (!file) return;
    setReading(true);
    setProblem(undefined);
    try {
      if (file.size > LASER_LIMITS.libraryBytes) throw new Error('This library is too large. It may have 2 MB.');
      const { name, entries } = await api.lasers.readLibrary({ body: {}, file });
      const { rows: newRows, takenCount } = takeLibrary(rows, entries);
      onChange(newRows.slice(0, LASER_LIMITS.entries));
      setLibrary({ name: name || file.name, entries, words: sayTaken(takenCount, entries.length) });
    } catch (error) {
      setProblem(messageOf(error));
    }
    setReading(false);
  }

  const options = listEntries(library?.entries ?? []);
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-2">
      <HiddenFileInput ref={input} label="LightBurn library" accept=".clb" onChoose={([file]) => void read(file)} />
      <Button icon="upload" isBusy={isReading} onClick={() => input.current?.click()}>
        Read a LightBurn library
      </Button>
      {options.length > 0 && (
        <Select
          label={`Add from ${library!.name}`}
          value=""
          options={[{ value: '', label: `Add from ${library!.name}` }, ...options]}
          onChange={(value) => {
            const option = options.find((entry) => entry.value === value);
            if (option && rows.length < LASER_LIMITS.entries) onChange([...rows, ...toRows([toRow(option.entry)])]);
          }}
          className="w-64 max-w-full"
        />
      )}
      <p role={problem ? 'alert' : 'status'} className={`w-full text-sm ${problem ? 'text-danger' : 'text-graphite'}`}>
        {problem ?? library?.words ?? 'A .clb file, from LightBurn’s material library.'}
      </p>
    </div>
  );
}

function sayTaken(takenCount: number, all: number): string {
  const rest = all - takenCount;
  const words = takenCount === 1 ? '1 entry has its row' : `${takenCount} entries have their rows`;
  const others = rest === 0 ? '' : ` The other ${rest === 1 ? 'one' : rest} can be added one by one.`;
  return `${words}: check the material of each.${others}`;
}

interface RowProps {
  readonly row: LaserRow;
  readonly isTwice: boolean;
  onChange(row: LaserRow): void;
  onRemove(): void;
}

const materialOptions = MATERIALS.map((value) => ({ value, label: materialNames[value] }));
const operationOptions = laserOperations.map((value) => ({ value, label: laserOperationNames[value] }));

function Row({ row, isTwice, onChange, onRemove }: RowProps) {
  const { material, operation, settings, source } = row;
  const id = useId();
  const set = (changes: Partial<LaserRow['settings']>) => onChange({ ...row, settings: { ...settings, ...changes } });
  const title = nameRow(row);
  const extra = Object.keys(settings).length - SHOWN.filter((name) => settings[name] !== undefined).length;
  return (
    <li
      aria-labelledby={id}
      className={`grid grid-cols-2 gap-x-3 gap-y-2 border-line border-t py-3 sm:grid-cols-[minmax(112px,1fr)_minmax(150px,1.2fr)_88px_104px_76px_96px_32px] sm:items-start ${isTwice ? 'bg-danger/5' : ''}`}
    >
      <span id={id} className="sr-only">
        {title}
      </span>
      <WithLabel label="Material">
        <Select
          label={`Material of ${title}`}
          value={material}
          options={materialOptions}
          onChange={(value) => onChange({ ...row, material: value })}
          className="w-full"
        />
      </WithLabel>
      <WithLabel label="Operation">
        <Select
          label={`Operation of ${title}`}
          value={operation}
          options={operationOptions}
          onChange={(value) => onChange({ ...row, operation: value })}
          className="w-full"
        />
      </WithLabel>
      <WithLabel label="Power">
        <NumberField
          label={`Power of ${title}`}
          value={settings.maxPower ?? 1}
          min={0}
          max={100}
          decimals={1}
          unit="%"
          onCommit={(maxPower) => onChange({ ...row, settings: withPower(settings, maxPower) })}
          className="w-full"
        />
      </WithLabel>
      <WithLabel label="Speed">
        <NumberField
          label={`Speed of ${title}`}
          value={settings.speed ?? 100}
          min={0.1}
          max={100_000}
          decimals={1}
          unit="mm/s"
          onCommit={(speed) => set({ speed })}
          className="w-full"
        />
      </WithLabel>
      <WithLabel label="Passes">
        <NumberField
          label={`Passes of ${title}`}
          value={settings.numPasses ?? 1}
          min={1}
          max={1000}
          onCommit={(numPasses) => set({ numPasses })}
          className="w-full"
        />
      </WithLabel>
      {isEngraving(operation) ? (
        <WithLabel label="Interval">
          <NumberField
            label={`Interval of ${title}`}
            value={settings.interval ?? 0.1}
            min={0.001}
            max={10}
            step={0.01}
            decimals={3}
            unit="mm"
            onCommit={(interval) => set({ interval })}
            className="w-full"
          />
        </WithLabel>
      ) : (
        <span className="max-sm:hidden" />
      )}
      <IconButton
        icon="trash"
        label={`Remove ${title}`}
        onClick={onRemove}
        className="max-sm:col-start-2 max-sm:self-end max-sm:justify-self-end sm:mt-5"
      />
      {(source || extra > 0) && (
        <p className="col-span-full text-graphite text-xs [overflow-wrap:anywhere]">
          {source && `From the library: ${source}`}
          {source && extra > 0 && '. '}
          {extra > 0 && `${extra} more ${extra === 1 ? 'value' : 'values'} of the library go along.`}
        </p>
      )}
    </li>
  );
}

/** The settings that the row shows, or that follow what it shows. */
const SHOWN = ['maxPower', 'minPower', 'speed', 'numPasses', 'interval'] as const;
