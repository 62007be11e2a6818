/** The parts of the studio that are fetched together after the first paint, as one file with what only they need. */
export { Canvas, FloatingPreview, LivePreview } from '@markwright/editor';
export { AccountDialogs } from './AccountDialogs.tsx';
export { DesignAndText } from './DesignAndText.tsx';
export { ExportPanel } from './ExportPanel.tsx';
export { Inspector } from './Inspector.tsx';
export { Position } from './Position.tsx';
export { PreflightCount, PreflightMarks } from './Preflight.tsx';
export { Status } from './Status.tsx';
