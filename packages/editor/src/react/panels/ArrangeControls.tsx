/** Aligning, spreading and moving what is chosen: a row of buttons for one element, a panel of its own for several. */
import { Button, ButtonGroup, IconButton, Row, SegmentedControl } from '@markwright/controls';
import {
  type AlignTo,
  alignCommand,
  distributeCommand,
  findElement,
  minToDistribute,
  moveCommand,
} from '@markwright/scene';
import { memo } from 'react';
import type { ElementId } from '../../core/document/editor.ts';
import { alignments, alignToOf, distributions, removeCommand } from '../../core/document/keymap.ts';
import { commonSize, formatSize } from '../../core/document/measure.ts';
import { useEditor, useEditorState } from '../EditorProvider.tsx';
import { NudgePad } from './NudgePad.tsx';

/** Left, center, right, top, middle, bottom: of the machine area, or among several of one another. */
export const AlignButtons = memo(function AlignButtons() {
  const editor = useEditor();
  return (
    <div className="flex flex-wrap gap-1.5">
      {[alignments.slice(0, 3), alignments.slice(3)].map((group, index) => (
        <ButtonGroup key={index === 0 ? 'x' : 'y'} label={index === 0 ? 'Align across' : 'Align up and down'}>
          {group.map(({ alignment, icon, label, letter }) => (
            <IconButton
              key={alignment}
              icon={icon}
              size="sm"
              label={label}
              shortcut={`Alt ${letter}`}
              onClick={() => {
                const state = editor.getState();
                const { composition, scene, selectedIds } = state;
                editor.dispatch(alignCommand(composition, scene, selectedIds, alignment, alignToOf(state)));
              }}
            />
          ))}
        </ButtonGroup>
      ))}
    </div>
  );
});

export const AlignRow = () => (
  <Row label="Align">
    <AlignButtons />
  </Row>
);

/** The actions for several elements together. */
export function SeveralControls({ className = '' }: { className?: string }) {
  const editor = useEditor();
  const selectedIds = useEditorState((state) => state.selectedIds);
  const alignTo = useEditorState((state) => state.alignTo);
  const hasMovable = useEditorState(({ composition }) => countMovable(composition, selectedIds) > 0);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring its own layout
    <div role="group" aria-label={`${selectedIds.length} elements`} className={`flex flex-col gap-3 ${className}`}>
      <Heading />
      <div inert={!hasMovable} className={`flex flex-col gap-3 ${hasMovable ? '' : 'opacity-45'}`}>
        <div className="flex items-center gap-4">
          <NudgePad
            onNudge={(dx, dy) => {
              const { composition } = editor.getState();
              editor.dispatch(moveCommand(composition, selectedIds, dx, dy));
            }}
          />
          <p className="text-xs text-graphite">They move together and keep their distances.</p>
        </div>
        <div className="flex flex-col gap-1.5">
          <Row label="Against">
            <SegmentedControl<AlignTo>
              label="Align against"
              value={alignTo}
              options={[
                { value: 'each other', label: 'Each other' },
                { value: 'area', label: 'Machine area' },
              ]}
              onChange={(next) => editor.setAlignTo(next)}
              className="flex-1"
            />
          </Row>
          <AlignRow />
          <DistributeRow selectedIds={selectedIds} alignTo={alignTo} />
        </div>
        <div className="flex border-t border-line pt-2">
          <Button
            variant="ghost"
            size="sm"
            icon="trash"
            className="ml-auto text-danger!"
            onClick={() => {
              const { composition } = editor.getState();
              const movable = selectedIds.filter((id) => !findElement(composition, id)?.isLocked);
              editor.dispatch({ type: 'several', commands: movable.map(removeCommand) });
            }}
          >
            Remove
          </Button>
        </div>
      </div>
    </div>
  );
}

/** Drawn again with every frame of a resize; the buttons below it are not. */
function Heading() {
  const selectedIds = useEditorState((state) => state.selectedIds);
  const scene = useEditorState((state) => state.scene);
  const unit = useEditorState((state) => state.unit);
  const isSomeLocked = useEditorState(({ composition }) => countMovable(composition, selectedIds) < selectedIds.length);
  const size = commonSize(scene, selectedIds);
  return (
    <div className="flex flex-col gap-0.5">
      <h3 className="flex items-baseline justify-between font-sans text-sm font-medium tracking-normal">
        {selectedIds.length} elements
        {size && <span className="measure font-normal text-graphite">{formatSize(size, unit)}</span>}
      </h3>
      {isSomeLocked && <p className="text-xs text-graphite">Locked ones stay where they are.</p>}
    </div>
  );
}

function DistributeRow({ selectedIds, alignTo }: { selectedIds: readonly ElementId[]; alignTo: AlignTo }) {
  const editor = useEditor();
  const isEnough = useEditorState(
    ({ composition }) => countMovable(composition, selectedIds) >= minToDistribute(alignTo),
  );
  return (
    <Row label="Equal gaps">
      <ButtonGroup label="Distribute">
        {distributions.map(({ axis, icon, label, letter }) => (
          <IconButton
            key={axis}
            icon={icon}
            size="sm"
            label={label}
            shortcut={`Alt ⇧ ${letter}`}
            disabled={!isEnough}
            onClick={() => {
              const { composition, scene } = editor.getState();
              editor.dispatch(distributeCommand(composition, scene, selectedIds, axis, alignTo));
            }}
          />
        ))}
      </ButtonGroup>
      {!isEnough && <p className="text-xs text-graphite">Needs three elements, or the area.</p>}
    </Row>
  );
}

const countMovable = (composition: Parameters<typeof findElement>[0], ids: readonly ElementId[]) =>
  ids.filter((id) => findElement(composition, id)?.isLocked === false).length;
