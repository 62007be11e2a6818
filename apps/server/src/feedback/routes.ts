import { feedback } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../openContext.ts';
import { mount } from '../platform/mount.ts';
import { joinWaitlist, sendFeedback } from './feedback.ts';

export function feedbackRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, feedback.send, ({ actor, body }) => sendFeedback(deps, actor, body));
  mount(app, deps, feedback.joinWaitlist, ({ actor, body }) => joinWaitlist(deps, actor, body));
}
