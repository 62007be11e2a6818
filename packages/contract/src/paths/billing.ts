import type { Endpoints } from './endpoint.ts';

const subscriptionFields = ['plan', 'status', 'periodEnd', 'isCancelled', 'isManaged'] as const;

export const billing = {
  createCheckoutSession: { method: 'POST', path: '/api/create-checkout-session', access: 'user', returns: ['url'] },
  verifySubscription: {
    method: 'POST',
    path: '/api/verify-subscription',
    access: 'user',
    returns: ['planName', 'limits', 'nextResetDate'],
  },
  subscription: { method: 'GET', path: '/api/users/subscription', access: 'user', returns: subscriptionFields },
  refreshSubscription: {
    method: 'POST',
    path: '/api/users/refresh-subscription',
    access: 'user',
    returns: ['success', 'plan'],
  },
  portal: { method: 'POST', path: '/api/billing/portal', access: 'user', returns: ['url'] },
  testCheckout: {
    method: 'GET',
    path: '/api/test-checkout/:id',
    access: 'user',
    returns: ['id', 'plan', 'priceCents', 'discountCents', 'discountMonths', 'email', 'isChange', 'state'],
  },
  endTestCheckout: { method: 'POST', path: '/api/test-checkout/:id', access: 'user', returns: ['url'] },
  changeTestSubscription: {
    method: 'POST',
    path: '/api/test-subscription',
    access: 'user',
    returns: subscriptionFields,
  },
} as const satisfies Endpoints;
