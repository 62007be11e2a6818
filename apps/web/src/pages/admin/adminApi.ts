/** The calls of administrators. They are no part of the site's client: every page would load their table. */
import { admin } from '@markwright/contract/paths/admin';
import { createCalls } from '../../api.ts';

export const adminApi = createCalls('admin', admin);
