/** The roles of administrators, with their names and what each may do. */
export const ADMIN_ROLES = {
  owner: { name: 'Owner', text: 'Everything, and who else is an administrator.' },
  catalogue: { name: 'Catalogue', text: 'Base products and categories.' },
  support: { name: 'Support', text: 'Accounts, makers, feedback, waitlist and security events.' },
} as const;
export type AdminRole = keyof typeof ADMIN_ROLES;
export const ADMIN_ROLE_NAMES = ['owner', 'catalogue', 'support'] as const satisfies readonly AdminRole[];
