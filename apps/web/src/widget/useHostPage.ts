/** The messages between the widget and the page around it while the widget is shown. */
import type { SavedDesign } from '@markwright/contract/schemas';
import { useEffect, useRef } from 'react';
import { showTheme } from './address.ts';
import type { Host } from './hostPage.ts';
import type { Visit } from './visit.ts';

interface HostCalls {
  save(): Promise<SavedDesign>;
  openSaved(designId: string): Promise<void>;
}

/** Answers the calls of the page. Calls that arrive before the products wait for them. */
export function useHostCalls(host: Host | undefined, visit: Visit, { save, openSaved }: HostCalls): void {
  const isReady = visit.products !== undefined || visit.failure !== undefined;
  const waiting = useRef<(() => void)[]>([]);
  const latest = useRef({ save, openSaved, isReady });
  latest.current = { save, openSaved, isReady };
  useEffect(() => {
    if (!isReady) return;
    for (const answer of waiting.current.splice(0)) answer();
  }, [isReady]);
  useEffect(
    () =>
      host?.listen((message) => {
        if (message.type === 'theme') {
          showTheme(message.theme);
          return;
        }
        const { call } = message;
        const answer = () => {
          const { save, openSaved } = latest.current;
          const result = message.method === 'save' ? save() : openSaved(message.designId).then(() => undefined);
          result.then(
            (value) => host.send({ type: 'result', call, ...(value && { value }) }),
            (error: unknown) => host.send({ type: 'result', call, error: sentenceOf(error) }),
          );
        };
        if (latest.current.isReady) answer();
        else waiting.current.push(answer);
      }),
    [host],
  );
}

export const sentenceOf = (error: unknown): string =>
  error instanceof Error && error.message ? error.message : 'Something went wrong. Please try again.';

/** Tells the page when the widget can be used, and when it failed. */
export function useReadyMessages(host: Host | undefined, visit: Visit): void {
  const isReady = visit.products !== undefined;
  useEffect(() => {
    if (isReady) host?.send({ type: 'ready' });
  }, [host, isReady]);
  const failure = visit.failure?.message;
  useEffect(() => {
    if (failure !== undefined) host?.send({ type: 'error', message: failure });
  }, [host, failure]);
}

/** Tells the page the height of the content, so that the frame can be as high. */
export function useHeightMessages(host: Host | undefined): void {
  useEffect(() => {
    const root = document.getElementById('root');
    if (!host || !root) return;
    let lastHeight = 0;
    const observer = new ResizeObserver(() => {
      const height = Math.ceil(root.getBoundingClientRect().height);
      if (height === lastHeight) return;
      lastHeight = height;
      host.send({ type: 'resize', height });
    });
    observer.observe(root);
    return () => observer.disconnect();
  }, [host]);
}
