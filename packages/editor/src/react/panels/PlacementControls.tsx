import { Button, Icon, IconButton, type IconName, NumberField, Row, Slider, Tooltip } from '@markwright/controls';
import {
  type Command,
  centerCommand,
  DESIGN_SIZE,
  findElement,
  isArtwork,
  isShape,
  isText,
  OFFSET_LIMIT,
  type PlaceChanges,
  placeCommand,
  type SceneGroup,
  sizeOf,
  TEXT_HEIGHT_INCHES,
} from '@markwright/scene';
import { memo, type ReactNode, useCallback, useState } from 'react';
import type { ElementId } from '../../core/document/editor.ts';
import { alignments, removeCommand } from '../../core/document/keymap.ts';
import { describeLaserTone } from '../../core/document/laserTone.ts';
import { fromUnit, offsetMm, reachesOutside, toUnit } from '../../core/document/measure.ts';
import { useEditor, useEditorState } from '../EditorProvider.tsx';
import { AlignButtons, AlignRow } from './ArrangeControls.tsx';
import { LengthField } from './LengthField.tsx';
import { NudgePad } from './NudgePad.tsx';

interface PlacementControlsProps {
  readonly elementId: ElementId;
  /** Further buttons beside those that center, flip and turn it. */
  readonly tools?: ReactNode;
}

/**
 * Place, size and angle of one element: by arrows, sliders and numbers, all in true units. A layer of its own, as its
 * numbers change with every frame of a drag and would take the panels around them along.
 */
