import { byOwner, bySupport, type Endpoints } from './endpoint.ts';

const mailFields = ['id', 'kind', 'to', 'subject', 'state', 'attempts', 'lastError', 'createdAt', 'sentAt'] as const;

export const admin = {
  vectorizerStatus: {
    method: 'GET',
    path: '/api/admin/vectorizer-status',
    ...byOwner,
    returns: ['currentMode', 'rateLimitMs', 'credentials', 'system'],
  },
  toggleVectorizer: { method: 'POST', path: '/api/admin/toggle-vectorizer', ...byOwner, returns: ['message'] },
  audit: { method: 'GET', path: '/api/admin/audit', ...byOwner, returns: ['entries', 'kinds', 'next'] },
  administrators: {
    method: 'GET',
    path: '/api/admin/administrators',
    ...byOwner,
    returns: ['administrators', 'invitations'],
  },
  changeRole: { method: 'PUT', path: '/api/admin/administrators/:id', ...byOwner, returns: ['ok'] },
  removeAdministrator: { method: 'DELETE', path: '/api/admin/administrators/:id', ...byOwner, returns: ['ok'] },
  invite: { method: 'POST', path: '/api/admin/invitations', ...byOwner, returns: ['ok'] },
  withdrawInvitation: { method: 'DELETE', path: '/api/admin/invitations/:id', ...byOwner, returns: ['ok'] },
  securityEvents: { method: 'GET', path: '/api/admin/security-events', ...bySupport, returns: ['events', 'next'] },
  feedback: { method: 'GET', path: '/api/admin/feedback', ...bySupport, returns: ['feedback', 'next'] },
  waitlist: { method: 'GET', path: '/api/admin/waitlist', ...bySupport, returns: ['total', 'entries', 'next'] },
  overview: {
    method: 'GET',
    path: '/api/admin/overview',
    ...bySupport,
    returns: ['usersByPlan', 'activeSubscriptions', 'signUps', 'exportsThisMonth'],
  },
  users: { method: 'GET', path: '/api/admin/users', ...bySupport, returns: ['users', 'next'] },
  endSessions: { method: 'DELETE', path: '/api/admin/users/:id/sessions', ...bySupport, returns: ['ended'] },
  storage: { method: 'GET', path: '/api/admin/storage', ...byOwner, returns: ['freeBytes', 'gauges', 'kinds'] },
  storageOwners: { method: 'GET', path: '/api/admin/storage/owners', ...byOwner, returns: ['owners', 'next'] },
  mails: { method: 'GET', path: '/api/admin/mails', ...byOwner, returns: ['mails', 'next'] },
  mail: { method: 'GET', path: '/api/admin/mails/:id', ...byOwner, returns: [...mailFields, 'text', 'html'] },
  resendMail: { method: 'POST', path: '/api/admin/mails/:id/send', ...byOwner, returns: mailFields },
} as const satisfies Endpoints;
