import { feedback } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../platform/context.ts';
import { mount } from '../platform/mount.ts';
import { joinWaitlist, sendFeedback } from './feedback.ts';

export function feedbackRoutes(app: FastifyInstance, context: Context): void {
  mount(app, context, feedback.send, ({ actor, body }) => sendFeedback(context, actor, body));
  mount(app, context, feedback.joinWaitlist, ({ actor, body }) => joinWaitlist(context, actor, body));
}
