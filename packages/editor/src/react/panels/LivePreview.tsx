import { Button, IconButton } from '@markwright/controls';
import { applyMatrix, hasContent } from '@markwright/scene';
import { useEffect, useState } from 'react';
import { createSnapshot, SNAPSHOT } from '../../core/document/snapshot.ts';
import type { StageView } from '../../core/pointer/stageView.ts';
import { useEditor, useEditorState, useStore } from '../EditorProvider.tsx';
import { RULER_PX } from '../stage/Rulers.tsx';
import { SvgNodeView } from '../stage/SvgNodeView.tsx';

const SIZES_PX = { small: 176, expanded: 400 } as const;

const HEADER_PX = 36;
/** Between the preview, the product and the edges of the free part of the stage. */
const GAP_PX = 12;

/**
 * A floating picture of the present product. Shown once something is on a product; hidden during an export. On a stage
 * it stands at the bottom left, and folds to a chip where it would cover the product.
 */
export function LivePreview({ view, className = '' }: { view?: StageView; className?: string }) {
  const hasSomething = useEditorState(
    ({ composition }) => composition.productId !== undefined && hasContent(composition),
  );
  const isExporting = useEditorState((state) => state.isExporting);
  const [size, setSize] = useState<keyof typeof SIZES_PX>('small');
  const [isClosed, setIsClosed] = useState(false);
  if (!hasSomething || isExporting || isClosed) return null;
  const isSmall = size === 'small';
  const place = view && { left: view.free.left + RULER_PX + GAP_PX, bottom: GAP_PX };
  if (view && isSmall && !hasRoom(view)) {
    return (
      <aside aria-label="Live Preview" className={`absolute z-10 flex ${className}`} style={place}>
        <Button size="sm" icon="expand" onClick={() => setSize('expanded')} className="rounded-card! shadow-float">
          Live Preview
        </Button>
      </aside>
    );
  }
  return (
    <aside
      aria-label="Live Preview"
      className={`z-10 overflow-hidden rounded-card border border-line bg-paper shadow-float animate-float-in ${view ? 'absolute' : ''} ${className}`}
      style={place}
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

/** True when the small preview leaves the product free. */
function hasRoom({ free, product, toScreen }: StageView): boolean {
  const corners = [
    { x: product.left, y: product.top },
    { x: product.right, y: product.top },
    { x: product.right, y: product.bottom },
    { x: product.left, y: product.bottom },
  ].map((corner) => applyMatrix(toScreen, corner));
  const right = free.left + GAP_PX + SIZES_PX.small + GAP_PX;
  const top = free.bottom - GAP_PX - SIZES_PX.small - HEADER_PX - GAP_PX;
  return corners.every(({ x }) => x >= right) || corners.every(({ y }) => y <= top);
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
