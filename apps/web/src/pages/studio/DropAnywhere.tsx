/** Takes pictures that are dropped or pasted anywhere on the page, and says what is wrong with one where it fell. */
import { messages } from '@markwright/contract/words';
import { Icon } from '@markwright/controls';
import { useEffect, useEffectEvent, useState } from 'react';
import { useChosenProduct } from '../../products/chosenProduct.ts';
import { usePictureIntake } from './waitingPicture.tsx';

/** Long enough to read a sentence twice. */
const REFUSAL_MS = 6000;

interface Refusal {
  readonly sentence: string;
  /** Px of the window. */
  readonly at: { readonly x: number; readonly y: number };
}

export function DropAnywhere() {
  const { take } = usePictureIntake();
  const product = useChosenProduct();
  const [isOver, setIsOver] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();

  const receive = useEffectEvent((files: readonly File[], at: Refusal['at']) => {
    const sentence = take(files);
    setRefusal(sentence === undefined ? undefined : { sentence, at });
  });

  useEffect(() => {
    const isFree = (event: DragEvent | ClipboardEvent) =>
      !event.defaultPrevented && document.querySelector('dialog:modal') === null;
    const hasFiles = (transfer: DataTransfer | null) => transfer?.types.includes('Files') === true;
    const onDragOver = (event: DragEvent) => {
      if (!hasFiles(event.dataTransfer)) return;
      // Without this the browser would leave the page for the file.
      const isTaken = event.defaultPrevented;
      event.preventDefault();
      setIsOver(!isTaken && document.querySelector('dialog:modal') === null);
    };
    const onDragLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setIsOver(false);
    };
    const onDrop = (event: DragEvent) => {
      setIsOver(false);
      if (!hasFiles(event.dataTransfer)) return;
      const isOurs = isFree(event);
      event.preventDefault();
      if (isOurs) receive([...(event.dataTransfer?.files ?? [])], { x: event.clientX, y: event.clientY });
    };
    const onPaste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0 || !isFree(event)) return;
      event.preventDefault();
      receive(files, { x: innerWidth / 2, y: innerHeight / 2 });
    };
    addEventListener('dragover', onDragOver);
    addEventListener('dragleave', onDragLeave);
    addEventListener('drop', onDrop);
    addEventListener('paste', onPaste);
    return () => {
      removeEventListener('dragover', onDragOver);
      removeEventListener('dragleave', onDragLeave);
      removeEventListener('drop', onDrop);
      removeEventListener('paste', onPaste);
    };
  }, []);

  useEffect(() => {
    if (!refusal) return;
    const timer = setTimeout(() => setRefusal(undefined), REFUSAL_MS);
    return () => clearTimeout(timer);
  }, [refusal]);

  return (
    <>
      {isOver && (
        <div className="pointer-events-none fixed inset-3 z-50 grid place-items-center rounded-card border-2 border-accent border-dashed bg-accent-soft/80">
          <p className="flex items-center gap-2 rounded-card bg-paper px-4 py-3 font-semibold shadow-float">
            <Icon name="image" className="size-5 text-accent" />
            {product ? `Let go to put it on the ${product.name}` : 'Let go, then choose a blank'}
          </p>
        </div>
      )}
      {refusal && (
        <div
          role="alert"
          className="pointer-events-none fixed z-50 w-64 max-w-[calc(100vw-2rem)] rounded-card border border-danger bg-paper px-3 py-2 shadow-float"
          style={{
            left: `clamp(16px, ${refusal.at.x}px - 128px, 100vw - 272px)`,
            top: `clamp(16px, ${refusal.at.y}px - 24px, 100dvh - 96px)`,
          }}
        >
          <p className="flex items-center gap-1.5 font-medium text-danger text-sm">
            <Icon name="warning" className="size-4" />
            {messages.uploadFailed}
          </p>
          <p className="text-graphite text-xs">{refusal.sentence}</p>
        </div>
      )}
    </>
  );
}
