/** Shows each notice for five seconds unless it stays. It can be swiped away or closed; F8 moves the focus to it. */
import { Icon } from '@markwright/controls';
import { Toast } from 'radix-ui';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { closeToast, onToast, readToast } from './notices.ts';

const TOAST_DURATION_MS = 5000;
const SWIPE_THRESHOLD_PX = 50;

export function Toasts() {
  const notice = useSyncExternalStore(onToast, readToast);
  const isBad = notice?.variant === 'destructive';
  const viewport = useRef<HTMLOListElement>(null);
  const id = notice?.id;
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
          duration={notice.staysOpen ? Number.POSITIVE_INFINITY : TOAST_DURATION_MS}
          onOpenChange={(isOpen) => !isOpen && closeToast(notice.id)}
          type={isBad ? 'foreground' : 'background'}
          data-variant={notice.variant ?? 'default'}
          className={`pointer-events-auto flex items-start gap-3 rounded-card border bg-paper py-3 pr-2 pl-4 text-ink shadow-float transition-transform data-[state=open]:animate-float-in data-[swipe=cancel]:translate-x-0 data-[swipe=end]:translate-x-full data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) ${isBad ? 'border-danger' : 'border-line'}`}
        >
          <div className="min-w-0 flex-1 py-1">
            <Toast.Title className={`font-semibold ${isBad ? 'text-danger' : ''}`}>{notice.title}</Toast.Title>
            {notice.description && (
              <Toast.Description className="mt-0.5 text-graphite text-sm [overflow-wrap:anywhere]">
                {notice.description}
              </Toast.Description>
            )}
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
        className="pointer-events-none fixed top-(--toast-top,auto) right-(--toast-right,0px) bottom-(--toast-bottom,0px) left-auto z-50 m-0 h-fit overflow-visible border-0 bg-transparent w-full max-w-[420px] list-none p-(--toast-gap,16px) outline-none"
      />
    </Toast.Provider>
  );
}
