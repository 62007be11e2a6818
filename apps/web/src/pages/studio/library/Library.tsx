/** Opens “My library” from anywhere in the studio. Its code comes with the first use. */
import { lazyPart } from '@markwright/controls';
import { createContext, type ReactNode, Suspense, useContext, useState } from 'react';
import type { Session } from '../../../session.tsx';

const OpenLibraryContext = createContext<(() => void) | undefined>(undefined);

/** Returns a function that opens the dialog. */
export function useOpenLibrary(): () => void {
  const open = useContext(OpenLibraryContext);
  if (!open) throw new Error('This part of the studio needs a <LibraryProvider> above it');
  return open;
}

const LibraryDialog = lazyPart(() => import('./LibraryDialog.tsx'));

interface LibraryProviderProps {
  readonly isOpen: boolean;
  readonly session: Session;
  readonly children: ReactNode;
  onOpen(): void;
  onClose(): void;
}

export function LibraryProvider({ isOpen, session, children, onOpen, onClose }: LibraryProviderProps) {
  // Once it is there it stays: it closes with the focus going back to where it was.
  const [wasOpen, setWasOpen] = useState(false);
  if (isOpen && !wasOpen) setWasOpen(true);
  return (
    <OpenLibraryContext value={onOpen}>
      {children}
      {wasOpen && (
        <Suspense>
          <LibraryDialog isOpen={isOpen} session={session} onClose={onClose} />
        </Suspense>
      )}
    </OpenLibraryContext>
  );
}
