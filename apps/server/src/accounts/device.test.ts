import { expect, test } from 'vitest';
import { cpuMs, quickest } from '../../test/quickest.ts';
import { describeDevice } from './device.ts';

const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const blink = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Chrome/131.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0`,
    'Edge on Windows',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Chrome/130.0.0.0 Safari/537.36 OPR/116.0.0.0`,
    'Opera on Windows',
  ],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Gecko/20100101 Firefox/133.0', 'Firefox on Windows'],
  ['Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0', 'Firefox on Linux'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:133.0) Gecko/20100101 Firefox/133.0', 'Firefox on macOS'],
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/18.1 Safari/605.1.15`, 'Safari on macOS'],
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${blink} Chrome/131.0.0.0 Safari/537.36`, 'Chrome on macOS'],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${webkit} Version/18.1 Mobile/15E148 Safari/604.1`,
    'Safari on iPhone',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${webkit} CriOS/131.0.6778.73 Mobile/15E148 Safari/604.1`,
    'Chrome on iPhone',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 14_7 like Mac OS X) ${webkit} FxiOS/133.0 Mobile/15E148 Safari/605.1.15`,
    'Firefox on iPhone',
  ],
  [`Mozilla/5.0 (iPad; CPU OS 17_7 like Mac OS X) ${webkit} Version/17.7 Mobile/15E148 Safari/604.1`, 'Safari on iPad'],
  [`Mozilla/5.0 (Linux; Android 10; K) ${blink} Chrome/131.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
  ['Mozilla/5.0 (Android 15; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0', 'Firefox on Android'],
  [
    `Mozilla/5.0 (Linux; Android 14; SM-S928B) ${blink} SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet on Android',
  ],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${blink} Chrome/131.0.0.0 Safari/537.36`, 'Chrome on ChromeOS'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Chrome/130.0.0.0 YaBrowser/24.12.0.0 Safari/537.36`,
    'Yandex Browser on Windows',
  ],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/18.1 Safari/605.1.15 Ddg/18.1`,
    'DuckDuckGo on macOS',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64) Konqueror/23.08', 'A browser on Linux'],
  ['Firefox/133.0', 'Firefox'],
  ['curl/8.5.0', 'An unknown device'],
  ['', 'An unknown device'],
])('%s', (userAgent, device) => {
  expect(describeDevice(userAgent)).toBe(device);
});

test('describes a hostile user agent without catastrophic backtracking', async () => {
  const elapsedMs = await quickest(100, () => {
    const startMs = cpuMs();
    describeDevice('Version/1 '.repeat(40));
    describeDevice('Version/1.1.1.1.1.1.1.1 '.repeat(16).concat('x'));
    return cpuMs() - startMs;
  });
  expect(elapsedMs).toBeLessThan(100);
});
