/** Puts one widget on a shop's page: creates its frame and exchanges messages with it. */
import type { MarkwrightEvents, MarkwrightWidget, MountOptions, SavedDesign, Theme } from './api.ts';
import { isDesignId, type PageMessage, readMessage, writeMessage } from './protocol.ts';

/** The frame's height until its content reports one, so that the page does not jump when the widget has loaded. */
const DEFAULT_HEIGHT = 720;
/** Bounds of the frame's height: a page that grows with its frame must not grow without end. */
const HEIGHTS = { least: 320, most: 4000 };
const ANSWER_MS = 30_000;
/** The time limit from the frame's load event to the widget's first message. */
const READY_MS = 15_000;
const REMOVED = 'this widget was taken off the page.';

/** The functions that end the calls that wait for an answer, by the number of the call. */
type PendingCalls = Map<number, (error?: Error, value?: SavedDesign) => void>;
type Handlers = Map<string, Set<(event: never) => void>>;

/**
 * Mounts a widget that is served from `origin`. Throws an Error with a plain sentence for a wrong option.
 *
 * One straight story: the frame, its messages, its calls and its end share the same few values.
 */
export function mount(options: MountOptions, origin: string): MarkwrightWidget {
  const container = findContainer(options);
  checkOptions(options);
  const { onReady, onResize, onChange, onAddToCart, onError } = options;
  const { design, height = DEFAULT_HEIGHT } = options;
  const channel = newChannel();
  const frame = createFrame(options, origin, channel);

  const handlers: Handlers = new Map();
  const on: MarkwrightWidget['on'] = (type, handler) => addHandler(handlers, type, handler);
  const pendingCalls: PendingCalls = new Map();
  let calls = 0;
  /** Messages that wait until the widget listens. Undefined from then on. */
  let pendingMessages: PageMessage[] | undefined = [];
  let readyTimeout: ReturnType<typeof setTimeout> | undefined;
  let isDestroyed = false;

  function send(message: PageMessage): void {
    if (pendingMessages) pendingMessages.push(message);
    else frame.contentWindow?.postMessage(writeMessage(channel, message), origin);
  }

  async function ask(question: { method: 'save' } | { method: 'open'; designId: string }) {
    if (isDestroyed) throw usageError(REMOVED);
    frame.loading = 'eager'; // it may stand further down the page than the shopper has looked
    const call = ++calls;
    const answer = waitForAnswer(pendingCalls, call, question.method);
    send({ type: 'call', call, ...question });
    return answer;
  }

  async function open(designId: string): Promise<void> {
    if (!isDesignId(designId)) throw usageError('open needs the id of a saved design.');
    await ask({ method: 'open', designId });
  }

  function onMessage(event: MessageEvent): void {
    if (event.origin !== origin || event.source !== frame.contentWindow) return;
    const message = readMessage(event.data, channel);
    switch (message?.type) {
      case 'ready':
        onReadyMessage();
        break;
      case 'resize':
        if (height === 'auto') {
          frame.style.height = `${Math.min(HEIGHTS.most, Math.max(HEIGHTS.least, message.height))}px`;
        }
        emit(handlers, 'resize', { height: message.height });
        break;
      case 'change': {
        const { type, ...arrangement } = message;
        emit(handlers, type, arrangement);
        break;
      }
      case 'add-to-cart': {
        const { type, ...saved } = message;
        emit(handlers, type, saved);
        break;
      }
      case 'error':
        emit(handlers, 'error', { message: message.message });
        break;
      case 'result':
        pendingCalls.get(message.call)?.(
          message.error === undefined ? undefined : new Error(message.error),
          message.value,
        );
    }
  }

  /** Sends the pending messages, once the widget listens. A frame that loads again reports ready again. */
  function onReadyMessage(): void {
    clearTimeout(readyTimeout);
    const messages = pendingMessages;
    pendingMessages = undefined;
    for (const message of messages ?? []) send(message);
    if (messages) emit(handlers, 'ready', undefined);
  }

  function startReadyTimeout(): void {
    clearTimeout(readyTimeout);
    if (!pendingMessages) return;
    readyTimeout = setTimeout(() => {
      const message = `The widget did not start. Is ${location.origin} among the addresses the shop allows?`;
      console.error(`Markwright: ${message}`);
      emit(handlers, 'error', { message });
    }, READY_MS);
  }

  addHandler(handlers, 'ready', onReady);
  addHandler(handlers, 'resize', onResize);
  addHandler(handlers, 'change', onChange);
  addHandler(handlers, 'add-to-cart', onAddToCart);
  addHandler(handlers, 'error', onError);
  if (design !== undefined) {
    open(design).catch((error: Error) => emit(handlers, 'error', { message: error.message }));
  }

  addEventListener('message', onMessage);
  frame.addEventListener('load', startReadyTimeout);
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
      isDestroyed = true;
      clearTimeout(readyTimeout);
      removeEventListener('message', onMessage);
      frame.removeEventListener('load', startReadyTimeout);
      frame.remove();
      handlers.clear();
      for (const end of [...pendingCalls.values()]) end(usageError(REMOVED));
    },
  } satisfies MarkwrightWidget);
}

