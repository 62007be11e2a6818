/**
 * Modal dialogs, on the browser's own `dialog`: focus stays inside and returns afterwards, Escape closes, the page
 * behind is inert, and no style is injected.
 */
import { Icon } from '@markwright/controls';
import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react';

interface ModalProps {
  readonly isOpen: boolean;
  readonly title: string;
  readonly description: string;
  readonly children: ReactNode;
  /**
   * `form`: two columns beside one another. `page`: holds a list, as wide as a page and the whole screen of a phone.
   * `entry`: a picture and its fields, as wide and no higher than they are. `table`: a list to work on, the same.
   */
  readonly size?: keyof typeof sizes;
  onClose(): void;
}

export function Modal({ isOpen, title, description, children, size = 'question', onClose }: ModalProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useOpen(ref, isOpen);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: closes on a click beside the dialog; the key for it is Escape, which the element handles
    <dialog
      ref={ref}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onCancel={(event) => {
        // A question inside this dialog is canceled by itself.
        if (event.target !== ref.current) return;
        // Closes by `isOpen` alone: when the browser closes it, its `close` event may come after the next question.
        event.preventDefault();
        onClose();
      }}
      // Without an act of a person before it, Escape closes with no `cancel` event.
      onClose={() => !ref.current?.open && onClose()}
      onClick={(event) => event.target === ref.current && onClose()}
      className={`${frame} ${sizes[size]}`}
    >
      <div className={bodies[size] ?? 'p-6'}>
        <h2 id={`${id}-title`} className="pr-8 text-xl">
          {title}
        </h2>
        <p id={`${id}-text`} className="mt-2 text-graphite">
          {description}
        </p>
        {children}
        <button
          type="button"
          aria-label="Close"
          onClick={onClose}
          className="absolute top-4 right-4 grid size-8 place-items-center rounded-control text-graphite hover:bg-bone hover:text-ink"
        >
          <Icon name="close" />
        </button>
      </div>
    </dialog>
  );
}

const frame = 'overflow-auto border-line bg-paper p-0 text-ink shadow-float backdrop:bg-black/45 open:animate-float-in';
const sizes = {
  question: 'm-auto max-h-[calc(100dvh-32px)] w-[min(440px,calc(100vw-32px))] rounded-card border',
  form: 'm-auto scroll-pb-20 max-h-[calc(100dvh-32px)] w-[min(680px,calc(100vw-32px))] rounded-card border',
  entry:
    'm-auto h-dvh max-h-none w-dvw max-w-none sm:h-fit sm:max-h-[calc(100dvh-32px)] sm:w-[min(1040px,calc(100vw-48px))] sm:rounded-card sm:border',
  table:
    'm-auto h-dvh max-h-none w-dvw max-w-none sm:h-fit sm:max-h-[min(760px,calc(100dvh-48px))] sm:w-[min(1040px,calc(100vw-48px))] sm:rounded-card sm:border',
  page: 'm-auto h-dvh max-h-none w-dvw max-w-none sm:h-auto sm:min-h-[min(440px,calc(100dvh-48px))] sm:max-h-[min(760px,calc(100dvh-48px))] sm:w-[min(1040px,calc(100vw-48px))] sm:rounded-card sm:border',
};
/** A table fills the screen of a phone: what it has at its end stands at the foot of it. */
const bodies: Partial<Record<keyof typeof sizes, string>> = {
  page: 'p-4 sm:p-6',
  entry: 'p-4 sm:p-6',
  table: 'flex min-h-full flex-col p-4 sm:p-6',
};

function useOpen(ref: RefObject<HTMLDialogElement | null>, isOpen: boolean): void {
  useEffect(() => {
    const dialog = ref.current;
    if (isOpen && dialog && !dialog.open) dialog.showModal();
    if (!isOpen && dialog?.open) dialog.close();
  }, [ref, isOpen]);
}
