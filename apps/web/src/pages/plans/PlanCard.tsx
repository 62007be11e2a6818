import type { Plan } from '@markwright/contract/words';
import { Button } from '@markwright/controls';
import type { ReactNode, Ref } from 'react';
import { money, type Offer, priceOf } from '../../plans/price.ts';

interface PlanCardProps {
  readonly plan: Plan;
  readonly offer: Offer;
  readonly isCurrent: boolean;
  /** True for the plan that the page's address names; without one, for the popular plan. */
  readonly isHighlighted: boolean;
  readonly isProcessing: boolean;
  readonly isDisabled: boolean;
  readonly action: string;
  readonly buttonRef?: Ref<HTMLButtonElement>;
  onChoose(): void;
}

/** A paid plan. A subgrid puts its parts on the same lines as those of its neighbors. */
export function PlanCard({ plan, offer, isCurrent, ...button }: PlanCardProps) {
  return (
    <PlanItem
      plan={plan}
      isCurrent={isCurrent}
      className={`relative row-span-5 grid grid-rows-subgrid gap-y-0 rounded-card border bg-paper p-6 ${
        button.isHighlighted ? 'border-accent' : 'border-line'
      }`}
    >
      {plan.popular && (
        <span className="absolute -top-3 left-6 rounded-control bg-accent px-2 py-1 font-medium text-on-accent text-xs">
          Most Popular
        </span>
      )}
      <PlanName plan={plan} isCurrent={isCurrent} />
      <p className="mt-1 text-graphite text-sm">{plan.description}</p>
      <PriceLines plan={plan} offer={offer} />
      <ChooseButton plan={plan} isCurrent={isCurrent} {...button} className="mt-5 w-full" />
      <div className="mt-5 border-line border-t pt-4">
        <p className="text-graphite text-sm">Each month</p>
        <dl className="mt-2 grid gap-2">
          <Allowance count={plan.vectors} name="production exports">
            listed at {money(Math.round(plan.priceCents / plan.vectors))} each
          </Allowance>
          <Allowance count={plan.mockups} name="image mockups" />
        </dl>
      </div>
    </PlanItem>
  );
}

/** The free plan, across the whole page: everybody has it, and it is not one more thing to buy. */
export function FreePlanCard({ plan, isCurrent, ...button }: Omit<PlanCardProps, 'offer' | 'isHighlighted'>) {
  return (
    <PlanItem
      plan={plan}
      isCurrent={isCurrent}
      className="grid items-center gap-x-8 gap-y-4 rounded-card border border-line px-6 py-5 sm:col-span-2 sm:grid-cols-[minmax(0,1fr)_auto] lg:col-span-4 lg:grid-cols-[minmax(0,1fr)_auto_auto]"
    >
      <div>
        <div className="flex flex-wrap items-baseline gap-x-3">
          <PlanName plan={plan} isCurrent={isCurrent} />
          <span className="text-graphite text-sm max-sm:basis-full">{plan.description}</span>
        </div>
        <p className="mt-1 text-sm">
          <span className="tabular-nums">{plan.mockups}</span> image mockups a month, with a watermark. No production
          exports.
        </p>
      </div>
      <p className="text-graphite text-sm">
        <span className="mr-1.5 font-semibold text-2xl text-ink tabular-nums tracking-tight">
          {money(plan.priceCents)}
        </span>
        for good
      </p>
      <ChooseButton
        plan={plan}
        isHighlighted={false}
        isCurrent={isCurrent}
        {...button}
        className="w-full sm:col-span-2 lg:col-span-1 lg:w-40"
      />
    </PlanItem>
  );
}

/** Shows what differs between the plans: how much a month has of something. */
function Allowance({ count, name, children }: { count: number; name: string; children?: ReactNode }) {
  return (
    <div className="grid grid-cols-[64px_minmax(0,1fr)] items-baseline gap-x-3">
      <dt className="order-2">
        {name}
        {children && <span className="block text-graphite text-sm tabular-nums">{children}</span>}
      </dt>
      <dd className="font-semibold text-xl tabular-nums tracking-tight">{count.toLocaleString('en-US')}</dd>
    </div>
  );
}

interface PlanItemProps {
  readonly plan: Plan;
  readonly isCurrent: boolean;
  readonly className: string;
  readonly children: ReactNode;
}

/** Returns the id of the element with the plan's name. */
const nameId = ({ id }: Plan) => `plan-${id}`;

const PlanItem = ({ plan, isCurrent, className, children }: PlanItemProps) => (
  <li aria-labelledby={nameId(plan)} data-plan={plan.id} aria-current={isCurrent || undefined} className={className}>
    {children}
  </li>
);

function PlanName({ plan, isCurrent }: { plan: Plan; isCurrent: boolean }) {
  return (
    <div className="flex items-center justify-between gap-3">
      <h2 id={nameId(plan)} className="text-lg">
        {plan.name}
      </h2>
      {isCurrent && (
        <span className="rounded-control border border-edge px-1.5 py-0.5 font-medium text-xs">Current plan</span>
      )}
    </div>
  );
}

function PriceLines({ plan, offer }: { plan: Plan; offer: Offer }) {
  const { cents, months } = priceOf(plan, offer);
  const full = money(plan.priceCents);
  const [whole, fraction] = money(cents).split('.');
  return (
    <div className="mt-5">
      <p className="flex items-baseline gap-2">
        <span className="font-semibold text-4xl tabular-nums tracking-tight">
          {whole}
          {fraction && <span className="text-xl">.{fraction}</span>}
        </span>
        <span className="whitespace-nowrap text-graphite text-sm">a month</span>
        {months !== undefined && (
          <s className="ml-auto text-graphite text-lg tabular-nums">
            <span className="sr-only">instead of </span>
            {full}
          </s>
        )}
      </p>
      {/* With and without an offer there are two lines: the cards keep their height when the account is known. */}
      <p className="mt-1 text-graphite text-sm tabular-nums">
        {months === undefined ? 'listed price' : `for the first ${months} months, then ${full}`}
      </p>
      <p className="mt-2 inline-block rounded-control bg-accent-soft px-2 py-1 text-sm tabular-nums">
        {months === undefined ? (
          'Your discount goes on'
        ) : (
          <>
            First year{' '}
            <strong className="font-semibold">{money(months * cents + (12 - months) * plan.priceCents)}</strong> instead
            of {money(12 * plan.priceCents)}
          </>
        )}
      </p>
    </div>
  );
}

type ChooseButtonProps = Omit<PlanCardProps, 'offer'> & { readonly className: string };

function ChooseButton({
  isHighlighted,
  isCurrent,
  isProcessing,
  isDisabled,
  action,
  buttonRef,
  onChoose,
  className,
}: ChooseButtonProps) {
  return (
    <Button
      ref={buttonRef}
      size="lg"
      variant={isHighlighted && !isCurrent ? 'primary' : 'secondary'}
      isBusy={isProcessing}
      disabled={isDisabled}
      onClick={onChoose}
      className={className}
    >
      {isProcessing ? 'Processing…' : action}
    </Button>
  );
}
