import type { Endpoints } from './endpoint.ts';

const mailFields = ['id', 'kind', 'to', 'subject', 'state', 'attempts', 'lastError', 'createdAt', 'sentAt'] as const;

export const admin = {
  vectorizerStatus: {
    method: 'GET',
    path: '/api/admin/vectorizer-status',
    access: 'admin',
    returns: ['currentMode', 'rateLimitMs', 'credentials', 'system'],
  },
  toggleVectorizer: { method: 'POST', path: '/api/admin/toggle-vectorizer', access: 'admin', returns: ['message'] },
  audit: { method: 'GET', path: '/api/admin/audit', access: 'admin', returns: ['entries', 'kinds', 'next'] },
  securityEvents: { method: 'GET', path: '/api/admin/security-events', access: 'admin', returns: ['events', 'next'] },
  feedback: { method: 'GET', path: '/api/admin/feedback', access: 'admin', returns: ['feedback', 'next'] },
  waitlist: { method: 'GET', path: '/api/admin/waitlist', access: 'admin', returns: ['total', 'entries', 'next'] },
  overview: {
    method: 'GET',
    path: '/api/admin/overview',
    access: 'admin',
    returns: ['usersByPlan', 'activeSubscriptions', 'signUps', 'exportsThisMonth'],
  },
  users: { method: 'GET', path: '/api/admin/users', access: 'admin', returns: ['users', 'next'] },
  storage: {
    method: 'GET',
    path: '/api/admin/storage',
    access: 'admin',
    returns: ['freeBytes', 'gauges', 'kinds'],
  },
  storageOwners: { method: 'GET', path: '/api/admin/storage/owners', access: 'admin', returns: ['owners', 'next'] },
  mails: { method: 'GET', path: '/api/admin/mails', access: 'admin', returns: ['mails', 'next'] },
  mail: { method: 'GET', path: '/api/admin/mails/:id', access: 'admin', returns: [...mailFields, 'text', 'html'] },
  resendMail: { method: 'POST', path: '/api/admin/mails/:id/send', access: 'admin', returns: mailFields },
} as const satisfies Endpoints;
