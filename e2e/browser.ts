/**
 * The browser of the tests: the Chromium inside @sparticuz/chromium, which is made for Linux on x64, or else one of the
 * system. Nothing is downloaded. TEST_BROWSER names another one.
 *
 * The packaged one is a headless shell: the tests take a sixth less processor time in it than in a whole Chromium, and
 * every machine tests in the same browser.
 */
import { existsSync } from 'node:fs';
import packaged from '@sparticuz/chromium';

const hasPackage = process.platform === 'linux' && process.arch === 'x64';
const systemBrowsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** A test browser has nobody to call: these stop it from trying. */
const quiet = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
  '--no-sandbox',
  '--disable-gpu',
];

/** Chromium's own switch for what people choose as "block third-party cookies": the widget does without them. */
const strict = '--test-third-party-cookie-phaseout';

/**
 * V8 optimizes code after 100 times as many calls and turns as it would by itself. A page of a test lives for seconds,
 * and a quarter of the processor time of its process went into optimized code for calls that never came. A loop over
 * the pixels of a picture still gets there.
 */
const lateOptimization = `--js-flags=${[
  '--invocation-count-for-maglev=40000',
  '--invocation-count-for-maglev-with-delay=60000',
  '--invocation-count-for-maglev-osr=10000',
  '--invocation-count-for-turbofan=300000',
  '--invocation-count-for-osr=50000',
].join(',')}`;

/** Meant for one short run in a small container: they make tests unstable, or the web less strict than people's is. */
const badFlags = ['--single-process', '--disable-web-security', '--allow-running-insecure-content'];

/** Where the browser is and how to start it. Unpacks the packaged one on first use (about 1 s). */
export async function findBrowser(): Promise<{ executablePath: string; args: string[] }> {
  const system = process.env.TEST_BROWSER ?? (hasPackage ? undefined : systemBrowsers.find((path) => existsSync(path)));
  if (system) return { executablePath: system, args: [...quiet, strict, lateOptimization] };
  return {
    executablePath: await packaged.executablePath(),
    args: [...packaged.args.filter((arg) => !badFlags.includes(arg)), ...quiet, strict, lateOptimization],
  };
}
