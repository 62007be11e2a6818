import { Button } from '@markwright/controls';
import { hasContent } from '@markwright/scene';
import { useState } from 'react';
import { createExportFlow } from '../../core/export/exportFlow.ts';
import { canExport, type ExportPorts, type Ports } from '../../core/ports.ts';
import { useDesignFlow, useEditor, useEditorState, usePorts, useStore } from '../EditorProvider.tsx';

/** Buttons for the three exports, where the host has them. */
export function ExportBar({ className = '' }: { className?: string }) {
  const ports = usePorts();
  return canExport(ports) ? <Exports ports={ports} className={className} /> : null;
}

function Exports({ ports, className }: { ports: Ports & ExportPorts; className: string }) {
  const editor = useEditor();
  const designs = useDesignFlow();
  const [exports] = useState(() => createExportFlow(editor, ports, designs));
  const busy = useStore(exports, (state) => state.busy);
  const isExporting = useEditorState((state) => state.isExporting);
  const isReady = useEditorState(({ composition }) => composition.productId !== undefined && hasContent(composition));
  return (
    <div className={`flex flex-col gap-2 ${className}`}>
      <Button
        variant="primary"
        size="lg"
        icon="download"
        isBusy={busy === 'production'}
        disabled={!isReady || isExporting}
        onClick={() => void exports.exportProduction()}
      >
        Export for Production Processing
      </Button>
      <Button
        size="lg"
        isBusy={busy === 'customSvg'}
        disabled={!isReady || isExporting}
        onClick={() => void exports.exportCustomSvg()}
        className="justify-between!"
      >
        <span className="flex-1 text-left">Custom SVG</span>
        <span className="measure font-normal text-graphite">1000 × 1000</span>
      </Button>
      <Button
        size="lg"
        isBusy={busy === 'png'}
        disabled={!isReady || isExporting}
        onClick={() => void exports.exportPng()}
        className="justify-between!"
      >
        <span className="flex-1 text-left">Export PNG Preview</span>
        <span className="measure font-normal text-graphite">2x</span>
      </Button>
    </div>
  );
}
