import { IconButton } from '@markwright/controls';
import { memo } from 'react';
import { NUDGE } from '../../core/document/keymap.ts';

const arrows = [
  { name: 'up', icon: 'arrowUp', dx: 0, dy: -1, cell: 'col-start-2 row-start-1' },
  { name: 'left', icon: 'arrowLeft', dx: -1, dy: 0, cell: 'col-start-1 row-start-2' },
  { name: 'right', icon: 'arrowRight', dx: 1, dy: 0, cell: 'col-start-3 row-start-2' },
  { name: 'down', icon: 'arrowDown', dx: 0, dy: 1, cell: 'col-start-2 row-start-3' },
] as const;

/** Four arrows around a center dot: 1 % a step, 5 % with shift. */
export const NudgePad = memo(function NudgePad({ onNudge }: { onNudge(dx: number, dy: number): void }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring its own layout
    <div role="group" aria-label="Nudge" className="grid shrink-0 grid-cols-3 rounded-card border border-line">
      {arrows.map(({ name, icon, dx, dy, cell }) => (
        <IconButton
          key={name}
          icon={icon}
          label={`Move ${name}`}
          size="sm"
          className={cell}
          onClick={(event) => {
            const step = event.shiftKey ? NUDGE.large : NUDGE.small;
            onNudge(dx * step, dy * step);
          }}
        />
      ))}
      <span aria-hidden="true" className="col-start-2 row-start-2 m-auto size-1 rounded-full bg-edge" />
    </div>
  );
});
