export { chooseProduct } from './core/document/chooseProduct.ts';
export * from './core/document/editor.ts';
export * from './core/document/ids.ts';
export * from './core/document/keymap.ts';
export { LIBRARY_ICON } from './core/document/libraryIcon.ts';
export * from './core/document/measure.ts';
export {
  type ElementsToSave,
  elementsToSave,
  placeSaved,
  type SavedElements,
} from './core/document/savedElements.ts';
export { hasAccount } from './core/export/accountGate.ts';
export * from './core/export/exportFlow.ts';
export type { AskAboutFindings, FindingsAnswer } from './core/export/findingsGate.ts';
export * from './core/export/productionFormats.ts';
export * from './core/pointer/gestures.ts';
export type { StageView } from './core/pointer/stageView.ts';
export * from './core/ports.ts';
export * from './core/preflight/preflightFlow.ts';
export { createDesignFlow, type DesignFlow } from './core/trace/designFlow.ts';
export type { DesignJob, DesignState, UploadStatus } from './core/trace/designStates.ts';
export {
  forNextPicture,
  type TraceRequest,
  type TraceSettings,
  toPreviewSettings,
  toProductionSettings,
  toVectorizeSettings,
} from './core/trace/traceSettings.ts';
export * from './react/EditorProvider.tsx';
export { DesignPanel, ProductRequired } from './react/panels/DesignPanel.tsx';
export { ElementList } from './react/panels/ElementList.tsx';
export {
  ExportBar,
  type FormatAnswer,
  type FormatQuestion,
  type SceneAnswer,
  type SceneQuestion,
} from './react/panels/ExportBar.tsx';
export { FigurePanel } from './react/panels/FigurePanel.tsx';
export { FindingRow } from './react/panels/FindingRow.tsx';
export { FloatingPreview, LivePreview } from './react/panels/LivePreview.tsx';
export { MachinePicker } from './react/panels/MachinePicker.tsx';
export { PlacementControls } from './react/panels/PlacementControls.tsx';
export { PreflightCount, PreflightPanel } from './react/panels/Preflight.tsx';
export { PreflightMarks } from './react/panels/PreflightMarks.tsx';
export { PositionTabs, PreviewPanel, ProductView } from './react/panels/PreviewPanel.tsx';
export { ProductList } from './react/panels/ProductList.tsx';
export { ProductPicker, ProductVariants } from './react/panels/ProductPicker.tsx';
export { ProductThumb } from './react/panels/ProductThumb.tsx';
export { StatusLine } from './react/panels/StatusLine.tsx';
export { TextColors } from './react/panels/TextColors.tsx';
export { TextPanel } from './react/panels/TextPanel.tsx';
export { usePreflight } from './react/panels/usePreflight.ts';
export { isVaried, VariantPicker } from './react/panels/VariantPicker.tsx';
export { Canvas, type CanvasProps } from './react/stage/Canvas.tsx';
export { RULER_PX, RulerTicks } from './react/stage/Rulers.tsx';
export { SelectProduct } from './react/stage/SelectProduct.tsx';
export type { FloatingProps } from './react/stage/StageControls.tsx';
export { SvgNodeView } from './react/stage/SvgNodeView.tsx';
export { HistoryButtons, ZoomControls } from './react/stage/ViewControls.tsx';
export { useSaveToLibrary } from './react/useSaveToLibrary.ts';
