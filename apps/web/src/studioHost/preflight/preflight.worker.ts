/** The worker of the preflight: measures lines and gaps, and reviews the job. Clipper is loaded with it. */
import type { FeatureRequest, Features, JobReview, Scene } from '@markwright/scene';
import { measureFeatures } from '@markwright/scene/features';
import { reviewJob } from '@markwright/scene/reviewJob';

export type PreflightRequest = { readonly features: FeatureRequest } | { readonly job: Scene };

declare const self: {
  onmessage: (event: MessageEvent<PreflightRequest>) => void;
  postMessage(answer: Features | JobReview): void;
};

self.onmessage = ({ data }) => self.postMessage('job' in data ? reviewJob(data.job) : measureFeatures(data.features));
