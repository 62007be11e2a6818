/**
 * Shows the notices. They can be swiped away or closed; F8 moves the focus to them.
 *
 * They lie in the corner of a page, and at the top of a stage. A page that keeps another place free says it in
 * `--notice-inset`: the four values of CSS `inset`. The studio does, so that they cover neither the product nor a
 * control.
 */
import { Icon } from '@markwright/controls';
import { Toast } from 'radix-ui';
import { type CSSProperties, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { closeToast, durationOf, holdToast, onToast, readToast } from './notices.ts';

const SWIPE_THRESHOLD_PX = 50;
const CORNER = 'auto 0px 0px auto';

export function Toasts() {
  const notice = useSyncExternalStore(onToast, readToast);
  const isBad = notice?.variant === 'destructive';
  const viewport = useRef<HTMLOListElement>(null);
  const id = notice?.id;
  const inset = useInset(notice?.isOpen ? id : undefined);
  // A modal dialog lies over the whole page, so a notice is moved into it.
  useEffect(() => {
    if (id === undefined) return;
    viewport.current?.hidePopover();
    viewport.current?.showPopover();
  }, [id]);
  return (
    <Toast.Provider swipeDirection="right" swipeThreshold={SWIPE_THRESHOLD_PX}>
      {notice && (
        <Toast.Root
          key={notice.id}
          open={notice.isOpen}
          duration={durationOf(notice)}
          onOpenChange={(isOpen) => !isOpen && closeToast(notice.id)}
          onPause={() => holdToast(true)}
          onResume={() => holdToast(false)}
          // The pointer may rest where the notice before it was.
          onPointerMove={() => holdToast(true)}
          type={isBad ? 'foreground' : 'background'}
          data-variant={notice.variant ?? 'default'}
          className={`pointer-events-auto flex items-start gap-3 rounded-card border bg-paper py-3 pr-2 pl-4 in-data-machine:py-0 in-data-machine:pr-0 in-data-machine:pl-3 text-ink in-data-machine:text-sm shadow-float transition-transform data-[state=open]:animate-float-in data-[swipe=cancel]:translate-x-0 data-[swipe=end]:translate-x-full data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) ${isBad ? 'border-danger' : 'border-line'}`}
        >
          <div className="min-w-0 flex-1 py-1 in-data-machine:py-0.5">
            <Toast.Title className={`font-semibold ${isBad ? 'text-danger' : ''}`}>{notice.title}</Toast.Title>
            <Toast.Description className="mt-0.5 text-graphite text-sm in-data-machine:mt-0 in-data-machine:text-xs [overflow-wrap:anywhere]">
              {notice.description}
            </Toast.Description>
          </div>
          <Toast.Close
            aria-label="Close"
            className="grid size-8 place-items-center rounded-control text-graphite hover:bg-bone hover:text-ink"
          >
            <Icon name="close" />
          </Toast.Close>
        </Toast.Root>
      )}
      <Toast.Viewport
        ref={viewport}
        popover="manual"
        hotkey={['F8']}
        style={{ '--inset': inset } as CSSProperties}
        className="pointer-events-none fixed inset-(--notice-inset,var(--inset)) z-50 mx-auto my-0 h-fit w-full max-w-[420px] list-none overflow-visible border-0 bg-transparent p-4 outline-none max-sm:p-2 in-data-machine:max-w-[360px] in-data-machine:p-1"
      />
    </Toast.Provider>
  );
}

/**
 * Returns the CSS inset of a notice: the top of the stage where the page has one, else the corner of the page. A dialog
 * has its controls where the stage is free.
 */
function useInset(id: number | undefined): string {
  const [inset, setInset] = useState(CORNER);
  useEffect(() => {
    if (id === undefined) return;
    const measure = () => setInset(findInset());
    measure();
    window.addEventListener('resize', measure);
    window.addEventListener('scroll', measure, { passive: true });
    return () => {
      window.removeEventListener('resize', measure);
      window.removeEventListener('scroll', measure);
    };
  }, [id]);
  return inset;
}

function findInset(): string {
  const stage = document.querySelector('dialog:modal') ? null : document.querySelector('[role="application"]');
  if (!stage) return CORNER;
  const { top, left, right } = stage.getBoundingClientRect();
  if (right === left) return CORNER;
  return `${Math.max(0, top)}px ${document.documentElement.clientWidth - right}px auto ${left}px`;
}
