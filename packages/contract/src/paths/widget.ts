import type { Endpoints } from './endpoint.ts';

export const widget = {
  start: { method: 'POST', path: '/api/widget/sessions', access: 'anyone', keepsNoGuest: true },
  products: { method: 'GET', path: '/api/widget/products', access: 'anyone' },
  save: { method: 'POST', path: '/api/widget/designs', access: 'anyone' },
  get: { method: 'GET', path: '/api/widget/designs/:id', access: 'anyone' },
  open: { method: 'POST', path: '/api/widget/designs/:id/open', access: 'anyone' },
} as const satisfies Endpoints;
