import { useEffect, useRef, useState } from 'react';
import { toast } from './notices.ts';

const COPIED_MS = 2_000;

/**
 * Copies text to the clipboard; `isCopied` is true for two seconds after. When the browser refuses, as on plain http, a
 * notice shows `advice`.
 */
export function useCopy(advice: string) {
  const [isCopied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  async function copy(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      toast({ title: 'The browser did not let us copy', description: advice, variant: 'destructive' });
      return;
    }
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), COPIED_MS);
  }
  return { isCopied, copy };
}
