/** “Many names”: the way from one text to a file for each name of a list. */
import { Button, lazyPart } from '@markwright/controls';
import { useEditorState } from '@markwright/editor';
import { isArtwork, isCode, isEngraved, isText } from '@markwright/scene';
import { Suspense, useState } from 'react';

const ManyNamesDialog = lazyPart(() => import('./ManyNamesDialog.tsx'));

export function ManyNames() {
  const canBind = useEditorState(({ composition: { elements, machine } }) =>
    elements.some((element) => {
      if (element.isHidden) return false;
      if (isArtwork(element)) return !isEngraved(element, machine);
      return isText(element) || (isCode(element) && element.data.includes('{'));
    }),
  );
  const [isOpen, setOpen] = useState(false);
  if (!canBind) return null;
  return (
    <div className="mt-3 flex items-center justify-between gap-2 border-line border-t pt-3 low:mt-2 low:pt-2">
      <p className="text-graphite text-xs">The same piece for a list of names?</p>
      <Button size="sm" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Many names
      </Button>
      {isOpen && (
        <Suspense>
          <ManyNamesDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
