/** The style of a text, and a slider for one of its measures. */
import { Slider } from '@markwright/controls';
import type { TextElement } from '@markwright/scene';
import { useEditor } from '../EditorProvider.tsx';

/** The style that the next text takes over from the last one, without its words, place or name. */
export const styleNames = [
  'fontFamily',
  'heightInches',
  'color',
  'textAlign',
  'fontWeight',
  'fontStyle',
  'textDecoration',
  'letterSpacing',
  'lineSpacing',
  'bend',
] as const satisfies (keyof TextElement)[];

export type TextStyle = Pick<TextElement, (typeof styleNames)[number]>;

export interface RangeRowProps {
  selectedId: string | undefined;
  style: TextStyle;
  onChange(changes: Partial<TextStyle>): void;
}

/** A slider that shows while it is dragged and leaves one undo step. */
export function StyleSlider({
  name,
  selectedId,
  style,
  onChange,
  ...slider
}: RangeRowProps & {
  name: 'heightInches' | 'bend';
  label: string;
  min: number;
  max: number;
  step: number;
  valueText: string;
}) {
  const editor = useEditor();
  return (
    <Slider
      {...slider}
      value={style[name]}
      onChange={(next) => {
        if (!selectedId) {
          onChange({ [name]: next });
          return;
        }
        if (!editor.getState().isGesturing) editor.beginGesture();
        editor.updateGesture({ type: 'updateText', id: selectedId, changes: { [name]: next } });
      }}
      onCommit={() => editor.commitGesture()}
    />
  );
}
