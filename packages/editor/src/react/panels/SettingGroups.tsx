/** Settings folded into groups, of which one is open at a time, so that a step fits the window. */
import { Icon } from '@markwright/controls';
import { type ReactNode, useId, useState } from 'react';

export interface SettingGroup {
  readonly name: string;
  readonly isShown: boolean;
  readonly rows: ReactNode;
}

/** A row of buttons, each of which unfolds its group and folds the others. */
export function SettingGroups({ label, groups }: { label: string; groups: readonly SettingGroup[] }) {
  const [openName, setOpenName] = useState<SettingGroup['name']>();
  const id = useId();
  const open = groups.find(({ name }) => name === openName);
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would bring form semantics and its own layout */}
      <div role="group" aria-label={label} className="-mx-1.5 flex gap-0.5">
        {groups.map(({ name }) => (
          <button
            key={name}
            type="button"
            aria-expanded={name === open?.name}
            aria-controls={name === open?.name ? id : undefined}
            onClick={() => setOpenName(name === open?.name ? undefined : name)}
            className="group flex h-8 flex-1 items-center justify-center gap-0.5 rounded-control font-medium text-graphite text-xs transition-colors hover:text-ink focus-visible:outline-2 focus-visible:outline-accent aria-expanded:bg-accent-soft aria-expanded:text-ink pointer-coarse:h-11"
          >
            {name}
            <Icon name="chevronDown" className="size-4 transition-transform group-aria-expanded:rotate-180" />
          </button>
        ))}
      </div>
      {open && (
        <div id={id} data-settings="" className="flex flex-col gap-1 pb-1">
          {open.rows}
        </div>
      )}
    </>
  );
}
