/** The card of the Founding Plan: its advantage, and the form for the waitlist. */
import { WaitlistRequest } from '@markwright/contract/forms';
import { FOUNDING_OFFER, foundingPriceCents, messages, plans, WAITLIST_OFFER } from '@markwright/contract/words';
import { Button, Field, Icon, TextInput } from '@markwright/controls';
import { useState } from 'react';
import { api } from '../../api.ts';
import { toast } from '../../ui/notices.ts';
import { useForm } from '../../ui/useForm.ts';

export function WaitlistCard() {
  const [hasJoined, setJoined] = useState(false);
  const { formProps, errors, isBusy, clear } = useForm({
    names: ['email'],
    async submit(values) {
      const email = values.email.trim();
      if (!email) return undefined;
      const body = WaitlistRequest.safeParse({ email });
      if (!body.success) return { email: messages.invalidEmail };
      try {
        await api.feedback.joinWaitlist({ body: body.data });
        setJoined(true);
        toast(messages.waitlistJoined);
        return undefined;
      } catch {
        toast({ ...messages.waitlistFailed, variant: 'destructive' });
        return { form: `${messages.waitlistFailed.title}. ${messages.waitlistFailed.description}` };
      }
    },
  });

  return (
    <section aria-labelledby="founding-plan" className="mx-auto w-full max-w-[1360px] px-8 py-16 lg:px-10 lg:py-24">
      <div className="crop-marks grid gap-x-16 gap-y-8 rounded-control bg-paper p-6 sm:p-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,440px)] lg:items-center">
        <div>
          <p className="caption text-accent">Early access</p>
          <h2 id="founding-plan" className="mt-3 text-2xl">
            Founding Plan
          </h2>
          <p className="mt-3 max-w-[56ch] text-graphite text-lg">
            ${FOUNDING_OFFER.centsOff / 100} off every month of your first year, on any plan: {plans.pro.name} is $
            {foundingPriceCents(plans.pro) / 100} instead of ${plans.pro.priceCents / 100}. No commitment.
          </p>
        </div>
        {hasJoined ? (
          <div role="status" className="flex gap-3">
            <Icon name="check" className="size-6 text-success" />
            <div>
              <p className="font-semibold">{messages.waitlistJoined.title}</p>
              <p className="mt-1 text-graphite">{messages.waitlistJoined.description}</p>
            </div>
          </div>
        ) : (
          <form {...formProps}>
            <Field
              label="Email"
              hint={`We send you a code for ${WAITLIST_OFFER.percentOff}% off your first ${WAITLIST_OFFER.months} months, good in place of the offer.`}
              error={errors.email ?? errors.form}
            >
              {(control) => (
                <span className="flex flex-col gap-2 sm:flex-row">
                  <TextInput
                    {...control}
                    name="email"
                    type="email"
                    required
                    autoComplete="email"
                    inputMode="email"
                    spellCheck={false}
                    maxLength={254}
                    placeholder="you@workshop.com"
                    onInput={() => !isBusy && clear()}
                    className="h-11"
                  />
                  <Button type="submit" variant="primary" size="lg" isBusy={isBusy} className="h-11">
                    Reserve Your Spot
                  </Button>
                </span>
              )}
            </Field>
          </form>
        )}
      </div>
    </section>
  );
}
