/** The ports of the preflight, whose code is fetched with the first request. */
import type { PreflightPorts } from './preflightWorker.ts';

export function loadPreflightPorts(): PreflightPorts {
  let loading: Promise<PreflightPorts> | undefined;
  function load(): Promise<PreflightPorts> {
    loading ??= import('./preflightWorker.ts').then((part) => part.createPreflightPorts());
    loading.catch(() => {
      loading = undefined; // asked for again with the next request
    });
    return loading;
  }
  return {
    measureFeatures: async (...input) => (await load()).measureFeatures(...input),
    reviewJob: async (...input) => (await load()).reviewJob(...input),
  };
}
