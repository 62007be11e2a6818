/** The questions about the account: make one to export, or go on next month. */
import { GUEST_MOCKUPS } from '@markwright/contract';
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
  readonly isSignedIn: boolean;
  onClose(): void;
}

export function AccountDialogs({ question, isSignedIn, onClose }: Props) {
  return (
    <Modal
      isOpen={question !== undefined}
      title={question?.title ?? ''}
      description={question?.description ?? ''}
      onClose={onClose}
    >
      {isSignedIn ? (
        <div className="mt-6 flex justify-end">
          <button type="button" onClick={onClose} className={buttonClass('primary', 'lg')}>
            All right
          </button>
        </div>
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
