/**
 * Tooltips: names of controls on hover and focus, one at a time on the page. Our own code, because a positioning
 * library would be a tenth of the first load. A tooltip stands on one of four sides of its control, on the opposite
 * side where there is no room, and always inside the window.
 */
import {
  cloneElement,
  createContext,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';

const OPEN_DELAY_MS = 700;
/** Within this time after one tip the next opens at once. */
const SKIP_DELAY_MS = 300;
/** Long enough to move the pointer onto the tip, which then stays. */
const LEAVE_DELAY_MS = 120;
const GAP_PX = 6;
const WINDOW_PADDING_PX = 8;

type TooltipSide = 'top' | 'right' | 'bottom' | 'left';

interface Tip {
  readonly anchor: Element;
  readonly id: string;
  readonly label: ReactNode;
  readonly shortcut: string | undefined;
  readonly side: TooltipSide;
}

interface Tips {
  open(tip: Tip, delayMs?: number): void;
  close(delayMs?: number): void;
}

const TipsContext = createContext<{ tips: Tips; openId: string | undefined } | undefined>(undefined);

/** Provides tooltips. Mounted once near the root; `EditorProvider` brings its own. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  const [tip, setTip] = useState<Tip>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const tips = useMemo((): Tips => {
    let isOpen = false;
    let closedAt = Number.NEGATIVE_INFINITY;
    const show = (next: Tip | undefined) => {
      if (isOpen && !next) closedAt = performance.now();
      isOpen = next !== undefined;
      setTip(next);
    };
    const after = (delayMs: number, act: () => void) => {
      clearTimeout(timer.current);
      if (delayMs === 0) act();
      else timer.current = setTimeout(act, delayMs);
    };
    return {
      open(next, delayMs = 0) {
        const isNext = isOpen || performance.now() - closedAt < SKIP_DELAY_MS;
        // A control that is gone by then would have its name in the corner of the window.
        after(isNext ? 0 : delayMs, () => show(next.anchor.isConnected ? next : undefined));
      },
      close: (delayMs = 0) => after(delayMs, () => show(undefined)),
    };
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);

  useEffect(() => {
    if (!tip) return;
    const onKeyDown = (event: KeyboardEvent) => event.key === 'Escape' && tips.close();
    const onScroll = () => tips.close();
    document.addEventListener('keydown', onKeyDown);
    document.addEventListener('scroll', onScroll, { capture: true, passive: true });
    return () => {
      document.removeEventListener('keydown', onKeyDown);
      document.removeEventListener('scroll', onScroll, { capture: true });
    };
  }, [tip, tips]);

  const openId = tip?.id;
  const context = useMemo(() => ({ tips, openId }), [tips, openId]);
  return (
    <TipsContext value={context}>
      {children}
      {tip &&
        createPortal(<TipView key={tip.id} tip={tip} tips={tips} />, tip.anchor.closest('dialog') ?? document.body)}
    </TipsContext>
  );
}

function TipView({ tip, tips }: { tip: Tip; tips: Tips }) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const box = element.current;
    if (!box) return;
    const { x, y } = place(tip.anchor.getBoundingClientRect(), box.getBoundingClientRect(), tip.side);
    box.style.left = `${x}px`;
    box.style.top = `${y}px`;
  }, [tip]);
  return (
    <div
      ref={element}
      id={tip.id}
      role="tooltip"
      onPointerEnter={() => tips.open(tip)}
      onPointerLeave={() => tips.close()}
      className="fixed z-50 flex max-w-64 items-center gap-2 rounded-control bg-ink px-2 py-1 text-xs text-bone shadow-float"
    >
      {tip.label}
      {tip.shortcut && <kbd className="font-mono text-xs opacity-70">{tip.shortcut}</kbd>}
    </div>
  );
}

/** Returns the top left corner of the tooltip, window px. */
function place(anchor: DOMRect, tip: { width: number; height: number }, side: TooltipSide): { x: number; y: number } {
  const room = {
    top: anchor.top,
    bottom: innerHeight - anchor.bottom,
    left: anchor.left,
    right: innerWidth - anchor.right,
  };
  const opposite = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' } as const;
  const isUpright = side === 'top' || side === 'bottom';
  const neededPx = (isUpright ? tip.height : tip.width) + GAP_PX + WINDOW_PADDING_PX;
  const bestSide = room[side] >= neededPx || room[opposite[side]] < room[side] ? side : opposite[side];
  const x = {
    top: anchor.left + (anchor.width - tip.width) / 2,
    bottom: anchor.left + (anchor.width - tip.width) / 2,
    left: anchor.left - GAP_PX - tip.width,
    right: anchor.right + GAP_PX,
  }[bestSide];
  const y = {
    top: anchor.top - GAP_PX - tip.height,
    bottom: anchor.bottom + GAP_PX,
    left: anchor.top + (anchor.height - tip.height) / 2,
    right: anchor.top + (anchor.height - tip.height) / 2,
  }[bestSide];
  const inside = (value: number, size: number, limit: number) =>
    Math.max(WINDOW_PADDING_PX, Math.min(value, limit - WINDOW_PADDING_PX - size));
  return { x: inside(x, tip.width, innerWidth), y: inside(y, tip.height, innerHeight) };
}

interface AnchorProps {
  'aria-label'?: string;
  'aria-describedby'?: string | undefined;
  onPointerEnter?(event: PointerEvent): void;
  onPointerLeave?(event: PointerEvent): void;
  onPointerDown?(event: PointerEvent): void;
  onFocus?(event: FocusEvent): void;
  onBlur?(event: FocusEvent): void;
}

/**
 * Shows the name of a control on hover and keyboard focus, with `shortcut` as a key. The child must take the props of
 * an element. Shows nothing for touch, as a finger covers the control, and nothing outside a `TooltipProvider`.
 */
export function Tooltip({
  label,
  shortcut,
  side = 'top',
  children,
}: {
  label: ReactNode;
  shortcut?: string | undefined;
  side?: TooltipSide | undefined;
  children: ReactElement<AnchorProps>;
}) {
  const context = useContext(TipsContext);
  const id = useId();
  const isOpen = context?.openId === id;
  const tips = context?.tips;
  const latest = useRef(isOpen);
  latest.current = isOpen;
  // A control that unmounts hides its tooltip.
  useEffect(() => () => void (latest.current && tips?.close()), [tips]);
  if (!tips) return children;

  const { props } = children;
  const tip = (anchor: Element): Tip => ({ anchor, id, label, shortcut, side });
  return cloneElement(children, {
    // A tooltip that only repeats the name would be read out twice.
    'aria-describedby': isOpen && props['aria-label'] !== label ? id : props['aria-describedby'],
    onPointerEnter(event) {
      props.onPointerEnter?.(event);
      if (event.pointerType !== 'touch') tips.open(tip(event.currentTarget), OPEN_DELAY_MS);
    },
    onPointerLeave(event) {
      props.onPointerLeave?.(event);
      tips.close(LEAVE_DELAY_MS);
    },
    onPointerDown(event) {
      props.onPointerDown?.(event);
      tips.close();
    },
    onFocus(event) {
      props.onFocus?.(event);
      if (event.currentTarget.matches(':focus-visible')) tips.open(tip(event.currentTarget));
    },
    onBlur(event) {
      props.onBlur?.(event);
      tips.close();
    },
  });
}
