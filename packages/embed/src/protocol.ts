/**
 * The messages between a shop's page and the widget in its frame.
 *
 * Both sides send to one exact origin and listen to one window of one origin. This file alone parses messages. The
 * number is the protocol's major version: a message of another version is ignored.
 */
import type { Arrangement, MachineMode, OrderPiece, PriceLine, SavedDesign, Theme } from './api.ts';

const PROTOCOL = 1;

/** Messages from the widget to the page. */
export type WidgetMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'resize' /** CSS pixels. */; readonly height: number }
  | ({ readonly type: 'change' } & Arrangement)
  | ({ readonly type: 'add-to-cart' } & SavedDesign)
  | { readonly type: 'error'; readonly message: string }
  /** The answer to a call: a saved design, nothing more than "done", or what went wrong. */
  | { readonly type: 'result'; readonly call: number; readonly value?: SavedDesign; readonly error?: string };

/** Messages from the shop's page to the widget. Each call has a number of its own, which its result repeats. */
export type PageMessage =
  | { readonly type: 'call'; readonly call: number; readonly method: 'save' }
  | { readonly type: 'call'; readonly call: number; readonly method: 'open'; readonly designId: string }
  | { readonly type: 'theme'; readonly theme: Theme };

export type Message = WidgetMessage | PageMessage;

/** Returns the message in the form in which it is posted. */
export function writeMessage(channel: string, message: Message): object {
  return { markwright: PROTOCOL, channel, ...message };
}

/**
 * Parses data that arrived. Returns the message with the fields of its type and no others, or undefined for data that
 * is not exactly a message on this channel. The listener compares origin and window. Never throws.
 */
export function readMessage(data: unknown, channel: string): Message | undefined {
  if (!isRecord(data) || data.markwright !== PROTOCOL || data.channel !== channel) return undefined;
  const { type, call } = data;
  switch (type) {
    case 'ready':
      return { type };
    case 'resize': {
      const { height } = data;
      return isCount(height) ? { type, height } : undefined;
    }
    case 'change': {
      const arrangement = readArrangement(data);
      return arrangement && { type, ...arrangement };
    }
    case 'add-to-cart': {
      const design = readSaved(data);
      return design && { type, ...design };
    }
    case 'error': {
      const { message } = data;
      return isText(message) ? { type, message } : undefined;
    }
    case 'result': {
      const { value, error } = data;
      if (!isCount(call)) return undefined;
      if (error !== undefined) return isText(error) ? { type, call, error } : undefined;
      if (value === undefined) return { type, call };
      const design = readSaved(value);
      return design && { type, call, value: design };
    }
    case 'call': {
      const { method, designId } = data;
      if (!isCount(call)) return undefined;
      if (method === 'save') return { type, call, method };
      return method === 'open' && isDesignId(designId) ? { type, call, method, designId } : undefined;
    }
    case 'theme': {
      const { theme } = data;
      return theme === 'light' || theme === 'dark' || theme === 'auto' ? { type, theme } : undefined;
    }
    default:
      return undefined;
  }
}

function readSaved(value: unknown): SavedDesign | undefined {
  if (!isRecord(value)) return undefined;
  const { designId, previewUrl } = value;
  const line = readLine(value.line);
  return isDesignId(designId) && isText(previewUrl) && line ? { designId, previewUrl, line } : undefined;
}

function readLine(value: unknown): PriceLine | undefined {
  if (!isRecord(value)) return undefined;
  const { productName, machine, quantity, currency, unitPriceCents, totalCents } = value;
  const pieces = value.pieces === undefined ? undefined : readPieces(value.pieces);
  if (pieces === null) return undefined;
  if (!isText(productName) || !isMachine(machine) || !isCount(quantity)) return undefined;
  if (!orNull(isText, currency) || !orNull(isCount, unitPriceCents) || !orNull(isCount, totalCents)) return undefined;
  return { productName, machine, quantity, currency, unitPriceCents, totalCents, ...(pieces && { pieces }) };
}

const MOST_PIECES = 1000;

/** Returns null for what is no list of pieces. */
function readPieces(value: unknown): OrderPiece[] | null {
  if (!Array.isArray(value) || value.length > MOST_PIECES) return null;
  const pieces = value.map((piece: unknown) => {
    if (!isRecord(piece) || !isRecord(piece.words) || !isCount(piece.quantity)) return undefined;
    const entries = Object.entries(piece.words);
    if (!entries.every((entry): entry is [string, string] => entry.every(isText))) return undefined;
    return { words: Object.fromEntries(entries), quantity: piece.quantity };
  });
  return pieces.every((piece) => piece !== undefined) ? pieces : null;
}

function readArrangement(value: Record<string, unknown>): Arrangement | undefined {
  const { productId, productName, machine, hasDesign, textCount } = value;
  if (!orNull(isText, productId) || !orNull(isText, productName) || !isMachine(machine)) return undefined;
  if (typeof hasDesign !== 'boolean' || !isCount(textCount)) return undefined;
  return { productId, productName, machine, hasDesign, textCount };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= 2000;
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
/** True for the id of a saved design: at least 128 random bits in characters that need no escaping. */
export const isDesignId = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w-]{16,100}$/.test(value);
const isMachine = (value: unknown): value is MachineMode =>
  value === 'laser' || value === 'uv' || value === 'sublimation' || value === 'dtf';

function orNull<T>(is: (value: unknown) => value is T, value: unknown): value is T | null {
  return value === null || is(value);
}
