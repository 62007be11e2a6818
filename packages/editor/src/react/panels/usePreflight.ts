import { useState } from 'react';
import { type PreflightFlow, type PreflightState, preflightOf } from '../../core/preflight/preflightFlow.ts';
import { useDesignFlow, useEditor, usePorts, useStore } from '../EditorProvider.tsx';

/** Returns the preflight of the editor around, with its state. */
export function usePreflight(): [PreflightState, PreflightFlow] {
  const editor = useEditor();
  const ports = usePorts();
  const designs = useDesignFlow();
  const [flow] = useState(() => preflightOf(editor, ports, designs));
  return [useStore(flow, (state) => state), flow];
}
