/**
 * Clients on machines of their own before the proxy of the kit and two servers: each has the limits of its own address,
 * counted by both servers together, whatever address it claims. The machines are network namespaces.
 */
import { afterAll, describe, expect, test, vi } from 'vitest';
import { isStress } from './campaign.ts';
import { hasNginx, runNginx, serve } from './cluster.ts';
import { callFrom, hasNamespaces, joinNamespaces, makeNamespace, openSocketTo } from './namespaces.ts';
import { ADMIN, endAll, newDatabase, newFolder } from './operator.ts';

afterAll(endAll);

/** A network may make so many calls a minute. */
const LIMIT = 600;

if (isStress && !(hasNamespaces && hasNginx)) {
  console.log('Network namespaces or nginx are missing: clients on machines of their own were not tested.');
}

describe.runIf(isStress && hasNamespaces && hasNginx)('clients of two servers behind the proxy', () => {
  test('are counted by their own addresses, by both servers together', async () => {
    const { url } = await newDatabase();
    const common = { DATABASE_URL: url, DATA_DIR: newFolder(), ADMIN_PASSWORD: ADMIN.password };
    const servers = [];
    for (let count = 0; count < 2; count++) servers.push(await serve({ ...common, TRUSTED_PROXIES: '127.0.0.1' }));

    const proxy = makeNamespace('proxy');
    const [ada, bo] = [makeNamespace('ada'), makeNamespace('bo')];
    joinNamespaces(proxy, '198.51.100.1/30', ada, ['198.51.100.2/30']);
    joinNamespaces(proxy, '198.51.100.5/30', bo, ['198.51.100.6/30']);
    const sockets = await Promise.all(servers.map((server) => openSocketTo(Number(new URL(server.url).port))));
    const prefix = ['ip', 'netns', 'exec', proxy];
    runNginx(
      '0.0.0.0:8080',
      sockets.map((path) => `unix:${path}`),
      prefix,
    );
    const [forAda, forBo] = ['http://198.51.100.1:8080/api/products', 'http://198.51.100.5:8080/api/products'];
    await vi.waitFor(async () => expect(await callFrom(ada, '198.51.100.2', forAda, 1)).toEqual([200]), {
      timeout: 60_000,
    });

    const statuses = await callFrom(ada, '198.51.100.2', forAda, LIMIT + 100);
    expect(statuses.filter((status) => ![200, 429].includes(status))).toEqual([]);
    // Each server alone would let twice as many in. A new minute may begin once.
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect(await callFrom(bo, '198.51.100.6', forBo, 20)).toEqual(Array.from({ length: 20 }, () => 200));
  });
});
