/** The worker that computes the white plate, with the code that makes it for a file. */
import type { WhitePlateRequest } from '@markwright/editor';
import { drawWhitePlate } from '@markwright/scene/inkFiles';

declare const self: { onmessage: (event: MessageEvent<WhitePlateRequest>) => void; postMessage(d: string): void };

self.onmessage = ({ data: { scene, options } }) => self.postMessage(drawWhitePlate(scene, options));
