import { useEffect, useState } from 'react';
import { commonSize, describeElement, formatSize } from '../../core/document/measure.ts';
import { useEditorState } from '../EditorProvider.tsx';

const ANNOUNCE_MS = 500;

/** Tells a screen reader where the selected element is, once it has come to rest. */
export function Announcer() {
  const selection = useEditorState((state) => state.selection);
  const scene = useEditorState((state) => state.settledScene);
  const unit = useEditorState((state) => state.unit);
  const selectedIds = useEditorState((state) => state.selectedIds);
  const group = scene.groups.find(({ elementId }) => elementId === selection);
  const size = { width: scene.widthMm, height: scene.heightMm };
  const common = commonSize(scene, selectedIds);
  const message =
    selectedIds.length > 1
      ? [`${selectedIds.length} elements selected`, common && formatSize(common, unit)].filter(Boolean).join(', ')
      : group
        ? describeElement(scene, group, unit)
        : selection === 'machineArea'
          ? `Machine area, ${formatSize(size, unit)}`
          : '';
  const [announcement, setAnnouncement] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAnnouncement(message), ANNOUNCE_MS);
    return () => clearTimeout(timer);
  }, [message]);
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {announcement}
    </p>
  );
}
