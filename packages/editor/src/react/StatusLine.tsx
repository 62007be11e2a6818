import type { ReactNode } from 'react';
import { formatLength, formatSize, offsetMm, reachesOutside } from '../core/measure.ts';
import { useEditorState } from './EditorProvider.tsx';
import { Icon } from './icons.tsx';

/** Under the stage: machine area, what is selected, zoom. The host's own readouts (an allowance) go in as children. */
export function StatusLine({ className = '', children }: { className?: string; children?: ReactNode }) {
  const scene = useEditorState((state) => state.scene);
  const selection = useEditorState((state) => state.selection);
  const zoom = useEditorState((state) => state.zoom);
  const unit = useEditorState((state) => state.unit);
  const group = scene.groups.find(({ elementId }) => elementId === selection);
  const at = group && offsetMm(scene, group);
  return (
    <div
      className={`measure flex min-h-8 flex-wrap items-center gap-x-5 gap-y-1 border-t border-line bg-paper px-3 py-1 text-graphite will-change-transform ${className}`}
    >
      {scene.backdrop && (
        <span title="Machine area" className="inline-flex items-center gap-1.5">
          <Icon name="area" className="size-4" />
          {formatSize({ width: scene.widthMm, height: scene.heightMm }, unit)}
        </span>
      )}
      {group && at && (
        <span className="inline-flex items-center gap-1.5 text-ink">
          <Icon name={selection === 'design' ? 'image' : 'text'} className="size-4" />
          {formatSize(group.sizeMm, unit)}
          <span className="text-graphite">
            at {formatLength(at.x, unit)}, {formatLength(at.y, unit)}
          </span>
          {reachesOutside(scene, group) && (
            <span className="inline-flex items-center gap-1 text-danger">
              <Icon name="warning" className="size-4" />
              past the machine area
            </span>
          )}
        </span>
      )}
      <span className="ml-auto">{Math.round(zoom * 100)}%</span>
      {children}
    </div>
  );
}
