import { Button, NumberField, Row } from '@markwright/controls';
import { useCallback } from 'react';
import { sayFocus } from '../../core/document/focus.ts';
import {
  type MachineAreaMm,
  machineAreaLimitsMm,
  nudgeMachineArea,
  readMachineAreaMm,
  resetMachineArea,
  setMachineAreaMm,
} from '../../core/document/machineArea.ts';
import { fromUnit, toUnit } from '../../core/document/measure.ts';
import { useEditor, useEditorState } from '../EditorProvider.tsx';
import { NudgePad } from './NudgePad.tsx';

/** Size and place of the machine area in numbers: what dragging its corners does, without dragging. */
export function MachineAreaControls({ className = '' }: { className?: string }) {
  const editor = useEditor();
  const composition = useEditorState((state) => state.composition);
  const product = useEditorState((state) => state.assets.product);
  const unit = useEditorState((state) => state.unit);
  const nudge = useCallback(
    (dx: number, dy: number) => {
      const now = editor.getState();
      if (now.assets.product) editor.dispatch(nudgeMachineArea(now.composition, now.assets.product, dx, dy));
    },
    [editor],
  );
  if (!product) return null;

  const area = readMachineAreaMm(composition, product);
  const limits = machineAreaLimitsMm(composition, product);
  const focus = sayFocus(composition.machine, product, unit);
  const units = unit === 'mm' ? 'millimeters' : 'inches';
  const field = (key: keyof MachineAreaMm, prefix: string, label: string) => (
    <NumberField
      label={label}
      prefix={prefix}
      unit={unit}
      decimals={unit === 'in' ? 2 : 1}
      step={unit === 'in' ? 0.05 : 1}
      value={toUnit(area[key], unit)}
      min={toUnit(limits[key].min, unit)}
      max={toUnit(limits[key].max, unit)}
      onCommit={(value) => editor.dispatch(setMachineAreaMm(composition, product, { [key]: fromUnit(value, unit) }))}
      className="min-w-0 flex-1"
    />
  );

  return (
    <section aria-label="Machine area" className={`flex flex-col gap-3 ${className}`}>
      <div>
        <h3 className="text-sm font-medium">Machine area</h3>
        <p className="mt-0.5 text-xs text-graphite">
          The frame of the file. Another size changes how much is made, never how big it is.
        </p>
        {focus && <p className="mt-0.5 text-xs text-graphite">{focus}</p>}
      </div>
      <div className="flex gap-4">
        <NudgePad onNudge={nudge} />
        <div className="flex min-w-0 flex-1 flex-col justify-between gap-1">
          {field('x', 'X', `Horizontal offset from the print area in ${units}`)}
          {field('y', 'Y', `Vertical offset from the print area in ${units}`)}
          <p className="truncate text-xs text-graphite">From the print area’s center</p>
        </div>
      </div>
      <Row label="Size">
        {field('width', 'W', `Machine area width in ${units}`)}
        {field('height', 'H', `Machine area height in ${units}`)}
      </Row>
      <div className="border-t border-line pt-2">
        <Button
          variant="ghost"
          size="sm"
          icon="area"
          disabled={composition.machineArea === undefined}
          onClick={() => editor.dispatch(resetMachineArea(product))}
        >
          Reset to print area
        </Button>
      </div>
    </section>
  );
}
