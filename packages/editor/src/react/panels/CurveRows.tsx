/** How a line of text is curved: bent by itself, or along a circle that stays whatever its words are. */
import { IconButton, NumberField, Row, SegmentedControl, Slider } from '@markwright/controls';
import {
  BEND,
  CIRCLE_RADIUS_MM,
  CIRCLE_SWEEP,
  type Command,
  type TextCircle,
  type TextElement,
} from '@markwright/scene';
import { findText } from '../../core/document/editor.ts';
import { enterCircle, leaveCircle } from '../../core/document/newCircle.ts';
import { useEditor } from '../EditorProvider.tsx';
import { LengthField } from './LengthField.tsx';
import { type RangeRowProps, StyleSlider } from './StyleSlider.tsx';

/** Path data of icons: a line over a circle, and one over its top and below its bottom. */
const icons = {
  circle: 'M10 8.5a4 4 0 1 1 0 8a4 4 0 1 1 0-8ZM4 8.6a7 7 0 0 1 12 0',
  top: 'M3 13a7 7 0 0 1 14 0',
  bottom: 'M3 7a7 7 0 0 0 14 0',
} as const;

interface Props extends Pick<RangeRowProps, 'style' | 'onChange'> {
  /** The selected text. */
  readonly text: TextElement | undefined;
}

export function CurveRows({ text, style, onChange }: Props) {
  if (text?.circle) return <CircleRows text={text} circle={text.circle} />;
  return <BendRow text={text} style={style} onChange={onChange} />;
}

/** Bends the line of text: from a smile over a straight line to a rainbow. */
function BendRow({ text, style, onChange }: Props) {
  const editor = useEditor();
  const { bend } = style;
  const shape = bend === 0 ? 'straight' : `${Math.abs(bend)} % ${bend > 0 ? 'up' : 'down'}`;
  const enter = () => {
    const command = text && enterCircle(editor.getState(), currentText(editor, text));
    if (command) editor.dispatch(command);
  };
  return (
    <Row label="Bend">
      <StyleSlider {...{ style, onChange, ...BEND }} selectedId={text?.id} name="bend" label="Bend" valueText={shape} />
      <NumberField
        label="Bend in percent of a circle"
        value={bend}
        {...BEND}
        unit="%"
        onCommit={(next) => onChange({ bend: next })}
        className="w-[68px]"
      />
      {text && <IconButton icon={icons.circle} size="sm" label="Keep to a circle" isPressed={false} onClick={enter} />}
    </Row>
  );
}

/** Returns a text with its present place, which the panel is not rendered for. */
const currentText = (editor: ReturnType<typeof useEditor>, text: TextElement): TextElement =>
  findText(editor.getState().composition, `text:${text.id}`) ?? text;

function CircleRows({ text, circle }: { text: TextElement; circle: TextCircle }) {
  const editor = useEditor();
  const command = (changes: Partial<TextCircle>): Command => ({
    type: 'updateText',
    id: text.id,
    changes: { circle: { ...circle, ...changes } },
  });
  const set = (changes: Partial<TextCircle>) => editor.dispatch(command(changes));
  const leave = () => editor.dispatch(leaveCircle(editor.getState(), currentText(editor, text), circle));
  return (
    <>
      <Row label="Circle">
        <LengthField
          label="Diameter of the circle"
          prefix="⌀"
          valueMm={2 * circle.radiusMm}
          minMm={2 * CIRCLE_RADIUS_MM.min}
          maxMm={2 * CIRCLE_RADIUS_MM.max}
          onCommit={(mm) => set({ radiusMm: mm / 2 })}
        />
        <SegmentedControl
          label="Side of the circle"
          value={circle.side}
          options={[
            { value: 'top', label: 'Top', icon: icons.top },
            { value: 'bottom', label: 'Bottom', icon: icons.bottom },
          ]}
          onChange={(side) => set({ side })}
          className="w-20"
        />
        <IconButton icon={icons.circle} size="sm" label="Keep to a circle" isPressed onClick={leave} />
      </Row>
      <Row label="Letters">
        <SegmentedControl
          label="Letters on the circle"
          value={circle.edge}
          options={[
            { value: 'outside', label: 'Outside' },
            { value: 'middle', label: 'On the line' },
            { value: 'inside', label: 'Inside' },
          ]}
          onChange={(edge) => set({ edge })}
          className="flex-1"
        />
      </Row>
      <Row label="Arc">
        <Slider
          label="Arc"
          value={circle.sweepDeg}
          {...CIRCLE_SWEEP}
          valueText={`${circle.sweepDeg}°`}
          onChange={(sweepDeg) => {
            if (!editor.getState().isGesturing) editor.beginGesture();
            editor.updateGesture(command({ sweepDeg }));
          }}
          onCommit={() => editor.commitGesture()}
        />
        <NumberField
          label="Most of the circle for the words, in degrees"
          value={circle.sweepDeg}
          {...CIRCLE_SWEEP}
          unit="°"
          onCommit={(sweepDeg) => set({ sweepDeg })}
          className="w-[68px]"
        />
      </Row>
    </>
  );
}