export function PlacementControls({ elementId, tools }: PlacementControlsProps) {
  const editor = useEditor();
  const composition = useEditorState((state) => state.composition);
  const scene = useEditorState((state) => state.scene);
  const unit = useEditorState((state) => state.unit);
  const isLimited = useEditorState((state) => state.limits !== undefined);
  const placement = findElement(composition, elementId);
  const text = placement && isText(placement) ? placement : undefined;
  const artwork = placement && isArtwork(placement) ? placement : undefined;
  const group = scene.groups.find((candidate) => candidate.elementId === elementId);
  if (!placement) return null;

  const decimals = unit === 'in' ? 2 : 1;
  const step = unit === 'in' ? 0.05 : 1;
  const toMm = (percent: number, lengthMm: number) => (percent / 100) * lengthMm;
  const change = ({ opacity, ...place }: PlaceChanges & { opacity?: number }): Command =>
    opacity === undefined
      ? placeCommand(elementId, place)
      : { type: 'updateDesign', id: placement.id, changes: { opacity } };
  const set = (changes: Parameters<typeof change>[0]) => editor.dispatch(change(changes));
  const drag = useGestureControl(change);
  // Another size of the letters leaves the circle of a text as it is.
  const sizeLetters = (heightInches: number): Command => ({
    type: 'updateText',
    id: placement?.id ?? '',
    changes: { heightInches },
  });
  const dragLetters = useGestureControl(sizeLetters);
  const nudge = useCallback(
    (dx: number, dy: number) => editor.dispatch({ type: 'nudge', elementId, dx, dy }),
    [editor, elementId],
  );

  const position = (label: string, axis: 'x' | 'y', lengthMm: number) => {
    // The middle of a text's ink is not that of its lines, which its stored place is about.
    const asideMm = group?.lineBox ? offsetMm(scene, group)[axis] - toMm(placement[axis], lengthMm) : 0;
    return (
      <NumberField
        label={label}
        prefix={axis.toUpperCase()}
        unit={unit}
        decimals={decimals}
        step={step}
        value={toUnit(toMm(placement[axis], lengthMm) + asideMm, unit)}
        min={toUnit(toMm(-OFFSET_LIMIT, lengthMm) + asideMm, unit)}
        max={toUnit(toMm(OFFSET_LIMIT, lengthMm) + asideMm, unit)}
        onCommit={(value) => set({ [axis]: ((fromUnit(value, unit) - asideMm) / lengthMm) * 100 })}
        className="min-w-0 flex-1"
      />
    );
  };

  const { isLocked } = placement;

  return (
    <div className="flex flex-col gap-3 will-change-transform low:gap-1.5">
      {isLocked && <Note icon="lock">Locked. Unlock it in the list to move or change it.</Note>}
      <div inert={isLocked} className={`flex flex-col gap-2 low:gap-1 ${isLocked ? 'opacity-45' : ''}`}>
        <div className="flex gap-4">
          <NudgePad onNudge={nudge} />
          <div title="From the area’s center" className="flex min-w-0 flex-1 flex-col justify-center gap-2 low:gap-1">
            {position('Horizontal position from the center', 'x', scene.widthMm)}
            {position('Vertical position from the center', 'y', scene.heightMm)}
          </div>
        </div>

        <div className="flex flex-col gap-1">
          {text ? (
            <MeasureRow
              label="Font size"
              fieldLabel="Font size in inches"
              value={text.heightInches}
              range={TEXT_HEIGHT_INCHES}
              decimals={2}
              unit="in"
              valueText={`${text.heightInches.toFixed(2)} in`}
              drag={dragLetters((heightInches) => heightInches)}
              onCommit={(heightInches) => editor.dispatch(sizeLetters(heightInches))}
            />
          ) : (
            artwork && (
              <MeasureRow
                label="Size"
                fieldLabel="Size in percent"
                value={artwork.size}
                range={DESIGN_SIZE}
                unit="%"
                valueText={`${Math.round(artwork.size)} %`}
                drag={drag((size) => ({ size }))}
                onCommit={(size) => set({ size })}
              />
            )
          )}
          {group && !isShape(placement) && (
            <Row label="Real size">
              <LengthField
                label="Width"
                prefix="W"
                valueMm={group.sizeMm.width}
                onCommit={(widthMm) => set({ size: sizeOf(placement).value * (widthMm / group.sizeMm.width) })}
              />
              <InProportion />
              <LengthField
                label="Height"
                prefix="H"
                valueMm={group.sizeMm.height}
                onCommit={(heightMm) => set({ size: sizeOf(placement).value * (heightMm / group.sizeMm.height) })}
              />
            </Row>
          )}
          <MeasureRow
            label="Rotation"
            fieldLabel="Rotation in degrees"
            value={placement.angleDeg}
            range={{ min: 0, max: 360 }}
            decimals={placement.angleDeg % 1 === 0 ? 0 : 1}
            unit="°"
            valueText={`${Math.round(placement.angleDeg)}°`}
            drag={drag((angleDeg) => ({ angleDeg }))}
            onCommit={(angleDeg) => set({ angleDeg })}
          />
          {'opacity' in placement && !isLimited && (
            <MeasureRow
              label="Opacity"
              fieldLabel="Opacity in percent"
              value={placement.opacity}
              range={{ min: 0, max: 100 }}
              unit="%"
              valueText={`${Math.round(placement.opacity)} %`}
              drag={drag((opacity) => ({ opacity }))}
              onCommit={(opacity) => set({ opacity })}
            />
          )}
          {scene.machine === 'laser' && group && <LaserTone group={group} />}
        </div>

        <div className="low:hidden">
          <AlignRow />
        </div>

        {group && reachesOutside(scene, group) && (
          <Note>Part of it lies outside the machine area and will not be made.</Note>
        )}

        <Actions elementId={elementId} isFlipped={placement.isFlipped} tools={tools} />
      </div>
    </div>
  );
}

/** Says what a laser makes of an opacity below 100 %. */
const LaserTone = memo(function LaserTone({ group }: { group: SceneGroup }) {
  const sentence = describeLaserTone(group);
  return sentence && <p className="text-graphite text-xs">{sentence}</p>;
});

