/** “Many names”: the way from one text to a file for each name of a list. */
import { Button, lazyPart } from '@markwright/controls';
import { useEditorState } from '@markwright/editor';
import { isCode, textsOf } from '@markwright/scene';
import { Suspense, useState } from 'react';

const ManyNamesDialog = lazyPart(() => import('./ManyNamesDialog.tsx'));

export function ManyNames() {
  const canBind = useEditorState(
    ({ composition }) =>
      textsOf(composition).some(({ isHidden }) => !isHidden) ||
      composition.elements.some((element) => isCode(element) && !element.isHidden && element.data.includes('{')),
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
