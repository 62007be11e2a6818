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
    <div role="note" className="rounded-card border border-line bg-bone py-2 pr-1.5 pl-3">
      <div className="flex items-start justify-between gap-1">
        <p role="status" className="pt-1 text-xs">
          {skew.isPerspective ? 'The picture was taken at an angle.' : `The picture is tilted by ${angle}°.`}
        </p>
        <IconButton icon="close" size="sm" label="Leave the picture as it is" onClick={() => designs.dismissSkew()} />
      </div>
      <Button size="sm" icon={STRAIGHTEN} className="mb-1" disabled={isBusy} onClick={() => designs.acceptSkew()}>
        Straighten
      </Button>
    </div>
  );
}
