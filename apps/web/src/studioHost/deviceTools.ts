/** The editor's ports that the studio and the widget share: tools that run in the browser, fonts and notices. */
import type { Ports } from '@markwright/editor';
import { onPlace, readPlace } from '../placeInLine.ts';
import { toast } from '../ui/notices.ts';
import { fontUrl } from './fontUrl.ts';
import { loadPreflightPorts } from './preflight/preflightPorts.ts';

type PreviewTrace = NonNullable<Ports['previewTrace']>;

/** Returns the ports of a page. The code of each tool is fetched with its first use. */
export function createDeviceTools() {
  let previewTrace: Promise<PreviewTrace> | undefined;
  return {
    findSkew: async (...input) => (await import('./skew/findSkew.ts')).findSkew(...input),
    takeOutLight: async (...input) => (await import('./light/takeOutLight.ts')).takeOutLight(...input),
    async previewTrace(...input: Parameters<PreviewTrace>) {
      previewTrace ??= import('./tracer/previewTrace.ts').then((part) => part.createPreviewTrace());
      previewTrace.catch(() => {
        previewTrace = undefined; // asked for again with the next setting
      });
      return (await previewTrace)(...input);
    },
    ...loadPreflightPorts(),
    async ensureFonts(lines) {
      const tools = await import('./fonts.ts').catch((error: unknown) => {
        throw new Error('The text tools could not be loaded. Check your connection.', { cause: error });
      });
      return tools.ensureFonts(lines);
    },
    fontUrl,
    notify: toast,
    placeInLine: { read: readPlace, subscribe: onPlace },
  } satisfies Partial<Ports>;
}
