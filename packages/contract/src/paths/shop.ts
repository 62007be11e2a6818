import type { Endpoints } from './endpoint.ts';

export const shop = {
  settings: { method: 'GET', path: '/api/company/shop', access: 'user' },
  update: { method: 'PUT', path: '/api/company/shop', access: 'user' },
  renewKey: { method: 'POST', path: '/api/company/shop/key', access: 'user' },
  renewWebhookSecret: { method: 'POST', path: '/api/company/shop/webhook-secret', access: 'user' },
} as const satisfies Endpoints;
