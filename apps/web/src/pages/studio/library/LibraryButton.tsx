import { Button, Icon } from '@markwright/controls';
import { LIBRARY_ICON } from '@markwright/editor';
import { useOpenLibrary } from './Library.tsx';

/** Opens the library. `isBesideTabs`: on the smallest phones its icon alone has room there. */
export function LibraryButton({ isBesideTabs = false }: { isBesideTabs?: boolean }) {
  return (
    <Button variant="ghost" size="sm" className={isBesideTabs ? 'shrink-0' : ''} onClick={useOpenLibrary()}>
      {isBesideTabs && <Icon name={LIBRARY_ICON} className="size-5 min-[380px]:hidden" />}
      <span className={isBesideTabs ? 'max-[379px]:sr-only' : ''}>My library</span>
    </Button>
  );
}
