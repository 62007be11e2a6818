import { describe, expect, it } from 'vitest';
import { type Message, readMessage, writeMessage } from './protocol.ts';

const channel = 'c0ffee00c0ffee00c0ffee00c0ffee00';
const line = {
  productName: 'Skinny Tumbler 20 oz',
  machine: 'laser',
  quantity: 2,
  currency: 'USD',
  unitPriceCents: 3200,
  totalCents: 6400,
} as const;
const design = { designId: 'q5cRzU1c0Yt4mM8nVbZx2A', previewUrl: 'https://studio.example/files/a.png', line };

const messages: Message[] = [
  { type: 'ready' },
  { type: 'resize', height: 720 },
  { type: 'change', productId: null, productName: null, machine: 'uv', hasDesign: false, textCount: 0 },
  { type: 'add-to-cart', ...design },
  { type: 'add-to-cart', ...design, line: { ...line, currency: null, unitPriceCents: null, totalCents: null } },
  { type: 'add-to-cart', ...design, line: { ...line, pieces: [{ words: { Text: 'Ada' }, quantity: 2 }] } },
  { type: 'error', message: 'The picture could not be read.' },
  { type: 'result', call: 3, value: design },
  { type: 'result', call: 3 },
  { type: 'result', call: 3, error: 'Choose a product first.' },
  { type: 'call', call: 1, method: 'save' },
  { type: 'call', call: 2, method: 'open', designId: design.designId },
  { type: 'theme', theme: 'dark' },
];

it('reads every message as it was written, through a copy as a window makes one', () => {
  for (const message of messages) {
    expect(readMessage(structuredClone(writeMessage(channel, message)), channel)).toEqual(message);
  }
});

it('keeps the fields of the type and drops the rest', () => {
  const envelope = {
    ...writeMessage(channel, { type: 'add-to-cart', ...design }),
    file: '<svg/>',
    __proto__: { a: 1 },
  };
  expect(readMessage(envelope, channel)).toEqual({ type: 'add-to-cart', ...design });
});

describe('what is none of ours', () => {
  const ours = { markwright: 1, channel };
  const foreign: [string, unknown][] = [
    ['nothing', undefined],
    ['null', null],
    ['text', 'ready'],
    ['JSON text', JSON.stringify({ ...ours, type: 'ready' })],
    ['a number', 1],
    ['a list', [1, channel, 'ready']],
    ['an empty object', {}],
    ['no major', { channel, type: 'ready' }],
    ['another major', { markwright: 2, channel, type: 'ready' }],
    ['the major as text', { markwright: '1', channel, type: 'ready' }],
    ['no channel', { markwright: 1, type: 'ready' }],
    ['another channel', { markwright: 1, channel: 'f00d', type: 'ready' }],
    ['a channel in a list', { markwright: 1, channel: [channel], type: 'ready' }],
    ['no type', ours],
    ['an unknown type', { ...ours, type: 'login' }],
    ['a type of an object’s own', { ...ours, type: 'toString' }],
    ['a height as text', { ...ours, type: 'resize', height: '720' }],
    ['a height below zero', { ...ours, type: 'resize', height: -1 }],
    ['a height without end', { ...ours, type: 'resize', height: Number.POSITIVE_INFINITY }],
    ['a sale without a line', { ...ours, type: 'add-to-cart', ...design, line: undefined }],
    ['a price below zero', { ...ours, type: 'add-to-cart', ...design, line: { ...line, totalCents: -6400 } }],
    ['a price of half a cent', { ...ours, type: 'add-to-cart', ...design, line: { ...line, totalCents: 0.5 } }],
    ['pieces that are no list', { ...ours, type: 'add-to-cart', ...design, line: { ...line, pieces: {} } }],
    [
      'words that are no text',
      { ...ours, type: 'add-to-cart', ...design, line: { ...line, pieces: [{ words: { Text: 1 }, quantity: 1 }] } },
    ],
    ['a machine nobody has', { ...ours, type: 'add-to-cart', ...design, line: { ...line, machine: 'mill' } }],
    ['an id that is a path', { ...ours, type: 'add-to-cart', ...design, designId: '../../../etc/passwd' }],
    ['an id nobody can have', { ...ours, type: 'call', call: 1, method: 'open', designId: '7' }],
    ['a call without a number', { ...ours, type: 'call', method: 'save' }],
    ['a method of an object’s own', { ...ours, type: 'call', call: 1, method: 'constructor' }],
    ['a result without a call', { ...ours, type: 'result', value: design }],
    ['a theme with markup', { ...ours, type: 'theme', theme: '<b>' }],
    ['an endless sentence', { ...ours, type: 'error', message: 'x'.repeat(2001) }],
    [
      'a count of texts as text',
      { ...ours, type: 'change', productId: null, productName: null, machine: 'uv', hasDesign: false, textCount: '0' },
    ],
  ];

  it.each(foreign)('%s', (_name, data) => {
    expect(readMessage(data, channel)).toBeUndefined();
  });
});
