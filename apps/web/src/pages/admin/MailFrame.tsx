import { useEffect, useRef, useState } from 'react';

/**
 * A mail's HTML as a mail reader shows it, in a frame that runs no script, opens no page and fetches nothing: the
 * sandbox and the page's own policy, which the frame inherits, both see to it. That policy also refuses styles written
 * into HTML, so they are set from here, which it allows.
 */
export function MailFrame({ html }: { html: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [heightPx, setHeightPx] = useState(480);

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const watch = new ResizeObserver(([page]) => page && setHeightPx(Math.ceil(page.contentRect.height)));
    const onLoad = () => {
      const { contentDocument: page, contentWindow: place } = element;
      if (!page || !place) return;
      dress(page);
      // A link leads nowhere from here: it is copied, not followed.
      page.addEventListener('click', (event) => event.preventDefault());
      watch.observe(page.documentElement);
    };
    element.addEventListener('load', onLoad);
    element.srcdoc = html;
    return () => {
      element.removeEventListener('load', onLoad);
      watch.disconnect();
    };
  }, [html]);

  return (
    <iframe
      ref={frame}
      title="The mail as it arrives"
      // Same origin, so that its styles can be set; without `allow-scripts` nothing in it runs.
      sandbox="allow-same-origin"
      className="block w-full rounded-b-card bg-white"
      style={{ height: heightPx }}
    />
  );
}

/** Applies the style sheets and style attributes that stand in the HTML. */
function dress(page: Document): void {
  const Sheet = (page.defaultView as (Window & typeof globalThis) | null)?.CSSStyleSheet;
  if (Sheet) {
    page.adoptedStyleSheets = [...page.querySelectorAll('style')].map((style) => {
      const sheet = new Sheet();
      sheet.replaceSync(style.textContent ?? '');
      return sheet;
    });
  }
  for (const element of page.querySelectorAll<HTMLElement>('[style]')) {
    element.style.cssText = element.getAttribute('style') ?? '';
  }
}
