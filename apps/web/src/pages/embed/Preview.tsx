import { Button } from '@markwright/controls';
import { mount } from '@markwright/embed';
import { useEffect, useRef, useState } from 'react';
import type { EmbedOptions } from './code.ts';
import { WidgetPicture } from './WidgetPicture.tsx';

/** Previews the widget on the shop's page: first as a picture, and as the real widget after a click. */
export function Preview({ options }: { options: EmbedOptions }) {
  const [isLive, setLive] = useState(false);
  return (
    <section aria-labelledby="embed-preview">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="embed-preview" className="text-xl">
          Preview
        </h2>
        <Button onClick={() => setLive(!isLive)}>{isLive ? 'Back to the picture' : 'Try the live widget'}</Button>
      </div>
      <div className="mt-3">{isLive ? <LiveWidget options={options} /> : <WidgetPicture {...options} />}</div>
    </section>
  );
}

interface WidgetMessage {
  readonly id: number;
  readonly type: string;
  readonly event: string;
}

const MAX_MESSAGES = 6;

/** Mounts the widget with the loader, and lists the messages that a shop's page would get. */
function LiveWidget({ options: { shop, mode, product, width, height, theme } }: { options: EmbedOptions }) {
  const box = useRef<HTMLDivElement>(null);
  const widget = useRef<ReturnType<typeof mount>>(undefined);
  const latestTheme = useRef(theme);
  latestTheme.current = theme;
  const [messages, setMessages] = useState<readonly WidgetMessage[]>([]);

  useEffect(() => {
    if (!box.current) return;
    let count = 0;
    const record = (type: string) => (event?: object) =>
      setMessages((before) => [
        ...before.slice(1 - MAX_MESSAGES),
        { id: ++count, type, event: event ? JSON.stringify(event) : '' },
      ]);
    setMessages([]);
    const isNumber = (length: string) => /^[\d.]+$/.test(length);
    const instance = mount(
      {
        container: box.current,
        theme: latestTheme.current,
        mode,
        width: isNumber(width) ? Number(width) : width,
        height: isNumber(height) ? Number(height) : height,
        ...(shop && { shop }),
        ...(product && { product }),
        onReady: record('ready'),
        onResize: record('resize'),
        onChange: record('change'),
        onAddToCart: record('add-to-cart'),
        onError: record('error'),
      },
      location.origin,
    );
    widget.current = instance;
    return () => instance.destroy();
  }, [shop, mode, product, width, height]);
  useEffect(() => widget.current?.setTheme(theme), [theme]);

  return (
    <>
      <div ref={box} className="overflow-x-auto rounded-card border border-line" />
      <h3 className="mt-5 text-lg">Events</h3>
      <p className="mt-1 text-graphite text-sm">The latest events of this widget, as your page gets them.</p>
      <ol aria-label="Events of the widget" className="mt-2 grid gap-1 font-mono text-xs">
        {messages.length === 0 && <li className="text-graphite">Nothing yet.</li>}
        {messages.map(({ id, type, event }) => (
          <li key={id} className="[overflow-wrap:anywhere]">
            <span className="text-accent">{type}</span> {event}
          </li>
        ))}
      </ol>
    </>
  );
}
