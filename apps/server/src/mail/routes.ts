import { admin } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../openContext.ts';
import { mount } from '../platform/mount.ts';
import { listMails, readMail, resendMail } from './mailbox.ts';

export function mailRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, admin.mails, ({ query }) => listMails(deps, query.before));
  mount(app, deps, admin.mail, ({ params }) => readMail(deps, params.id));
  mount(app, deps, admin.resendMail, ({ params }) => resendMail(deps, params.id));
}
