import { Button, Icon, LineArt } from '@markwright/controls';
import type { MachineMode } from '@markwright/scene';
import { type ReactNode, useId, useState } from 'react';
import { useEditor, useEditorState } from '../EditorProvider.tsx';

/** Only the chosen machine shows its color: one accent on screen at a time. */
const mark = 'stroke-edge transition-colors group-has-checked:stroke-accent';

const laserArt = (
  <>
    <path d="M14 6h20v9l-4 5H18l-4-5z" />
    <path d="M24 20v14" className={mark} strokeWidth={2} />
    <path d="m19 30 2.5 2.5M29 30l-2.5 2.5M24 38v.01" className={mark} />
    <path d="M6 38h12.5M29.5 38H42M6 42h36" />
  </>
);
const uvArt = (
  <>
    <path d="M4 10h40M12 10v10h24V10M17 20v4M24 20v4M31 20v4" />
    <path d="M17 29v.01M24 28v.01M31 29v.01M20.5 33v.01M27.5 33v.01" className={mark} strokeWidth={2.5} />
    <path d="M6 38h36M6 42h36" />
    <path d="M15 38h18" className={mark} strokeWidth={2.5} />
  </>
);
const sublimationArt = (
  <>
    <path d="M8 14h32v7H8zM24 6v8M18 6h12" />
    <path d="M16 26c-2 2 2 3 0 5M24 26c-2 2 2 3 0 5M32 26c-2 2 2 3 0 5" className={mark} strokeWidth={2} />
    <path d="M8 36h32v6H8z" />
  </>
);

const dtfArt = (
  <>
    <path d="M10 6h28M10 6v26c0 4 3 6 6 6h22V6" />
    <path d="M18 16h12M18 22h8" className={mark} strokeWidth={2.5} />
    <path d="M16 38c-4 0-6 1-6 4h28" />
  </>
);

const machines: Record<MachineMode, { name: string; use: string; art: ReactNode }> = {
  laser: { name: 'Laser Engraver', use: 'Engraving & Cutting', art: laserArt },
  uv: { name: 'UV Printer', use: 'Direct Printing', art: uvArt },
  sublimation: { name: 'Sublimation', use: 'Transfer Printing', art: sublimationArt },
  dtf: { name: 'DTF Printer', use: 'Film for Textiles', art: dtfArt },
};

/** The machines of the studio: the two of the specification, and those behind "More machines". */
const firstMachines: readonly MachineMode[] = ['laser', 'uv'];
const moreMachines: readonly MachineMode[] = ['sublimation', 'dtf'];

/** Step 1. */
export function MachinePicker({ className = '' }: { className?: string }) {
  const editor = useEditor();
  const machine = useEditorState((state) => state.composition.machine);
  const name = useId();
  const [hasOpened, setOpened] = useState(false);
  const isOpen = hasOpened || moreMachines.includes(machine);
  return (
    <div className={`grid gap-2 ${className}`}>
      <div role="radiogroup" aria-label="Machine" className="grid grid-cols-2 gap-2">
        {(isOpen ? [...firstMachines, ...moreMachines] : firstMachines).map((option) => (
          <MachineCard
            key={option}
            option={option}
            name={name}
            isChosen={machine === option}
            onChoose={() => editor.dispatch({ type: 'setMachine', machine: option })}
          />
        ))}
      </div>
      {!isOpen && (
        <Button variant="ghost" size="sm" className="justify-self-start" onClick={() => setOpened(true)}>
          More machines
        </Button>
      )}
    </div>
  );
}

interface MachineCardProps {
  readonly option: MachineMode;
  readonly name: string;
  readonly isChosen: boolean;
  onChoose(): void;
}

function MachineCard({ option, name, isChosen, onChoose }: MachineCardProps) {
  const { name: title, use, art } = machines[option];
  return (
    <label className="group relative flex cursor-pointer flex-col rounded-card border border-line bg-paper p-3 transition-colors hover:border-edge has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent">
      <input
        type="radio"
        name={name}
        value={option}
        checked={isChosen}
        onChange={onChoose}
        className="absolute inset-0 cursor-pointer appearance-none rounded-card outline-none"
      />
      <LineArt viewBox="0 0 48 48" className="mb-2 size-10 text-graphite group-has-checked:text-ink">
        {art}
      </LineArt>
      <span className="text-sm font-medium">{title}</span>
      <span className="text-xs text-graphite">{use}</span>
      <Icon
        name="check"
        className="absolute top-2.5 right-2.5 size-4 text-accent opacity-0 transition-opacity group-has-checked:opacity-100"
      />
    </label>
  );
}
