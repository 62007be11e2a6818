/** All that comes with the editor, in one chunk. The page fetches it when a product is chosen. */
export { EditorPanels } from './EditorPanels.tsx';
export {
  ChangeMessages,
  LimitReached,
  ProductGone,
  ReopenedNote,
  ReplacedNote,
  ReplaceQuestion,
  StartOver,
} from './SessionNotices.tsx';
export { createWidgetEditor } from './widgetEditor.ts';
