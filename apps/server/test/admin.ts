import { ensureAdmin } from '../src/accounts/accounts.ts';
import type { TestApp } from './server.ts';

/**
 * Creates the administrator's account and returns the header that authorizes its calls. The app needs ADMIN_PASSWORD.
 */
export async function signInAdmin({ app, context }: TestApp): Promise<{ authorization: string }> {
  await ensureAdmin(context);
  const payload = { email: context.config.adminEmail, password: context.config.adminPassword };
  const answer = await app.inject({ method: 'POST', url: '/api/auth/login', payload });
  return { authorization: `Bearer ${answer.json<{ token: string }>().token}` };
}
