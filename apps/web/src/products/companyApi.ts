/** A shop's calls. They are no part of `api`, whose code every page waits for. */
import { company } from '@markwright/contract';
import { createClient } from '../api.ts';

export const companyApi = createClient({ company }).company;
