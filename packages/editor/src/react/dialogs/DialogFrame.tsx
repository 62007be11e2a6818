/** The window of a dialog over the studio: its title, the cross that closes it, and what stands below. */
import { IconButton } from '@markwright/controls';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';

interface DialogFrameProps {
  title: string;
  /** The class of its width. A phone gives it the whole screen. */
  width: string;
  onClose(): void;
  /** Called in place of closing it when the cross or Escape asks for that. */
  onLeave?(): void;
  onKeyDown?(event: KeyboardEvent): void;
  children: ReactNode;
}

/** Opens as a modal when mounted, and calls `onClose` when it is closed. */
export function DialogFrame({ title, width, onClose, onLeave, onKeyDown, children }: DialogFrameProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onClose={onClose}
      onCancel={(event) => {
        if (!onLeave) return;
        event.preventDefault();
        onLeave();
      }}
      onKeyDown={(event) => {
        // The studio's shortcuts, undo among them, must not act behind the dialog.
        event.stopPropagation();
        onKeyDown?.(event);
      }}
      className={`m-auto max-h-[calc(100dvh-32px)] ${width} overflow-auto rounded-card border border-line bg-paper p-0 text-ink shadow-float backdrop:bg-black/45 open:animate-float-in max-sm:m-0 max-sm:h-dvh max-sm:max-h-none max-sm:w-screen max-sm:max-w-none max-sm:rounded-none max-sm:border-0`}
    >
      <div className="flex min-h-full flex-col">
        <div className="flex items-center justify-between gap-2 border-line border-b py-2 pr-3 pl-5">
          <h2 id={titleId} className="min-w-0 truncate text-base">
            {title}
          </h2>
          <IconButton icon="close" label="Close" onClick={onLeave ?? onClose} />
        </div>
        {children}
      </div>
    </dialog>
  );
}
