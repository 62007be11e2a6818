import { IconButton } from '@markwright/controls';
import { hasContent } from '@markwright/scene';
import { useEffect, useState } from 'react';
import { createSnapshot, SNAPSHOT } from '../../core/document/snapshot.ts';
import { useEditor, useEditorState, useStore } from '../EditorProvider.tsx';
import { SvgNodeView } from '../stage/SvgNodeView.tsx';

const SIZES_PX = { small: 176, expanded: 400 } as const;

/** A floating picture of the present product. Shown once something is on a product; hidden during an export. */
export function LivePreview({ className = '' }: { className?: string }) {
  const hasSomething = useEditorState(
    ({ composition }) => composition.productId !== undefined && hasContent(composition),
  );
  const isExporting = useEditorState((state) => state.isExporting);
  const [size, setSize] = useState<keyof typeof SIZES_PX>('small');
  const [isClosed, setIsClosed] = useState(false);
  if (!hasSomething || isExporting || isClosed) return null;
  const isSmall = size === 'small';
  return (
    <aside
      aria-label="Live Preview"
      className={`z-30 overflow-hidden rounded-card border border-line bg-paper shadow-float animate-float-in ${className}`}
    >
      <header className="flex h-9 items-center pr-1 pl-3">
        <h2 className="flex-1 text-xs font-medium">Live Preview</h2>
        <IconButton
          icon={isSmall ? 'expand' : 'collapse'}
          size="sm"
          label={isSmall ? 'Expand preview' : 'Shrink preview'}
          onClick={() => setSize(isSmall ? 'expanded' : 'small')}
        />
        <IconButton icon="close" size="sm" label="Close preview" onClick={() => setIsClosed(true)} />
      </header>
      <Picture sizePx={SIZES_PX[size]} />
    </aside>
  );
}

function Picture({ sizePx }: { sizePx: number }) {
  const editor = useEditor();
  const [snapshot] = useState(() => createSnapshot(editor));
  useEffect(() => snapshot.connect(), [snapshot]);
  const node = useStore(snapshot, (state) => state);
  return (
    <div
      className="grid max-h-[70vh] max-w-[calc(100vw-2rem)] place-items-center bg-bone"
      style={{ width: sizePx, height: sizePx }}
    >
      {node ? (
        <div
          role="img"
          aria-label="Your product"
          // Lines as wide as on the stage would run together in a picture this small.
          className={sizePx === SIZES_PX.small ? '[&_[vector-effect]]:[stroke-width:0.6px]' : undefined}
          style={{ width: `${SNAPSHOT.scale * 100}%`, height: `${SNAPSHOT.scale * 100}%` }}
        >
          <SvgNodeView node={node} />
        </div>
      ) : (
        <div className="size-1/2 animate-pulse rounded-card bg-ink/8" />
      )}
    </div>
  );
}
