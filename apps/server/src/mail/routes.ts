import { admin } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../platform/context.ts';
import { mount } from '../platform/mount.ts';
import { listMails, readMail, resendMail } from './mailbox.ts';

export function mailRoutes(app: FastifyInstance, context: Context): void {
  mount(app, context, admin.mails, ({ query }) => listMails(context, query.before));
  mount(app, context, admin.mail, ({ params }) => readMail(context, params.id));
  mount(app, context, admin.resendMail, ({ params }) => resendMail(context, params.id));
}
