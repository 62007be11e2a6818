import { Icon } from '@markwright/controls';
import { kindOfId } from '@markwright/scene';
import type { ReactNode } from 'react';
import { commonSize, formatLength, formatSize, offsetMm, reachesOutside } from '../../core/document/measure.ts';
import { useEditorState } from '../EditorProvider.tsx';
import { kindIcons } from './kindIcons.ts';

/**
 * The line under the stage: machine area and selection. Always one line high, so that the stage keeps its size.
 * The host adds its own readouts (an allowance) as children.
 */
export function StatusLine({ className = '', children }: { className?: string | undefined; children?: ReactNode }) {
  const scene = useEditorState((state) => state.scene);
  const selection = useEditorState((state) => state.selection);
  const unit = useEditorState((state) => state.unit);
  const group = scene.groups.find(({ elementId }) => elementId === selection);
  const selectedIds = useEditorState((state) => state.selectedIds);
  const common = selectedIds.length > 1 ? commonSize(scene, selectedIds) : undefined;
  const at = group && offsetMm(scene, group);
  return (
    // Overflow wraps to a second line that is hidden, as half a number would be wrong.
    <div
      className={`measure flex h-8 flex-wrap content-start items-center gap-x-3 overflow-hidden whitespace-nowrap border-t border-line bg-paper px-3 text-graphite will-change-transform *:h-8 sm:gap-x-5 ${className}`}
    >
      {scene.backdrop && (
        // The narrowest phones have room for one size beside Preflight's count.
        <span
          title="Machine area"
          className={`inline-flex shrink-0 items-center gap-1.5 ${selectedIds.length > 0 ? 'max-[359px]:hidden' : ''}`}
        >
          <Icon name="area" className="size-4 shrink-0" />
          {formatSize({ width: scene.widthMm, height: scene.heightMm }, unit)}
        </span>
      )}
      {common && (
        <span className="flex h-8 min-w-32 flex-1 flex-wrap content-start gap-x-1.5 overflow-hidden text-ink leading-8">
          <span className="inline-flex items-center gap-1.5">
            <Icon name="duplicate" className="size-4 shrink-0" />
            {selectedIds.length} elements
          </span>
          <span className="text-graphite max-sm:hidden">{formatSize(common, unit)}</span>
        </span>
      )}
      {!common && group && at && (
        <span className="flex h-8 min-w-32 flex-1 flex-wrap content-start gap-x-1.5 overflow-hidden text-ink leading-8">
          <span className="inline-flex items-center gap-1.5">
            <Icon name={kindIcons[kindOfId(group.elementId)]} className="size-4 shrink-0" />
            {formatSize(group.sizeMm, unit)}
          </span>
          {reachesOutside(scene, group) && (
            <span title="Reaches past the machine area" className="inline-flex items-center gap-1 text-danger">
              <Icon name="warning" className="size-4 shrink-0" />
              <span className="max-sm:sr-only">outside</span>
            </span>
          )}
          <span className="text-graphite max-sm:hidden">
            at {formatLength(at.x, unit)}, {formatLength(at.y, unit)}
          </span>
        </span>
      )}
      <span className="ml-auto" />
      {children}
    </div>
  );
}
