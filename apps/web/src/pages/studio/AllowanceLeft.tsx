/** The rest of the month's allowance, for the status line. */
import type { Allowance } from '../../session.tsx';
import { TextLink } from '../../ui/TextLink.tsx';

export function AllowanceLeft({ stats, guest }: Allowance) {
  if (stats) {
    return (
      <span className="leading-8">
        Left this month: <Left used={stats.vectorsUsed} limit={stats.vectorsLimit} /> exports,{' '}
        <Left used={stats.mockupsUsed} limit={stats.mockupsLimit} /> mockups{' '}
        {(stats.vectorsUsed >= stats.vectorsLimit || stats.mockupsUsed >= stats.mockupsLimit) && (
          <TextLink to="/plans">See the plans</TextLink>
        )}
      </span>
    );
  }
  if (!guest) return null;
  return (
    <span className="leading-8">
      Left this month: <Left used={guest.mockupsGenerated} limit={guest.mockupsLimit} /> free mockups
    </span>
  );
}

const Left = ({ used, limit }: { used: number; limit: number }) => (
  <span className="text-ink">{Math.max(0, limit - used)}</span>
);
