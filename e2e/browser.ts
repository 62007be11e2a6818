/** The browser of the tests: a system's Chromium, or the one inside @sparticuz/chromium. Nothing is downloaded. */
import { existsSync } from 'node:fs';
import packaged from '@sparticuz/chromium';

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

/** Meant for one short run in a small container: they make tests unstable, or the web less strict than people's is. */
const badFlags = ['--single-process', '--disable-web-security', '--allow-running-insecure-content'];

/** Where the browser is and how to start it. Unpacks the packaged one on first use (about 1 s). */
export async function findBrowser(): Promise<{ executablePath: string; args: string[] }> {
  const system = systemBrowsers.find((path) => existsSync(path));
  if (system) return { executablePath: system, args: [...quiet, strict] };
  return {
    executablePath: await packaged.executablePath(),
    args: [...packaged.args.filter((arg) => !badFlags.includes(arg)), ...quiet, strict],
  };
}
