import { Button } from '@markwright/controls';
import { hasContent } from '@markwright/scene';
import { useState } from 'react';
import { createExportFlow } from '../../core/export/exportFlow.ts';
import type { AskAboutFindings } from '../../core/export/findingsGate.ts';
import { canExport, type ExportPorts, type Ports } from '../../core/ports.ts';
import {
  useDesignFlow,
  useEditor,
  useEditorState,
  usePlaceWords,
  usePorts,
  useStore,
  useTraceStatus,
} from '../EditorProvider.tsx';
import { sayTraceStage } from './traceStages.ts';

interface ExportBarProps {
  /** Asks before a file with open findings costs an export. It is taken once. */
  readonly askAboutFindings?: AskAboutFindings;
  readonly className?: string;
}

/** Buttons for the three exports, where the host has them. */
export function ExportBar(props: ExportBarProps) {
  const ports = usePorts();
  return canExport(ports) ? <Exports {...props} ports={ports} /> : null;
}

function Exports({ ports, askAboutFindings, className = '' }: ExportBarProps & { ports: Ports & ExportPorts }) {
  const editor = useEditor();
  const designs = useDesignFlow();
  const [exports] = useState(() => createExportFlow(editor, ports, designs, askAboutFindings));
  const { busy, stage } = useStore(exports, (state) => state);
  const placeWords = usePlaceWords();
  const isExporting = useEditorState((state) => state.isExporting);
  const hasWork = useEditorState(({ composition }) => composition.productId !== undefined && hasContent(composition));
  const trace = useTraceStatus();
  const isReady = hasWork && (trace === 'traced' || trace === 'none');
  return (
    <div className={`flex flex-col gap-2 ${className}`}>
      {/* One row on a phone, where it is always in reach. */}
      <div className="grid grid-cols-[minmax(0,1fr)_auto_auto] gap-2 lg:grid-cols-[auto_minmax(0,1fr)]">
        <Button
          variant="primary"
          size="lg"
          icon="download"
          isBusy={busy === 'production'}
          disabled={!isReady || isExporting}
          onClick={() => void exports.exportProduction()}
          className="gap-1.5! px-2! text-sm! leading-4 max-lg:whitespace-normal! lg:col-span-2 max-sm:[&>svg]:hidden"
        >
          Export for Production Processing
        </Button>
        <Button
          isBusy={busy === 'customSvg'}
          disabled={!isReady || isExporting}
          onClick={() => void exports.exportCustomSvg()}
          className="max-lg:h-11! px-2.5!"
        >
          <span>
            <span className="max-lg:sr-only">Custom</span> SVG
          </span>
        </Button>
        <Button
          isBusy={busy === 'png'}
          disabled={!isReady || isExporting}
          onClick={() => void exports.exportPng()}
          className="max-lg:h-11! px-2.5!"
        >
          <span>
            <span className="max-lg:sr-only">Export</span> PNG <span className="max-lg:sr-only">Preview</span>
          </span>
        </Button>
      </div>
      {busy && (
        <div className="flex min-h-9 items-center justify-between gap-3 text-graphite text-sm">
          <span aria-hidden="true">{placeWords ?? (stage ? sayTraceStage(stage) : 'Making the file…')}</span>
          {/* Each stage would be read out, several in a second. */}
          <span role="status" className="sr-only">
            Making the file…
          </span>
          <Button size="sm" aria-label="Cancel the export" onClick={() => exports.cancel()}>
            Cancel
          </Button>
        </div>
      )}
    </div>
  );
}
