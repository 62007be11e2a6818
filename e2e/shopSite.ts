/** A shop's own site: another host and port than the studio's, with pages that a test writes. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ShopSite {
  /** `http://localhost:port`. Ours is 127.0.0.1, which makes it another site for the browser, not only another port. */
  readonly origin: string;
  /** Serves a page from now on; gives its address. */
  serve(path: string, html: string): string;
  close(): Promise<void>;
}

export async function openShopSite(): Promise<ShopSite> {
  const pages = new Map<string, string>();
  const server = createServer((request, response) => {
    const page = pages.get((request.url ?? '').split('?')[0]!);
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(page ?? 'Not here.');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    serve(path, html) {
      pages.set(path, `<!doctype html><html lang="en"><head><title>A shop</title></head><body>${html}</body></html>`);
      return `${origin}${path}`;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
