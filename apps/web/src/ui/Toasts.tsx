/**
 * Shows the notices. They can be swiped away or closed; F8 moves the focus to them.
 *
 * They lie in the corner of a page; with a stage, in the free middle of the bar over it, or else at the top of the
 * stage. A page that keeps another place free says it in `--notice-inset`, the four values of CSS `inset`: the
 * studio on a phone does, so that they cover neither the product nor a control. There they are as low as a line of the
 * page (`data-notice-line`), which grows to `--notice-height` for a long one.
 */
import { Icon } from '@markwright/controls';
import { Toast } from 'radix-ui';
import { type CSSProperties, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { closeToast, durationOf, holdToast, onToast, readToast } from './notices.ts';

const SWIPE_THRESHOLD_PX = 50;
/** On a stage. */
const MAX_WIDTH_PX = 360;
const corner: Place = { inset: 'auto 0px 0px auto', width: '100%' };

export function Toasts() {
  const notice = useSyncExternalStore(onToast, readToast);
  const isBad = notice?.variant === 'destructive';
  const viewport = useRef<HTMLOListElement>(null);
  const id = notice?.id;
  const { inset, width } = usePlace(notice?.isOpen ? id : undefined);
  // A modal dialog lies over the whole page, so a notice is moved into it.
  useEffect(() => {
    if (id === undefined) return;
    viewport.current?.hidePopover();
    viewport.current?.showPopover();
  }, [id]);
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    if (!notice?.isOpen) style.removeProperty('--notice-height');
    else style.setProperty('--notice-height', `${viewport.current?.offsetHeight ?? 0}px`);
  }, [notice]);
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
          className={`pointer-events-auto flex items-start gap-3 rounded-card border bg-paper py-3 pr-2 pl-4 in-data-machine:py-0 in-data-machine:pr-0 in-data-machine:pl-3 text-ink in-data-machine:text-sm in-data-notice-line:items-center in-data-notice-line:gap-1 in-data-notice-line:text-xs! shadow-float transition-transform data-[state=open]:animate-float-in data-[swipe=cancel]:translate-x-0 data-[swipe=end]:translate-x-full data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) ${isBad ? 'border-danger' : 'border-line'}`}
        >
          <div className="min-w-0 flex-1 py-1 in-data-machine:py-0.5 in-data-notice-line:py-0!">
            <Toast.Title className={`font-semibold in-data-notice-line:inline ${isBad ? 'text-danger' : ''}`}>
              {notice.title}
            </Toast.Title>{' '}
            <Toast.Description className="mt-0.5 text-graphite text-sm in-data-machine:mt-0 in-data-machine:text-xs in-data-notice-line:inline [overflow-wrap:anywhere]">
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
        style={{ '--inset': inset, width } as CSSProperties}
        className="pointer-events-none fixed inset-(--notice-inset,var(--inset)) z-50 mx-auto my-0 h-fit max-w-[420px] list-none overflow-visible border-0 bg-transparent p-4 outline-none max-sm:p-2 in-data-machine:max-w-[360px] in-data-machine:p-1 in-data-notice-line:w-auto! in-data-notice-line:max-w-none! in-data-notice-line:p-0!"
      />
    </Toast.Provider>
  );
}

/** The CSS inset and width of the notices. */
interface Place {
  readonly inset: string;
  readonly width: string;
}

/** Returns the place of a notice, measured anew when the window changes. */
function usePlace(id: number | undefined): Place {
  const [place, setPlace] = useState(corner);
  useEffect(() => {
    if (id === undefined) return;
    const measure = () => setPlace(findPlace());
    measure();
    window.addEventListener('resize', measure);
    window.addEventListener('scroll', measure, { passive: true });
    return () => {
      window.removeEventListener('resize', measure);
      window.removeEventListener('scroll', measure);
    };
  }, [id]);
  return place;
}

/** The least width of a notice in the bar. */
const MIN_WIDTH_PX = 250;

function findPlace(): Place {
  const title = document.querySelector('[data-bar-title]');
  const links = title?.nextElementSibling;
  if (title && links) {
    const right = links.getBoundingClientRect().left;
    const width = Math.min(MAX_WIDTH_PX, right - title.getBoundingClientRect().right);
    if (width >= MIN_WIDTH_PX) return { inset: `0px auto auto ${right - width}px`, width: `${width}px` };
  }
  // A dialog has its controls where the stage is free.
  const stage = document.querySelector('dialog:modal') ? null : document.querySelector('[role="application"]');
  const box = stage?.getBoundingClientRect();
  if (!box || box.width === 0) return corner;
  // From the left alone: a phone lays fixed elements out in what it could show zoomed out, which may be wider.
  const width = Math.min(MAX_WIDTH_PX, box.width);
  return { inset: `${Math.max(0, box.top)}px auto auto ${box.left + (box.width - width) / 2}px`, width: `${width}px` };
}
