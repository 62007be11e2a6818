import type { Endpoints } from './endpoint.ts';

export const orderCalls = {
  place: { method: 'POST', path: '/api/widget/orders', access: 'anyone', keepsNoGuest: true },
  proof: { method: 'POST', path: '/api/proof', access: 'anyone', keepsNoGuest: true },
  answerProof: { method: 'POST', path: '/api/proof/answer', access: 'anyone', keepsNoGuest: true },
  list: { method: 'GET', path: '/api/orders', access: 'user' },
  count: { method: 'GET', path: '/api/orders/count', access: 'user' },
  get: { method: 'GET', path: '/api/orders/:id', access: 'user' },
  step: { method: 'POST', path: '/api/orders/:id/step', access: 'user' },
  file: { method: 'POST', path: '/api/orders/:id/file', access: 'user' },
  deliveries: { method: 'GET', path: '/api/company/shop/deliveries', access: 'user' },
  sendAgain: { method: 'POST', path: '/api/company/shop/deliveries/:id/send', access: 'user' },
} as const satisfies Endpoints;