/** Calls the handler for every event of the type. Returns a function that unsubscribes. */
function addHandler<Type extends keyof MarkwrightEvents>(
  handlers: Handlers,
  type: Type,
  handler: ((event: MarkwrightEvents[Type]) => void) | undefined,
): () => void {
  if (handler === undefined) return () => {};
  if (typeof handler !== 'function') throw usageError(`the handler of "${type}" must be a function.`);
  const ofType = handlers.get(type) ?? new Set();
  handlers.set(type, ofType.add(handler));
  return () => void ofType.delete(handler);
}

function emit<Type extends keyof MarkwrightEvents>(
  handlers: Handlers,
  type: Type,
  event: MarkwrightEvents[Type],
): void {
  for (const handler of [...(handlers.get(type) ?? [])]) {
    try {
      (handler as (event: MarkwrightEvents[Type]) => void)(event);
    } catch (error) {
      console.error(error); // one handler's mistake is not the next one's
    }
  }
}

/** Returns the answer of the widget to a call. Rejects when it does not come in time. */
function waitForAnswer(pendingCalls: PendingCalls, call: number, method: string): Promise<SavedDesign | undefined> {
  return new Promise((resolve, reject) => {
    const end = (error?: Error, value?: SavedDesign): void => {
      clearTimeout(timer);
      pendingCalls.delete(call);
      if (error) reject(error);
      else if (method === 'save' && !value) reject(usageError('the widget saved nothing.'));
      else resolve(value);
    };
    const timer = setTimeout(
      () => end(usageError(`the widget did not answer within ${ANSWER_MS / 1000} seconds.`)),
      ANSWER_MS,
    );
    pendingCalls.set(call, end);
  });
}

function findContainer(options: MountOptions): HTMLElement {
  const { container } = Object(options) as Partial<MountOptions>;
  const element = typeof container === 'string' ? document.getElementById(container.replace(/^#/, '')) : container;
  if (!(element instanceof HTMLElement)) {
    throw usageError(
      typeof container === 'string'
        ? `there is no element with the id "${container}". Mount after it, or when the page has loaded.`
        : 'container must be an element or the id of one.',
    );
  }
  if (element.querySelector(`iframe[${MARK}]`)) throw usageError('there is a widget in this container already.');
  return element;
}

const choices = { theme: ['light', 'dark', 'auto'], mode: ['laser', 'uv', 'sublimation', 'dtf'] } as const;
const LENGTH = /^\d+(\.\d+)?(px|%|r?em|[sdl]?v[wh])$/;

function checkOptions(options: MountOptions): void {
  for (const name of ['theme', 'mode'] as const) {
    const [value, choice] = [options[name], choices[name] as readonly unknown[]];
    if (value !== undefined && !choice.includes(value))
      throw usageError(`${name} must be one of ${choice.join(', ')}.`);
  }
  for (const name of ['shop', 'product'] as const) {
    const value: unknown = options[name];
    if (value !== undefined && !(typeof value === 'string' && /^[\w-]{1,100}$/.test(value)))
      throw usageError(`${name} must be the ${name === 'shop' ? 'key' : 'id'} that the embed page shows.`);
  }
  if (options.design !== undefined && !isDesignId(options.design))
    throw usageError('design must be the id of a saved design.');
  for (const name of ['width', 'height'] as const) {
    const value: unknown = options[name];
    const isLength = typeof value === 'number' ? value > 0 && value < 1e5 : LENGTH.test(String(value));
    if (value !== undefined && !isLength && !(name === 'height' && value === 'auto'))
      throw usageError(`${name} must be a number of pixels or a CSS length such as "100%".`);
  }
}

const MARK = 'data-markwright';

function createFrame(options: MountOptions, origin: string, channel: string): HTMLIFrameElement {
  const { shop, theme = 'auto', mode, product, width = '100%', height = DEFAULT_HEIGHT } = options;
  if (location.origin === 'null') throw usageError('this page has no address of its own: open it from a web server.');
  const query = new URLSearchParams({ theme, channel, host: location.origin });
  for (const [name, value] of Object.entries({ shop, mode, product })) if (value) query.set(name, value);

  const frame = document.createElement('iframe');
  frame.setAttribute(MARK, '');
  frame.title = 'Design your product';
  // The frame keeps its own origin, so that both sides can name their peer. A shop's page has another origin and stays
  // out of reach.
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

/** Gives the frame the widget's background, so that a dark page does not flash white while the widget loads. */
function paint(frame: HTMLIFrameElement, theme: Theme): void {
  frame.style.background = { light: '#f6f3ec', dark: '#141311', auto: '' }[theme];
}

const toCss = (length: number | string): string => (typeof length === 'number' ? `${length}px` : length);
const usageError = (sentence: string): Error => new Error(`Markwright: ${sentence}`);

/** Returns 128 random bits that name one widget of a page. Works on plain http too, unlike randomUUID. */
function newChannel(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
