import type { Endpoints } from './endpoint.ts';

export const auth = {
  me: { method: 'GET', path: '/api/auth/me', access: 'user' },
  login: { method: 'POST', path: '/api/auth/login', access: 'anyone' },
  signup: { method: 'POST', path: '/api/auth/signup', access: 'anyone' },
  logout: { method: 'POST', path: '/api/auth/logout', access: 'user' },
  changePassword: { method: 'POST', path: '/api/auth/change-password', access: 'user' },
  forgotPassword: { method: 'POST', path: '/api/auth/forgot-password', access: 'anyone' },
  resetPassword: { method: 'POST', path: '/api/auth/reset-password', access: 'anyone' },
  verifyEmail: { method: 'POST', path: '/api/auth/verify-email', access: 'anyone' },
  resendVerification: { method: 'POST', path: '/api/auth/resend-verification', access: 'user' },
  sessions: { method: 'GET', path: '/api/auth/sessions', access: 'user' },
  endSession: { method: 'DELETE', path: '/api/auth/sessions/:id', access: 'user' },
  endOtherSessions: { method: 'DELETE', path: '/api/auth/sessions', access: 'user' },
} as const satisfies Endpoints;
