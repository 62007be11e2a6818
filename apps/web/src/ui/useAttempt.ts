import { useQueryClient } from '@tanstack/react-query';
import { messageOf, statusOf } from '../request.ts';
import { loadMe } from '../session.tsx';
import { type Notice, toast } from './notices.ts';

/**
 * Returns a function that runs a call and resolves with true when it succeeded. It shows the notice that the call
 * resolves with, or a notice of the failure. After a 401 it reads the session again, which may have ended.
 */
export function useAttempt() {
  const client = useQueryClient();
  return async (failureTitle: string, act: () => Promise<Notice | undefined>): Promise<boolean> => {
    try {
      const notice = await act();
      if (notice) toast(notice);
      return true;
    } catch (error) {
      toast({ title: failureTitle, description: messageOf(error), variant: 'destructive' });
      if (statusOf(error) === 401) await loadMe(client);
      return false;
    }
  };
}
