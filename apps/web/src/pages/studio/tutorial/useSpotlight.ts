/** Follows what is highlighted, wherever it moves, and keeps everything else on the page out of reach meanwhile. */
import { type RefObject, useEffect, useState } from 'react';
import { type Box, intersect, unite } from './placement.ts';

/**
 * The part of the targets that can be seen; undefined while there is none. `page` holds everything of which only the
 * targets stay operable.
 */
export function useSpotlight(page: RefObject<HTMLElement | null>, selector: string | undefined): Box | undefined {
  const [box, setBox] = useState<Box>();

  useEffect(() => {
    let frame = 0;
    let isScrolledTo = false;
    const stilled = new Set<Element>();
    const watched = new Set<Element>();
    const sizes = new ResizeObserver(soon);

    function soon(): void {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(look);
    }

    function look(): void {
      const root = page.current;
      if (!root) return;
      const targets = selector ? [...root.querySelectorAll<HTMLElement>(selector)] : [];
      if (targets[0] && !isScrolledTo) {
        isScrolledTo = true;
        bringIntoView(targets[0]);
      }
      still(root, targets, stilled);
      for (const target of targets) {
        if (!watched.has(target)) sizes.observe(target);
        watched.add(target);
      }
      const next = unite(targets.flatMap((target) => visiblePart(target) ?? []));
      setBox((shown) => (isSame(shown, next) ? shown : next));
    }

    const changes = new MutationObserver(soon);
    if (page.current) changes.observe(page.current, { childList: true, subtree: true });
    addEventListener('scroll', soon, true);
    addEventListener('resize', soon);
    soon();
    return () => {
      cancelAnimationFrame(frame);
      sizes.disconnect();
      changes.disconnect();
      removeEventListener('scroll', soon, true);
      removeEventListener('resize', soon);
      for (const element of stilled) element.removeAttribute('inert');
    };
  }, [page, selector]);

  return box;
}

/** Makes inert whatever is no target, nor around or inside one; `stilled` is what this did. */
function still(root: Element, targets: readonly Element[], stilled: Set<Element>): void {
  const wanted = new Set<Element>();
  const visit = (element: Element): void => {
    if (targets.includes(element)) return;
    if (!targets.some((target) => element.contains(target))) {
      // A window that opens meanwhile is above everything, the tutorial included.
      if (!(element instanceof HTMLDialogElement)) wanted.add(element);
      return;
    }
    for (const child of element.children) visit(child);
  };
  visit(root);
  for (const element of stilled) {
    if (wanted.has(element)) continue;
    element.removeAttribute('inert');
    stilled.delete(element);
  }
  for (const element of wanted) {
    if (element.hasAttribute('inert')) continue;
    element.setAttribute('inert', '');
    stilled.add(element);
  }
}

function bringIntoView(target: HTMLElement): void {
  const { top, bottom } = target.getBoundingClientRect();
  const seen = visiblePart(target);
  // It may grow while it is worked on: what ends low in the window goes to its top.
  const isWellSeen = seen && seen.top <= top && seen.bottom >= bottom && bottom < innerHeight * 0.7;
  if (isWellSeen) return;
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const behavior = isCalm ? 'instant' : 'smooth';
  const panel = findPanel(target);
  // Beside the stage only the panel scrolls, never the window around it.
  if (panel) panel.scrollBy({ top: top - panel.getBoundingClientRect().top, behavior });
  else target.scrollIntoView({ block: 'start', behavior });
}

function findPanel(target: HTMLElement): HTMLElement | undefined {
  for (let around = target.parentElement; around && around !== document.body; around = around.parentElement) {
    if (['auto', 'scroll'].includes(getComputedStyle(around).overflowY)) return around;
  }
  return undefined;
}

/** Returns the visible part of an element: within the window and the scrolled panels around it. */
function visiblePart(target: HTMLElement): Box | undefined {
  let seen: Box | undefined = intersect(target.getBoundingClientRect(), {
    left: 0,
    top: 0,
    right: document.documentElement.clientWidth,
    bottom: innerHeight,
  });
  for (let around = target.parentElement; seen && around; around = around.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(around);
    const isPanel = around !== document.body && around !== document.documentElement;
    if (isPanel && (overflowX !== 'visible' || overflowY !== 'visible')) {
      seen = intersect(seen, around.getBoundingClientRect());
    }
  }
  return seen;
}

const isSame = (a: Box | undefined, b: Box | undefined) =>
  a === b || (a && b && a.left === b.left && a.top === b.top && a.right === b.right && a.bottom === b.bottom);
