import type { Endpoints } from './endpoint.ts';

export const auth = {
  me: {
    method: 'GET',
    path: '/api/auth/me',
    access: 'user',
    returns: [
      'id',
      'email',
      'username',
      'createdAt',
      'emailVerified',
      'subscriptionPlan',
      'subscriptionStatus',
      'isAdmin',
    ],
  },
  login: { method: 'POST', path: '/api/auth/login', access: 'anyone', returns: ['token'] },
  signup: { method: 'POST', path: '/api/auth/signup', access: 'anyone', returns: ['token'] },
  logout: { method: 'POST', path: '/api/auth/logout', access: 'user', returns: ['ok'] },
  changePassword: { method: 'POST', path: '/api/auth/change-password', access: 'user', returns: ['ok'] },
  forgotPassword: { method: 'POST', path: '/api/auth/forgot-password', access: 'anyone', returns: ['message'] },
  resetPassword: { method: 'POST', path: '/api/auth/reset-password', access: 'anyone', returns: [] },
  verifyEmail: { method: 'POST', path: '/api/auth/verify-email', access: 'anyone', returns: ['email'] },
  resendVerification: { method: 'POST', path: '/api/auth/resend-verification', access: 'user', returns: ['message'] },
  sessions: { method: 'GET', path: '/api/auth/sessions', access: 'user', returns: 'list' },
  endSession: { method: 'DELETE', path: '/api/auth/sessions/:id', access: 'user', returns: ['ok'] },
  endOtherSessions: { method: 'DELETE', path: '/api/auth/sessions', access: 'user', returns: ['ended'] },
} as const satisfies Endpoints;
