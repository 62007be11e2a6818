import type { Endpoints } from './endpoint.ts';

const settingsFields = [
  'key',
  'allowedOrigins',
  'checkout',
  'offersDtf',
  'routing',
  'routedMakerId',
  'payer',
  'currency',
  'defaultPriceCents',
  'prices',
  'starts',
  'place',
  'webhookUrl',
  'hasWebhookSecret',
] as const;

export const shop = {
  settings: { method: 'GET', path: '/api/company/shop', access: 'user', returns: settingsFields },
  update: { method: 'PUT', path: '/api/company/shop', access: 'user', returns: settingsFields },
  addStart: {
    method: 'POST',
    path: '/api/company/shop/starts',
    access: 'user',
    stages: [],
    returns: settingsFields,
  },
  removeStart: {
    method: 'DELETE',
    path: '/api/company/shop/starts/:id',
    access: 'user',
    returns: settingsFields,
  },
  renewKey: { method: 'POST', path: '/api/company/shop/key', access: 'user', returns: settingsFields },
  renewWebhookSecret: { method: 'POST', path: '/api/company/shop/webhook-secret', access: 'user', returns: ['secret'] },
} as const satisfies Endpoints;
