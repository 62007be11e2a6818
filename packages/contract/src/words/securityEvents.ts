/** The kinds of security events, with the words of the portal. Each kind has several actions. */
export const SECURITY_EVENT_KINDS = {
  signIn: 'Sign-in',
  refusal: 'Refusal',
  password: 'Password',
  plan: 'Plan',
  role: 'Role',
  secondFactor: 'Second factor',
  key: 'Key',
  account: 'Account',
} as const;
export type SecurityEventKind = keyof typeof SECURITY_EVENT_KINDS;

/** Security events are deleted after this number of days. */
export const SECURITY_EVENT_DAYS = 90;
