import { TooltipProvider } from '@markwright/controls';
import { createContext, type ReactNode, useContext, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { connectAssets } from '../core/document/assets.ts';
import type { Editor, EditorState } from '../core/document/editor.ts';
import type { ExportPorts, Ports } from '../core/ports.ts';
import { createDesignFlow, type DesignFlow } from '../core/trace/designFlow.ts';
import type { DesignState } from '../core/trace/designStates.ts';
import { type TraceStatus, traceStatusOf } from '../core/trace/traceStatus.ts';

interface Studio {
  readonly editor: Editor;
  readonly ports: HostPorts;
  readonly designs: DesignFlow;
}

/** The ports of a host. One without exports omits the export ports. */
type HostPorts = Ports & Partial<ExportPorts>;

const StudioContext = createContext<Studio | undefined>(undefined);

/**
 * Provides this editor and this host to everything inside. Both are taken once: give another `key` for another pair.
 * While mounted, products, fonts and restored designs are loaded as the composition needs them.
 */
export function EditorProvider({ editor, ports, children }: { editor: Editor; ports: HostPorts; children: ReactNode }) {
  const [studio] = useState((): Studio => {
    return { editor, ports, designs: createDesignFlow(editor, ports) };
  });
  useEffect(() => {
    const disconnectAssets = connectAssets(studio.editor, studio.ports);
    const disconnectDesigns = studio.designs.connect();
    return () => {
      disconnectAssets();
      disconnectDesigns();
    };
  }, [studio]);
  return (
    <StudioContext value={studio}>
      <TooltipProvider>{children}</TooltipProvider>
    </StudioContext>
  );
}

function useStudio(): Studio {
  const studio = useContext(StudioContext);
  if (!studio) throw new Error('This part of the editor needs an <EditorProvider> above it');
  return studio;
}

export const useEditor = (): Editor => useStudio().editor;
export const usePorts = (): HostPorts => useStudio().ports;
export const useDesignFlow = (): DesignFlow => useStudio().designs;

/**
 * Reads a value of a store that keeps its identity while unchanged: a field, a flag, an element. A value that `select`
 * creates each time needs an `isSame`, which keeps the old one.
 */
export function useStore<S, T>(
  store: { getState(): S; subscribe(listener: () => void): () => void },
  select: (state: S) => T,
  isSame: (a: T, b: T) => boolean = Object.is,
): T {
  const last = useRef<{ value: T }>(undefined);
  const read = () => {
    const value = select(store.getState());
    if (!last.current || !isSame(last.current.value, value)) last.current = { value };
    return last.current.value;
  };
  return useSyncExternalStore(store.subscribe, read, read);
}

export const useEditorState = <T,>(select: (state: EditorState) => T, isSame?: (a: T, b: T) => boolean): T =>
  useStore(useEditor(), select, isSame);
export const useDesignState = <T,>(select: (state: DesignState) => T): T => useStore(useDesignFlow(), select);

const noPlace = { read: () => 0, subscribe: () => () => undefined };

/** Returns "Number 3 in line" while a call waits for its turn on a busy server. */
export function usePlaceWords(): string | undefined {
  const { read, subscribe } = usePorts().placeInLine ?? noPlace;
  const place = useSyncExternalStore(subscribe, read, read);
  return place > 0 ? `Number ${place} in line` : undefined;
}

/** Returns whether the pictures on the product have finished traces. */
export function useTraceStatus(): TraceStatus {
  const composition = useEditorState((state) => state.composition);
  const designs = useDesignFlow();
  const panels = useStore(designs, () => designs.panels());
  const engravings = useStore(designs, () => designs.engravings());
  // The shapes of an earlier trace may stand in until the next one is there; no file is made from them.
  const hasStandIn = useEditorState(({ assets }) => [...assets.artworks.values()].some(({ isStandIn }) => isStandIn));
  const status = traceStatusOf(composition, panels, engravings);
  return status === 'traced' && hasStandIn ? 'tracing' : status;
}
