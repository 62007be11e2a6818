/**
 * Kills the real server while it queues and sends mails, and checks afterwards: every acknowledged mail exists exactly
 * once, and either arrived once or is known not to have. `KILL_CYCLES` sets another number of rounds.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mail } from '@markwright/contract';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { stressTest } from './campaign.ts';
import { putDatabase } from './dataFolder.ts';
import { ownAddress } from './machine.ts';
import { type ServerProcess, startServerProcess } from './serverProcess.ts';
import { type SmtpPeer, startSmtpPeer } from './smtpPeer.ts';

const CYCLES = Number(process.env.KILL_CYCLES ?? 8);
const BURST = 40;
/** Below the ephemeral ports. */
const PORT = '7264';
const PASSWORD = 'the-workshop-key';
const ADMIN = 'admin@example.com';

let dataDir: string;
let server: ServerProcess | undefined;
let peer: SmtpPeer | undefined;
// In a hook: where the tests are skipped, so is what would remove the folder.
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'markwright-mail-kill-'));
  putDatabase(dataDir);
});
afterAll(async () => {
  await server?.end('SIGTERM');
  await peer?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

stressTest(
  `${CYCLES} kills lose no mail and send none twice`,
  async () => {
    peer = await startSmtpPeer();
    // A mail server takes this long to accept a text: many kills happen during that time.
    peer.onText = async () => void (await new Promise((resolve) => setTimeout(resolve, 60)));
    const site = `http://${ownAddress}:${PORT}`;
    const start = () =>
      startServerProcess(dataDir, {
        HOST: ownAddress,
        PORT,
        // Forwarded addresses are trusted, so that a burst comes from many networks.
        PUBLIC_URL: site,
        SMTP_URL: `smtp://127.0.0.1:${peer?.port}`,
        ADMIN_EMAIL: ADMIN,
        ADMIN_PASSWORD: PASSWORD,
      });

    const acknowledgedEmails = new Set<string>();
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      const running = await start();
      server = running;
      let answers = 0;
      const receivedBefore = peer.received.length;
      const burst = Array.from({ length: BURST }, async (_, index) => {
        const email = `maker${cycle}-${index}@example.com`;
        const answer = await joinWaitlist(running.url, email, `10.${cycle}.0.${index}`).catch(() => undefined);
        if (!answer?.ok) return;
        acknowledgedEmails.add(email);
        answers++;
      });
      // From before the first reply to after the last, while mails are sent.
      await vi.waitFor(
        () => {
          expect(answers).toBeGreaterThanOrEqual((BURST * cycle) / (CYCLES - 1));
          expect(peer?.received.length).toBeGreaterThanOrEqual(receivedBefore + 4 * cycle);
        },
        { timeout: 60_000, interval: 10 },
      );
      await running.end('SIGKILL');
      await Promise.all(burst);
    }

    server = await start();
    const { url } = server;
    const token = await signIn(url);
    let mails: Mail[] = [];
    // Before the list is read: a mail that is queued in it may be sent while it is read.
    let receivedEarlier = new Set<string>();
    await vi.waitFor(
      async () => {
        receivedEarlier = new Set(peer?.received.map(({ to }) => to[0] ?? ''));
        mails = await allMails(url, token);
        // A claimed mail whose sending had not begun waits for the end of the dead server's lease.
        expect(mails.filter(({ state, attempts }) => state === 'queued' && attempts === 0)).toEqual([]);
      },
      { timeout: 90_000, interval: 1_000 },
    );

    const timesReceived = new Map<string, number>();
    for (const { to } of peer.received) timesReceived.set(to[0] ?? '', (timesReceived.get(to[0] ?? '') ?? 0) + 1);
    for (const email of acknowledgedEmails)
      expect(
        mails.filter(({ to }) => to === email),
        email,
      ).toHaveLength(1);
    expect([...timesReceived.values()].filter((times) => times > 1)).toEqual([]);
    for (const { to, state } of mails) {
      if (state === 'sent') expect(timesReceived.get(to), to).toBe(1);
      else expect(['queued', 'sending', 'unknown'], to).toContain(state);
      if (state === 'queued') expect(receivedEarlier.has(to), to).toBe(false);
    }
    const count = (state: Mail['state']): number => mails.filter((mail) => mail.state === state).length;
    console.log(
      `mail kill test: ${CYCLES} kills, ${acknowledgedEmails.size} acknowledged, ${mails.length} mails, ${peer.received.length} received once,`,
      `0 lost, 0 twice; ${count('sending') + count('unknown')} in doubt, ${count('queued')} waiting`,
    );
    expect(acknowledgedEmails.size).toBeGreaterThan(BURST);
    expect(count('sent')).toBeGreaterThan(mails.length / 2);
    expect(await server.end('SIGTERM')).toBe(0);
  },
  300_000 + CYCLES * 100_000,
);

stressTest('a server that stops while a text is sent waits some seconds, and records the unknown outcome', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'markwright-mail-stop-'));
  putDatabase(folder);
  const silent = await startSmtpPeer();
  const servers: ServerProcess[] = [];
  try {
    const textArrival = new Promise<void>((resolve) => {
      silent.onText = () => {
        resolve();
        return new Promise(() => {});
      };
    });
    const settings = { ADMIN_EMAIL: ADMIN, ADMIN_PASSWORD: PASSWORD, SMTP_URL: `smtp://127.0.0.1:${silent.port}` };
    const stoppedServer = await startServerProcess(folder, settings);
    servers.push(stoppedServer);
    expect((await joinWaitlist(stoppedServer.url, 'ann@example.com', '10.0.0.1')).status).toBe(200);
    await textArrival;
    expect(await stoppedServer.end('SIGTERM')).toBe(0);

    const next = await startServerProcess(folder, settings);
    servers.push(next);
    // Aborted: the server did not wait for the end of the timeout.
    const lastError = expect.stringContaining('connection was closed');
    expect(await allMails(next.url, await signIn(next.url))).toMatchObject([
      { state: 'unknown', attempts: 1, lastError },
    ]);
    expect(await next.end('SIGTERM')).toBe(0);
  } finally {
    for (const server of servers) await server.end('SIGTERM');
    await silent.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

const post = (url: string, body: object, headers = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });

const joinWaitlist = (url: string, email: string, address: string): Promise<Response> =>
  post(`${url}/api/waitlist`, { email }, { 'x-forwarded-for': address });

async function signIn(url: string): Promise<string> {
  const answer = await post(`${url}/api/auth/login`, { email: ADMIN, password: PASSWORD });
  return ((await answer.json()) as { token: string }).token;
}

async function allMails(url: string, token: string): Promise<Mail[]> {
  const mails: Mail[] = [];
  for (let next: string | null = ''; next !== null; ) {
    const answer = await fetch(`${url}/api/admin/mails${next && `?before=${next}`}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const page = (await answer.json()) as { mails: Mail[]; next: string | null };
    mails.push(...page.mails);
    next = page.next;
  }
  return mails;
}
