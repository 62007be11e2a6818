import { Button } from '@markwright/controls';
import { useOpenLibrary } from './Library.tsx';

export const LibraryButton = ({ className = '' }: { className?: string }) => (
  <Button variant="ghost" size="sm" className={className} onClick={useOpenLibrary()}>
    My library
  </Button>
);
