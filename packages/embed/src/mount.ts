/** One widget on a shop's page: its frame, and the talk with it. */
import type { MarkwrightEvents, MarkwrightWidget, MountOptions, SavedDesign, Theme } from './api.ts';
import { isDesignId, type PageMessage, readMessage, writeMessage } from './protocol.ts';

/** As high as the frame is until its content says otherwise, so that the page does not jump when it has loaded. */
const DEFAULT_HEIGHT = 720;
/** A page that grows with its frame must not grow for ever. */
const HEIGHTS = { least: 320, most: 4000 };
const ANSWER_MS = 30_000;
/** From the frame's own load to the widget's first word. */
const READY_MS = 15_000;

type Handler = (event: never) => void;
interface Waiting {
  readonly method: string;
  resolve(value: SavedDesign | undefined): void;
  reject(error: Error): void;
}

/** `origin`: where the widget lives. Throws a plain Error for options that cannot be. */
export function mount(options: MountOptions, origin: string): MarkwrightWidget {
  const container = findContainer(options);
  checkOptions(options);
  const { onReady, onResize, onChange, onAddToCart, onError } = options;
  const { design, height = DEFAULT_HEIGHT } = options;
  const channel = newChannel();
  const frame = createFrame(options, origin, channel);

  const handlers = new Map<string, Set<Handler>>();
  const waiting = new Map<number, Waiting>();
  /** What is said before the widget can hear. Undefined from then on. */
  let unsent: PageMessage[] | undefined = [];
  let calls = 0;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let isGone = false;

  function emit<Type extends keyof MarkwrightEvents>(type: Type, event: MarkwrightEvents[Type]): void {
    for (const handler of [...(handlers.get(type) ?? [])]) {
      try {
        (handler as (event: MarkwrightEvents[Type]) => void)(event);
      } catch (error) {
        console.error(error); // one handler's mistake is not the next one's
      }
    }
  }

  function on<Type extends keyof MarkwrightEvents>(
    type: Type,
    handler: ((event: MarkwrightEvents[Type]) => void) | undefined,
  ): () => void {
    if (handler === undefined) return () => {};
    if (typeof handler !== 'function') throw wrong(`the handler of "${type}" must be a function.`);
    const known = handlers.get(type) ?? new Set();
    handlers.set(type, known.add(handler));
    return () => void known.delete(handler);
  }

  function send(message: PageMessage): void {
    if (unsent) unsent.push(message);
    else frame.contentWindow?.postMessage(writeMessage(channel, message), origin);
  }

  function ask(message: { method: 'save' } | { method: 'open'; designId: string }): Promise<SavedDesign | undefined> {
    if (isGone) return Promise.reject(wrong('this widget was taken off the page.'));
    frame.loading = 'eager'; // it may stand further down the page than the shopper has looked
    return new Promise((resolve, reject) => {
      const call = ++calls;
      const timer = setTimeout(
        () => waiting.get(call)?.reject(wrong(`the widget did not answer within ${ANSWER_MS / 1000} seconds.`)),
        ANSWER_MS,
      );
      const done = (): void => {
        clearTimeout(timer);
        waiting.delete(call);
      };
      waiting.set(call, {
        method: message.method,
        resolve(value) {
          done();
          resolve(value);
        },
        reject(error) {
          done();
          reject(error);
        },
      });
      send({ type: 'call', call, ...message });
    });
  }

  async function open(designId: string): Promise<void> {
    if (!isDesignId(designId)) throw wrong('open needs the id of a saved design.');
    await ask({ method: 'open', designId });
  }

  function onMessage(event: MessageEvent): void {
    if (event.origin !== origin || event.source !== frame.contentWindow) return;
    const message = readMessage(event.data, channel);
    switch (message?.type) {
      case 'ready':
        hear();
        break;
      case 'resize':
        if (height === 'auto') {
          frame.style.height = `${Math.min(HEIGHTS.most, Math.max(HEIGHTS.least, message.height))}px`;
        }
        emit('resize', { height: message.height });
        break;
      case 'change': {
        const { type, ...arrangement } = message;
        emit(type, arrangement);
        break;
      }
      case 'add-to-cart': {
        const { type, ...saved } = message;
        emit(type, saved);
        break;
      }
      case 'error':
        emit('error', { message: message.message });
        break;
      case 'result': {
        const asked = waiting.get(message.call);
        if (message.error !== undefined) asked?.reject(new Error(message.error));
        else if (asked?.method === 'save' && !message.value) asked.reject(wrong('the widget saved nothing.'));
        else asked?.resolve(message.value);
      }
    }
  }

  /** The widget listens from now on: what was held back is said. A frame that loads again says ready again. */
  function hear(): void {
    clearTimeout(silence);
    const held = unsent;
    unsent = undefined;
    for (const message of held ?? []) send(message);
    if (held) emit('ready', undefined);
  }

  function expectWord(): void {
    clearTimeout(silence);
    if (!unsent) return;
    silence = setTimeout(() => {
      const message = `The widget did not start. Is ${location.origin} among the addresses the shop allows?`;
      console.error(`Markwright: ${message}`);
      emit('error', { message });
    }, READY_MS);
  }

  on('ready', onReady);
  on('resize', onResize);
  on('change', onChange);
  on('add-to-cart', onAddToCart);
  on('error', onError);
  if (design !== undefined) {
    open(design).catch((error: Error) => emit('error', { message: error.message }));
  }

  addEventListener('message', onMessage);
  frame.addEventListener('load', expectWord);
  container.append(frame);

  return Object.freeze({
    frame,
    on,
    open,
    save: async () => (await ask({ method: 'save' })) as SavedDesign,
    setTheme(theme: Theme) {
      checkOptions({ container, theme });
      paint(frame, theme);
      send({ type: 'theme', theme });
    },
    destroy() {
      isGone = true;
      clearTimeout(silence);
      removeEventListener('message', onMessage);
      frame.removeEventListener('load', expectWord);
      frame.remove();
      handlers.clear();
      for (const { reject } of [...waiting.values()]) reject(wrong('this widget was taken off the page.'));
    },
  } satisfies MarkwrightWidget);
}

