/** The questions about the account: make one to export, or go on next month. */
import { GUEST_MOCKUPS, type Plan, type PlanId, plans } from '@markwright/contract';
import { type AccountReason, buttonClass } from '@markwright/editor';
import { Link } from '@tanstack/react-router';
import { Modal } from '../../ui/dialog.tsx';

export interface AccountQuestion {
  readonly reason: AccountReason | 'banner';
  readonly title: string;
  readonly description: string;
}

/** What the link in the banner opens. */
export const bannerQuestion: AccountQuestion = {
  reason: 'banner',
  title: 'Create an account for unlimited mockups',
  description: 'It takes an email address and a password. What you have arranged stays as it is.',
};

/** Opens by itself when the free mockups are used up. */
export const usageLimitQuestion: AccountQuestion = {
  reason: 'mockups',
  title: 'Free mockups used up',
  description: `You've used all ${GUEST_MOCKUPS} free mockups this month. Create an account to go on. Mockups of text alone stay free.`,
};

interface Props {
  readonly question: AccountQuestion | undefined;
  /** The account's plan; undefined for a visitor. */
  readonly plan: PlanId | undefined;
  onClose(): void;
}

/** The smallest plan that allows more of what ran out. */
export function nextPlan(current: PlanId, reason: AccountQuestion['reason']): Plan | undefined {
  const counter = reason === 'png' || reason === 'mockups' ? 'mockups' : 'vectors';
  return Object.values(plans).find((plan) => plan[counter] > plans[current][counter]);
}

export function AccountDialogs({ question, plan, onClose }: Props) {
  return (
    <Modal
      isOpen={question !== undefined}
      title={question?.title ?? ''}
      description={question?.description ?? ''}
      onClose={onClose}
    >
      {plan ? (
        <Upgrade next={question && nextPlan(plan, question.reason)} onClose={onClose} />
      ) : (
        <div className="mt-6 grid gap-2">
          <Link
            to="/auth"
            search={{ next: '/studio', tab: 'signup' }}
            className={buttonClass('primary', 'lg', 'w-full')}
          >
            Create an account
          </Link>
          <Link to="/auth" search={{ next: '/studio' }} className={buttonClass('secondary', 'lg', 'w-full')}>
            I have one already
          </Link>
          <button type="button" onClick={onClose} className={buttonClass('ghost', 'lg', 'w-full')}>
            Not now
          </button>
        </div>
      )}
    </Modal>
  );
}

/** The next plan that would do, with what it costs; nothing to sell to those who have the largest. */
function Upgrade({ next, onClose }: { next: Plan | undefined; onClose(): void }) {
  if (!next) {
    return (
      <div className="mt-6 flex justify-end">
        <button type="button" onClick={onClose} className={buttonClass('primary', 'lg')}>
          All right
        </button>
      </div>
    );
  }
  return (
    <>
      <p className="mt-4 border-accent border-l-2 pl-3">
        <span className="font-semibold">{next.name}</span> has {next.vectors} production exports and {next.mockups}{' '}
        image mockups a month, for ${next.priceCents / 100} or less.
      </p>
      <div className="mt-6 grid gap-2">
        <Link to="/subscribe" search={{ plan: next.id }} className={buttonClass('primary', 'lg', 'w-full')}>
          See {next.name}
        </Link>
        <button type="button" onClick={onClose} className={buttonClass('ghost', 'lg', 'w-full')}>
          Not now
        </button>
      </div>
    </>
  );
}
