import { useEffect, useRef, useState } from 'react';

/**
 * Shows a mail's HTML as a mail reader does, in a frame that runs no script, opens no page and fetches nothing. The
 * sandbox prevents that, and so does the page's content security policy, which the frame inherits. The policy also
 * refuses styles written into HTML, so a script of this page sets them, which the policy allows.
 */
export function MailFrame({ html }: { html: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [heightPx, setHeightPx] = useState(480);

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(([page]) => page && setHeightPx(Math.ceil(page.contentRect.height)));
    const onLoad = () => {
      const { contentDocument: page, contentWindow: place } = element;
      if (!page || !place) return;
      applyStyles(page);
      // Links are not followed here: the administrator copies them.
      page.addEventListener('click', (event) => event.preventDefault());
      observer.observe(page.documentElement);
    };
    element.addEventListener('load', onLoad);
    element.srcdoc = withoutStyles(html);
    return () => {
      element.removeEventListener('load', onLoad);
      observer.disconnect();
    };
  }, [html]);

  return (
    <iframe
      ref={frame}
      title="The mail as it arrives"
      // The same origin lets this page set the styles. Without `allow-scripts` no script runs in the frame.
      sandbox="allow-same-origin"
      className="block w-full rounded-b-card bg-white"
      style={{ height: heightPx }}
    />
  );
}

/**
 * Puts the styles of a mail where the browser does not read them. The policy would refuse each one with an error in the
 * console. A text of the mail holds no quotation marks or angle brackets, which are escaped there.
 */
const withoutStyles = (html: string): string =>
  html
    .replace(/<style\b[^>]*>/gi, '<template data-sheet>')
    .replace(/<\/style>/gi, '</template>')
    .replace(/ style="/gi, ' data-style="');

/** Applies the styles that `withoutStyles` has put aside. */
function applyStyles(page: Document): void {
  const Sheet = (page.defaultView as (Window & typeof globalThis) | null)?.CSSStyleSheet;
  if (Sheet) {
    page.adoptedStyleSheets = [...page.querySelectorAll<HTMLTemplateElement>('[data-sheet]')].map(({ content }) => {
      const sheet = new Sheet();
      sheet.replaceSync(content.textContent ?? '');
      return sheet;
    });
  }
  for (const element of page.querySelectorAll<HTMLElement>('[data-style]')) {
    element.style.cssText = element.dataset.style ?? '';
  }
}
