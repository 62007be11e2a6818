/** Controls of the selection: a line around it, bridges of a stencil, and areas combined to one outline. */
import { Button, ButtonGroup, Row, SegmentedControl, Switch } from '@markwright/controls';
import { findElement } from '@markwright/scene';
import type { Combination, LineAround } from '@markwright/scene/combine';
import { useState } from 'react';
import type { ElementId } from '../../core/document/editor.ts';
import type { OutlineResult } from '../../core/document/outlineCommands.ts';
import { useEditor, useEditorState } from '../EditorProvider.tsx';
import { LengthField } from './LengthField.tsx';

const combinations: readonly { how: Combination; label: string; hint: string }[] = [
  { how: 'unite', label: 'Unite', hint: 'Make one outline of all' },
  { how: 'subtract', label: 'Subtract', hint: 'Take what lies above from the lowest one' },
  { how: 'intersect', label: 'Intersect', hint: 'Leave what all have in common' },
];

/** How far a line around an element may lie from it, mm. */
const REACH_MM = 50;
/** The width of a stencil's bridges, mm. */
const BRIDGE_MM = { min: 0.3, max: 20, mostAtFirst: 1.5 };
/** And as a part of the height of what they hold, at first. */
const BRIDGE_SHARE = 0.08;
const initialLine: LineAround = { distanceMm: 2, corners: 'round', hasHoles: false };

/** Several elements can be combined too. */
export function OutlineControls({ elementIds }: { elementIds: readonly ElementId[] }) {
  const editor = useEditor();
  const [line, setLine] = useState(initialLine);
  const [ownBridgeMm, setBridgeMm] = useState<number>();
  const [fault, setFault] = useState<string>();
  const isSomeLocked = useEditorState(({ composition }) =>
    elementIds.some((id) => findElement(composition, id)?.isLocked),
  );
  const firstBridgeMm = useEditorState(({ scene }) => {
    const heights = scene.groups.flatMap(({ elementId, sizeMm }) =>
      elementIds.some((id) => id === elementId) ? sizeMm.height : [],
    );
    const { min, mostAtFirst } = BRIDGE_MM;
    return Math.round(10 * Math.max(min, Math.min(mostAtFirst, BRIDGE_SHARE * Math.min(...heights)))) / 10;
  });
  const bridgeMm = ownBridgeMm ?? firstBridgeMm;
  const isLaser = useEditorState(({ composition }) => composition.machine === 'laser');
  async function take(make: (part: typeof import('../../core/document/outlineCommands.ts')) => OutlineResult) {
    setFault(undefined);
    const part = await import('../../core/document/outlineCommands.ts').catch(() => undefined);
    const result = part ? make(part) : { fault: 'This did not load. Check your connection.' };
    if ('fault' in result) return setFault(result.fault);
    editor.dispatch(result.command);
    editor.select(result.elementId);
  }
  return (
    <section aria-label="Outline" className="flex flex-col gap-1.5 border-line border-t pt-2">
      {elementIds.length > 1 && (
        <Row label="Combine">
          <ButtonGroup label="Combine to one outline">
            {combinations.map(({ how, label, hint }) => (
              <Button
                key={how}
                size="sm"
                className="px-2!"
                title={hint}
                disabled={isSomeLocked}
                onClick={() => take((part) => part.combine(editor.getState(), elementIds, how))}
              >
                {label}
              </Button>
            ))}
          </ButtonGroup>
        </Row>
      )}
      <Row label="Outline">
        <LengthField
          label="Distance of the outline"
          valueMm={line.distanceMm}
          minMm={-REACH_MM}
          maxMm={REACH_MM}
          stepMm={0.5}
          onCommit={(distanceMm) => setLine({ ...line, distanceMm })}
        />
        <SegmentedControl<LineAround['corners']>
          label="Corners of the outline"
          value={line.corners}
          options={[
            { value: 'round', label: 'Round' },
            { value: 'sharp', label: 'Sharp' },
          ]}
          onChange={(corners) => setLine({ ...line, corners })}
          className="flex-1"
        />
      </Row>
      <Row label="Holes">
        <Switch label="Holes" checked={line.hasHoles} onChange={(hasHoles) => setLine({ ...line, hasHoles })} />
        <Button
          size="sm"
          className="ml-auto"
          onClick={() => take((part) => part.outlineAround(editor.getState(), elementIds, line))}
        >
          {isLaser ? 'Add cut line' : 'Add outline'}
        </Button>
      </Row>
      <Row label="Bridges">
        <LengthField
          label="Width of the bridges of a stencil"
          valueMm={bridgeMm}
          minMm={BRIDGE_MM.min}
          maxMm={BRIDGE_MM.max}
          stepMm={0.1}
          onCommit={setBridgeMm}
        />
        <Button
          size="sm"
          title="Bridges hold what would fall out of a cut sheet, such as the inside of an O"
          disabled={isSomeLocked}
          className="ml-auto"
          onClick={() => take((part) => part.makeStencil(editor.getState(), elementIds, bridgeMm))}
        >
          Make a stencil
        </Button>
      </Row>
      {fault && (
        <p role="alert" className="text-danger text-xs">
          {fault}
        </p>
      )}
    </section>
  );
}
