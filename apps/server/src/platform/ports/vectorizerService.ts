/** The port for the vectorizing service of the paid tier. Adapter: `tracing/vectorizerService.ts`. */
export interface VectorizerService {
  /** The address of the service, shown to the administrator. */
  readonly host: string;
  /**
   * Sends a PNG and returns the SVG text of the reply, unparsed: it is untrusted. Throws ServiceFailed, and the
   * signal's reason when aborted. Takes at most 10 s, one repetition included.
   */
  vectorize(png: Uint8Array, fields: Readonly<Record<string, string>>, signal: AbortSignal): Promise<string>;
}
