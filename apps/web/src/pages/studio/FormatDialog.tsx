/** Asks for the format of the production file, and what can be chosen in it. */
import { buttonClass, Field, NumberField, Row, SegmentedControl, Select, Switch } from '@markwright/controls';
import {
  type FormatAnswer,
  type FormatChoice,
  type FormatQuestion,
  findFormat,
  formatsOf,
  isSpecifiedFormat,
  optionsOf,
  type ProductionFormat,
  presetsOf,
} from '@markwright/editor';
import type { MachineMode } from '@markwright/scene';
import { useId, useState } from 'react';
import { Modal } from '../../ui/dialog.tsx';

export interface OpenFormatQuestion extends FormatQuestion {
  answer(answer: FormatAnswer | undefined): void;
}

export default function FormatDialog({ question }: { question: OpenFormatQuestion }) {
  const { machine, isReady, answer } = question;
  const [choice, setChoice] = useState<FormatChoice>(question.choice);
  const name = useId();
  const format = findFormat(machine, choice);
  return (
    <Modal
      isOpen
      size="form"
      title="Production file"
      description="All formats of this design cost one production export a month."
      onClose={() => answer(undefined)}
    >
      <div className="mt-4 grid gap-4 sm:grid-cols-[minmax(0,1fr)_224px]">
        <div role="radiogroup" aria-label="Format" className="grid content-start sm:gap-1">
          {formatsOf(machine).map((entry) => (
            <FormatRow
              key={entry.format}
              name={name}
              entry={entry}
              isChosen={entry.format === format.format}
              onChoose={() => setChoice({ format: entry.format, options: {} })}
            />
          ))}
        </div>
        <FormatOptions machine={machine} choice={choice} onChange={setChoice} />
      </div>
      {/* In sight also where the list is longer than the window. */}
      <div className="-mx-6 sticky bottom-0 mt-4 -mb-6 flex justify-end gap-2 border-line border-t bg-paper px-6 py-3 sm:py-4">
        <button
          type="button"
          onClick={() => answer({ choice, isExport: false })}
          className={buttonClass('secondary', 'lg', 'max-sm:flex-1 max-sm:px-2')}
        >
          Keep this format
        </button>
        <button
          type="button"
          disabled={!isReady}
          onClick={() => answer({ choice, isExport: true })}
          className={buttonClass('primary', 'lg', 'max-sm:flex-1 max-sm:px-2')}
        >
          Export {format.shortName === 'ZIP' ? 'the package' : format.shortName}
        </button>
      </div>
    </Modal>
  );
}

interface FormatRowProps {
  readonly name: string;
  readonly entry: ProductionFormat;
  readonly isChosen: boolean;
  onChoose(): void;
}

function FormatRow({ name, entry, isChosen, onChoose }: FormatRowProps) {
  return (
    <label className="relative grid cursor-pointer grid-cols-[52px_minmax(0,1fr)] items-baseline gap-x-2 rounded-control border border-transparent px-2.5 py-1 sm:py-1.5 transition-colors hover:bg-ink/4 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent">
      <input
        type="radio"
        name={name}
        checked={isChosen}
        onChange={onChoose}
        aria-label={entry.name}
        aria-describedby={`${name}-${entry.format}`}
        className="absolute inset-0 cursor-[inherit] appearance-none rounded-control outline-none"
      />
      <span aria-hidden="true" className="font-mono text-graphite text-xs">
        .{entry.shortName.toLowerCase()}
      </span>
      <span>
        <span aria-hidden="true" className="block font-medium text-sm">
          {entry.name}
        </span>
        <span id={`${name}-${entry.format}`} className="block text-graphite text-xs">
          {entry.use}
        </span>
      </span>
    </label>
  );
}

const whiteOptions = [
  { value: 'underColor', label: 'Under the colors' },
  { value: 'flood', label: 'Whole area' },
  { value: 'underWhite', label: 'White marks alone' },
  { value: 'none', label: 'None' },
] as const;
const colorOptions = [
  { value: 'CMYK', label: 'CMYK' },
  { value: 'sRGB', label: 'sRGB' },
] as const;
/** The defaults of the call. */
const CHOKE_MM = 0.2;
const BLEED_MM = 3;

