/** The worker that measures lines and gaps. The polygon library Clipper is loaded with it. */
import type { FeatureRequest, Features } from '@markwright/scene';
import { measureFeatures } from '@markwright/scene/features';

declare const self: { onmessage: (event: MessageEvent<FeatureRequest>) => void; postMessage(features: Features): void };

self.onmessage = ({ data }) => self.postMessage(measureFeatures(data));
