import { MAKER_LIMITS } from '@markwright/contract/words';
import { Field, NumberField, Select, TextArea, TextInput } from '@markwright/controls';
import { MACHINE_MODES } from '@markwright/scene';
import type { ReactNode } from 'react';
import { searchTowns } from '../../../makers/searchTowns.ts';
import { TownField } from '../../../makers/TownField.tsx';
import { deliveryNames } from '../../../makers/words.ts';
import { machineNames } from '../../../products/names.ts';
import { Materials } from './Materials.tsx';
import type { MakerDraft } from './useMakerDraft.ts';

interface MakerFieldsProps {
  readonly draft: MakerDraft;
  edit(part: Partial<MakerDraft>): void;
}

/** The texts and choices of a maker's page. */
export function MakerFields({ draft, edit }: MakerFieldsProps) {
  return (
    <>
      <Field label="Public name" hint="As customers know you: your own, or your workshop’s.">
        {(control) => (
          <TextInput
            {...control}
            value={draft.name}
            maxLength={MAKER_LIMITS.name}
            autoComplete="organization"
            onChange={(event) => edit({ name: event.target.value })}
          />
        )}
      </Field>
      <TownField
        label="Town"
        hint="The town is all we know and show of where you are."
        search={searchTowns}
        value={draft.place}
        onChange={(place) => edit({ place })}
      />
      <Field
        label="About"
        hint={`What you like to make, how an order goes, what you do not do. ${MAKER_LIMITS.about - draft.about.length} characters left.`}
      >
        {(control) => (
          <TextArea
            {...control}
            value={draft.about}
            rows={5}
            maxLength={MAKER_LIMITS.about}
            onChange={(event) => edit({ about: event.target.value })}
            className="min-h-28 resize-y"
          />
        )}
      </Field>
      <Group title="Machines">
        <div className="flex flex-wrap gap-x-5 gap-y-1">
          {MACHINE_MODES.map((machine) => (
            <label key={machine} className="flex min-h-8 items-center gap-2">
              <input
                type="checkbox"
                checked={draft.machines.includes(machine)}
                onChange={({ target }) =>
                  edit({
                    machines: MACHINE_MODES.filter((one) =>
                      one === machine ? target.checked : draft.machines.includes(one),
                    ),
                  })
                }
                className="size-4 accent-(--accent)"
              />
              {machineNames[machine]}
            </label>
          ))}
        </div>
      </Group>
      <Materials value={draft.materials} onChange={(materials) => edit({ materials })} />
      <div className="grid gap-5 sm:grid-cols-2">
        <Delivery draft={draft} edit={edit} />
        <Turnaround draft={draft} edit={edit} />
      </div>
    </>
  );
}

/** The value of the select for "Not stated". */
const NOT_SAID = 'unsaid';

function Delivery({ draft, edit }: MakerFieldsProps) {
  return (
    <Group title="Delivery (optional)">
      <Select
        label="Delivery"
        value={draft.delivery ?? NOT_SAID}
        options={[
          { value: NOT_SAID, label: 'Not stated' },
          ...Object.entries(deliveryNames).map(([value, label]) => ({ value, label })),
        ]}
        onChange={(value) => edit({ delivery: value === NOT_SAID ? null : (value as MakerDraft['delivery']) })}
        className="h-9 w-full"
      />
    </Group>
  );
}

function Turnaround({ draft, edit }: MakerFieldsProps) {
  return (
    <Group title="Usually ready in (optional)">
      <div className="flex items-center gap-3">
        <NumberField
          label="Days until an order is ready; 0 is not stated"
          value={draft.turnaroundDays ?? 0}
          min={0}
          max={MAKER_LIMITS.turnaroundDays}
          unit={draft.turnaroundDays === 1 ? 'day' : 'days'}
          onCommit={(days) => edit({ turnaroundDays: days === 0 ? null : days })}
          className="h-9! w-28"
        />
        {draft.turnaroundDays === null && <span className="text-graphite text-sm">Not stated</span>}
      </div>
    </Group>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-medium text-graphite text-xs">{title}</legend>
      {children}
    </fieldset>
  );
}
