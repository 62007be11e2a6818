import type { Endpoints } from './endpoint.ts';

export const admin = {
  vectorizerStatus: { method: 'GET', path: '/api/admin/vectorizer-status', access: 'admin' },
  toggleVectorizer: { method: 'POST', path: '/api/admin/toggle-vectorizer', access: 'admin' },
  audit: { method: 'GET', path: '/api/admin/audit', access: 'admin' },
  feedback: { method: 'GET', path: '/api/admin/feedback', access: 'admin' },
  waitlist: { method: 'GET', path: '/api/admin/waitlist', access: 'admin' },
  overview: { method: 'GET', path: '/api/admin/overview', access: 'admin' },
  users: { method: 'GET', path: '/api/admin/users', access: 'admin' },
  mails: { method: 'GET', path: '/api/admin/mails', access: 'admin' },
  mail: { method: 'GET', path: '/api/admin/mails/:id', access: 'admin' },
  resendMail: { method: 'POST', path: '/api/admin/mails/:id/send', access: 'admin' },
} as const satisfies Endpoints;
