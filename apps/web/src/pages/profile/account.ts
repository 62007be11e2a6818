/** The account whose profile is shown, for the tabs. */
import type { User } from '@markwright/contract/schemas';
import { createContext, useContext } from 'react';
import type { Session } from '../../session.tsx';

export interface OwnAccount {
  readonly user: User;
  readonly session: Session;
}

export const OwnAccountContext = createContext<OwnAccount | undefined>(undefined);

/** Returns the account. Throws outside of the profile. */
export function useOwnAccount(): OwnAccount {
  const account = useContext(OwnAccountContext);
  if (!account) throw new Error('A tab of the profile is shown outside of it.');
  return account;
}
