import { Button, Icon } from '@markwright/controls';
import { useEffect, useId, useRef, useState } from 'react';

interface PictureDropProps {
  /** The name of a file that this browser cannot show; the server may be able to. */
  readonly fileName: string | undefined;
  readonly isOver: boolean;
  readonly error: string | undefined;
  readonly note: string;
  onChoose(): void;
}

/** The place for a picture that is not chosen yet: a frame to drop it on, and a button. */
export function PictureDrop({ fileName, isOver, error, note, onChoose }: PictureDropProps) {
  const noteId = useId();
  const edge = isOver ? 'border-accent bg-accent-soft' : error ? 'border-danger' : 'border-edge';
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <span className="font-medium text-graphite text-xs">Picture</span>
      <div
        className={`grid aspect-square place-items-center rounded-card border border-dashed max-sm:aspect-auto max-sm:h-36 ${edge}`}
      >
        <span className="grid justify-items-center gap-1.5 px-3 text-center text-graphite text-xs [overflow-wrap:anywhere]">
          <Icon name="image" className="size-6" />
          {isOver ? 'Let go to choose it' : (fileName ?? 'Drop a picture here')}
        </span>
      </div>
      <Button name="choose" icon="upload" className="mt-1" aria-describedby={noteId} onClick={onChoose}>
        {fileName ? 'Another picture' : 'Choose a file'}
      </Button>
      <p
        id={noteId}
        role={error ? 'alert' : undefined}
        className={`text-xs ${error ? 'text-danger' : 'text-graphite'}`}
      >
        {error ?? note}
      </p>
    </div>
  );
}

interface Preview {
  readonly url: string;
  /** Width over height. */
  readonly aspect: number;
}

/** Returns the preview of a chosen file; undefined while it is opened, and for a file that this browser cannot show. */
export function usePreview(file: File | undefined, onOpen: (aspect: number) => void): Preview | undefined {
  const [preview, setPreview] = useState<Preview>();
  const latest = useRef(onOpen);
  latest.current = onOpen;
  useEffect(() => {
    if (!file) return setPreview(undefined);
    let isCurrent = true;
    const url = URL.createObjectURL(file);
    const image = new Image();
    const show = (aspect: number) => {
      if (!isCurrent) return;
      if (!Number.isFinite(aspect) || aspect === 0) return setPreview(undefined);
      latest.current(aspect);
      setPreview({ url, aspect });
    };
    image.onload = () => show(image.naturalWidth / image.naturalHeight);
    image.onerror = () => show(0);
    image.src = url;
    return () => {
      isCurrent = false;
      URL.revokeObjectURL(url); // an image on screen stays there until the next one is opened
    };
  }, [file]);
  return preview;
}
