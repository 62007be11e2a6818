/** The widget's calls once a product is chosen: pictures, saved designs, towns and orders. */
// One group a file: the widget leaves the others out of its bundle.
import { designs } from '@markwright/contract/paths/designs';
import { makers } from '@markwright/contract/paths/makers';
import { orderCalls } from '@markwright/contract/paths/orders';
import { widget } from '@markwright/contract/paths/widget';
import type { calls as contract } from '@markwright/contract/schemas';
import { type Client, createClient } from '../client.ts';
import { callEndpoint } from '../endpointCall.ts';
import { toError, type WidgetApi } from './api.ts';

type EditorCalls = Pick<typeof contract, 'designs' | 'makers' | 'orders' | 'widget'>;

export type EditorApi = Client<EditorCalls>;

/** Returns the calls of the editor, made by the guest of `api`. They reject like those of `api`. */
export const createEditorApi = ({ request }: WidgetApi): EditorApi =>
  createClient<EditorCalls>({ designs, makers, orders: orderCalls, widget }, { request, call: callEndpoint, toError });
