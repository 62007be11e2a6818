/** The tools of the background dialog: the brush that corrects a cut-out, and the settings of its edge. */
import { BRUSH_RADIUS, MAX_EDGE_SHIFT, MAX_FEATHER } from '@markwright/contract/words';
import { IconButton, SegmentedControl, SliderRow, Switch } from '@markwright/controls';
import { kindOfBackground } from '@markwright/matting';
import { useId, useMemo } from 'react';
import { type CutoutEvent, type CutoutMachine, isReady } from '../../core/cutout/cutoutMachine.ts';
import type { Size } from '../../core/cutout/cutoutView.ts';
import type { CutoutTool } from './useBrush.ts';

export interface CutoutProps {
  readonly state: CutoutMachine;
  send(event: CutoutEvent): void;
}

/** Compares, paints with the brush, and undoes strokes. */
export function BrushTools({
  state,
  send,
  tool,
  setTool,
  radius,
  setRadius,
}: CutoutProps & {
  tool: CutoutTool;
  setTool(tool: CutoutTool): void;
  radius: number;
  setRadius(radius: number): void;
}) {
  return (
    <div className="flex flex-col gap-2">
      <SegmentedControl<CutoutTool>
        label="Tool"
        value={tool}
        options={[
          { value: 'compare', label: 'Compare' },
          { value: 'keep', label: 'Keep' },
          { value: 'erase', label: 'Erase' },
        ]}
        onChange={setTool}
      />
      <p className="min-h-8 text-graphite text-xs">{toolHints[tool]}</p>
      <SliderRow
        label="Brush"
        name="Brush size"
        fieldLabel="Brush size in percent of the picture"
        value={Math.round(2000 * radius) / 10}
        min={200 * BRUSH_RADIUS.min}
        max={200 * BRUSH_RADIUS.max}
        step={0.2}
        decimals={1}
        unit="%"
        disabled={tool === 'compare'}
        onMove={(value) => setRadius(value / 200)}
      />
      <div className="flex items-center gap-1">
        <IconButton
          icon="undo"
          label="Undo stroke"
          shortcut="Ctrl Z"
          disabled={state.settings.strokes.length === 0}
          onClick={() => send({ type: 'undo' })}
        />
        <IconButton
          icon="redo"
          label="Redo stroke"
          shortcut="Ctrl Shift Z"
          disabled={state.redoStrokes.length === 0}
          onClick={() => send({ type: 'redo' })}
        />
        <p role="status" className="ml-1 text-graphite text-xs">
          {sayStrokes(state.settings.strokes.length)}
        </p>
      </div>
    </div>
  );
}

/** Moves and softens the edge, and clears enclosed areas. */
export function EdgeTools({ state, send, size }: CutoutProps & { size: Size }) {
  const id = useId();
  const { settings, pictures } = state;
  const kind = useMemo(() => pictures && kindOfBackground(pictures.original), [pictures]);
  const adjust = (changes: { edgeShift?: number; feather?: number }) => send({ type: 'adjust', changes });
  // The page shows pixels of the picture; the settings are thousandths of its longer side.
  const longer = Math.max(size.width, size.height);
  const stepPx = longer > 2000 ? 0.5 : 0.1;
  const toPx = (thousandths: number) => Math.round((thousandths * longer) / 100) / 10;
  const fromPx = (px: number, most: number) => Math.min(most, Math.max(-most, (1000 * px) / longer));
  return (
    <div className="flex flex-col gap-1 border-line border-t pt-3">
      <SliderRow
        label="Edge"
        fieldLabel="Edge in pixels, outwards above 0"
        value={toPx(settings.edgeShift)}
        min={-toPx(MAX_EDGE_SHIFT)}
        max={toPx(MAX_EDGE_SHIFT)}
        step={stepPx}
        decimals={1}
        unit="px"
        valueText={sayEdge(toPx(settings.edgeShift))}
        onMove={(px) => adjust({ edgeShift: fromPx(px, MAX_EDGE_SHIFT) })}
        fieldClass="w-[72px]"
      />
      <SliderRow
        label="Feather"
        fieldLabel="Feather in pixels, to both sides"
        value={toPx(settings.feather)}
        min={0}
        max={toPx(MAX_FEATHER)}
        step={stepPx}
        decimals={1}
        unit="px"
        valueText={`${toPx(settings.feather)} pixels to both sides`}
        onMove={(px) => adjust({ feather: fromPx(px, MAX_FEATHER) })}
        fieldClass="w-[72px]"
      />
      {kind !== 'photograph' && (
        <div className="flex min-h-9 items-center gap-2.5">
          <Switch
            id={`${id}-enclosed`}
            label="Also clear enclosed areas"
            checked={settings.clearEnclosed ?? kind === 'flat'}
            disabled={!isReady(state)}
            onChange={(clearEnclosed) => send({ type: 'clearEnclosed', clearEnclosed })}
          />
          <label htmlFor={`${id}-enclosed`} className="text-graphite text-xs">
            Also clear enclosed areas
          </label>
        </div>
      )}
    </div>
  );
}

const toolHints: Readonly<Record<CutoutTool, string>> = {
  compare: 'Left of the line the original, right of it what stays.',
  keep: 'Paint where too much is gone: the original comes back.',
  erase: 'Paint over what should go.',
};

const sayStrokes = (count: number) => (count === 0 ? 'Nothing painted' : count === 1 ? '1 stroke' : `${count} strokes`);

const sayEdge = (px: number) => (px === 0 ? 'as it is' : `${Math.abs(px)} pixels ${px > 0 ? 'out' : 'in'}`);
