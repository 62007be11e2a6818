import { MAKER_LIMITS, MATERIALS } from '@markwright/contract/words';
import { Button, Icon, TextInput } from '@markwright/controls';
import { type KeyboardEvent, useState } from 'react';
import { materialNames } from '../../../products/names.ts';

interface Props {
  readonly value: readonly string[];
  onChange(materials: string[]): void;
}

const standardMaterials = MATERIALS.filter((material) => material !== 'other');
const chip =
  'inline-flex h-8 items-center gap-1.5 rounded-full border px-3 text-sm transition-colors pointer-coarse:h-10 focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-accent';

/** Chooses materials: buttons switch ours on and off, and a field adds others in the maker's own words. */
export function Materials({ value, onChange }: Props) {
  const [draft, setDraft] = useState('');
  const customMaterials = value.filter((material) => !standardMaterials.some((one) => one === material));
  const isFull = value.length >= MAKER_LIMITS.materials;
  const without = (material: string) => value.filter((one) => one !== material);

  function add() {
    const word = draft.replace(/\s+/g, ' ').trim();
    setDraft('');
    if (word === '' || isFull) return;
    const material = standardMaterials.find((one) => materialNames[one].toLowerCase() === word.toLowerCase()) ?? word;
    if (!value.some((one) => one.toLowerCase() === material.toLowerCase())) onChange([...value, material]);
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ',') return;
    event.preventDefault();
    add();
  };

  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 font-medium text-graphite text-xs">Materials</legend>
      <div className="flex flex-wrap gap-1.5">
        {standardMaterials.map((material) => {
          const isOn = value.includes(material);
          return (
            <button
              key={material}
              type="button"
              aria-pressed={isOn}
              disabled={!isOn && isFull}
              onClick={() => onChange(isOn ? without(material) : [...value, material])}
              className={`${chip} ${isOn ? 'border-accent bg-accent-soft text-ink' : 'border-line text-graphite hover:border-edge hover:text-ink disabled:opacity-45'}`}
            >
              {isOn && <Icon name="check" className="-ml-1 size-4 text-accent" />}
              {materialNames[material]}
            </button>
          );
        })}
        {customMaterials.map((material) => (
          <button
            key={material}
            type="button"
            aria-label={`Remove ${material}`}
            onClick={() => onChange(without(material))}
            className={`${chip} max-w-full border-accent bg-accent-soft text-ink`}
          >
            <span className="truncate">{material}</span>
            <Icon name="close" className="-mr-1 size-4 text-graphite" />
          </button>
        ))}
      </div>
      <div className="mt-2.5 flex max-w-[340px] gap-2">
        <TextInput
          aria-label="Another material"
          placeholder="Another one, e.g. cork"
          value={draft}
          maxLength={MAKER_LIMITS.material}
          disabled={isFull}
          autoComplete="off"
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <Button className="h-9! pointer-coarse:h-11!" disabled={isFull || draft.trim() === ''} onClick={add}>
          Add
        </Button>
      </div>
    </fieldset>
  );
}
