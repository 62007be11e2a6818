/** Fingers on a touch screen, through the browser's own input. */
import type { CDPSession, Locator, Page } from '@playwright/test';
import { middleOf } from './studio.ts';

export interface Finger {
  readonly x: number;
  readonly y: number;
}

const STEPS = 5;

/** Puts fingers down, moves them step by step, and lifts them. */
export async function moveFingers(page: Page, from: readonly Finger[], to: readonly Finger[]): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await send(client, 'touchStart', from);
  for (let step = 1; step <= STEPS; step++) {
    const part = step / STEPS;
    const between = (a: Finger, b: Finger) => ({ x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part });
    await send(
      client,
      'touchMove',
      from.map((finger, index) => between(finger, to[index]!)),
    );
  }
  await send(client, 'touchEnd', []);
  await client.detach();
}

/** Moves the middle of something by a finger. */
export async function dragByFinger(page: Page, target: Locator, dx: number, dy: number): Promise<void> {
  const { x, y } = await middleOf(target);
  await moveFingers(page, [{ x, y }], [{ x: x + dx, y: y + dy }]);
}

/** Touches the middle of something, which may lie under the marks of the stage. */
export async function tapAt(page: Page, target: Locator): Promise<void> {
  const { x, y } = await middleOf(target);
  await page.touchscreen.tap(x, y);
}

/** Rests a finger on the middle of something until `until`, and lifts it. */
export async function restFinger(page: Page, target: Locator, until: () => Promise<void>): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await send(client, 'touchStart', [await middleOf(target)]);
  await until();
  await send(client, 'touchEnd', []);
  await client.detach();
}

const send = (client: CDPSession, type: 'touchStart' | 'touchMove' | 'touchEnd', fingers: readonly Finger[]) =>
  client.send('Input.dispatchTouchEvent', { type, touchPoints: fingers.map(({ x, y }, id) => ({ x, y, id })) });
