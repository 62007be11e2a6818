import { type DragEvent, useState } from 'react';

/** Takes files dropped on the element with `dropProps`. `isOver` is true while something is dragged over it. */
export function useFileDrop(onDrop: (data: DataTransfer) => void) {
  const [isOver, setOver] = useState(false);
  const dropProps = {
    onDragOver(event: DragEvent) {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave(event: DragEvent) {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
    },
    onDrop(event: DragEvent) {
      event.preventDefault();
      setOver(false);
      onDrop(event.dataTransfer);
    },
  };
  return { isOver, dropProps };
}
