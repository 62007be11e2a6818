/** The overlays of a trace on the stage. Loaded when a view option is first used. */
import { type Matrix, multiply, translate } from '@markwright/scene';
import { findTrace, type PlacedTrace } from '../../core/document/viewOptions.ts';
import type { Size, StageView } from '../../core/pointer/stageView.ts';
import { useEditorState } from '../EditorProvider.tsx';
import { Before, Divider } from './CompareDivider.tsx';
import { NodeView } from './NodeView.tsx';
import { ColorPicker, Spotlight } from './Spotlight.tsx';

/** Returns the matrix from the artwork's own units to screen px. */
const toScreen = ({ toScreen, originMm }: StageView, { group }: PlacedTrace): Matrix =>
  multiply(toScreen, translate(originMm.x, originMm.y), group.matrix);

/** The overlays that lie below the handles of the selection. */
export function TraceOverlaysBelow({ view, size }: { view: StageView; size: Size }) {
  const trace = useEditorState(findTrace);
  const viewOptions = useEditorState((state) => state.viewOptions);
  if (!trace) return null;
  const matrix = toScreen(view, trace);
  return (
    <>
      {viewOptions.compareAt !== undefined && <Before {...{ view, trace, matrix, size }} at={viewOptions.compareAt} />}
      {viewOptions.spotlight.length > 0 && !viewOptions.showsNodes && viewOptions.compareAt === undefined && (
        <Spotlight {...{ trace, matrix, size }} paints={viewOptions.spotlight} />
      )}
      {viewOptions.showsNodes && <NodeView {...{ trace, matrix, size }} />}
    </>
  );
}

/** The overlays that take presses and drags, above everything else. */
export function TraceOverlaysAbove({ view, size }: { view: StageView; size: Size }) {
  const trace = useEditorState(findTrace);
  const viewOptions = useEditorState((state) => state.viewOptions);
  if (!trace) return null;
  if (viewOptions.isPicking) return <ColorPicker trace={trace} matrix={toScreen(view, trace)} />;
  return viewOptions.compareAt === undefined ? null : <Divider {...{ view, trace, size }} at={viewOptions.compareAt} />;
}
