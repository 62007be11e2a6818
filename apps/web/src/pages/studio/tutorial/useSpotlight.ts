/** Follows the highlighted elements as they move, and makes the rest of the page inert meanwhile. */
import { type RefObject, useEffect, useState } from 'react';
import { type Box, intersect, unite } from './placement.ts';

/**
 * Returns the visible part of the targets in px of the window; undefined while none is visible. Inside `page` only the
 * targets stay operable.
 */
export function useSpotlight(page: RefObject<HTMLElement | null>, selector: string | undefined): Box | undefined {
  const [box, setBox] = useState<Box>();

  useEffect(() => {
    let frame = 0;
    let isScrolledTo = false;
    const inertElements = new Set<Element>();
    const observedElements = new Set<Element>();
    const sizes = new ResizeObserver(lookSoon);

    function lookSoon(): void {
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
      makeInert(root, targets, inertElements);
      for (const target of targets) {
        if (!observedElements.has(target)) sizes.observe(target);
        observedElements.add(target);
      }
      const next = unite(targets.flatMap((target) => visiblePart(target) ?? []));
      setBox((current) => (isSame(current, next) ? current : next));
    }

    const changes = new MutationObserver(lookSoon);
    if (page.current) changes.observe(page.current, { childList: true, subtree: true });
    addEventListener('scroll', lookSoon, true);
    addEventListener('resize', lookSoon);
    lookSoon();
    return () => {
      cancelAnimationFrame(frame);
      sizes.disconnect();
      changes.disconnect();
      removeEventListener('scroll', lookSoon, true);
      removeEventListener('resize', lookSoon);
      for (const element of inertElements) element.removeAttribute('inert');
    };
  }, [page, selector]);

  return box;
}

/** Makes every element inert that is no target, nor around or inside one. Adds those it changed to `inertElements`. */
function makeInert(root: Element, targets: readonly Element[], inertElements: Set<Element>): void {
  const nextInert = new Set<Element>();
  const visit = (element: Element): void => {
    if (targets.includes(element)) return;
    if (!targets.some((target) => element.contains(target))) {
      // A dialog that opens meanwhile lies above everything, the tutorial included.
      if (!(element instanceof HTMLDialogElement)) nextInert.add(element);
      return;
    }
    for (const child of element.children) visit(child);
  };
  visit(root);
  for (const element of inertElements) {
    if (nextInert.has(element)) continue;
    element.removeAttribute('inert');
    inertElements.delete(element);
  }
  for (const element of nextInert) {
    if (element.hasAttribute('inert')) continue;
    element.setAttribute('inert', '');
    inertElements.add(element);
  }
}

function bringIntoView(target: HTMLElement): void {
  const { top, bottom } = target.getBoundingClientRect();
  const visible = visiblePart(target);
  // A target may grow during the step, so one that ends low in the window is scrolled to its top.
  const isWellSeen = visible && visible.top <= top && visible.bottom >= bottom && bottom < innerHeight * 0.7;
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
  let visible: Box | undefined = intersect(target.getBoundingClientRect(), {
    left: 0,
    top: 0,
    right: document.documentElement.clientWidth,
    bottom: innerHeight,
  });
  for (let around = target.parentElement; visible && around; around = around.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(around);
    const isPanel = around !== document.body && around !== document.documentElement;
    if (isPanel && (overflowX !== 'visible' || overflowY !== 'visible')) {
      visible = intersect(visible, around.getBoundingClientRect());
    }
  }
  return visible;
}

const isSame = (a: Box | undefined, b: Box | undefined) =>
  a === b || (a && b && a.left === b.left && a.top === b.top && a.right === b.right && a.bottom === b.bottom);
