/** The dialog that compares a picture with what its trace sees of it, once light and material are taken out. */
import { Button } from '@markwright/controls';
import { useEffect, useRef, useState } from 'react';
import type { LightPictures } from '../../core/ports.ts';
import { DividerLine } from '../stage/CompareDivider.tsx';
import { DialogFrame } from './DialogFrame.tsx';

interface LightDialogProps {
  pictures: LightPictures;
  /** Called when light and shadow are to be traced after all. */
  onKeep(): void;
  onClose(): void;
}

/** Opens as a modal when mounted, and calls `onClose` when it is closed. */
export function LightDialog({ pictures, onKeep, onClose }: LightDialogProps) {
  return (
    <DialogFrame title="Light and shadow taken out" width="w-[min(820px,calc(100vw-32px))]" onClose={onClose}>
      <div className="grid flex-1 place-items-center p-5 max-sm:p-4">
        <Comparison {...pictures} />
      </div>
      <div className="sticky bottom-0 flex flex-wrap items-center justify-end gap-2 border-line border-t bg-paper px-5 py-3">
        <p className="mr-auto text-graphite text-xs max-sm:w-full">
          The trace is made from the right side. Paper and its grain are not traced.
        </p>
        <Button onClick={onKeep}>Keep light and shadow</Button>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </DialogFrame>
  );
}

/** Both pictures, one over the other, with a line between them. */
function Comparison({ beforeUrl, afterUrl, width, height }: LightPictures) {
  const box = useRef<HTMLDivElement>(null);
  const [boxWidth, setBoxWidth] = useState(0);
  const [at, setAt] = useState(0.5);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setBoxWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div
      ref={box}
      className="relative w-full overflow-hidden rounded-card border border-line bg-white"
      style={{ aspectRatio: width / height, maxWidth: `calc(60dvh * ${width / height})` }}
    >
      <img src={afterUrl} alt="Without light and shadow" draggable={false} className="absolute inset-0 size-full" />
      <img
        src={beforeUrl}
        alt="As it was taken"
        draggable={false}
        className="absolute inset-0 size-full"
        style={{ clipPath: `inset(0 ${100 * (1 - at)}% 0 0)` }}
      />
      {boxWidth > 0 && <DividerLine left={0} right={boxWidth} at={at} before="as it was taken" onMove={setAt} />}
    </div>
  );
}
