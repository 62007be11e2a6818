/**
 * The parts of the studio that are not needed before a product is chosen. They are fetched after the first paint and
 * shown once they have loaded.
 */
import { lazyPart } from '@markwright/controls';
import type { CanvasProps, Editor, FloatingProps, StageView } from '@markwright/editor';
import { type ComponentType, createElement, Suspense, useCallback, useEffect, useState } from 'react';
import { SkeletonBars } from '../../ui/SkeletonBars.tsx';
import type { AccountDialogsProps } from './AccountDialogs.tsx';
import type { DeviceComposition } from './compositions/blankCopy.ts';
import type { ExportPanelProps } from './ExportPanel.tsx';
import type { StatusProps } from './Status.tsx';
import type { TutorialStepId } from './tutorial/neededStep.ts';
import type { TutorialProps } from './tutorial/Tutorial.tsx';

/** Most come in one file: each file is a request, which costs the browser more than its bytes. */
const loaders = {
  canvas: () => import('./laterParts.ts').then(({ Canvas }) => ({ default: Canvas })),
  accountDialogs: () => import('./laterParts.ts').then(({ AccountDialogs }) => ({ default: AccountDialogs })),
  designAndText: () => import('./laterParts.ts').then(({ DesignAndText }) => ({ default: DesignAndText })),
  exportPanel: () => import('./laterParts.ts').then(({ ExportPanel }) => ({ default: ExportPanel })),
  inspector: () => import('./laterParts.ts').then(({ Inspector }) => ({ default: Inspector })),
  preflight: () => import('./laterParts.ts').then(({ PreflightCount }) => ({ default: PreflightCount })),
  preflightMarks: () => import('./laterParts.ts').then(({ PreflightMarks }) => ({ default: PreflightMarks })),
  livePreview: () => import('./laterParts.ts').then(({ LivePreview }) => ({ default: LivePreview })),
  floatingPreview: () => import('./laterParts.ts').then(({ FloatingPreview }) => ({ default: FloatingPreview })),
  /** Fetched early, because a notice about a lost connection must not need one. */
  toasts: () => import('../../ui/Toasts.tsx'),
  fonts: () => import('../../studioHost/fonts.ts'),
  trace: () => import('../../studioHost/tracer/readTrace.ts'),
  previewTrace: () => import('../../studioHost/tracer/previewTrace.ts'),
  preflightWorker: () => import('../../studioHost/preflight/preflightWorker.ts'),
  status: () => import('./laterParts.ts').then(({ Status }) => ({ default: Status })),
  position: () => import('./laterParts.ts').then(({ Position }) => ({ default: Position })),
};

const AccountDialogsLater = lazyPart(loaders.accountDialogs);
const CanvasLater = lazyPart(loaders.canvas);
const DesignAndTextLater = lazyPart(loaders.designAndText);
const ExportPanelLater = lazyPart(loaders.exportPanel);
const InspectorLater = lazyPart(loaders.inspector);
const PreflightCountLater = lazyPart(loaders.preflight);
const PreflightMarksLater = lazyPart(loaders.preflightMarks);
const LivePreviewLater = lazyPart(loaders.livePreview);
const FloatingPreviewLater = lazyPart(loaders.floatingPreview);
const StatusLater = lazyPart(loaders.status);
const PositionLater = lazyPart(loaders.position);

export const DesignAndText = (props: { tutorialStep: TutorialStepId | undefined }) => later(DesignAndTextLater, props);
export const ExportPanel = (props: ExportPanelProps) => later(ExportPanelLater, props);
export const Inspector = (props: { className?: string }) => later(InspectorLater, props);
export const Position = (props: { isWhole: boolean }) => later(PositionLater, props);

/** This and the marks need no placeholder while they load. */
export const PreflightCount = () => (
  <Suspense>
    <PreflightCountLater />
  </Suspense>
);
export const PreflightMarks = (props: { view: StageView }) => (
  <Suspense>
    <PreflightMarksLater {...props} />
  </Suspense>
);

