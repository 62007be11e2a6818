/** Everything that is drawn over the stage to look at a trace. Fetched when one of its ways is first asked for. */
import { type Matrix, multiply, translate } from '@markwright/scene';
import { findTrace, type PlacedTrace } from '../../core/document/look.ts';
import type { Size, StageView } from '../../core/pointer/stageView.ts';
import { useEditorState } from '../EditorProvider.tsx';
import { Before, Divider } from './CompareDivider.tsx';
import { NodeView } from './NodeView.tsx';
import { ColorPicker, Spotlight } from './Spotlight.tsx';

/** From the artwork's own units to screen px. */
const toScreen = ({ toScreen, originMm }: StageView, { group }: PlacedTrace): Matrix =>
  multiply(toScreen, translate(originMm.x, originMm.y), group.matrix);

/** Below the handles of what is selected. */
export function TraceLookBelow({ view, size }: { view: StageView; size: Size }) {
  const trace = useEditorState(({ scene }) => findTrace(scene));
  const look = useEditorState((state) => state.look);
  if (!trace) return null;
  const matrix = toScreen(view, trace);
  return (
    <>
      {look.compareAt !== undefined && <Before {...{ view, trace, matrix, size }} at={look.compareAt} />}
      {look.spotlight.length > 0 && !look.showsNodes && look.compareAt === undefined && (
        <Spotlight {...{ trace, matrix, size }} paints={look.spotlight} />
      )}
      {look.showsNodes && <NodeView {...{ trace, matrix, size }} />}
    </>
  );
}

/** What is pressed and dragged, above everything else. */
export function TraceLookAbove({ view, size }: { view: StageView; size: Size }) {
  const trace = useEditorState(({ scene }) => findTrace(scene));
  const look = useEditorState((state) => state.look);
  if (!trace) return null;
  if (look.isPicking) return <ColorPicker trace={trace} matrix={toScreen(view, trace)} />;
  return look.compareAt === undefined ? null : <Divider {...{ view, trace, size }} at={look.compareAt} />;
}
