/** The port for the vectorizing service of the paid tier. Adapter: `tracing/vectorizerService.ts`. */
export interface VectorizerService {
  /** Where it is reached, for the administrator to read. */
  readonly host: string;
  /**
   * Sends a PNG and returns the SVG text that came back, unread: it is a stranger's. Throws ServiceFailed, and the
   * signal's reason when aborted. At most 10 s, one repetition included.
   */
  vectorize(png: Uint8Array, fields: Readonly<Record<string, string>>, signal: AbortSignal): Promise<string>;
}