/** The stage loads right after the page around it, so that the steps beside it show first. */
export const Canvas = (props: CanvasProps) => (
  <Suspense fallback={<div className={props.className} />}>
    <CanvasLater {...props} />
  </Suspense>
);

/** The placeholder has the height of the status line, so that nothing moves. */
export const Status = (props: StatusProps) => (
  <Suspense fallback={<div className={`h-8 border-line border-t bg-paper ${props.className ?? ''}`} />}>
    <StatusLater {...props} />
  </Suspense>
);

/** These have no placeholder, because they are hidden until there is something to preview. */
export const LivePreview = (props: { className?: string }) => (
  <Suspense>
    <LivePreviewLater {...props} />
  </Suspense>
);
export const FloatingPreview = (props: FloatingProps) => (
  <Suspense>
    <FloatingPreviewLater {...props} />
  </Suspense>
);

/** Mounted closed soon after the first paint, so that a question opens at once. */
export function AccountDialogs(props: AccountDialogsProps) {
  const [isSoon, setSoon] = useState(false);
  useEffect(() => afterFirstPaint(() => setSoon(true)), []);
  return isSoon || props.question ? (
    <Suspense>
      <AccountDialogsLater {...props} />
    </Suspense>
  ) : null;
}

const waiting = <SkeletonBars bars={['h-9 rounded-control', 'h-24 rounded-card']} className="grid gap-2 py-1" />;

function later<P extends object>(part: ComponentType<P>, props: P) {
  return <Suspense fallback={waiting}>{createElement(part, props)}</Suspense>;
}

/** Fetches all lazy parts after the first paint. */
export function useLaterParts(): void {
  useEffect(
    () =>
      afterFirstPaint(() => {
        for (const load of Object.values(loaders)) load().catch(() => undefined); // `lazyPart` tries again
      }),
    [],
  );
}

function afterFirstPaint(work: () => void): () => void {
  const timer = setTimeout(work, 200);
  return () => clearTimeout(timer);
}

/** Loads a part after the first paint, and again when the connection is back. `load` may run more than once. */
function useLoadSoon(load: () => Promise<void>): void {
  useEffect(() => {
    const tryLoad = () => void load().catch(() => undefined);
    const stop = afterFirstPaint(tryLoad);
    addEventListener('online', tryLoad);
    return () => {
      stop();
      removeEventListener('online', tryLoad);
    };
  }, [load]);
}

/**
 * Returns the tutorial once its code has loaded after the first paint. `load` loads it at once and rejects without a
 * connection.
 */
export function useTutorial(): { Tutorial: ComponentType<TutorialProps> | undefined; load(): Promise<void> } {
  const [Tutorial, setTutorial] = useState<ComponentType<TutorialProps>>();
  const load = useCallback(async () => {
    const { Tutorial } = await import('./tutorial/Tutorial.tsx');
    setTutorial(() => Tutorial);
  }, []);
  useLoadSoon(load);
  return { Tutorial, load };
}

/** The parts for saved compositions, with the autosave of this editor. */
export type CompositionParts = ReturnType<typeof import('./compositions/parts.ts').createCompositionParts>;

/**
 * Saves `first`, and every composition opened after it, once the code for that has loaded after the first paint. `load`
 * loads it at once and rejects without a connection.
 */
export function useCompositionParts(
  editor: Editor,
  first: DeviceComposition,
): { parts: CompositionParts | undefined; load(): Promise<void> } {
  const [parts, setParts] = useState<CompositionParts>();
  const load = useCallback(async () => {
    const { createCompositionParts } = await import('./compositions/parts.ts');
    setParts((existing) => existing ?? createCompositionParts(editor, first));
  }, [editor, first]);
  useLoadSoon(load);
  useEffect(() => parts?.connect(), [parts]);
  return { parts, load };
}