interface MeasureRowProps {
  readonly label: string;
  /** The name of the number's field: it says the unit. */
  readonly fieldLabel: string;
  readonly value: number;
  readonly range: { readonly min: number; readonly max: number; readonly step?: number };
  readonly decimals?: number;
  readonly unit: string;
  readonly valueText: string;
  /** Handlers of the slider, from `useGestureControl`. */
  readonly drag: { onChange(value: number): void; onCommit(): void };
  /** Called with a number that was typed. */
  onCommit(value: number): void;
}

/** A measure that a slider drags as one gesture, and a number sets at once. */
function MeasureRow({ label, fieldLabel, range, decimals = 0, unit, valueText, drag, ...rest }: MeasureRowProps) {
  return (
    <Row label={label}>
      <Slider label={label} value={rest.value} {...range} valueText={valueText} {...drag} />
      <NumberField label={fieldLabel} {...range} decimals={decimals} unit={unit} {...rest} className="w-[76px]" />
    </Row>
  );
}

interface ActionsProps extends PlacementControlsProps {
  readonly isFlipped: boolean;
}

/** In a low window the buttons that align take the place of the others while they are wanted. */
const Actions = memo(function Actions({ elementId, isFlipped, tools }: ActionsProps) {
  const editor = useEditor();
  const [isAligning, setIsAligning] = useState(false);
  const isLimited = useEditorState((state) => state.limits !== undefined);
  return (
    <div className="flex items-center gap-1 border-t border-line pt-2 low:pt-1">
      <IconButton
        icon={alignments[0].icon}
        label="Align"
        aria-expanded={isAligning}
        className="hidden! low:inline-flex! aria-expanded:bg-accent-soft aria-expanded:text-accent"
        onClick={() => setIsAligning(!isAligning)}
      />
      {isAligning && (
        <div className="hidden low:block">
          <AlignButtons />
        </div>
      )}
      <div className={`flex flex-1 items-center gap-1 ${isAligning ? 'low:hidden' : ''}`}>
        <IconButton
          icon="center"
          label="Center"
          onClick={() => editor.dispatch(centerCommand(editor.getState().scene, elementId))}
        />
        <IconButton
          icon="flip"
          label="Flip"
          isPressed={isFlipped}
          onClick={() => editor.dispatch({ type: 'flip', elementId })}
        />
        <IconButton
          icon="rotate"
          label="Rotate 90°"
          shortcut="R"
          onClick={() => editor.dispatch({ type: 'rotate90', elementId })}
        />
        {tools}
        {!isLimited && (
          <Button
            variant="ghost"
            size="sm"
            icon="trash"
            className="ml-auto text-danger!"
            onClick={() => editor.dispatch(removeCommand(elementId))}
          >
            Remove
          </Button>
        )}
      </div>
    </div>
  );
});

const IN_PROPORTION = 'Width and height stay in proportion';

/** Says that the aspect is locked. There is no switch, as nobody wants a distorted letter or logo. */
const InProportion = memo(function InProportion() {
  return (
    <Tooltip label={IN_PROPORTION}>
      <span role="img" aria-label={IN_PROPORTION} className="-mx-1 grid h-7 w-4 shrink-0 place-items-center">
        <Icon name="lock" className="size-3.5 text-graphite" />
      </span>
    </Tooltip>
  );
});

/** Returns slider handlers that preview while dragging and leave one undo step. */
export function useGestureControl<C>(command: (changes: C) => Command) {
  const editor = useEditor();
  return (changes: (value: number) => C) => ({
    onChange(value: number) {
      if (!editor.getState().isGesturing) editor.beginGesture();
      editor.updateGesture(command(changes(value)));
    },
    onCommit: () => editor.commitGesture(),
  });
}

function Note({ icon = 'warning', children }: { icon?: IconName; children: ReactNode }) {
  return (
    <p className="flex gap-2 rounded-control bg-accent-soft px-2.5 py-2 text-xs text-ink">
      <Icon name={icon} className="size-4 text-accent" />
      {children}
    </p>
  );
}