function findContainer(options: MountOptions): HTMLElement {
  const { container } = Object(options) as Partial<MountOptions>;
  const found = typeof container === 'string' ? document.getElementById(container.replace(/^#/, '')) : container;
  if (!(found instanceof HTMLElement)) {
    throw wrong(
      typeof container === 'string'
        ? `there is no element with the id "${container}". Mount after it, or when the page has loaded.`
        : 'container must be an element or the id of one.',
    );
  }
  if (found.querySelector(`iframe[${MARK}]`)) throw wrong('there is a widget in this container already.');
  return found;
}

const choices = { theme: ['light', 'dark', 'auto'], mode: ['laser', 'uv', 'sublimation'] } as const;
const LENGTH = /^\d+(\.\d+)?(px|%|r?em|[sdl]?v[wh])$/;

function checkOptions(options: MountOptions): void {
  for (const name of ['theme', 'mode'] as const) {
    const [value, known] = [options[name], choices[name] as readonly unknown[]];
    if (value !== undefined && !known.includes(value)) throw wrong(`${name} must be one of ${known.join(', ')}.`);
  }
  for (const name of ['shop', 'product'] as const) {
    const value: unknown = options[name];
    if (value !== undefined && !(typeof value === 'string' && /^[\w-]{1,100}$/.test(value)))
      throw wrong(`${name} must be the ${name === 'shop' ? 'key' : 'id'} that the embed page shows.`);
  }
  if (options.design !== undefined && !isDesignId(options.design))
    throw wrong('design must be the id of a saved design.');
  for (const name of ['width', 'height'] as const) {
    const value: unknown = options[name];
    const isLength = typeof value === 'number' ? value > 0 && value < 1e5 : LENGTH.test(String(value));
    if (value !== undefined && !isLength && !(name === 'height' && value === 'auto'))
      throw wrong(`${name} must be a number of pixels or a CSS length such as "100%".`);
  }
}

const MARK = 'data-markwright';

function createFrame(options: MountOptions, origin: string, channel: string): HTMLIFrameElement {
  const { shop, theme = 'auto', mode, product, width = '100%', height = DEFAULT_HEIGHT } = options;
  if (location.origin === 'null') throw wrong('this page has no address of its own: open it from a web server.');
  const query = new URLSearchParams({ theme, channel, host: location.origin });
  for (const [name, value] of Object.entries({ shop, mode, product })) if (value) query.set(name, value);

  const frame = document.createElement('iframe');
  frame.setAttribute(MARK, '');
  frame.title = 'Design your product';
  // Its own origin, so that both sides can name whom they talk to; a shop's page is another one and stays out of reach.
  frame.setAttribute(
    'sandbox',
    'allow-scripts allow-same-origin allow-forms allow-downloads allow-popups allow-popups-to-escape-sandbox',
  );
  frame.loading = 'lazy';
  frame.referrerPolicy = 'no-referrer';
  Object.assign(frame.style, {
    display: 'block',
    border: '0',
    maxWidth: '100%',
    width: toCss(width),
    height: toCss(height === 'auto' ? DEFAULT_HEIGHT : height),
  });
  paint(frame, theme);
  frame.src = `${origin}/widget?${query}`;
  return frame;
}

/** The widget's ground, so that a dark page does not flash white while it loads. */
function paint(frame: HTMLIFrameElement, theme: Theme): void {
  frame.style.background = { light: '#f6f3ec', dark: '#141311', auto: '' }[theme];
}

const toCss = (length: number | string): string => (typeof length === 'number' ? `${length}px` : length);
const wrong = (sentence: string): Error => new Error(`Markwright: ${sentence}`);

/** 128 random bits: which of a page's widgets is meant. Works on plain http too, unlike randomUUID. */
function newChannel(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
