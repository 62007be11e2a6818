/** The questions about the account: make one to export, or go on next month. */
import { noVectorExports, type Plan, type PlanId } from '@markwright/contract/words';
import { buttonClass } from '@markwright/controls';
import { type Offer, priceWords } from '../../plans/price.ts';
import { Modal } from '../../ui/dialog.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { type AccountQuestion, nextPlan } from './accountQuestions.ts';

export interface AccountDialogsProps {
  readonly question: AccountQuestion | undefined;
  /** The account's plan; undefined for a visitor. */
  readonly plan: PlanId | undefined;
  onClose(): void;
}

export function AccountDialogs({ question, plan, onClose }: AccountDialogsProps) {
  const next = plan && question && nextPlan(plan, question.reason);
  const description = question?.description ?? '';
  return (
    <Modal
      isOpen={question !== undefined}
      title={question?.title ?? ''}
      // The plan that has some is named below, with its price.
      description={next && description.startsWith(noVectorExports) ? noVectorExports : description}
      onClose={onClose}
    >
      {plan ? (
        <Upgrade next={next} offer={plan === 'free' ? 'founding' : 'none'} onClose={onClose} />
      ) : (
        <div className="mt-6 grid gap-2">
          <ButtonLink to="/auth" search={{ next: '/studio', tab: 'signup' }} className="w-full">
            Create an account
          </ButtonLink>
          <ButtonLink to="/auth" search={{ next: '/studio' }} variant="secondary" className="w-full">
            I have one already
          </ButtonLink>
          <button type="button" onClick={onClose} className={buttonClass('ghost', 'lg', 'w-full')}>
            Not now
          </button>
        </div>
      )}
    </Modal>
  );
}

/** Offers the next plan that is large enough, with its price; offers nothing when there is no larger plan. */
function Upgrade({ next, offer, onClose }: { next: Plan | undefined; offer: Offer; onClose(): void }) {
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
        image mockups a month. {offer === 'none' ? 'It costs at most' : 'Today it costs'} {priceWords(next, offer)}.
      </p>
      <div className="mt-6 grid gap-2">
        <ButtonLink to="/subscribe" search={{ plan: next.id }} className="w-full">
          See {next.name}
        </ButtonLink>
        <button type="button" onClick={onClose} className={buttonClass('ghost', 'lg', 'w-full')}>
          Not now
        </button>
      </div>
    </>
  );
}
