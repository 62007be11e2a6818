/** Measures lines and gaps off the page's own thread; Clipper comes with it. */
import type { FeatureRequest, Features } from '@markwright/scene';
import { measureFeatures } from '@markwright/scene/features';

declare const self: { onmessage: (event: MessageEvent<FeatureRequest>) => void; postMessage(features: Features): void };

self.onmessage = ({ data }) => self.postMessage(measureFeatures(data));