interface FormatOptionsProps {
  readonly machine: MachineMode;
  readonly choice: FormatChoice;
  onChange(choice: FormatChoice): void;
}

function FormatOptions({ machine, choice, onChange }: FormatOptionsProps) {
  const { format, preset, options } = choice;
  const presets = presetsOf(machine, format);
  const names = optionsOf(machine, format);
  const set = (changes: Partial<FormatChoice['options']>) => {
    const entries = Object.entries({ ...options, ...changes }).filter(([, value]) => value !== undefined);
    onChange({ ...choice, options: Object.fromEntries(entries) });
  };
  const white = options.white ?? 'underColor';
  return (
    <div className="grid content-start gap-3 max-sm:border-line max-sm:border-t max-sm:pt-3 sm:border-line sm:border-l sm:pl-4">
      {presets.length === 0 && names.length === 0 && (
        <p className="text-graphite text-sm">
          {format === 'lbrn2'
            ? 'Speeds and powers are placeholders: set them in each layer that says SET POWER.'
            : 'Nothing to set. The file is at true size, in millimeters.'}
        </p>
      )}
      {presets.length > 0 && (
        <Field label={machine === 'laser' ? 'Written for' : 'Names of the inks'}>
          {({ id }) => (
            <Select
              id={id}
              label={machine === 'laser' ? 'Written for' : 'Names of the inks'}
              value={preset ?? presets[0]!.value}
              options={presets}
              // The first one is the specified file.
              onChange={(value) => onChange({ ...choice, preset: value === presets[0]!.value ? undefined : value })}
              className="w-full"
            />
          )}
        </Field>
      )}
      {names.includes('white') && (
        <Field label="White underbase">
          {({ id }) => (
            <Select
              id={id}
              label="White underbase"
              value={white}
              options={whiteOptions}
              onChange={(value) => set({ white: value })}
              className="w-full"
            />
          )}
        </Field>
      )}
      {names.includes('chokeMm') && white === 'underColor' && (
        <Row label="Choke">
          <NumberField
            label="Choke"
            value={options.chokeMm ?? CHOKE_MM}
            min={0.1}
            max={0.3}
            step={0.05}
            decimals={2}
            unit="mm"
            onCommit={(chokeMm) => set({ chokeMm })}
            className="w-24"
          />
        </Row>
      )}
      {names.includes('colors') && (
        <Row label="Colors">
          <SegmentedControl
            label="Colors"
            value={options.colors ?? 'CMYK'}
            options={colorOptions}
            onChange={(colors) => set({ colors })}
            className="flex-1"
          />
        </Row>
      )}
      {names.includes('bleedMm') && (
        <Row label="Bleed">
          <NumberField
            label="Bleed"
            value={options.bleedMm ?? BLEED_MM}
            min={0}
            max={10}
            step={0.5}
            decimals={1}
            unit="mm"
            onCommit={(bleedMm) => set({ bleedMm })}
            className="w-24"
          />
        </Row>
      )}
      {names.includes('isMirrored') && (
        <div className="grid gap-1">
          <div className="flex items-center justify-between gap-2 text-sm">
            <span>Mirrored</span>
            <Switch
              label="Mirrored"
              checked={options.isMirrored ?? true}
              // As the machine has it is no choice of its own: the specified file is mirrored.
              onChange={(isMirrored) => set({ isMirrored: isMirrored ? undefined : false })}
            />
          </div>
          <p className="text-graphite text-xs">
            {(options.isMirrored ?? true)
              ? 'Print it as it is. A program that mirrors too would turn it back.'
              : 'Your program has to mirror it before the press.'}
          </p>
        </div>
      )}
      {isSpecifiedFormat(choice) && machine === 'laser' && (
        <p className="text-graphite text-xs">
          Each operation has its own color: black engraves, blue scores, red cuts.
        </p>
      )}
    </div>
  );
}
