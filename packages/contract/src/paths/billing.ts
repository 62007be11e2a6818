import type { Endpoints } from './endpoint.ts';

export const billing = {
  createCheckoutSession: { method: 'POST', path: '/api/create-checkout-session', access: 'user' },
  verifySubscription: { method: 'POST', path: '/api/verify-subscription', access: 'user' },
  subscription: { method: 'GET', path: '/api/users/subscription', access: 'user' },
  refreshSubscription: { method: 'POST', path: '/api/users/refresh-subscription', access: 'user' },
  portal: { method: 'POST', path: '/api/billing/portal', access: 'user' },
  testCheckout: { method: 'GET', path: '/api/test-checkout/:id', access: 'user' },
  endTestCheckout: { method: 'POST', path: '/api/test-checkout/:id', access: 'user' },
  changeTestSubscription: { method: 'POST', path: '/api/test-subscription', access: 'user' },
} as const satisfies Endpoints;
