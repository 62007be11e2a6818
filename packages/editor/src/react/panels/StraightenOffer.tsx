/** Offers to straighten a picture that was found to be tilted. Loaded with the first offer. */
import { Button, IconButton } from '@markwright/controls';
import { useDesignFlow, useDesignState } from '../EditorProvider.tsx';

/** Path data of an icon: a tilted sheet. */
const STRAIGHTEN = 'M3.5 7.2 13.8 3.5l2.7 9.3-10.3 3.7z';

export function StraightenOffer({ isBusy }: { isBusy: boolean }) {
  const designs = useDesignFlow();
  const skew = useDesignState((state) => state.skew);
  if (!skew) return null;
  const angle = Math.abs(skew.angleDeg).toFixed(1);
  return (
    // One line: the step fits a low window with it.
    <div role="note" className="flex items-center gap-1 rounded-card border border-line bg-bone py-1 pr-1 pl-3">
      <p role="status" className="min-w-0 flex-1 text-xs">
        {skew.isPerspective ? 'Taken at an angle.' : `Tilted by ${angle}°.`}
      </p>
      <Button size="sm" icon={STRAIGHTEN} disabled={isBusy} onClick={() => designs.acceptSkew()}>
        Straighten
      </Button>
      <IconButton icon="close" size="sm" label="Leave the picture as it is" onClick={() => designs.dismissSkew()} />
    </div>
  );
}
