/** Asks for the format of the production file, and what can be chosen in it. */
import { siteCalls } from '@markwright/contract/paths/siteCalls';
import type { InkProfile, Laser, Product } from '@markwright/contract/schemas';
import { laserOperationNames } from '@markwright/contract/words';
import { buttonClass, NumberField, Row, SegmentedControl, Switch } from '@markwright/controls';
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
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { materialNames } from '../../products/names.ts';
import { useSession } from '../../session.tsx';
import { Modal } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { TextLink } from '../../ui/TextLink.tsx';

export interface OpenFormatQuestion extends FormatQuestion {
  answer(answer: FormatAnswer | undefined): void;
}

interface FormatDialogProps {
  readonly question: OpenFormatQuestion;
  /** The material of the product. */
  readonly material: Product['material'] | undefined;
  /** True for a blank whose diameter changes along its wall. */
  readonly isTapered: boolean;
}

export default function FormatDialog({ question, material, isTapered }: FormatDialogProps) {
  const { machine, isReady, hasDots, answer } = question;
  const [choice, setChoice] = useState<FormatChoice>(question.choice);
  const name = useId();
  const format = findFormat(machine, choice);
  const lasers = useOwn<Laser>(siteCalls.lasers.list.path);
  const profiles = useOwn<InkProfile>(siteCalls.inkProfiles.list.path);
  const finalChoice = withoutGone(choice, lasers, profiles);
  return (
    <Modal
      isOpen
      size="form"
      title="Production file"
      description="All formats of this design cost one production export a month."
      onClose={() => answer(undefined)}
    >
      <div className="mt-4 grid gap-4 sm:grid-cols-[minmax(0,1fr)_224px]">
        {hasDots && (
          <p className="text-graphite text-sm sm:col-span-2">
            This design has a photograph in dots. Burnt as Tones, it is outlines and goes into every format.
          </p>
        )}
        <div role="radiogroup" aria-label="Format" className="grid content-start sm:gap-1">
          {formatsOf(machine, hasDots).map((entry) => (
            <FormatRow
              key={entry.format}
              name={name}
              entry={entry}
              isChosen={entry.format === format.format}
              onChoose={() => setChoice({ format: entry.format, options: {} })}
            />
          ))}
        </div>
        <FormatOptions
          machine={machine}
          choice={finalChoice}
          isTapered={isTapered}
          profiles={profiles ?? []}
          powers={<Powers lasers={lasers} material={material} choice={finalChoice} onChange={setChoice} />}
          onChange={setChoice}
        />
      </div>
      {/* In sight also where the list is longer than the window. */}
      <div className="-mx-6 sticky bottom-0 mt-4 -mb-6 flex justify-end gap-2 border-line border-t bg-paper px-6 py-3 sm:py-4">
        <button
          type="button"
          onClick={() => answer({ choice: finalChoice, isExport: false })}
          className={buttonClass('secondary', 'lg', 'max-sm:flex-1 max-sm:px-2')}
        >
          Keep this format
        </button>
        <button
          type="button"
          disabled={!isReady}
          onClick={() => answer({ choice: finalChoice, isExport: true })}
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
    <label className="relative grid cursor-pointer grid-cols-[52px_minmax(0,1fr)] items-baseline gap-x-2 rounded-control border border-transparent px-2.5 py-1 sm:py-1.5 transition-colors hover:bg-ink/4 has-checked:border-accent has-checked:bg-accent-soft has-disabled:cursor-default has-disabled:hover:bg-transparent has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent">
      <input
        type="radio"
        name={name}
        checked={isChosen}
        disabled={entry.isUnfit}
        onChange={onChoose}
        aria-label={entry.name}
        aria-describedby={`${name}-${entry.format}`}
        className="absolute inset-0 cursor-[inherit] appearance-none rounded-control outline-none"
      />
      <span aria-hidden="true" className="font-mono text-graphite text-xs">
        .{entry.shortName.toLowerCase()}
      </span>
      <span>
        <span aria-hidden="true" className={`block font-medium text-sm ${entry.isUnfit ? 'text-graphite' : ''}`}>
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
  readonly isTapered: boolean;
  /** The choice of a laser, for formats with speeds and powers. */
  readonly powers: ReactNode;
  readonly profiles: readonly InkProfile[];
  onChange(choice: FormatChoice): void;
}

function FormatOptions({ machine, choice, isTapered, powers, profiles, onChange }: FormatOptionsProps) {
  const { format, preset, options } = choice;
  const presets = presetsOf(machine, format);
  const names = optionsOf(machine, format).filter((name) => name !== 'taper' || isTapered);
  const set = (changes: Partial<FormatChoice['options']>) => {
    const entries = Object.entries({ ...options, ...changes }).filter(([, value]) => value !== undefined);
    onChange({ ...choice, options: Object.fromEntries(entries) });
  };
  const white = options.white ?? 'underColor';
  return (
    <div className="grid content-start gap-3 max-sm:border-line max-sm:border-t max-sm:pt-3 sm:border-line sm:border-l sm:pl-4">
      {presets.length === 0 && names.length === 0 && (
        <p className="text-graphite text-sm">Nothing to set. The file is at true size, in millimeters.</p>
      )}
      {names.includes('laser') && powers}
      {presets.length > 0 && (
        <SelectField
          label={machine === 'laser' ? 'Written for' : 'Names of the inks'}
          value={preset ?? presets[0]!.value}
          options={presets}
          // The first one is the specified file.
          onChange={(value) => onChange({ ...choice, preset: value === presets[0]!.value ? undefined : value })}
          selectClassName="w-full"
        />
      )}
      {names.includes('white') && (
        <SelectField
          label="White underbase"
          value={white}
          options={whiteOptions}
          onChange={(value) => set({ white: value })}
          selectClassName="w-full"
        />
      )}
      {names.includes('chokeMm') && white === 'underColor' && (
        <MillimetersRow
          label="Choke"
          value={options.chokeMm ?? CHOKE_MM}
          min={0.1}
          max={0.3}
          step={0.05}
          decimals={2}
          onCommit={(chokeMm) => set({ chokeMm })}
        />
      )}
      {names.includes('colors') && (
        <Row label="Colors">
          <SegmentedControl
            label="Colors"
            value={options.colors ?? (machine === 'dtf' ? 'sRGB' : 'CMYK')}
            options={colorOptions}
            onChange={(colors) => set({ colors })}
            className="flex-1"
          />
        </Row>
      )}
      {names.includes('profile') && profiles.length > 0 && options.colors !== 'sRGB' && (
        <SelectField
          label="CMYK by"
          value={options.profile ?? ''}
          options={[
            { value: '', label: 'A generic profile' },
            ...profiles.map((profile) => ({ value: profile.id, label: profile.name })),
          ]}
          onChange={(profile) => set({ profile: profile || undefined })}
          selectClassName="w-full"
        />
      )}
      {names.includes('kerfMm') && (
        <div className="grid gap-1">
          <MillimetersRow
            label="Kerf"
            value={options.kerfMm ?? 0}
            min={0}
            max={1}
            step={0.05}
            decimals={2}
            onCommit={(kerfMm) => set({ kerfMm: kerfMm === 0 ? undefined : kerfMm })}
          />
          <p className="text-graphite text-xs">
            {options.kerfMm
              ? 'Closed cuts make up for the beam. Set no kerf in your program.'
              : '0 leaves cuts on their line. 0.2 mm is usual for wood.'}
          </p>
        </div>
      )}
      {names.includes('bleedMm') && (
        <MillimetersRow
          label="Bleed"
          value={options.bleedMm ?? BLEED_MM}
          min={0}
          max={10}
          step={0.5}
          decimals={1}
          onCommit={(bleedMm) => set({ bleedMm })}
        />
      )}
      {names.includes('isMirrored') && (
        <MirrorOption value={options.isMirrored} onChange={(isMirrored) => set({ isMirrored })} />
      )}
      {names.includes('taper') && (
        <TaperOption machine={machine} value={options.taper} onChange={(taper) => set({ taper })} />
      )}
      {isSpecifiedFormat(choice) && machine === 'laser' && (
        <p className="text-graphite text-xs">
          Each operation has its own color: black engraves, blue scores, red cuts.
        </p>
      )}
    </div>
  );
}

type MillimetersRowProps = Pick<
  ComponentProps<typeof NumberField>,
  'label' | 'value' | 'min' | 'max' | 'step' | 'decimals' | 'onCommit'
>;

const MillimetersRow = (props: MillimetersRowProps) => (
  <Row label={props.label}>
    <NumberField {...props} unit="mm" className="w-24" />
  </Row>
);

function MirrorOption({ value = true, onChange }: { value: boolean | undefined; onChange(value?: false): void }) {
  return (
    <div className="grid gap-1">
      <div className="flex items-center justify-between gap-2 text-sm">
        <span>Mirrored</span>
        <Switch
          label="Mirrored"
          checked={value}
          // On is the machine's default, so it is not kept as a choice.
          onChange={(isMirrored) => onChange(isMirrored ? undefined : false)}
        />
      </div>
      <p className="text-graphite text-xs">
        {value
          ? 'Print it as it is. A program that mirrors too would turn it back.'
          : 'Your program has to mirror it before the press.'}
      </p>
    </div>
  );
}

/** A laser turns the blank, a print is a sheet that is laid round it. */
function TaperOption({
  machine,
  value,
  onChange,
}: {
  machine: MachineMode;
  value: FormatChoice['options']['taper'];
  onChange(value: FormatChoice['options']['taper']): void;
}) {
  const kind = machine === 'laser' ? 'rotary' : 'sheet';
  const label = kind === 'rotary' ? 'Scale for the rotary' : 'Bend for the taper';
  const advice =
    kind === 'rotary'
      ? 'The blank tapers: each row is scaled, so that it is as wide on the wall as it is here.'
      : 'The blank tapers: rows are bent, so that they are level when the sheet lies round it.';
  return (
    <div className="grid gap-1">
      <div className="flex items-center justify-between gap-2 text-sm">
        <span>{label}</span>
        <Switch label={label} checked={value === kind} onChange={(isOn) => onChange(isOn ? kind : undefined)} />
      </div>
      <p className="text-graphite text-xs">{advice}</p>
    </div>
  );
}

/** Returns a list of the account's shop; undefined until it is known. A guest has none. */
function useOwn<T>(path: string): readonly T[] | undefined {
  const { user } = useSession();
  const query = useQuery<T[]>({ queryKey: [path], enabled: user !== undefined, refetchOnMount: 'always' });
  return user ? query.data : [];
}

/** Leaves out a laser and a profile that were deleted, or are another account's. */
function withoutGone(
  choice: FormatChoice,
  lasers: readonly Laser[] | undefined,
  profiles: readonly InkProfile[] | undefined,
): FormatChoice {
  const { laser, profile, ...others } = choice.options;
  const isThere = (id: string | undefined, list: readonly { readonly id: string }[] | undefined) =>
    id !== undefined && (list?.some((entry) => entry.id === id) ?? true);
  const options = {
    ...others,
    ...(isThere(laser, lasers) && { laser }),
    ...(isThere(profile, profiles) && { profile }),
  };
  return { ...choice, options };
}

interface PowersProps {
  readonly lasers: readonly Laser[] | undefined;
  readonly material: Product['material'] | undefined;
  readonly choice: FormatChoice;
  onChange(choice: FormatChoice): void;
}

/** A sentence on the speeds and powers in the file, and a list to choose the laser from where the shop has several. */
function Powers({ lasers = [], material, choice, onChange }: PowersProps) {
  const { laser: chosenId, ...others } = choice.options;
  const laser = lasers.length === 1 ? lasers[0] : lasers.find(({ id }) => id === chosenId);
  if (lasers.length === 0) {
    return (
      <p className="text-graphite text-sm">
        Speeds and powers are placeholders: set them in each layer that says SET POWER, or{' '}
        <TextLink to="/profile/shop">keep your own</TextLink>.
      </p>
    );
  }
  return (
    <div className="grid gap-1">
      {lasers.length > 1 && (
        <SelectField
          label="Speeds and powers of"
          value={laser?.id ?? ''}
          options={[{ value: '', label: 'No laser' }, ...lasers.map(({ id, name }) => ({ value: id, label: name }))]}
          onChange={(value) => onChange({ ...choice, options: value ? { ...others, laser: value } : others })}
          selectClassName="w-full"
        />
      )}
      <p className="text-graphite text-xs [overflow-wrap:anywhere]">{sayPowers(laser, material)}</p>
    </div>
  );
}

function sayPowers(laser: Laser | undefined, material: Product['material'] | undefined): string {
  if (!laser) return 'Without a laser, speeds and powers are placeholders.';
  if (!material) return `${laser.name} has its settings by material, and there is no product.`;
  const own = laser.entries.filter((entry) => entry.material === material);
  const name = `“${(materialNames as Readonly<Record<string, string>>)[material] ?? material}”`;
  if (own.length === 0) return `${laser.name} has no settings for ${name} yet: each layer says SET POWER.`;
  const operations = own.map(({ operation }) => laserOperationNames[operation].toLowerCase()).join(', ');
  return `${laser.name} on ${name}: ${operations}. Other layers say SET POWER.`;
}
